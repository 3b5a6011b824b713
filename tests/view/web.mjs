// The viewer for web servers in headless Chromium: the hashes of native weft-sim, recordings that
// replay natively, step times.
// usage: node web.mjs SITE NATIVE PACKAGES [TEST...]
//
// SITE is build/web of tools/web.sh, NATIVE the folder of weft-sim and weft-view; without TESTs all run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { serve } from "../../tools/view/web/serve.mjs";

const [site, native, packages] = process.argv.slice(2, 5).map((folder) => path.resolve(folder));
const chosen = process.argv.slice(5);
const STEPS = 90;

/** Scenes of weft-sim as they are there: cloth, contacts of bodies, ragdolls, self-collision, springs. */
const SCENES = [
  { name: "curtain", sets: ["columns=33", "rows=33"] },
  { name: "ragdolls", sets: [] },
  { name: "bodies", sets: ["count=120"] },
  { name: "drape-sphere", sets: ["size=33", "cloth=true"] },
  { name: "tree", sets: [] },
  { name: "tire", sets: [] },
  { name: "web", sets: [] },
];

/** Which module runs where. `threads` needs isolation. */
const MODULES = ["scalar", "simd128", "threads"];

// ---- native ----

function nativeHash({ name, sets }) {
  const { rate } = JSON.parse(runSim(name, sets, ["--seconds", "0.001"])).settings;
  const report = JSON.parse(runSim(name, sets, ["--seconds", String(STEPS / rate)]));
  assert.equal(report.steps, STEPS);
  return report.state_hash;
}

function runSim(name, sets, more) {
  const words = ["run", name, ...sets.flatMap((set) => ["--set", set]), ...more, "--json", "-", "--quiet"];
  return execFileSync(path.join(native, "weft-sim"), words, { encoding: "utf8" });
}

function replayNatively(text) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "weft-web-")), "recording.jsonl");
  fs.writeFileSync(file, text);
  try {
    return execFileSync(path.join(native, "weft-view"), ["--replay", file], { encoding: "utf8" });
  } finally {
    fs.rmSync(path.dirname(file), { recursive: true });
  }
}

// ---- in the page ----

/** Runs scenes by the worker of the page alone; resolves to a hash and milliseconds a step for each. */
async function runInWorker(scenes, module, steps) {
  const worker = new Worker("engine_worker.js");
  let answered = null;
  const failed = [];
  worker.onmessage = ({ data }) => {
    if (data.kind === "answer") answered(data.text);
    if (data.kind === "error" || data.kind === "closed") failed.push(data.text);
    if (data.kind === "closed") answered?.("");
  };
  const recording = () =>
    new Promise((resolve) => {
      answered = resolve;
      worker.postMessage({ kind: "recording", id: 1 });
    });
  const send = (command) => worker.postMessage({ kind: "command", text: JSON.stringify(command) });
  worker.postMessage({ kind: "start", scene: "rope", sets: [], threads: 0, module });
  send({ do: "pause", on: true });
  const results = [];
  for (const { name, sets } of scenes) {
    send({ do: "scene", name, plain: true, set: sets });
    await recording();
    const start = performance.now();
    send({ do: "step", count: steps });
    const text = await recording();
    const ms = (performance.now() - start) / steps;
    if (failed.length > 0) throw new Error(`${module}: ${name}: ${failed.join("; ")}`);
    const end = JSON.parse(text.trim().split("\n").at(-1));
    results.push({ hash: end.hash, steps: end.step, ms });
  }
  worker.terminate();
  return results;
}

/** `where` is below the site; of a file that is not a page, for workers alone, nothing is drawn. */
async function openPage(browser, server, where = "") {
  const page = await browser.newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.setDefaultTimeout(300000);
  await page.setViewport({ width: 900, height: 540 });
  await page.goto(`http://127.0.0.1:${server.address().port}/${where}`);
  return { page, faults };
}

const openWorkerPage = (browser, servers, module) =>
  openPage(browser, module === "threads" ? servers.isolated : servers.bare, "view.css");

const waitForStep = (page, step) =>
  page.waitForFunction((least) => globalThis.weft?.frame?.step >= least, { timeout: 300000 }, step);

// ---- tests ----

async function modulesGiveTheHashesOfWeftSim({ browser, servers }) {
  const expected = SCENES.map(nativeHash);
  for (const module of MODULES) {
    const { page, faults } = await openWorkerPage(browser, servers, module);
    const results = await page.evaluate(runInWorker, SCENES, module, STEPS);
    results.forEach(({ hash, steps }, i) => {
      assert.equal(steps, STEPS);
      assert.equal(hash, expected[i], `${SCENES[i].name}, ${module}`);
    });
    assert.deepEqual(faults, []);
    await page.close();
  }
  for (const [i, { name }] of SCENES.entries()) console.log(`    ${expected[i]} ${name}`);
}

async function pagesChooseTheWidestModule({ browser, servers }) {
  for (const server of ["isolated", "bare"]) {
    const { page, faults } = await openPage(browser, servers[server], "?scene=curtain&set=columns%3D129&set=rows%3D129");
    await waitForStep(page, 5);
    const least = server === "bare" ? 1 : await page.evaluate(() => Math.min(navigator.hardwareConcurrency, 8));
    const info = await page.evaluate(() => ({ isa: weft.info.isa, threads: weft.info.threads, scene: weft.info.scene }));
    assert.deepEqual(info, { isa: "simd128", threads: least, scene: "curtain" });
    assert.deepEqual(faults, []);
    await page.close();
  }
}

