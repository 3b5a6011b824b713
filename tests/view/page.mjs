// The page of weft-view in headless Chromium: real events of mouse and keyboard.
// usage: node page.mjs WEFT-VIEW PACKAGES [SCREENSHOTS]
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [program, packages, shots] = process.argv.slice(2);
const { default: puppeteer } = await import(
  createRequire(join(resolve(packages), "x.js")).resolve("puppeteer-core")
);
const folder = mkdtempSync(join(tmpdir(), "weft-view-test-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const errors = [];

function run(args, input = "ignore") {
  const child = spawn(program, args, { stdio: [input, "pipe", "pipe"] });
  child.ended = new Promise((done) => child.on("close", (status) => done({ status, out: child.out, err: child.err })));
  child.out = child.err = "";
  child.stdout.on("data", (data) => (child.out += data));
  child.stderr.on("data", (data) => (child.err += data));
  return child;
}

async function serve(...args) {
  const child = run([...args, "--no-open"]);
  while (!child.out.includes("\n")) await pause(20);
  child.url = child.out.trim();
  return child;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Milliseconds that a busy machine may take for anything. */
const PATIENCE = 300000;

// ---- the page ----

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  timeout: PATIENCE,
  protocolTimeout: PATIENCE,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

async function open(url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: 640, height: 440 });
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => globalThis.weft?.frame);
  // one quality, which else follows from the time that pictures take
  await page.evaluate(() => weft.quality.choose("fast"));
  return page;
}

/** Waits until an expression of the page about `weft` is true. */
const until = (page, test, ...args) => page.waitForFunction(test, { timeout: PATIENCE, polling: 30 }, ...args);
const steps = (page, count) =>
  page.evaluate(() => weft.frame.step).then((step) => until(page, (wanted) => weft.frame?.step >= wanted, step + count));
/** Takes steps while it is paused: so many and no more. */
async function takeSteps(page, count) {
  const from = await page.evaluate(() => weft.frame.step);
  await page.evaluate((wanted) => weft.engine.send({ do: "step", count: wanted }), count);
  await until(page, (wanted) => weft.frame.step === wanted, from + count);
}
const state = (page) => page.evaluate(() => ({ step: weft.frame.step, hash: weft.frame.hash, torn: weft.frame.torn }));

/** Pixels of a particle of the frame that is shown. */
const pixelOf = (page, particle) =>
  page.evaluate((i) => {
    const at = weft.stage.center.clone().fromArray(weft.frame.positions, 3 * i).project(weft.stage.camera);
    return [((at.x + 1) / 2) * innerWidth, ((1 - at.y) / 2) * innerHeight];
  }, particle);

const COLUMNS = 33, ROWS = 23;
const particle = (column, row) => row * COLUMNS + column;

async function drag(page, from, to, options = {}) {
  await page.mouse.move(...from);
  await page.mouse.down(options);
  await page.mouse.move(...to, { steps: 12 });
}

async function freeze(page) {
  if (!(await page.evaluate(() => weft.frame.isPaused))) await page.keyboard.press("Space");
  await until(page, () => weft.frame.isPaused);
}

