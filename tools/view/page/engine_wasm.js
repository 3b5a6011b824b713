// The engine in the page: the C code of the native one as WebAssembly, in a worker of its own.
import { decode } from "./decode.js";

/**
 * Parameters of the address: `scene` and any number of `set`, NAME=VALUE; `threads`; `module` is one
 * of those of engine_worker.js, by default the widest that the browser can run.
 * @returns {import("./engine.js").Engine}
 */
export function wasmEngine(address = location) {
  const wanted = new URLSearchParams(address.search);
  let worker = null;
  let listener = null;
  const waiting = new Map();
  let asked = 0;

  const hear = {
    info: (message) => listener.info(JSON.parse(message.text)),
    picture: (message) => {
      const picture = decode(message.bytes);
      listener[picture.kind](picture);
    },
    error: (message) => listener.error(message.text),
    closed: (message) => listener.closed(message.text),
    answer: (message) => {
      waiting.get(message.id)(message.text);
      waiting.delete(message.id);
    },
  };

  return {
    kind: "wasm",
    open(heard) {
      listener = heard;
      worker = new Worker(new URL("engine_worker.js", address.href));
      worker.onmessage = ({ data }) => hear[data.kind](data);
      worker.onerror = (event) => listener.closed(event.message || "engine_worker.js does not load");
      worker.postMessage({
        kind: "start",
        scene: wanted.get("scene") ?? "curtain",
        sets: wanted.getAll("set"),
        threads: Number(wanted.get("threads")),
        module: wanted.get("module"),
      });
    },
    send: (command) => worker.postMessage({ kind: "command", text: JSON.stringify(command) }),
    drawn: () => worker.postMessage({ kind: "drawn" }),
    replay: (text) => worker.postMessage({ kind: "replay", text }),
    recording() {
      const id = ++asked;
      worker.postMessage({ kind: "recording", id });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
  };
}