/** Mouse and keys as the DevTools protocol sends them: a pull, a tear, no gravity, another scene and back. */
async function recordingsOfThePageReplayNatively({ browser, servers }) {
  const { page, faults } = await openPage(browser, servers.isolated);
  // one quality, which else follows from the time that pictures take; it draws all points of the curtain
  await page.waitForFunction(() => globalThis.weft?.frame);
  await page.evaluate(() => weft.quality.choose("fast"));
  await waitForStep(page, 10);
  // pixels of a particle of the curtain, which has 97 columns
  const pixelOf = (row, column) =>
    page.evaluate((i) => {
      const { frame, stage } = weft;
      const spot = stage.center.clone().fromArray(positionOf(frame, i)).project(stage.camera);
      const box = stage.canvas.getBoundingClientRect();
      return [box.left + ((spot.x + 1) / 2) * box.width, box.top + ((1 - spot.y) / 2) * box.height];

      function positionOf({ isQuantised, positions, lower, upper }, i) {
        const part = [0, 1, 2].map((k) => positions[(isQuantised ? 4 : 3) * i + k]);
        return isQuantised ? part.map((x, k) => lower[k] + (x / 65535) * (upper[k] - lower[k])) : part;
      }
    }, 97 * row + column);
  const drag = async (button, from, to) => {
    await page.mouse.move(...from);
    await page.mouse.down({ button });
    for (let i = 1; i <= 12; ++i) {
      await page.mouse.move(...from.map((x, k) => x + ((to[k] - x) * i) / 12));
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await page.mouse.up({ button });
  };
  // a busy machine moves the cloth away before the button is down
  const dragUntil = async (action, button, from, to) => {
    for (let tries = 0; tries < 5; ++tries) {
      await drag(button, await from(), await to());
      if ((await page.evaluate(() => weft.engine.recording())).includes(`"do":"${action}"`)) return;
    }
  };
  const held = () => pixelOf(45, 48);
  await dragUntil("grab", "left", held, async () => (await held()).map((x, k) => x + [80, -60][k]));
  await dragUntil("tear", "right", () => pixelOf(20, 15), () => pixelOf(22, 40));
  await page.keyboard.press("g");
  await waitForStep(page, 90);
  await page.keyboard.press("g");
  await page.evaluate(() => weft.engine.send({ do: "pause", on: true }));
  const text = await page.evaluate(() => weft.engine.recording());
  const end = JSON.parse(text.trim().split("\n").at(-1));
  const actions = new Set(text.trim().split("\n").map((line) => JSON.parse(line).do));
  for (const action of ["scene", "grab", "drag", "drop", "tear", "gravity", "end"]) assert.ok(actions.has(action), action);
  assert.match(replayNatively(text), new RegExp(end.hash));
  // and in the page
  await page.evaluate((recorded) => weft.engine.replay(recorded), text);
  await page.waitForFunction(() => weft.frame?.replay >= 2, { timeout: 300000 });
  assert.equal(await page.evaluate(() => weft.frame.replay), 2);
  assert.deepEqual(faults, []);
  console.log(`    ${end.hash} after ${end.step} steps, ${text.split("\n").length - 1} lines`);
  await page.close();
}

async function faultsAreNamed({ browser, servers }) {
  for (const [where, expected] of [
    ["?scene=curtian", /curtian/],
    ["?scene=curtain&set=colums%3D9", /colums/],
    ["?module=avx2", /has ended/],
  ]) {
    const { page } = await openPage(browser, servers.bare, where);
    await page.waitForFunction(() => !document.getElementById("note").hidden, { timeout: 300000 });
    assert.match(await page.evaluate(() => document.getElementById("note").textContent), expected);
    await page.close();
  }
}

/** Prints milliseconds a step; the lowest of some runs is that of a machine that does nothing else. */
async function curtainsStepInTime({ browser, servers }) {
  const scene = { name: "curtain", sets: ["columns=129", "rows=129"] };
  for (const module of MODULES) {
    const { page } = await openWorkerPage(browser, servers, module);
    const runs = await page.evaluate(runInWorker, Array(6).fill(scene), module, 60);
    const [lowest, , , median] = runs.map(({ ms }) => ms).sort((a, b) => a - b);
    console.log(`    curtain of 129 x 129, ${module}: ${lowest.toFixed(2)} ms a step, median ${median.toFixed(2)}`);
    await page.close();
  }
}

const tests = [
  modulesGiveTheHashesOfWeftSim,
  pagesChooseTheWidestModule,
  faultsAreNamed,
  recordingsOfThePageReplayNatively,
  curtainsStepInTime,
];

async function main() {
  if (!packages) throw new Error("usage: node web.mjs SITE NATIVE PACKAGES [TEST...]");
  const puppeteer = createRequire(path.join(packages, "x.js"))("puppeteer-core");
  const servers = { isolated: await serve(site, 0, true), bare: await serve(site, 0, false) };
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: 300000,
    protocolTimeout: 600000,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  try {
    for (const test of tests) {
      if (chosen.length > 0 && !chosen.includes(test.name)) continue;
      const start = performance.now();
      await test({ browser, servers });
      console.log(`web: ${test.name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    }
  } finally {
    await browser.close();
    for (const server of Object.values(servers)) server.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
