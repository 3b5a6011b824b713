// Lines as tubes, shapes of particles, pins and colliders. Threads by the thousand are lines one pixel wide.
import * as THREE from "three";
import { readPoint } from "./decode.js";
import { writeColor, writeHeat } from "./colors.js";

const MOST_TUBES = 3000;
const PIN_COLOR = 0x3a3835;
const COLLIDER_COLOR = 0x9c9a93;
// weft_particle_shape and weft_collider_shape
const BOX_SHAPE = 3;
const UPRIGHT = 0.9999; // cosine of half the turn of a level floor
const PLANE = 0, HALF_SPACE = 1, SPHERE = 2, CAPSULE = 3, BOX = 4, ELLIPSOID = 5;

const up = new THREE.Vector3(0, 1, 0);
const a = new THREE.Vector3(), b = new THREE.Vector3(), way = new THREE.Vector3(), scale = new THREE.Vector3();
const turn = new THREE.Quaternion(), matrix = new THREE.Matrix4();
const floats = new Float32Array(3);

function pointOf(frame, i, vector) {
  readPoint(frame, i, floats);
  return vector.fromArray(floats);
}

/** `isPlain`, here and below: of fewer faces and without roughness, for software rendering. */
function ball(radius, isPlain, sides = 24) {
  return new THREE.SphereGeometry(radius, isPlain ? 8 : sides, isPlain ? 6 : Math.round((2 * sides) / 3));
}

function instances(geometry, count, isPlain, colors) {
  const material = isPlain ? new THREE.MeshLambertMaterial() : new THREE.MeshStandardMaterial({ roughness: 0.55 });
  const mesh = new THREE.InstancedMesh(geometry, material, Math.max(count, 1));
  mesh.count = count;
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * Math.max(count, 1)), 3);
  for (let i = 0; i < count; ++i) writeColor(colors(i), mesh.instanceColor.array, 3 * i);
  mesh.own = mesh.instanceColor.array.slice();
  return mesh;
}

/** Colours by the overlay, by a point of each instance. */
function heatUp(mesh, frame, pointOfInstance) {
  const { overlay } = frame;
  const values = new Uint8Array(mesh.count);
  for (let i = 0; overlay && i < mesh.count; ++i) values[i] = overlay[pointOfInstance(i)];
  if (overlay) writeHeat(values, frame.hasClasses, mesh.instanceColor.array);
  else mesh.instanceColor.array.set(mesh.own);
  mesh.instanceColor.needsUpdate = true;
}

class Tubes {
  constructor(topology, isPlain) {
    const { lines, colors } = topology;
    this.lines = lines;
    this.ends = [...new Set([...lines.a, ...lines.b])];
    const radius = new Map();
    for (let i = 0; i < lines.count; ++i) for (const end of [lines.a[i], lines.b[i]]) radius.set(end, lines.radius[i]);
    this.radius = this.ends.map((end) => radius.get(end));
    this.tubes = instances(new THREE.CylinderGeometry(1, 1, 1, isPlain ? 6 : 12, 1, true), lines.count, isPlain, (i) => colors[lines.a[i]]);
    this.knobs = instances(ball(1, isPlain, 14), this.ends.length, isPlain, (i) => colors[this.ends[i]]);
    this.group = new THREE.Group().add(this.tubes, this.knobs);
  }

  setFrame(frame) {
    for (let i = 0; i < this.lines.count; ++i) {
      pointOf(frame, this.lines.a[i], a);
      pointOf(frame, this.lines.b[i], b);
      const length = way.subVectors(b, a).length();
      turn.setFromUnitVectors(up, length > 0 ? way.divideScalar(length) : up);
      scale.set(this.lines.radius[i], length, this.lines.radius[i]);
      this.tubes.setMatrixAt(i, matrix.compose(a.add(b).multiplyScalar(0.5), turn, scale));
    }
    for (let i = 0; i < this.ends.length; ++i) {
      this.knobs.setMatrixAt(i, matrix.makeScale(this.radius[i], this.radius[i], this.radius[i]).setPosition(pointOf(frame, this.ends[i], a)));
    }
    this.tubes.instanceMatrix.needsUpdate = this.knobs.instanceMatrix.needsUpdate = true;
    if (frame.overlay || this.hasHeat) {
      heatUp(this.tubes, frame, (i) => this.lines.a[i]);
      heatUp(this.knobs, frame, (i) => this.ends[i]);
    }
    this.hasHeat = Boolean(frame.overlay);
  }
}

