// Serves a folder on 127.0.0.1: node serve.mjs FOLDER [PORT] [--bare]
// Pages are cross-origin isolated, so that they get threads; not with --bare. For a look, and for tests.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
};
const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Starts a server on a port, 0 = any that is free; resolves to it. */
export function serve(folder, port, isIsolated) {
  const root = path.resolve(folder);
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = path.join(root, name.endsWith("/") ? `${name}index.html` : name);
    const type = TYPES[path.extname(file)];
    if (!file.startsWith(root + path.sep) || !type || !fs.existsSync(file)) {
      // browsers ask for an icon of files that are no page
      response.writeHead(name === "/favicon.ico" ? 204 : 404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": type, ...(isIsolated ? ISOLATED : {}) });
    fs.createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2).filter((word) => word !== "--bare");
  if (words.length < 1 || words.length > 2) {
    console.error("usage: node serve.mjs FOLDER [PORT] [--bare]");
    process.exit(2);
  }
  serve(words[0], Number(words[1] ?? 0), !process.argv.includes("--bare")).then(
    (server) => console.log(`http://127.0.0.1:${server.address().port}/`),
    (error) => {
      console.error(`serve: ${error.message}`);
      process.exit(1);
    },
  );
}
