// Pictures for weft-view --render: steps are taken one picture at a time, and each is sent back.

/** Request of #seconds=..&size=..&count=..; null = none. */
export function filmOf(hash) {
  const wanted = new URLSearchParams(hash.slice(1));
  if (!wanted.has("count")) return null;
  const [width, height] = wanted.get("size").split("x").map(Number);
  return { seconds: Number(wanted.get("seconds")), width, height, count: Number(wanted.get("count")) };
}

export class Film {
  constructor(app, film) {
    this.app = app;
    this.film = film;
    this.taken = 0;
    this.asked = -1;
    document.body.classList.add("bare");
    app.stage.fix(film.width, film.height);
  }

  /** The step at which the next picture is due: the last one at the end. */
  due() {
    const steps = this.film.seconds * this.app.info.rate;
    return Math.round((steps * (this.taken + 1)) / this.film.count);
  }

  /** Frames between two pictures are not drawn. */
  isDue(frame) {
    return frame.step >= this.due();
  }

  /** A single picture shows the last positions. */
  isStill(frame) {
    return this.film.count === 1 && this.isDue(frame);
  }

  /** After a frame has come, and was drawn if it is due. */
  drawn(frame) {
    if (this.taken >= this.film.count || this.isBusy) return;
    if (this.isDue(frame)) {
      this.isBusy = true;
      this.app.stage.canvas.toBlob((picture) => {
        this.app.engine.picture(picture);
        ++this.taken;
        this.isBusy = false;
        this.drawn(frame);
      });
      return;
    }
    if (this.asked === frame.step) return;
    this.asked = frame.step;
    this.app.engine.send({ do: "step", count: Math.min(this.due() - frame.step, 60) });
  }
}
