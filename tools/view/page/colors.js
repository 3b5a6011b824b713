import * as THREE from "three";

/** Curves, and their worlds. */
export const curveColors = ["#c0392b", "#2f6fab", "#d18f1f", "#3c8d57", "#83519b", "#2b8d95", "#b4507b", "#6f7d2c"];

const scratch = new THREE.Color();

/** Colour of a topology, in linear light, into `out` at `at`. */
export function writeColor(color, out, at) {
  if (color >= 0x01000000) scratch.set(curveColors[(color - 0x01000000) % curveColors.length]);
  else scratch.setHex(color);
  out[at] = scratch.r;
  out[at + 1] = scratch.g;
  out[at + 2] = scratch.b;
}

// blue, pale, amber, red: readable in print and with most colour blindness
const stops = ["#2c5d9b", "#8fb4cf", "#f3efe6", "#eab04c", "#c63d2a", "#6d0f1a"].map((text) => new THREE.Color(text));
const heat = new Float32Array(256 * 3);
for (let i = 0; i < 256; ++i) {
  const place = (i / 255) * (stops.length - 1);
  const k = Math.min(Math.floor(place), stops.length - 2);
  scratch.lerpColors(stops[k], stops[k + 1], place - k).toArray(heat, 3 * i);
}

// classes: 0 = none, a few that are easily told apart, then hues far from those before
const firstClasses = ["#d5d2ca", "#d1662f", "#2f6fab", "#3c9a57", "#d9b03a", "#83519b", "#2b9aa3", "#b4507b", "#6f5a48"];
const classes = new Float32Array(256 * 3);
for (let i = 0; i < 256; ++i) {
  if (i < firstClasses.length) scratch.set(firstClasses[i]);
  else scratch.setHSL((i * 0.618034) % 1, 0.55, 0.38 + 0.12 * (i % 3));
  scratch.toArray(classes, 3 * i);
}

/** Colours of the values of an overlay, 0 to 255: shares, or classes. */
export function writeHeat(values, areClasses, out) {
  const colors = areClasses ? classes : heat;
  for (let i = 0; i < values.length; ++i) {
    const from = 3 * values[i];
    out[3 * i] = colors[from];
    out[3 * i + 1] = colors[from + 1];
    out[3 * i + 2] = colors[from + 2];
  }
}
