// The native engine, behind the WebSocket of weft-view.
import { decode } from "./decode.js";

/** @returns {import("./engine.js").Engine} */
export function nativeEngine() {
  const address = new URL("socket", location.href);
  address.protocol = "ws:";
  address.hash = "";
  let socket = null;
  let waiting = [];

  function hear(listener, data) {
    if (typeof data !== "string") {
      const message = decode(data);
      listener[message.kind](message);
      return;
    }
    const message = JSON.parse(data);
    if (message.kind === "info") listener.info(message);
    if (message.kind === "error") listener.error(message.text);
    if (message.kind === "recording") {
      for (const resolve of waiting) resolve(message.text);
      waiting = [];
    }
  }

  const sendText = (text) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
  };
  return {
    kind: "native",
    open(listener) {
      socket = new WebSocket(address, "weft");
      socket.binaryType = "arraybuffer";
      socket.onmessage = (event) => hear(listener, event.data);
      socket.onclose = () => listener.closed("weft-view has ended, or refuses this page. Start it again and reload.");
    },
    send: (command) => sendText(JSON.stringify(command)),
    drawn: () => sendText('{"do":"drawn"}'),
    replay: (text) => socket.send(new TextEncoder().encode(text)),
    picture: (picture) => socket.send(picture),
    recording() {
      sendText('{"do":"recording"}');
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
