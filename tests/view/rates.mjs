// Rates of weft-view with a page that draws: steps, pictures, and CPU time of each part. It fails on nothing.
// usage: node rates.mjs WEFT-VIEW PACKAGES SECONDS ARGUMENT...
//        node tests/view/rates.mjs build/release/tools/weft-view build/npm 20 curtain --threads 2
// The window has 640 x 440 pixels, or WIDTHxHEIGHT of the environment variable SIZE. SHADOWS=1 leaves shadows on;
// QUALITY is one of auto, full, light, fast. After SETTLE seconds, 8 by default, it begins to count. TRY is a
// script for the page, so as to see the cost of a part: "weft.stage.floor.material.visible = false".
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [program, packages, seconds, ...args] = process.argv.slice(2);
const { default: puppeteer } = await import(
  createRequire(join(resolve(packages), "x.js")).resolve("puppeteer-core")
);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const TICKS = 100; // a second, of /proc

// ---- CPU time ----

/** Fields of a stat file of /proc: name, parent, seconds of CPU time. */
function statOf(path) {
  const text = readFileSync(path, "utf8");
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).split(" ");
  return { name: text.slice(text.indexOf("(") + 1, end), parent: Number(fields[1]), busy: (Number(fields[11]) + Number(fields[12])) / TICKS };
}

function attempt(work) {
  try {
    return work();
  } catch {
    return null; // the process has ended
  }
}

/** CPU seconds of a process by thread, threads of a name added. */
function threadsOf(pid, kind, sums) {
  for (const task of attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
    const stat = attempt(() => statOf(`/proc/${pid}/task/${task}/stat`));
    if (!stat) continue;
    const key = `${kind}: ${stat.name.replace(/[/#]?\d+$/, "")}${task === String(pid) ? " (main)" : ""}`;
    sums[key] = (sums[key] ?? 0) + stat.busy;
  }
}

/** CPU seconds of the server and of all processes of the browser, by kind and thread. */
function cpuTimes(server, browser) {
  const parents = new Map(), sums = {};
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = attempt(() => statOf(`/proc/${pid}/stat`));
    if (stat) parents.set(Number(pid), stat.parent);
  }
  const isOf = (pid) => pid === browser || (parents.has(pid) && isOf(parents.get(pid)));
  threadsOf(server, "weft-view", sums);
  for (const pid of parents.keys()) {
    if (!isOf(pid)) continue;
    const line = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";
    threadsOf(pid, /--type=([\w-]+)/.exec(line)?.[1] ?? "browser", sums);
  }
  return sums;
}

// ---- the page ----

/** Adds up the milliseconds of the page's parts, from now on. */
function instrument() {
  const sums = (globalThis.parts = {});
  const wrap = (owner, name, label) => {
    const work = owner[name].bind(owner);
    owner[name] = (...values) => {
      const start = performance.now();
      const result = work(...values);
      const part = (sums[label] ??= { count: 0, ms: 0 });
      part.ms += performance.now() - start;
      ++part.count;
      return result;
    };
  };
  wrap(weft, "takeTopology", "topology");
  wrap(weft.cloth, "setFrame", "cloth");
  wrap(weft.bodies, "setFrame", "bodies");
  wrap(weft.figures, "setFrame", "figures");
  wrap(weft.stage, "draw", "draw: calls of GL");
  const add = weft.quality.add.bind(weft.quality);
  weft.quality.add = (ms) => {
    const part = (sums["draw: until GL is done"] ??= { count: 0, ms: 0 });
    part.ms += ms;
    ++part.count;
    add(ms);
  };
  const take = weft.takeFrame.bind(weft);
  let last = weft.frame?.time;
  globalThis.distinct = 0;
  weft.takeFrame = (frame) => {
    const key = `${frame.step} ${frame.positions.slice(0, 4096).join()}`;
    if (key !== last) ++globalThis.distinct;
    last = key;
    take(frame);
  };
}

const sample = () => ({
  step: weft.frame.step,
  at: performance.now(),
  pictures: weft.stage.renderer.info.render.frame,
  distinct: globalThis.distinct,
  torn: weft.frame.torn,
  stepMs: weft.frame.stepMs,
  points: weft.frame.points,
  level: weft.quality.level,
  triangles: weft.stage.renderer.info.render.triangles,
  lines: weft.topology.lines.count,
  pins: weft.topology.pins.length,
  parts: globalThis.parts,
});

// ---- all ----

const server = spawn(program, [...args, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
let url = "";
server.stdout.on("data", (data) => (url += data));
while (!url.includes("\n")) await pause(20);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage();
const [width, height] = (process.env.SIZE ?? "640x440").split("x").map(Number);
await page.setViewport({ width, height });
await page.goto(url.trim());
await page.waitForFunction(() => globalThis.weft?.frame, { timeout: 300000 });
if (process.env.SHADOWS !== "1") {
  await page.evaluate(() => {
    weft.look.shadows = false;
    weft.applyLook();
  });
}
await page.evaluate((choice) => weft.quality.choose(choice), process.env.QUALITY ?? "auto");
if (process.env.TRY) await page.evaluate(process.env.TRY);
// quality settles
await pause(Number(process.env.SETTLE ?? 8) * 1000);
await page.evaluate(instrument);
const before = await page.evaluate(sample), cpuBefore = cpuTimes(server.pid, browser.process().pid);
await pause(1000 * Number(seconds));
const after = await page.evaluate(sample), cpuAfter = cpuTimes(server.pid, browser.process().pid);
const elapsed = (after.at - before.at) / 1000;
const perSecond = (name) => ((after[name] - before[name]) / elapsed).toFixed(1);
console.log(`${args.join(" ")}: ${perSecond("step")} steps/s, ${perSecond("pictures")} pictures/s, ${perSecond("distinct")} of them new`);
console.log(`${after.stepMs.toFixed(2)} ms a step, ${after.torn} links torn, ${after.points} points, ${after.lines} lines, ${after.pins} pins, ${after.triangles} triangles, quality level ${after.level}`);
console.log("\nCPU time, % of one CPU");
for (const [name, busy] of Object.entries(cpuAfter).map(([name, busy]) => [name, busy - (cpuBefore[name] ?? 0)]).sort((a, b) => b[1] - a[1])) {
  if (busy > 0.005 * elapsed) console.log(`${((100 * busy) / elapsed).toFixed(1).padStart(7)}  ${name}`);
}
const pictures = Math.max(after.pictures - before.pictures, 1);
const ofBrowser = Object.keys(cpuAfter).filter((name) => !name.startsWith("weft-view"));
const browserBusy = ofBrowser.reduce((sum, name) => sum + cpuAfter[name] - (cpuBefore[name] ?? 0), 0);
console.log(`\nBrowser: ${((1000 * browserBusy) / pictures).toFixed(1)} ms of CPU time a picture`);
console.log("\nPage: milliseconds a call, calls a second");
for (const [name, { count, ms }] of Object.entries(after.parts)) {
  console.log(`${(ms / count).toFixed(2).padStart(9)} ${(count / elapsed).toFixed(1).padStart(6)}  ${name}`);
}
await browser.close();
server.kill();
