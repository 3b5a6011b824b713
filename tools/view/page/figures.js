// The figures at the upper left.
const stageColors = ["#8a5a9e", "#3d6fa8", "#3f9aa3", "#c9b458", "#4f8f5b", "#b8577f", "#c9764a", "#7d4a3a", "#6a6fb8", "#a33", "#888"];
const replayWords = ["", "replaying…", "replay: the same hash", "replay: another hash", "replay: failed"];

function count(number) {
  return number.toLocaleString("en").replaceAll(",", " ");
}

export class Figures {
  constructor(place) {
    this.place = place;
    this.shownAt = 0;
  }

  setInfo(info) {
    this.info = info;
    this.shownAt = 0;
  }

  setFrame(frame) {
    const now = performance.now();
    if (now - this.shownAt < 120 && !frame.isPaused) return;
    this.shownAt = now;
    const { info } = this;
    const total = Math.max(frame.stageMs.reduce((sum, ms) => sum + ms, 0), 1e-9);
    const stages = info.stages
      .map((name, i) => ({ name: name.replaceAll("_", " "), ms: frame.stageMs[i], color: stageColors[i] }))
      .filter((stage) => stage.ms > 0.004 * total && stage.ms > 5e-4);
    const row = (name, value, kind = "") => `<dt class="${kind}">${name}</dt><dd class="${kind}">${value}</dd>`;
    this.place.innerHTML = `<h1>${info.scene}<small>${frame.isPaused ? "paused" : `${frame.speed}×`}</small></h1><dl>
      ${row("step", count(frame.step))}
      ${row("time", `${frame.time.toFixed(2)} s`, "more")}
      ${row("steps a second", frame.rate.toFixed(0), "more")}
      ${row("a step", `${frame.stepMs.toFixed(2)} ms`)}
      <div class="bar">${stages.map((stage) => `<span style="width:${(100 * stage.ms) / total}%;background:${stage.color}"></span>`).join("")}</div>
      ${stages.map((stage) => row(`<span style="color:${stage.color}">■</span> ${stage.name}`, `${stage.ms.toFixed(2)} ms`, "more")).join("")}
      ${row("particles", count(frame.particles))}
      ${row("links", count(frame.links), "more")}
      ${row("torn", count(frame.torn))}
      ${row("strain, mean", `${(100 * frame.meanStrain).toFixed(2)} %`, "more")}
      ${row("strain, largest", `${(100 * frame.maxStrain).toFixed(1)} %`)}
      ${row("threads, ISA", `${info.threads}, ${info.isa}`, "more")}
      ${row("substeps × sweeps", `${info.substeps} × ${info.iterations}`, "more")}
      </dl><div class="hash" title="state hash after step ${frame.hashStep}">${frame.hash}</div>
      <div class="hash ${["", "", "same", "differs", "differs"][frame.replay]}">${replayWords[frame.replay] ?? ""}</div>`;
  }
}
