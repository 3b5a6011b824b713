#include "base/float_mode.h"
#include "libraries/bodies/draft.h"

// Ends have material on one side only.
static double share_at(uint32_t index, uint32_t count) {
  return (index == 0 || index + 1 == count ? 0.5 : 1.0) / (double)(count - 1);
}

static void place_particles(weft__draft* draft, const weft_box_def* def) {
  for (uint32_t row = 0; row < def->rows; ++row) {
    for (uint32_t column = 0; column < def->columns; ++column) {
      const double x = (double)column / (double)(def->columns - 1) - 0.5;
      const double y = (double)row / (double)(def->rows - 1) - 0.5;
      const double share = share_at(column, def->columns) * share_at(row, def->rows);
      (void)weft__draft_add_particle(draft, x * (double)def->width, y * (double)def->height, 0.0,
                                     share * (double)def->mass);
    }
  }
}

static void draw(weft__draft* draft, const weft_box_def* def) {
  const weft_link_def side = {
      .relaxation = def->relaxation, .tear_ratio = def->tear_ratio, .compliance = def->compliance};
  weft_link_def diagonal = side;
  diagonal.kind = WEFT_LINK_SHEAR;
  place_particles(draft, def);
  for (uint32_t row = 0; row < def->rows; ++row) {
    for (uint32_t column = 0; column < def->columns; ++column) {
      const uint32_t i = row * def->columns + column;
      const bool more_columns = column + 1 < def->columns;
      const bool more_rows = row + 1 < def->rows;
      if (more_columns) weft__draft_link(draft, &side, i, i + 1);
      if (more_rows) weft__draft_link(draft, &side, i, i + def->columns);
      if (!more_columns || !more_rows) continue;
      weft__draft_link(draft, &diagonal, i, i + def->columns + 1);
      weft__draft_link(draft, &diagonal, i + 1, i + def->columns);
    }
  }
}

static uint64_t count_links(const weft_box_def* def) {
  const uint64_t columns = def->columns;
  const uint64_t rows = def->rows;
  return (columns - 1) * rows + columns * (rows - 1) + 2 * (columns - 1) * (rows - 1);
}

static weft_result add_box(weft_scene* scene, const weft_box_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_box_def");
  WEFT__TRY(weft__check_def(&weft__box_fields, def));
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, (uint64_t)def->columns * def->rows, count_links(def)));
  draw(&draft, def);
  return weft__draft_close(&draft, scene, &frame, "weft_box_def.mass", "weft_box_def.width", body);
}

weft_result weft_scene_add_box(weft_scene* scene, const weft_box_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_box, scene, def, body);
}
