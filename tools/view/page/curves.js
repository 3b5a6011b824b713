// Curves of the scene, such as energies, over the last steps.
import { curveColors } from "./colors.js";

const MOST = 600;

/** A number of at most `digits` digits; small and large ones by their exponent. */
function short(value, digits) {
  const size = Math.abs(value);
  if (size < 1e-9) return "0";
  return size < 1e-2 || size >= 1e5 ? value.toExponential(digits - 2) : value.toPrecision(digits);
}

export class Curves {
  constructor(canvas) {
    this.canvas = canvas;
    this.names = [];
    this.clear();
  }

  setInfo(info) {
    this.names = info.curves;
    this.canvas.hidden = this.names.length === 0;
    this.clear();
  }

  clear() {
    this.samples = [];
    this.lastStep = -1;
  }

  setFrame(frame) {
    if (this.names.length === 0 || frame.step === this.lastStep) return;
    if (frame.step < this.lastStep) this.clear();
    this.lastStep = frame.step;
    this.samples.push({ time: frame.time, values: Array.from(frame.curves) });
    if (this.samples.length > MOST) this.samples.shift();
    this.draw();
  }

  /** Without the wildest twentieth: a curve that diverges leaves the others visible. */
  range() {
    const all = this.samples.flatMap((sample) => sample.values).filter(Number.isFinite).sort((a, b) => a - b);
    if (all.length === 0) return [0, 1];
    const lower = all[Math.floor(0.02 * all.length)], upper = all[Math.floor(0.9 * (all.length - 1))];
    const room = Math.max(0.15 * (upper - lower), 1e-4 * Math.max(Math.abs(upper), 1));
    return [lower - room, upper + room];
  }

  draw() {
    const { canvas, samples } = this;
    const ratio = Math.min(devicePixelRatio, 2), width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== width * ratio) [canvas.width, canvas.height] = [width * ratio, height * ratio];
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const [lower, upper] = this.range();
    const left = 46, top = 12, bottom = height - 12, right = width - 140;
    const start = samples[0].time, span = Math.max(samples.at(-1).time - start, 1e-6);
    const x = (time) => left + ((time - start) / span) * (right - left);
    const y = (value) => bottom - ((value - lower) / (upper - lower)) * (bottom - top);
    this.drawAxes(context, { left, right, top, bottom }, lower, upper, y);
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    this.names.forEach((_, i) => {
      context.strokeStyle = curveColors[i % curveColors.length];
      context.lineWidth = 1.6;
      context.beginPath();
      for (const sample of samples) if (Number.isFinite(sample.values[i])) context.lineTo(x(sample.time), y(sample.values[i]));
      context.stroke();
    });
    context.restore();
    this.drawNames(context, right + 10, top, (bottom - top) / this.names.length);
  }

  drawAxes(context, box, lower, upper, y) {
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = context.strokeStyle = getComputedStyle(this.canvas).color;
    context.globalAlpha = 0.6;
    context.textAlign = "right";
    for (let i = 0; i <= 4; ++i) {
      const value = lower + (i / 4) * (upper - lower);
      context.fillText(short(value, 3), box.left - 5, y(value) + 3);
      context.globalAlpha = 0.12;
      context.strokeRect(box.left, y(value), box.right - box.left, 0);
      context.globalAlpha = 0.6;
    }
    context.globalAlpha = 1;
  }

  /** A line each, or two where there is room for the name above its value. */
  drawNames(context, left, top, room) {
    const last = this.samples.at(-1).values;
    const height = Math.min(room, 26), two = height >= 24;
    context.textAlign = "left";
    this.names.forEach((name, i) => {
      context.fillStyle = curveColors[i % curveColors.length];
      const value = Number.isFinite(last[i]) ? short(last[i], 4) : "∞", text = name.replaceAll("_", " ");
      context.fillText(two ? text : `${text} ${value}`, left, top + 10 + height * i);
      if (two) context.fillText(value, left, top + 21 + height * i);
    });
  }
}
