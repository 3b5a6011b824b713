// Worker that owns a session (tools/view/web/module.c): commands in, steps, pictures out. Not a
// JavaScript module, as the glue of Emscripten is none.
//
// Messages in:  start {scene, sets, threads, module}, command {text}, replay {text}, recording {id}, drawn
// Messages out: info {text}, picture {bytes}, error {text}, answer {id, text}, closed {text}
//
// Pictures leave only when the page has drawn the last one. Steps go on where the page is slow.
"use strict";

const MOST_THREADS = 8;
/** Seconds of steps in a turn: longer than a frame, shorter than a person notices. */
const STEP_SECONDS = 0.05;
/** Milliseconds between turns at most: figures are means over some of them. */
const IDLE_MS = 100;

/** A module with one SIMD instruction. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

let weft = null; // the module, once it is loaded
let threads = 1; // of a world, at most
let generation = 0; // last info sent
let topology = 0; // last topology sent
let isDrawn = true; // the page may get another picture
let isDirty = true; // something has changed since the last one
let lastTurn = 0; // milliseconds
let timer = 0;

// ---- the module ----

function widestModule() {
  if (!WebAssembly.validate(SIMD_PROBE)) return "scalar";
  return self.crossOriginIsolated ? "threads" : "simd128";
}

async function load(name) {
  const glue = new URL(`weft-${name}.js`, self.location.href).href;
  importScripts(glue);
  weft = await self.weftModule({
    locateFile: (file) => new URL(file, glue).href,
    mainScriptUrlOrBlob: glue,
  });
}

/** Memory moves when it grows. */
function memory() {
  return new Uint8Array((weft.wasmMemory ?? weft.HEAPU8).buffer);
}

/** Calls work(address, size) with a copy of a text, ended by 0. */
function withText(text, work) {
  const bytes = encoder.encode(text);
  const address = weft._malloc(bytes.length + 1);
  if (address === 0) throw new Error("no memory for a text");
  const room = memory().subarray(address, address + bytes.length + 1);
  room.set(bytes);
  room[bytes.length] = 0;
  const result = work(address, bytes.length);
  weft._free(address);
  return result;
}

/** Copy of [size] bytes of the module, of a text up to its end. */
function bytesAt(address, size = memory().indexOf(0, address) - address) {
  return memory().slice(address, address + size);
}

function refuse() {
  postMessage({ kind: "error", text: decoder.decode(bytesAt(weft._web_error())) });
}

/** Bytes written by a function of the module; null, and an error to the page, if it fails. */
function written(address) {
  if (address !== 0) return bytesAt(address, weft._web_size());
  refuse();
  return null;
}

// ---- pictures ----

function sendPicture(address) {
  const bytes = written(address);
  if (bytes) postMessage({ kind: "picture", bytes: bytes.buffer }, [bytes.buffer]);
}

function sendInfo() {
  if (generation === weft._web_generation()) return;
  generation = weft._web_generation();
  topology = 0;
  const bytes = written(weft._web_info());
  if (bytes) postMessage({ kind: "info", text: decoder.decode(bytes) });
}

function sendFrame() {
  if (!isDrawn || !isDirty) return;
  isDrawn = isDirty = false;
  if (topology !== weft._web_topology_version()) {
    topology = weft._web_topology_version();
    sendPicture(weft._web_topology());
  }
  sendPicture(weft._web_frame());
}

// ---- turns ----

function turn() {
  clearTimeout(timer);
  const now = performance.now();
  const steps = weft._web_advance((now - lastTurn) / 1000, STEP_SECONDS);
  lastTurn = now;
  if (steps < 0) refuse();
  const due = weft._web_due();
  // positions lie between two steps by the clock
  if (steps !== 0 || Number.isFinite(due)) isDirty = true;
  sendInfo();
  sendFrame();
  timer = setTimeout(turn, Math.min(1000 * due, IDLE_MS));
}

/**
 * Threads of a world that has ended come back between two turns: the next scene needs them. Those
 * that are not there would be started by the browser too late for a world that ends at once.
 */
async function awaitThreads() {
  const isBack = () => weft.PThread.unusedWorkers.length >= threads - 1;
  for (let i = 0; i < 100 && !isBack(); ++i) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Runs a text by a function of the module. */
async function run(text, command) {
  if (!withText(text, command)) refuse();
  isDirty = true;
  if (weft.PThread && generation !== weft._web_generation()) await awaitThreads();
}

const work = {
  command: ({ text }) => run(text, weft._web_command),
  replay: ({ text }) => run(text, weft._web_replay),
  recording({ id }) {
    const bytes = written(weft._web_recording());
    postMessage({ kind: "answer", id, text: bytes ? decoder.decode(bytes) : "" });
  },
  drawn() {
    isDrawn = true;
  },
};

// ---- the page ----

async function start({ scene, sets, threads: wanted, module }) {
  await load(module ?? widestModule());
  const most = Math.min(MOST_THREADS, navigator.hardwareConcurrency);
  threads = Math.min(wanted || most, most);
  const isThere = withText(scene, (name) =>
    withText(sets.join("\n"), (values) => weft._web_start(name, values, threads)),
  );
  if (!isThere) throw new Error(decoder.decode(bytesAt(weft._web_error())));
  lastTurn = performance.now();
}

/** Messages are handled one after the other, each with a turn at its end; none after a fault. */
let last = Promise.resolve();
let hasEnded = false;

function handle(data) {
  if (hasEnded) return new Promise(() => {});
  return data.kind === "start" ? start(data) : work[data.kind](data);
}

self.onmessage = ({ data }) => {
  last = last
    .then(() => handle(data))
    .then(turn)
    .catch((error) => {
      hasEnded = true;
      clearTimeout(timer);
      postMessage({ kind: "closed", text: `The engine has ended: ${error.message ?? error}` });
    });
};