const tests = {
  async "R brings back the first hash"(page) {
    await freeze(page);
    await page.keyboard.press("r");
    await until(page, () => weft.frame.step === 0);
    const first = await state(page);
    await page.keyboard.press("Space");
    await steps(page, 30);
    assert.notEqual((await state(page)).hash, first.hash);
    await freeze(page);
    await page.keyboard.press("r");
    await until(page, () => weft.frame.step === 0);
    assert.equal((await state(page)).hash, first.hash);
    await page.keyboard.press(".");
    await until(page, () => weft.frame.step === 1);
    await page.keyboard.press("Space");
  },

  async "a left drag moves the cloth"(page) {
    const held = particle(16, 18);
    const from = await pixelOf(page, held);
    const to = [from[0] + 30, from[1] - 25];
    await drag(page, from, to);
    await steps(page, 20);
    const now = await pixelOf(page, held);
    assert(Math.hypot(now[0] - to[0], now[1] - to[1]) < 12, `${now} is not at ${to}`);
    await page.mouse.up();
    await steps(page, 40);
    const later = await pixelOf(page, held);
    assert(later[1] > to[1] + 5, "it falls when it is let go");
  },

  async "a right drag tears links"(page) {
    const before = (await state(page)).torn;
    await drag(page, await pixelOf(page, particle(6, 8)), await pixelOf(page, particle(12, 14)), { button: "right" });
    await page.mouse.up({ button: "right" });
    await until(page, (count) => weft.frame.torn > count + 5, before);
  },

  async "Shift and a drag cut it in two, and without gravity the lower part floats"(page) {
    // of the rows that hang below the cut and whatever was torn: their centre of mass
    const meanHeight = () => page.evaluate((first) => {
      const heights = weft.frame.positions.filter((_, i) => i % 3 === 1 && i >= 3 * first);
      return heights.reduce((sum, height) => sum + height, 0) / heights.length;
    }, particle(0, 16));
    /** Metres per second squared, over 16 steps of a sixtieth: later the air holds it up. */
    const acceleration = async () => {
      const heights = [await meanHeight()];
      for (let i = 0; i < 2; ++i) {
        await takeSteps(page, 8);
        heights.push(await meanHeight());
      }
      return (heights[2] - 2 * heights[1] + heights[0]) / (8 / 60) ** 2;
    };
    await page.keyboard.press("g");
    await steps(page, 3);
    await page.keyboard.down("Shift");
    const left = await pixelOf(page, particle(0, 11));
    const right = await pixelOf(page, particle(COLUMNS - 1, 11));
    await drag(page, [left[0] - 60, left[1]], [right[0] + 60, right[1]]);
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await until(page, () => weft.frame.torn > 60);
    await freeze(page);
    const floats = await acceleration();
    await page.keyboard.press("g");
    const falls = await acceleration();
    await page.keyboard.press("Space");
    const told = `${floats} m/s2 without gravity, ${falls} m/s2 with it`;
    // a part that the air meets flat falls at a quarter of g
    assert(Math.abs(floats) < 1 && falls < floats - 1.5, told);
  },

  async "wind blows"(page) {
    const depth = () => page.evaluate((count) => {
      let sum = 0;
      for (let i = 0; i < count; ++i) sum += weft.frame.positions[3 * i + 2];
      return sum / count;
    }, particle(0, 10));
    const before = await depth();
    await page.keyboard.press("w");
    await steps(page, 60);
    assert((await depth()) > before + 0.05);
    await page.keyboard.press("w");
  },

  async "minus halves the speed, plus doubles it"(page) {
    await page.keyboard.press("-");
    await until(page, () => weft.frame.speed === 0.5);
    await steps(page, 5);
    await page.keyboard.press("+");
    await until(page, () => weft.frame.speed === 1);
  },

  async "a recording of the page replays to its hash, native and in the page"(page) {
    await freeze(page);
    const text = await page.evaluate(() => weft.engine.recording());
    const { step, hash } = await state(page);
    assert(text.split("\n").length > 20 && text.includes('"tear"') && text.includes(hash));
    const path = join(folder, "recording.jsonl");
    writeFileSync(path, text);
    for (const args of [["--threads", "2"], ["--isa", "scalar"]]) {
      const { status, out } = await run(["--replay", path, ...args]).ended;
      assert.equal(out, `step ${step}, hash ${hash}, as recorded\n`);
      assert.equal(status, 0);
    }
    await page.evaluate((recording) => weft.engine.replay(recording), text);
    await until(page, () => weft.frame?.replay === 2);
    assert.equal((await state(page)).hash, hash);
    writeFileSync(path, text.replace(hash, "0123456789abcdef"));
    assert.equal((await run(["--replay", path]).ended).status, 1);
    await page.keyboard.press("Space");
  },

  async "O shows each overlay in other colours"(page) {
    await steps(page, 1);
    await freeze(page);
    const pictures = [await look(page)];
    const names = await page.evaluate(() => weft.info.overlays);
    for (const name of [...names.slice(1), "none"]) {
      await page.keyboard.press("o");
      await until(page, (wanted) => weft.look.overlay === wanted, name);
      const isOn = name !== "none";
      await until(page, (on) => Boolean(weft.frame.overlay) === on, isOn);
      await pause(200);
      pictures.push(await look(page));
      if (shots) await page.screenshot({ path: join(shots, `overlay-${name}.png`) });
      assert(!isOn || difference(pictures[0], pictures.at(-1)) > 60, `${name} shows nothing`);
    }
    assert(difference(pictures[0], pictures.at(-1)) < 4, "the last one leaves its colours");
    await page.keyboard.press("Space");
  },

  async "E and a button show the settings of each body"(page) {
    const shown = () => page.evaluate(() => !document.getElementById("settings").hidden);
    const cells = (place) => page.$$eval(`#settings ${place}`, (found) => found.map((cell) => cell.textContent));
    await page.keyboard.press("e");
    assert(await shown());
    const { settings } = await page.evaluate(() => weft.info);
    assert.deepEqual(await cells("thead th"), ["bodies", "particles", "substeps", "sweeps", "levels", "attachments", "bends", "sag", "why"]);
    assert.equal((await cells("tbody tr")).length, settings.length);
    const [name, particles, substeps] = await cells("tbody tr:first-child > *");
    assert.deepEqual([name, particles, substeps], ["1", String(COLUMNS * ROWS), String(settings[0].substeps)]);
    const foot = () => page.evaluate(() => [document.querySelector("#settings p").textContent, weft.frame.substeps]);
    await freeze(page);
    const [text, last] = await foot();
    assert(text.startsWith(`last step: ${last} substeps of`), text);
    // no wider than a phone
    for (const [width, height] of [[360, 640], [640, 440], [900, 500], [1280, 720]]) {
      await page.setViewport({ width, height });
      const box = await page.evaluate(() => {
        const { left, right, top, bottom } = document.getElementById("settings").getBoundingClientRect();
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
      });
      assert(box, `settings leave a page of ${width} x ${height}`);
      for (const value of ["light", "dark"]) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
        if (shots) await page.screenshot({ path: join(shots, `settings-${width}-${value}.png`) });
      }
    }
    await page.emulateMediaFeatures([]);
    await page.setViewport({ width: 640, height: 440 });
    // the button by the keyboard: Space presses it and does not pause
    await page.focus("#settings button");
    await page.keyboard.press("Tab");
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
    await page.keyboard.press("Space");
    assert(!(await shown()) && (await page.evaluate(() => weft.frame.isPaused)));
    // a parameter begins the scene anew, with another body
    await page.keyboard.press("e");
    const generation = await page.evaluate(() => weft.info.generation);
    await page.evaluate(() => weft.engine.send({ do: "set", name: "columns", value: "17" }));
    await until(page, (number) => weft.info.generation > number && weft.frame, generation);
    assert.equal((await cells("tbody .particles"))[0], String(17 * ROWS));
    await page.keyboard.press("e");
    assert(!(await shown()));
    await page.keyboard.press("Space");
  },

  async "the camera keeps up with a figure that runs"(page) {
    // 10 m/s, 60 pictures a second, for two seconds
    const behind = await page.evaluate(() => {
      const { stage } = weft, start = performance.now(), to = stage.controls.target.clone();
      for (let i = 0; i < 120; ++i) stage.follow(to.setX(to.x + 1 / 6).clone(), start + (1000 / 60) * i);
      const left = to.sub(stage.controls.target).length() / stage.size;
      stage.frame(weft.info.lower, weft.info.upper);
      return left;
    });
    assert.ok(behind > 0 && behind < 0.11, `${behind} of the scene's size behind`);
  },

  async "a second tab sees the same, and what is wrong is said"(page) {
    const other = await open(page.url());
    assert.equal(await other.evaluate(() => weft.info.scene), "curtain");
    await other.evaluate(() => weft.engine.send({ do: "scene", name: "curtian" }));
    await until(other, () => document.getElementById("note").textContent.includes("did you mean curtain?"));
    await other.close();
    await steps(page, 10);
  },
};

