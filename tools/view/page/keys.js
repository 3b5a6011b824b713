// The keyboard, and buttons in its place.

const steering = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "forward",
  ArrowDown: "back",
  Enter: "jump",
  j: "jump",
};

export const table = [
  ["Left drag", "pulls; on nothing it turns the camera"],
  ["Right drag", "tears"],
  ["Shift and drag", "cuts"],
  ["R", "the first state again"],
  ["G", "gravity off and on"],
  ["W", "wind on and off"],
  ["Space", "pauses and goes on"],
  [". (full stop)", "one step"],
  ["+ and -", "faster and slower"],
  ["1 to 9, 0", "scenes"],
  ["S", "colours of strain on and off"],
  ["O", "next overlay: strain, speed, contacts, patches, their colours, levels, workers"],
  ["C", "camera where it was at first"],
  ["E", "settings of each body, and why"],
  ["H", "hides all but the scene"],
  ["Arrows, Enter", "walk and jump, where somebody does"],
  ["?", "this list"],
];

export class Keys {
  /** @param actions functions by name: see app.js */
  constructor(app, actions) {
    this.app = app;
    this.actions = actions;
    this.held = new Set();
    addEventListener("keydown", (event) => this.down(event));
    addEventListener("keyup", (event) => this.steer(event.key, false));
    addEventListener("blur", () => [...this.held].forEach((name) => this.hold(name, false)));
  }

  hold(name, isDown) {
    if (!this.app.info?.keys.includes(name) || this.held.has(name) === isDown) return;
    this.held[isDown ? "add" : "delete"](name);
    this.app.engine.send({ do: "key", name, down: isDown });
  }

  steer(key, isDown) {
    const name = steering[key.length === 1 ? key.toLowerCase() : key];
    if (!name || !this.app.info?.keys.includes(name)) return false;
    this.hold(name, isDown);
    return true;
  }

  down(event) {
    const target = event.target;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    // a button that the keyboard has reached
    const isPress = (event.key === " " || event.key === "Enter") && target.matches?.("button:focus-visible");
    if (isField || isPress || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.steer(event.key, true)) return event.preventDefault();
    const { actions } = this;
    const run = {
      r: actions.reset,
      g: actions.toggleGravity,
      w: actions.toggleWind,
      " ": actions.togglePause,
      ".": actions.step,
      "+": () => actions.changeSpeed(2),
      "=": () => actions.changeSpeed(2),
      "-": () => actions.changeSpeed(0.5),
      s: actions.toggleStrain,
      o: actions.cycleOverlay,
      c: actions.resetCamera,
      e: actions.toggleSettings,
      h: actions.toggleBare,
      "?": actions.help,
    }[event.key.toLowerCase()];
    if (run && !event.repeat) run();
    else if (/^[0-9]$/.test(event.key) && !event.repeat) actions.chooseScene((Number(event.key) + 9) % 10);
    else if (event.key === "." && event.repeat) actions.step();
    else if (!run) return;
    event.preventDefault();
  }
}

/** Buttons for a screen that is touched. */
export function addButtons(place, app, keys, pointer, actions) {
  const button = (text, title) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.title = title;
    place.append(made);
    return made;
  };
  place.replaceChildren();
  const modes = ["pull", "tear", "cut"].map((mode) => {
    const made = button(mode, `a finger ${mode}s`);
    made.onclick = () => {
      pointer.mode = mode;
      modes.forEach((other) => other.classList.toggle("on", other === made));
    };
    made.classList.toggle("on", pointer.mode === mode);
    return made;
  });
  button("↺", "first state").onclick = actions.reset;
  button("G", "gravity").onclick = actions.toggleGravity;
  button("W", "wind").onclick = actions.toggleWind;
  button("▶‖", "pause").onclick = actions.togglePause;
  button("½×", "slow motion").onclick = () => actions.changeSpeed(app.frame?.speed > 0.3 ? 0.5 : 4);
  button("E", "settings by body").onclick = actions.toggleSettings;
  const signs = { left: "←", right: "→", forward: "↑", back: "↓", jump: "⤒" };
  for (const name of app.info.keys) {
    const made = button(signs[name] ?? name, name);
    made.onpointerdown = () => keys.hold(name, true);
    made.onpointerup = made.onpointerleave = () => keys.hold(name, false);
  }
}
