import { start } from "./app.js";
import { wasmEngine } from "./engine_wasm.js";

start(wasmEngine());
