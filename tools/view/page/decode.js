// Messages of docs/view.md as typed arrays over their bytes; nothing is copied.

const MAGIC = 0x54464557;
const STAGES = 11;

/** @param {ArrayBuffer} buffer @param {number} from offset of the message, a multiple of 8 */
export function decode(buffer, from = 0) {
  const view = new DataView(buffer, from);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("a message without its magic number");
  return view.getUint32(4, true) === 1 ? decodeFrame(buffer, from, view) : decodeTopology(buffer, from, view);
}

/** @typedef {ReturnType<typeof decodeFrame>} Frame */
function decodeFrame(buffer, from, view) {
  const u32 = (at) => view.getUint32(at, true);
  const f32 = (at) => view.getFloat32(at, true);
  const flags = u32(12);
  const points = u32(44);
  let at = from + 168;
  const part = (Type, count) => {
    const values = new Type(buffer, at, count);
    at += (values.byteLength + 3) & ~3;
    return values;
  };
  const isQuantised = (flags & 1) !== 0;
  return {
    kind: "frame",
    topology: u32(8),
    isQuantised,
    isPaused: (flags & 8) !== 0,
    hasClasses: (flags & 16) !== 0,
    replay: (flags >> 8) & 15,
    step: view.getFloat64(16, true),
    time: view.getFloat64(24, true),
    particles: u32(32),
    links: u32(36),
    torn: u32(40),
    points,
    meanStrain: f32(48),
    maxStrain: f32(52),
    hash: u32(60).toString(16).padStart(8, "0") + u32(56).toString(16).padStart(8, "0"),
    hashStep: view.getFloat64(152, true),
    substeps: u32(160),
    sweeps: u32(164),
    stepMs: f32(64),
    stageMs: Array.from({ length: STAGES }, (_, i) => f32(68 + 4 * i)),
    speed: f32(112),
    rate: f32(116),
    lower: [f32(120), f32(124), f32(128)],
    upper: [f32(132), f32(136), f32(140)],
    curves: part(Float32Array, u32(144)),
    poses: part(Float32Array, 7 * u32(148)),
    positions: isQuantised ? part(Uint16Array, 4 * points) : part(Float32Array, 3 * points),
    normals: flags & 2 ? part(Int8Array, 4 * points) : null,
    overlay: flags & 4 ? part(Uint8Array, points) : null,
  };
}

/** @typedef {ReturnType<typeof decodeTopology>} Topology */
function decodeTopology(buffer, from, view) {
  const count = (i) => view.getUint32(16 + 4 * i, true);
  const corner = (at) => [0, 4, 8].map((k) => view.getFloat32(at + k, true));
  let at = from + 80;
  const words = (Type, number) => {
    const values = new Type(buffer, at, number);
    at += 4 * number;
    return values;
  };
  const bytes = (size) => {
    const part = new DataView(buffer, at, size);
    at += size;
    return part;
  };
  const [points, faceCount, lineCount, shapeCount, pinCount, colliderCount] = [0, 1, 2, 3, 4, 5].map(count);
  return {
    kind: "topology",
    version: view.getUint32(8, true),
    points,
    lower: corner(48),
    upper: corner(60),
    faces: words(Uint32Array, 3 * faceCount),
    colors: words(Uint32Array, points),
    lines: readLines(bytes(12 * lineCount), lineCount),
    shapes: readShapes(bytes(20 * shapeCount), shapeCount),
    pins: words(Uint32Array, pinCount),
    colliders: readColliders(bytes(20 * colliderCount), colliderCount),
  };
}

function readLines(view, count) {
  const lines = { count, a: new Uint32Array(count), b: new Uint32Array(count), radius: new Float32Array(count) };
  for (let i = 0; i < count; ++i) {
    lines.a[i] = view.getUint32(12 * i, true);
    lines.b[i] = view.getUint32(12 * i + 4, true);
    lines.radius[i] = view.getFloat32(12 * i + 8, true);
  }
  return lines;
}

function halfSize(view, at) {
  return [0, 4, 8].map((k) => view.getFloat32(at + k, true));
}

function readShapes(view, count) {
  return Array.from({ length: count }, (_, i) => ({
    point: view.getUint32(20 * i, true),
    kind: view.getUint32(20 * i + 4, true),
    half: halfSize(view, 20 * i + 8),
  }));
}

function readColliders(view, count) {
  return Array.from({ length: count }, (_, i) => ({
    kind: view.getUint32(20 * i, true),
    radius: view.getFloat32(20 * i + 4, true),
    half: halfSize(view, 20 * i + 8),
  }));
}

/** Writes point `i` of a frame, in metres, to `out` at `at`. */
export function readPoint(frame, i, out, at = 0) {
  if (!frame.isQuantised) {
    out[at] = frame.positions[3 * i];
    out[at + 1] = frame.positions[3 * i + 1];
    out[at + 2] = frame.positions[3 * i + 2];
    return;
  }
  for (let k = 0; k < 3; ++k) {
    const share = frame.positions[4 * i + k] / 65535;
    out[at + k] = frame.lower[k] + share * (frame.upper[k] - frame.lower[k]);
  }
}