// ---- scenes ----

/** Share of pixels that are not like the corner, and a sum of all. */
const look = (page) =>
  page.evaluate(() => {
    const from = weft.stage.canvas, to = new OffscreenCanvas(160, 110), context = to.getContext("2d");
    weft.stage.draw();
    context.drawImage(from, 0, 0, 160, 110);
    return Array.from(context.getImageData(0, 0, 160, 110).data);
  });

function difference(a, b) {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 24) ++count;
  }
  return count;
}

async function checkScenes(page) {
  const names = await page.evaluate(() => weft.info.scenes.slice(0, 10).map((scene) => scene.name));
  await page.mouse.move(320, 200);
  for (const [i, name] of names.entries()) {
    const before = await page.evaluate(() => weft.info.generation);
    await freeze(page);
    await page.keyboard.press(String((i + 1) % 10));
    await until(page, (number) => weft.info.generation > number && weft.frame, before);
    assert.equal(await page.evaluate(() => weft.info.scene), name);
    const first = await look(page);
    const blank = first.map((_, k) => first[k % 4]);
    await page.keyboard.press("Space");
    if (name === "player") await page.keyboard.down("ArrowRight");
    if (name === "rope") await page.mouse.move(400, 120, { steps: 5 });
    await steps(page, 60);
    const later = await look(page);
    await page.keyboard.up("ArrowRight");
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
    assert(difference(first, blank) > 60, `${name} is blank`);
    assert(difference(first, later) > 4, `${name} does not move: ${difference(first, later)} pixels`);
    console.log(`ok ${name}`);
  }
}

