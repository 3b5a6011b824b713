// Quality of the drawing: without a GPU less is drawn, so that pictures keep coming.

export const choices = ["auto", "full", "light", "fast"];
const SLOW = 70; // milliseconds of a picture, mean, from which less is drawn
const SLOW_WHILE_LATE = 20; // the same while steps are late: software rendering takes their CPUs
const PICTURES = 4; // window of the mean; a very slow picture decides by itself
/** From best to fastest. `points`: approximate limit of a cloth's points. */
const levels = [
  { shadows: true, pixels: 1, plain: false, points: Infinity },
  { shadows: false, pixels: 1, plain: false, points: Infinity },
  { shadows: false, pixels: 0.5, plain: true, points: 65536 },
  { shadows: false, pixels: 0.5, plain: true, points: 16384 },
  { shadows: false, pixels: 0.4, plain: true, points: 4096 },
];
const levelOf = { auto: 0, full: 0, light: 1, fast: 3 };

export class Quality {
  constructor(app) {
    this.app = app;
    this.choice = "auto";
    this.level = 0;
    this.asked = Infinity; // points
    this.gl = app.stage.renderer.getContext();
    this.fence = null;
    this.forget();
  }

  get now() {
    return levels[this.level];
  }

  choose(choice) {
    this.choice = choice;
    this.setLevel(levelOf[choice]);
  }

  setLevel(level) {
    this.level = level;
    this.forget();
    this.app.stage.setPixels(this.now.pixels);
    this.app.cloth.setPlain(this.now.plain);
    this.app.stage.setPlain(this.now.plain);
    this.askForPoints();
    this.app.applyLook();
  }

  askForPoints() {
    if (this.now.points === this.asked) return;
    this.asked = this.now.points;
    this.app.engine.send({ do: "detail", points: Math.min(this.asked, 2 ** 32 - 1) });
  }

  forget() {
    this.count = 0;
    this.sum = 0;
  }

  /** After a picture was drawn; it is done when the GPU has passed the fence. */
  begin() {
    this.fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.gl.flush();
    this.begun = performance.now();
  }

  /** True until the last picture is done: another one would only queue. */
  isBusy() {
    if (!this.fence) return false;
    if (this.gl.getSyncParameter(this.fence, this.gl.SYNC_STATUS) !== this.gl.SIGNALED) return true;
    this.gl.deleteSync(this.fence);
    this.fence = null;
    this.add(performance.now() - this.begun);
    return false;
  }

  add(milliseconds) {
    this.sum += milliseconds;
    if (++this.count < PICTURES && milliseconds < 5 * SLOW) return;
    const mean = this.sum / this.count;
    this.forget();
    const slow = this.app.isLate() ? SLOW_WHILE_LATE : SLOW;
    if (this.choice !== "auto" || mean <= slow || this.level + 1 === levels.length) return;
    this.setLevel(Math.min(this.level + (mean > 5 * slow ? 2 : 1), levels.length - 1));
  }
}
