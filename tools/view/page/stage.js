// Light, floor and camera: a studio with one soft key light from the side, so that folds can be read.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const BACKGROUND = 0xdcd8d1;
const FAR = 1e4;

/** WebGL is drawn by the CPU: antialiasing takes a third of a picture's time there. */
function isSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const name = gl?.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL;
  const text = name ? gl.getParameter(name) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(text);
}

export class Stage {
  /** `isFilm`: as good as can be, however long it takes. */
  constructor(canvas, isFilm) {
    this.canvas = canvas;
    const antialias = isFilm || !isSoftware();
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.VSMShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(BACKGROUND);
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, FAR);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.mouseButtons = { LEFT: THREE.MOUSE.ROTATE, MIDDLE: THREE.MOUSE.PAN, RIGHT: null };
    this.controls.addEventListener("change", () => (this.isStale = true));
    this.center = new THREE.Vector3();
    this.size = 1;
    this.followed = 0; // when follow() was last called, milliseconds
    this.addLights();
    this.addFloor();
    this.fixedSize = null;
    this.pixels = 1; // resolution over the screen's, along a side
    this.resize();
    addEventListener("resize", () => this.resize());
  }

  addLights() {
    this.scene.add(new THREE.HemisphereLight(0xfdfbff, 0xb8aa98, 1.5));
    this.key = new THREE.DirectionalLight(0xfff3e2, 3.4);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 4;
    this.key.shadow.blurSamples = 8;
    this.fill = new THREE.DirectionalLight(0xdde6ff, 0.45);
    this.scene.add(this.key, this.key.target, this.fill, this.fill.target);
  }

  addFloor() {
    const color = 0xd8d2c8;
    this.floorMaterials = [new THREE.MeshStandardMaterial({ color, roughness: 0.95 }), new THREE.MeshLambertMaterial({ color })];
    this.floor = new THREE.Mesh(new THREE.CircleGeometry(1, 96).rotateX(-Math.PI / 2), this.floorMaterials[0]);
    this.floor.receiveShadow = true;
    this.scene.add(this.floor);
  }

  /** Looks at a box, from the front and from above: a little, or more where it is flat. */
  frame(lower, upper) {
    const box = new THREE.Box3(new THREE.Vector3(...lower), new THREE.Vector3(...upper));
    const extent = box.getSize(new THREE.Vector3());
    box.getCenter(this.center);
    this.size = Math.max(extent.length(), 1e-3);
    const half = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    // panels cover both sides of a wide window
    const share = this.fixedSize || innerWidth < 900 ? 1 : 1 - 500 / innerWidth;
    const fitting = Math.max(extent.y, extent.x / (this.camera.aspect * share), 0.35 * this.size) / (2 * half);
    const distance = fitting * 1.18 + extent.z / 2;
    // a higher camera for flat scenes
    const flat = Math.max(0, 1 - (2 * extent.y) / Math.max(extent.z, 1e-6)) * Math.min(1, extent.z / (0.35 * this.size));
    const way = new THREE.Vector3(0.28, 0.2 + 0.8 * flat, 1).normalize().multiplyScalar(distance);
    this.camera.position.copy(this.center).add(way);
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(this.center);
    this.controls.update();
    this.placeLights();
    this.isStale = true;
  }

  placeLights() {
    const reach = 0.75 * this.size;
    this.key.position.copy(this.center).add(new THREE.Vector3(-1.15, 1.1, 0.55).multiplyScalar(this.size));
    this.key.target.position.copy(this.center);
    this.fill.position.copy(this.center).add(new THREE.Vector3(1, 0.3, -0.6).multiplyScalar(this.size));
    this.fill.target.position.copy(this.center);
    const lens = this.key.shadow.camera;
    Object.assign(lens, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * this.size, far: 4 * this.size });
    lens.updateProjectionMatrix();
    this.key.shadow.normalBias = 0.004 * this.size;
    this.key.shadow.bias = -0.0004;
    this.scene.fog = new THREE.Fog(BACKGROUND, 4 * this.size, 11 * this.size);
  }

  /** Moves camera, lights and floor softly after a body of any speed. `now`: milliseconds. */
  follow(to, now) {
    const way = to.sub(this.controls.target).setY(0), length = way.length();
    const share = Math.exp(Math.min((this.followed - now) / 250, 0));
    const left = Math.min(length * share, 0.1 * this.size);
    const shift = way.multiplyScalar(length > 0 ? 1 - left / length : 0);
    this.followed = now;
    if (shift.length() < 1e-5 * this.size) return;
    for (const place of [this.camera.position, this.controls.target, this.center, this.key.position, this.key.target.position]) place.add(shift);
    this.isStale = true;
  }

  /** Walls that are not open, as lines on the floor. */
  setWalls(lower, upper) {
    this.walls?.removeFromParent();
    const finite = [0, 2].every((k) => Number.isFinite(lower[k]) && Number.isFinite(upper[k]));
    if (!finite || !Number.isFinite(lower[1])) return;
    const [width, depth] = [upper[0] - lower[0], upper[2] - lower[2]];
    const parts = (length) => Math.max(1, Math.min(48, Math.round(length)));
    const grid = [];
    const add = (x0, z0, x1, z1) => grid.push(x0, 0, z0, x1, 0, z1);
    for (let i = 0; i <= parts(width); ++i) add((i / parts(width)) * width, 0, (i / parts(width)) * width, depth);
    for (let i = 0; i <= parts(depth); ++i) add(0, (i / parts(depth)) * depth, width, (i / parts(depth)) * depth);
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", new THREE.Float32BufferAttribute(grid, 3));
    const material = new THREE.LineBasicMaterial({ color: 0x6f675c, transparent: true, opacity: 0.16 });
    this.walls = new THREE.LineSegments(lines, material);
    this.walls.position.set(lower[0], lower[1], lower[2]);
    this.scene.add(this.walls);
  }

  /** A floor at that height; null = none. */
  setFloor(height) {
    this.floor.visible = height !== null;
    if (!this.floor.visible) return;
    this.floor.position.set(this.center.x, height - 0.0015 * this.size, this.center.z);
    this.floor.scale.setScalar(14 * this.size);
  }

  /** `isPlain`: without roughness, for software rendering. */
  setPlain(isPlain) {
    this.floor.material = this.floorMaterials[isPlain ? 1 : 0];
  }

  /** A canvas of so many pixels, whatever the window. */
  fix(width, height) {
    this.fixedSize = [width, height];
    this.resize();
  }

  /** Draws a share of the screen's pixels, along a side. */
  setPixels(share) {
    if (share === this.pixels) return;
    this.pixels = share;
    this.resize();
  }

  resize() {
    const [width, height] = this.fixedSize ?? [innerWidth, innerHeight];
    this.renderer.setPixelRatio(this.fixedSize ? 1 : this.pixels * Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, Boolean(this.fixedSize));
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.isStale = true;
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
    this.isStale = false;
  }
}