// ---- who may ask ----

function statusOf(url, headers) {
  return new Promise((done, fail) => {
    const asked = request(url, { headers }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    });
    asked.on("upgrade", (answer, socket) => {
      socket.destroy();
      done(answer.statusCode);
    });
    asked.on("error", fail);
    asked.end();
  });
}

async function checkRequests(url) {
  const { host, origin } = new URL(url);
  const wrong = url.replace(/[0-9a-f]{32}/, "0".repeat(32));
  const upgrade = (from) => ({
    Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": "weft",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", ...from,
  });
  const cases = [
    [url, {}, 200],
    [`${url}view.js`, {}, 200],
    [`${url}nothing`, {}, 404],
    [`${url}../../../etc/passwd`, {}, 403],
    [`${url}%2e%2e/%2e%2e/etc/passwd`, {}, 403],
    [wrong, {}, 403],
    [origin, {}, 403],
    [url, { Origin: "http://example.org" }, 403],
    [url, { Host: "example.org" }, 403],
    [url, { Host: `localhost:${new URL(url).port}` }, 200],
    [`${url}socket`, upgrade({ Origin: origin }), 101],
    [`${url}socket`, upgrade({}), 403],
    [`${url}socket`, upgrade({ Origin: "http://example.org" }), 403],
    [`${url}socket`, upgrade({ Origin: "null" }), 403],
    [`${url}socket`, upgrade({ Origin: origin, Host: `example.org:${host.split(":")[1]}` }), 403],
    [`${wrong}socket`, upgrade({ Origin: origin }), 403],
  ];
  for (const [address, headers, wanted] of cases) {
    assert.equal(await statusOf(address, headers), wanted, `${address} ${JSON.stringify(headers)}`);
  }
  console.log("ok requests");
}

// ---- all ----

let failed = false;
if (shots) mkdirSync(shots, { recursive: true });
const server = await serve("curtain", "--set", `columns=${COLUMNS}`, "--set", `rows=${ROWS}`, "--set", "gather=0", "--set", "width=3", "--set", "hook=4");
try {
  await checkRequests(server.url);
  const taken = await run(["--port", new URL(server.url).port, "--no-open"]).ended;
  assert.match(taken.err, /port \d+ of 127.0.0.1 is in use/);
  const page = await open(server.url);
  for (const [name, test] of Object.entries(tests)) {
    await test(page);
    console.log(`ok ${name}`);
  }
  await checkScenes(page);
  assert.deepEqual(errors, []);
} catch (error) {
  failed = true;
  console.error(error);
  if (errors.length > 0) console.error("console:", errors);
}
await browser.close();
server.kill("SIGINT");
const { status, err } = await server.ended;
if (status !== 0 || err) console.error(`weft-view ended with ${status}: ${err}`);
process.exit(failed || status !== 0 ? 1 : 0);
