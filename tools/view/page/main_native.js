import { start } from "./app.js";
import { nativeEngine } from "./engine_native.js";

start(nativeEngine());
