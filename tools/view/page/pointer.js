// Action of the pointer: pull with the left button, tear with the right one, cut with Shift, lead with none.
import * as THREE from "three";
import { readPoint } from "./decode.js";

const REACH = 26; // pixels from the pointer to a particle
const ray = new THREE.Raycaster();
const spot = new THREE.Vector2();
const point = new THREE.Vector3();
const floats = new Float32Array(3);

export class Pointer {
  /** @param app { stage, engine, frame, info } */
  constructor(app) {
    this.app = app;
    this.mode = "pull"; // of a finger: pull, tear or cut
    this.active = new Map(); // by pointerId
    this.lead = null;
    const canvas = app.stage.canvas;
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.release(event));
  }

  rayOf(event) {
    const box = this.app.stage.canvas.getBoundingClientRect();
    spot.set(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    ray.setFromCamera(spot, this.app.stage.camera);
    return ray.ray;
  }

  /** The nearest particle to the eye within reach of the pointer; null without one. */
  pick(event) {
    const { frame, stage } = this.app;
    if (!frame) return null;
    const { origin, direction } = this.rayOf(event);
    const perPixel = (2 * Math.tan(THREE.MathUtils.degToRad(stage.camera.fov / 2))) / stage.canvas.clientHeight;
    let best = Infinity;
    let found = -1;
    for (let i = 0; i < Math.min(frame.particles, frame.points); ++i) {
      readPoint(frame, i, floats);
      const x = floats[0] - origin.x, y = floats[1] - origin.y, z = floats[2] - origin.z;
      const depth = x * direction.x + y * direction.y + z * direction.z;
      if (depth <= 0) continue;
      const aside = Math.sqrt(Math.max(x * x + y * y + z * z - depth * depth, 0));
      const pixels = aside / (depth * perPixel);
      if (pixels > REACH) continue;
      // a tenth of the depth of the scene is worth as much as the reach
      const score = pixels / REACH + (10 * depth) / stage.size;
      if (score < best) [best, found] = [score, i];
    }
    if (found < 0) return null;
    readPoint(frame, found, floats);
    return new THREE.Vector3().fromArray(floats);
  }

  /** Where the ray meets the plane through a point that faces the eye. */
  onPlane(event, through) {
    const { origin, direction } = this.rayOf(event);
    const facing = this.app.stage.camera.getWorldDirection(new THREE.Vector3());
    const depth = point.subVectors(through, origin).dot(facing) / direction.dot(facing);
    return origin.clone().addScaledVector(direction, depth);
  }

  actionOf(event) {
    if (event.pointerType === "touch") return this.mode;
    if (event.button === 2) return "tear";
    if (event.button === 0 && event.shiftKey) return "cut";
    return event.button === 0 ? "pull" : null;
  }

  press(event) {
    const action = this.actionOf(event);
    if (!action) return;
    const at = this.pick(event);
    // a drag that hits nothing turns the camera
    if (!at && action === "pull") return;
    if (event.pointerType === "touch" && !at) return;
    this.app.stage.controls.enabled = false;
    event.stopImmediatePropagation();
    this.app.stage.canvas.setPointerCapture(event.pointerId);
    const held = { action, at, last: at, events: [event] };
    this.active.set(event.pointerId, held);
    if (action === "pull") {
      held.id = [...Array(16).keys()].find((id) => ![...this.active.values()].some((other) => other.id === id));
      this.app.engine.send({ do: "grab", id: held.id, at: at.toArray(), radius: this.app.look.grip * this.app.stage.size });
    }
  }

  move(event) {
    const held = this.active.get(event.pointerId);
    if (held) held.events.push(event);
    else if (this.app.info?.point && event.buttons === 0) this.lead = event;
  }

  /** Commands of this turn: a pull to the last place, tears and cuts along all of the way. */
  turn() {
    const { engine, stage } = this.app;
    for (const held of this.active.values()) {
      const events = held.events.splice(0);
      const last = events.at(-1);
      if (last && held.action === "pull") engine.send({ do: "drag", id: held.id, to: this.onPlane(last, held.at).toArray() });
      for (const event of events) {
        if (held.action === "tear") this.tear(held, event);
        if (held.action === "cut") this.cut(held, event);
      }
    }
    if (!this.lead) return;
    const head = new THREE.Vector3(stage.center.x, stage.center.y, 0);
    engine.send({ do: "point", at: this.onPlane(this.lead, head).toArray() });
    this.lead = null;
  }

  tear(held, event) {
    const at = this.pick(event);
    const from = held.last ?? at;
    held.last = at;
    if (!at) return;
    this.app.engine.send({ do: "tear", from: from.toArray(), to: at.toArray(), radius: this.app.look.tear * this.app.stage.size });
  }

  /** The blade is the triangle between the eye and the pointer's path. */
  cut(held, event) {
    const { stage, engine } = this.app;
    const { origin, direction } = this.rayOf(event);
    const end = origin.clone().addScaledVector(direction, 6 * stage.size + origin.distanceTo(stage.center));
    if (held.end && held.end.distanceTo(end) > 1e-4 * stage.size) {
      engine.send({ do: "cut", triangle: [...origin.toArray(), ...held.end.toArray(), ...end.toArray()] });
    }
    held.end = end;
  }

  release(event) {
    const held = this.active.get(event.pointerId);
    if (!held) return;
    this.turn();
    this.active.delete(event.pointerId);
    this.app.stage.controls.enabled = this.active.size === 0;
    if (held.action === "pull") this.app.engine.send({ do: "drop", id: held.id });
  }

  /** The grip ends with the world. */
  forget() {
    this.active.clear();
    this.app.stage.controls.enabled = true;
  }
}