class Threads {
  constructor(topology) {
    this.lines = topology.lines;
    const count = this.lines.count;
    this.places = new THREE.BufferAttribute(new Float32Array(6 * count), 3).setUsage(THREE.DynamicDrawUsage);
    const colors = new Float32Array(6 * count);
    for (let i = 0; i < 2 * count; ++i) writeColor(topology.colors[this.lines.a[i >> 1]], colors, 3 * i);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
    this.group = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    this.group.frustumCulled = false;
  }

  setFrame(frame) {
    for (let i = 0; i < this.lines.count; ++i) {
      readPoint(frame, this.lines.a[i], this.places.array, 6 * i);
      readPoint(frame, this.lines.b[i], this.places.array, 6 * i + 3);
    }
    this.places.needsUpdate = true;
  }
}

/** Shapes of one geometry. */
class Shapes {
  constructor(list, geometry, colors, isPlain) {
    this.list = list;
    this.group = instances(geometry, list.length, isPlain, (i) => colors[list[i].point]);
    for (const shape of list) {
      // boxes of a plane reach far across it, so that their normals stay in it
      const flat = Math.max(shape.half[0], shape.half[1]);
      if (shape.half[2] > 20 * flat) shape.half[2] = 0.7 * flat;
    }
  }

  setFrame(frame) {
    this.list.forEach((shape, i) => {
      this.group.setMatrixAt(i, matrix.makeScale(...shape.half).setPosition(pointOf(frame, shape.point, a)));
    });
    this.group.instanceMatrix.needsUpdate = true;
    if (frame.overlay || this.hasHeat) heatUp(this.group, frame, (i) => this.list[i].point);
    this.hasHeat = Boolean(frame.overlay);
  }
}

/** The figure of a game in place of a ball, turned to where it goes. */
class Figure {
  constructor(shape) {
    const half = shape.half[0];
    this.point = shape.point;
    const suit = new THREE.MeshStandardMaterial({ color: 0x3d6fa8, roughness: 0.6 });
    const skin = new THREE.MeshStandardMaterial({ color: 0xd9a47c, roughness: 0.6 });
    const part = (geometry, material, x, y, z) => {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.position.set(x * half, y * half, z * half);
      mesh.castShadow = true;
      return mesh;
    };
    const limb = (radius, length) => new THREE.CapsuleGeometry(radius * half, length * half, 6, 14);
    this.legs = [-1, 1].map((side) => part(limb(0.1, 0.62), suit, 0.12 * side, -0.56, 0));
    this.group = new THREE.Group().add(
      part(limb(0.22, 0.5), suit, 0, 0.22, 0),
      part(new THREE.SphereGeometry(0.17 * half, 24, 16), skin, 0, 0.82, 0),
      part(new THREE.BoxGeometry(0.2 * half, 0.06 * half, 0.08 * half), suit, 0, 0.85, 0.14),
      ...[-1, 1].map((side) => part(limb(0.07, 0.55), suit, 0.31 * side, 0.2, 0)),
      ...this.legs,
    );
    this.before = null;
  }

  setFrame(frame) {
    const here = pointOf(frame, this.point, this.group.position);
    if (this.before) {
      way.subVectors(here, this.before).setY(0);
      if (way.length() > 1e-3) this.group.rotation.y = Math.atan2(way.x, way.z);
      const stride = Math.min(way.length() * 12, 0.7) * Math.sin(frame.time * 11);
      this.legs[0].rotation.x = stride;
      this.legs[1].rotation.x = -stride;
    }
    this.before = here.clone();
  }
}

