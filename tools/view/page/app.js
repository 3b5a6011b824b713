// Joins the parts of the page: frames from the engine to the stage, actions of the person to the
// engine.
import { Vector3 } from "three";
import { Bodies } from "./bodies.js";
import { Cloth } from "./cloth.js";
import { Curves } from "./curves.js";
import { Figures } from "./figures.js";
import { Film, filmOf } from "./film.js";
import { addButtons, Keys, table } from "./keys.js";
import { Panel } from "./panel.js";
import { Pointer } from "./pointer.js";
import { Quality } from "./quality.js";
import { Settings } from "./settings.js";
import { Stage } from "./stage.js";

const USUAL_HINT = "Left drag pulls, right drag tears, Shift cuts";
const GUSTY = 6; // metres per second of wind by the key

class App {
  constructor(engine) {
    this.engine = engine;
    this.look = { overlay: "none", wireframe: false, shadows: true, grip: 0.02, tear: 0.006 };
    const film = filmOf(location.hash);
    this.stage = new Stage(document.getElementById("stage"), Boolean(film));
    this.cloth = new Cloth();
    this.bodies = new Bodies();
    this.stage.scene.add(this.cloth.mesh, this.bodies.group);
    this.figures = new Figures(document.getElementById("figures"));
    this.curves = new Curves(document.getElementById("curves"));
    this.quality = new Quality(this);
    this.actions = this.makeActions();
    this.settings = new Settings(document.getElementById("settings"), this.actions.toggleSettings);
    this.panel = new Panel(this, this.actions);
    this.pointer = new Pointer(this);
    this.keys = new Keys(this, this.actions);
    this.film = film ? new Film(this, film) : null;
    this.info = this.topology = this.frame = null;
    this.fresh = null; // a frame that has not been drawn
  }

  // ---- what the engine says ----

  takeInfo(info) {
    const isOther = this.info?.scene !== info.scene;
    this.info = info;
    // a frame is answered even if it is not drawn: the engine waits for it
    if (this.fresh) this.engine.drawn();
    this.fresh = this.frame = null;
    this.isOther ||= isOther;
    this.pointer.forget();
    this.figures.setInfo(info);
    this.curves.setInfo(info);
    this.settings.setInfo(info);
    this.panel.setInfo(info);
    addButtons(document.getElementById("buttons"), this, this.keys, this.pointer, this.actions);
    const number = info.scenes.slice(0, 10).map((scene, i) => `${(i + 1) % 10} ${scene.name}`);
    document.getElementById("hint").textContent = `${info.hint || USUAL_HINT} · R first state · G gravity · W wind · Space pauses · ? all keys · ${number.join(" · ")}`;
    document.title = `${info.scene} · weft`;
    if (this.look.overlay !== "none") this.engine.send({ do: "watch", overlay: this.look.overlay });
  }

  takeTopology(topology) {
    if (this.isOther || !this.topology) this.stage.frame(this.info.lower, this.info.upper);
    this.isOther = false;
    this.topology = topology;
    this.cloth.setTopology(topology);
    this.bodies.setTopology(topology, this.info, this.stage.size, this.quality.now.plain);
    this.stage.setWalls(topology.lower, topology.upper);
    this.applyLook();
  }

  takeFrame(frame) {
    if (this.topology?.version === frame.topology) this.fresh = frame;
    else this.engine.drawn();
  }

