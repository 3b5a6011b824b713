// The faces of a world as one mesh with two sides, the back a little darker.
import * as THREE from "three";
import { writeColor, writeHeat } from "./colors.js";

/** `isPlain`: without roughness and sheen, for software rendering. */
function clothMaterial(isPlain) {
  const sides = { vertexColors: true, side: THREE.DoubleSide };
  const material = isPlain
    ? new THREE.MeshLambertMaterial(sides)
    : new THREE.MeshPhysicalMaterial({ ...sides, roughness: 0.82, sheen: 0.35, sheenRoughness: 0.6 });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <color_fragment>",
      "#include <color_fragment>\n  if (!gl_FrontFacing) diffuseColor.rgb *= vec3(0.74, 0.76, 0.8);",
    );
  };
  return material;
}

export class Cloth {
  constructor() {
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), clothMaterial(false));
    this.isPlain = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  setPlain(isPlain) {
    if (isPlain === this.isPlain) return;
    this.isPlain = isPlain;
    const { wireframe } = this.mesh.material;
    this.mesh.material.dispose();
    this.mesh.material = clothMaterial(isPlain);
    this.mesh.material.wireframe = wireframe;
  }

  setTopology(topology) {
    this.mesh.geometry.dispose();
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(topology.faces, 1));
    this.colors = new Float32Array(3 * topology.points);
    this.shown = new Float32Array(3 * topology.points);
    for (let i = 0; i < topology.points; ++i) writeColor(topology.colors[i], this.colors, 3 * i);
    this.shown.set(this.colors);
    geometry.setAttribute("color", new THREE.BufferAttribute(this.shown, 3));
    this.mesh.geometry = geometry;
    this.mesh.visible = topology.faces.length > 0;
    this.hasHeat = false;
  }

  setFrame(frame) {
    if (!this.mesh.visible || !frame.normals) return;
    const size = frame.isQuantised ? 4 : 3;
    this.setAttribute("position", frame.positions, size, frame.isQuantised);
    this.setAttribute("normal", frame.normals, 4, true);
    this.placeMesh(frame);
    if (frame.overlay) writeHeat(frame.overlay, frame.hasClasses, this.shown);
    else if (this.hasHeat) this.shown.set(this.colors);
    if (frame.overlay || this.hasHeat) this.mesh.geometry.attributes.color.needsUpdate = true;
    this.hasHeat = Boolean(frame.overlay);
  }

  /** The bytes of the message are the attribute; the buffer on the GPU is kept. */
  setAttribute(name, values, size, isNormalised) {
    const had = this.mesh.geometry.attributes[name];
    if (had && had.array.length === values.length && had.array.constructor === values.constructor) {
      had.array = values;
      had.needsUpdate = true;
      return;
    }
    const made = new THREE.BufferAttribute(values, size, isNormalised);
    made.setUsage(THREE.DynamicDrawUsage);
    this.mesh.geometry.setAttribute(name, made);
  }

  /** Quantised positions are 0 to 1 between the corners. */
  placeMesh(frame) {
    if (frame.isQuantised) {
      this.mesh.position.set(...frame.lower);
      this.mesh.scale.set(...frame.upper.map((upper, k) => Math.max(upper - frame.lower[k], 1e-9)));
    } else {
      this.mesh.position.set(0, 0, 0);
      this.mesh.scale.set(1, 1, 1);
    }
  }
}