class Pins {
  constructor(pins, size, isPlain) {
    this.pins = pins;
    this.group = instances(ball(size, isPlain, 12), pins.length, isPlain, () => PIN_COLOR);
  }

  setFrame(frame) {
    this.pins.forEach((pin, i) => this.group.setMatrixAt(i, matrix.makeTranslation(pointOf(frame, pin, a))));
    this.group.instanceMatrix.needsUpdate = true;
  }
}

function colliderGeometry(collider, size) {
  const { kind, radius, half } = collider;
  if (kind === SPHERE) return new THREE.SphereGeometry(radius, 48, 32);
  if (kind === CAPSULE) return new THREE.CapsuleGeometry(radius, 2 * half[1], 16, 32);
  if (kind === BOX) return new THREE.BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]);
  if (kind === ELLIPSOID) return new THREE.SphereGeometry(1, 48, 32).scale(...half);
  if (kind === PLANE || kind === HALF_SPACE) return new THREE.BoxGeometry(6 * size, 0.004 * size, 0.16 * size).translate(0, -0.002 * size, 0);
  return null;
}

class Colliders {
  constructor(colliders, size) {
    this.group = new THREE.Group();
    const material = new THREE.MeshStandardMaterial({ color: COLLIDER_COLOR, roughness: 0.7 });
    this.floor = null; // height of a level plane
    this.isWall = colliders.map(({ kind }) => kind === PLANE || kind === HALF_SPACE);
    this.meshes = colliders.map((collider) => {
      const geometry = colliderGeometry(collider, size);
      if (!geometry) return null;
      const mesh = new THREE.Mesh(geometry, material);
      mesh.receiveShadow = true;
      mesh.castShadow = collider.kind !== PLANE && collider.kind !== HALF_SPACE;
      this.group.add(mesh);
      return mesh;
    });
  }

  setFrame(frame) {
    this.meshes.forEach((mesh, i) => {
      const pose = frame.poses.subarray(7 * i, 7 * i + 7);
      if (!mesh || pose.length < 7) return;
      // a level one is drawn as the floor
      if (this.isWall[i] && Math.abs(pose[6]) > UPRIGHT) {
        mesh.visible = false;
        this.floor = pose[1];
        return;
      }
      mesh.position.fromArray(pose);
      mesh.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
    });
  }
}

/** All parts of a topology that are not cloth. */
export class Bodies {
  constructor() {
    this.group = new THREE.Group();
    this.parts = [];
  }

  setTopology(topology, info, size, isPlain) {
    this.clear();
    // threads of a torn cloth are thin
    const areLines = topology.lines.count > MOST_TUBES || (isPlain && topology.faces.length > 0);
    const isPlayer = info.keys.includes("jump");
    const boxes = topology.shapes.filter((shape) => shape.kind === BOX_SHAPE);
    const balls = topology.shapes.filter((shape) => shape.kind !== BOX_SHAPE);
    const add = (part) => this.parts.push(part);
    if (topology.lines.count > 0) add(areLines ? new Threads(topology) : new Tubes(topology, isPlain));
    if (boxes.length > 0) add(new Shapes(boxes, new THREE.BoxGeometry(2, 2, 2), topology.colors, isPlain));
    if (isPlayer && balls.length > 0) add(new Figure(balls[0]));
    else if (balls.length > 0) add(new Shapes(balls, ball(1, isPlain), topology.colors, isPlain));
    if (topology.pins.length > 0 && topology.pins.length <= MOST_TUBES) add(new Pins(topology.pins, 0.0045 * size, isPlain));
    if (topology.colliders.length > 0) add(new Colliders(topology.colliders, size));
    for (const part of this.parts) this.group.add(part.group);
  }

  clear() {
    this.group.traverse((object) => {
      object.geometry?.dispose();
      object.material?.dispose();
    });
    this.group.clear();
    this.parts = [];
  }

  setFrame(frame) {
    for (const part of this.parts) part.setFrame(frame);
  }

  /** Height of a level floor collider; null without one. */
  get floor() {
    return this.parts.find((part) => part instanceof Colliders)?.floor ?? null;
  }
}
