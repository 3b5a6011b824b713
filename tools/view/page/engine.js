/**
 * The engine that the page talks to. `engine_native.js` is one behind a WebSocket, `engine_wasm.js`
 * the same C code in the page. An entry file (`main_native.js`, `main_wasm.js`) makes one and hands
 * it to `start()` of `app.js`.
 *
 * @typedef {object} Engine
 * @property {string} kind "native" or "wasm"
 * @property {(command: object) => void} send a command of docs/view.md
 * @property {() => Promise<string>} recording the recording so far, as JSON lines
 * @property {(text: string) => void} replay begins a recording
 * @property {() => void} drawn the page has drawn the last frame and may get another one
 * @property {((picture: Blob) => void) | undefined} picture takes a drawn picture (native, --render)
 * @property {(listener: Listener) => void} open begins; calls the listener from then on
 *
 * @typedef {object} Listener
 * @property {(info: object) => void} info a scene has begun: the JSON of docs/view.md
 * @property {(topology: import("./decode.js").Topology) => void} topology
 * @property {(frame: import("./decode.js").Frame) => void} frame
 * @property {(text: string) => void} error a command has failed
 * @property {(text: string) => void} closed the engine has ended
 */
export {};
