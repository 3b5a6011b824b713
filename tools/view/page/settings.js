// The solver's settings of each body, and why: weft_world_explain().
const columns = [
  ["bodies", "body", (row, first) => nameOf(row, first)],
  ["particles", "particles of a body", (row) => row.particles.toLocaleString("en").replaceAll(",", " ")],
  ["substeps", "substeps of a step, at most", (row) => row.substeps],
  ["sweeps", "sweeps of a substep", (row) => row.sweeps],
  ["levels", "sweeps of each multigrid level", (row) => row.levels || "–"],
  ["attachments", "long-range attachments of a particle, at most", (row) => row.attachments || "–"],
  ["bends", "bend elements", (row) => row.bends || "–"],
  ["sag", "strain by which the body sags under its weight", (row) => percent(row.sag)],
  ["why", "why these", (row) => row.why],
];

function percent(share) {
  return share > 0 ? `${Number((100 * share).toPrecision(2))} %` : "–";
}

/** Bodies by number, from 1. */
function nameOf(row, first) {
  if (row.bodies > 1) return `${first} to ${first + row.bodies - 1}`;
  return `<i style="background:${row.color}"></i>${first}`;
}

export class Settings {
  /** @param place the section; @param close what its button does */
  constructor(place, close) {
    this.place = place;
    this.place.querySelector("button").onclick = close;
    this.table = place.querySelector("table");
    this.foot = place.querySelector("p");
    this.info = null;
    this.shown = "";
  }

  toggle() {
    this.place.hidden = !this.place.hidden;
    // a hidden button keeps the keyboard until the next layout
    if (this.place.hidden && this.place.contains(document.activeElement)) document.activeElement.blur();
  }

  setInfo(info) {
    this.info = info;
    this.shown = "";
    let first = 1;
    const rows = info.settings.map((row) => {
      const cells = columns.map(([name, , cell], i) => (i === 0 ? `<th scope="row">${cell(row, first)}</th>` : `<td class="${name}">${cell(row)}</td>`));
      first += row.bodies;
      return `<tr>${cells.join("")}</tr>`;
    });
    const heads = columns.map(([name, title]) => `<th scope="col" class="${name}" title="${title}">${name}</th>`);
    this.table.tHead.innerHTML = `<tr>${heads.join("")}</tr>`;
    this.table.tBodies[0].innerHTML = rows.join("");
  }

  setFrame(frame) {
    if (this.place.hidden) return;
    const { swept_bends: swept, settings, settings_rows: all } = this.info;
    const each = frame.substeps > 0 ? Number((frame.sweeps / frame.substeps).toPrecision(3)) : 0;
    const parts = [`last step: ${frame.substeps} substeps of ${each} sweeps`];
    if (swept > 0) parts.push(`bends by sweeps: ${swept}`);
    if (all > settings.length) parts.push(`${all - settings.length} more rows`);
    const text = parts.join(" · ");
    if (text !== this.shown) this.foot.textContent = this.shown = text;
  }
}