  say(text, isError = true) {
    const note = document.getElementById("note");
    note.textContent = text;
    note.classList.toggle("error", isError);
    note.hidden = false;
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => (note.hidden = true), 5000);
  }

  /** Steps take longer than their time. */
  isLate() {
    const { info, frame } = this;
    return Boolean(frame) && !frame.isPaused && frame.rate > 0 && frame.rate < 0.95 * frame.speed * info.rate;
  }

  // ---- drawing ----

  turn() {
    this.pointer.turn();
    if (this.quality.isBusy()) return;
    this.stage.controls.update();
    const frame = this.fresh;
    if (frame) {
      this.fresh = null;
      if (this.frame && frame.step < this.frame.step) this.pointer.forget();
      this.frame = frame;
      this.cloth.setFrame(frame);
      this.bodies.setFrame(frame);
      if (this.film?.isStill(frame) && !this.info.framed) this.stage.frame(frame.lower, frame.upper);
      const ground = this.topology.lower[1];
      this.stage.setFloor(Number.isFinite(ground) ? ground : this.bodies.floor);
      this.figures.setFrame(frame);
      this.settings.setFrame(frame);
      this.curves.setFrame(frame);
      if (this.info.follow) this.stage.follow(centerOf(frame), this.film ? 1000 * frame.time : performance.now());
    }
    const isDrawn = this.film ? frame && this.film.isDue(frame) : frame || this.stage.isStale;
    if (isDrawn) {
      this.stage.draw();
      if (!this.film) this.quality.begin();
    }
    if (frame) {
      this.film?.drawn(frame);
      this.engine.drawn();
    }
  }

  applyLook() {
    this.cloth.mesh.material.wireframe = this.look.wireframe;
    this.stage.key.castShadow = this.look.shadows && this.quality.now.shadows;
    this.stage.isStale = true;
  }

  // ---- what the person does ----

  watch(overlay) {
    this.look.overlay = overlay;
    this.engine.send({ do: "watch", overlay });
    this.panel.refresh();
    this.say(`overlay: ${overlay}`, false);
  }

  makeActions() {
    const send = (command) => this.engine.send(command);
    const world = () => this.panel.world;
    return {
      reset: () => {
        this.pointer.forget();
        send({ do: "reset" });
        this.panel.setInfo(this.info);
      },
      toggleGravity: () => {
        world().gravity = world().gravity > 0 ? 0 : this.panel.usualGravity;
        this.panel.sendGravity();
        this.panel.refresh();
      },
      toggleWind: () => {
        world().wind = world().wind > 0 ? 0 : GUSTY;
        this.panel.sendWind();
        this.panel.refresh();
      },
      togglePause: () => send({ do: "pause", on: !this.frame?.isPaused }),
      step: () => {
        if (!this.frame?.isPaused) send({ do: "pause", on: true });
        send({ do: "step" });
      },
      changeSpeed: (factor) => {
        world().speed = Math.min(Math.max(world().speed * factor, 0.03125), 8);
        send({ do: "speed", value: world().speed });
        this.panel.refresh();
      },
      chooseScene: (i) => this.info && send({ do: "scene", name: this.info.scenes[i].name }),
      toggleStrain: () => this.watch(this.look.overlay === "strain" ? "none" : "strain"),
      cycleOverlay: () => {
        const { overlays } = this.info;
        this.watch(overlays[(overlays.indexOf(this.look.overlay) + 1) % overlays.length]);
      },
      resetCamera: () => this.stage.frame(this.info.lower, this.info.upper),
      toggleSettings: () => {
        this.settings.toggle();
        if (this.frame) this.settings.setFrame(this.frame);
      },
      toggleBare: () => document.body.classList.toggle("bare"),
      help: showHelp,
      saveRecording: async () => save(await this.engine.recording(), "application/jsonl", `${this.info.scene.replaceAll(/[^\w-]/g, "_")}.jsonl`),
      loadRecording: () => choose((text) => this.engine.replay(text)),
      savePicture: () => this.stage.canvas.toBlob((picture) => save(picture, "image/png", `${this.info.scene}.png`)),
    };
  }
}

function centerOf(frame) {
  return new Vector3(...frame.lower).add(new Vector3(...frame.upper)).multiplyScalar(0.5);
}

function save(content, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function choose(take) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".jsonl,.json,.txt";
  input.onchange = async () => take(await input.files[0].text());
  input.click();
}

function showHelp() {
  const help = document.getElementById("help");
  if (help.open) return help.close();
  help.innerHTML = `<table>${table.map(([key, text]) => `<tr><td>${key}</td><td>${text}</td></tr>`).join("")}</table>`;
  help.onclick = () => help.close();
  help.showModal();
}

/** @param {import("./engine.js").Engine} engine */
export function start(engine) {
  let app = null;
  try {
    app = new App(engine);
  } catch (error) {
    const note = document.getElementById("note");
    note.textContent = `This browser draws no WebGL: ${error.message}`;
    note.className = "error";
    note.hidden = false;
    return;
  }
  globalThis.weft = app; // for tests and for the console
  engine.open({
    info: (info) => app.takeInfo(info),
    topology: (topology) => app.takeTopology(topology),
    frame: (frame) => app.takeFrame(frame),
    error: (text) => app.say(text),
    closed: (text) => {
      app.say(text);
      clearTimeout(app.noteTimer);
    },
  });
  const turn = () => {
    app.turn();
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}
