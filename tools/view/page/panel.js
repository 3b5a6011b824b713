// The panel at the right: scene, its parameters, the world, looks, recordings.
import GUI from "lil-gui";
import { choices } from "./quality.js";

export class Panel {
  constructor(app, actions) {
    this.app = app;
    this.actions = actions;
  }

  /** Anew for each scene; folders stay as open as they were. */
  setInfo(info) {
    const wasClosed = this.gui?._closed ?? innerWidth < 700;
    this.gui?.destroy();
    this.gui = new GUI({ title: "weft" });
    if (wasClosed) this.gui.close();
    this.addScenes(info);
    this.addParameters(info);
    this.addWorld(info);
    this.addLooks(info);
    this.gui.add({ open: () => this.actions.toggleSettings() }, "open").name("settings by body");
    this.addRecordings();
  }

  addScenes(info) {
    const names = info.scenes.map((scene) => scene.name);
    if (!names.includes(info.scene)) names.unshift(info.scene);
    this.gui
      .add({ scene: info.scene }, "scene", names)
      .onChange((name) => this.app.engine.send({ do: "scene", name }));
  }

  addParameters(info) {
    if (info.parameters.length === 0) return;
    const folder = this.gui.addFolder("parameters (begin anew)");
    for (const parameter of info.parameters) {
      const { name, kind, value } = parameter;
      const values = { [name]: value };
      const control = kind === "choice" ? folder.add(values, name, parameter.choices) : folder.add(values, name);
      if (kind === "number" || kind === "count") control.decimals(kind === "count" ? 0 : 4);
      control.domElement.title = parameter.summary;
      control.onFinishChange((wanted) => {
        this.app.engine.send({ do: "set", name, value: String(wanted) });
      });
    }
    folder.close();
  }

  addWorld(info) {
    const { engine } = this.app;
    const folder = this.gui.addFolder("world");
    const round = (value) => Number(value.toPrecision(6));
    const full = round(Math.hypot(...info.gravity));
    const world = { gravity: full, damping: round(info.damping[0]), wind: 0, gust: 0.6, restitution: round(info.surface[0] ?? 0), friction: round(info.surface[1] ?? 0), speed: this.app.frame?.speed ?? 1 };
    this.world = world;
    const direction = full > 0 ? info.gravity.map((value) => value / full) : [0, -1, 0];
    this.sendGravity = () => engine.send({ do: "gravity", value: direction.map((value) => value * world.gravity) });
    this.sendWind = () => engine.send({ do: "wind", value: [0.35 * world.wind, 0, world.wind], gust: world.gust });
    const sendSurface = () => engine.send({ do: "bounds", restitution: world.restitution, friction: world.friction });
    folder.add(world, "gravity", 0, 30).onChange(this.sendGravity);
    folder.add(world, "damping", 0, 10).onChange((value) => engine.send({ do: "damping", value }));
    folder.add(world, "wind", 0, 20).onChange(this.sendWind);
    folder.add(world, "gust", 0, 3).onChange(this.sendWind);
    if (info.surface.length > 0) {
      folder.add(world, "restitution", 0, 1).name("elasticity").onChange(sendSurface);
      folder.add(world, "friction", 0, 2).onChange(sendSurface);
    }
    folder.add(world, "speed", 0.05, 4).onChange((value) => engine.send({ do: "speed", value }));
    this.usualGravity = full > 0 ? full : 9.81;
  }

  /** Shows values that keys have changed. */
  refresh() {
    this.gui.controllersRecursive().forEach((control) => control.updateDisplay());
  }

  addLooks(info) {
    const { look, engine, quality } = this.app;
    const folder = this.gui.addFolder("look");
    folder.add({ quality: quality.choice }, "quality", choices).onChange((choice) => quality.choose(choice));
    folder.add(look, "overlay", info.overlays).onChange((overlay) => engine.send({ do: "watch", overlay }));
    folder.add(look, "wireframe").onChange(() => this.app.applyLook());
    folder.add(look, "shadows").onChange(() => this.app.applyLook());
    folder.add(look, "grip", 0.002, 0.1).name("grip radius");
    folder.add(look, "tear", 0.002, 0.05).name("tear radius");
    folder.add({ camera: () => this.actions.resetCamera() }, "camera").name("camera where it was");
    folder.close();
  }

  addRecordings() {
    const folder = this.gui.addFolder("recording");
    folder.add({ save: () => this.actions.saveRecording() }, "save").name("save what was done");
    folder.add({ load: () => this.actions.loadRecording() }, "load").name("replay a file…");
    folder.add({ picture: () => this.actions.savePicture() }, "picture").name("save a picture");
    folder.close();
  }
}
