#include "modules/bending/lines.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

// windows of rows need so many adjacent lines
#define MIN_ADJACENT 8u

typedef struct line {
  uint32_t first, end;
  uint32_t color;
  bool is_twist;
} line;

typedef struct lister {
  weft__bend_lines* out;
  const weft__schedule* schedule;
  const weft__hinges* hinges;
  bool* is_taken;
  line* lines;
  size_t count, capacity;
  uint8_t* colors;  // lines that contain a particle, solver order; a bit each
  weft__sort_item* items;
  weft__sort_item* scratch;
  uint32_t* owner_of;  // of a particle, solver order: lines of one may share a block
} lister;

static bool has_coefficients(const weft__hinges* hinges, uint32_t hinge, const float expected[4]) {
  return memcmp(hinges->coefficient[hinge], expected, 4 * sizeof(float)) == 0 &&
         hinges->rest_length[hinge] == 0.0f && hinges->yield[hinge] == 0.0f;
}

// Three consecutive particles of a sheet: symmetric, flat and elastic.
static bool is_sheet_hinge(const weft__hinges* hinges, uint32_t hinge) {
  return has_coefficients(hinges, hinge, (const float[4]){1.0f, -2.0f, 1.0f, 0.0f});
}

static bool is_sheet_twist(const weft__hinges* hinges, uint32_t hinge) {
  return has_coefficients(hinges, hinge, (const float[4]){1.0f, -1.0f, -1.0f, 1.0f});
}

static bool continues(const weft__hinges* hinges, uint32_t hinge, bool is_twist) {
  const uint32_t* before = hinges->particle[hinge - 1];
  const uint32_t* particle = hinges->particle[hinge];
  if (is_twist) {
    return is_sheet_twist(hinges, hinge) && particle[0] == before[1] && particle[2] == before[3];
  }
  return is_sheet_hinge(hinges, hinge) && particle[0] == before[1] && particle[1] == before[2];
}

static uint32_t length_of(const line* l) {
  return l->end - l->first + (l->is_twist ? 1 : 2);
}

// In solver order; end: 2 is a rung's other end
static uint32_t end_of(const lister* s, const line* l, uint32_t k, uint32_t end) {
  const uint32_t last = l->end - l->first - 1;
  const uint32_t hinge = k > last ? last : k;
  return s->schedule->solver_of[s->hinges->particle[l->first + hinge][end + k - hinge]];
}

static uint32_t particle_of(const lister* s, const line* l, uint32_t k) {
  return end_of(s, l, k, 0);
}

static uint32_t particle_count_of(const line* l) {
  return l->is_twist ? 2 * length_of(l) : length_of(l);
}

static uint32_t any_particle_of(const lister* s, const line* l, uint32_t k) {
  const uint32_t length = length_of(l);
  return k < length ? end_of(s, l, k, 0) : end_of(s, l, k - length, 2);
}

// False, with no particle coloured, if one has the colour.
static bool try_color(const lister* s, const line* l) {
  const uint32_t bit = 1u << l->color;
  for (uint32_t k = 0; k < particle_count_of(l); ++k) {
    uint8_t* colors = &s->colors[any_particle_of(s, l, k)];
    if ((*colors & bit) == 0) {
      *colors = (uint8_t)(*colors | bit);
      continue;
    }
    while (k-- > 0) {
      uint8_t* given = &s->colors[any_particle_of(s, l, k)];
      *given = (uint8_t)(*given & ~bit);
    }
    return false;
  }
  return true;
}

// Hinges are swept if particles have lines of both colours.
static bool add_line(lister* s, line l) {
  const uint32_t end = l.is_twist ? WEFT__LINE_COLORS : WEFT__FIRST_TWIST_COLOR;
  l.color = end - 2;
  while (l.color < end && !try_color(s, &l)) ++l.color;
  if (l.color == end) return true;
  if (!weft__grow((void**)&s->lines, &s->capacity, s->count + 1, sizeof(*s->lines))) return false;
  s->lines[s->count++] = l;
  s->out->hinge_count += l.end - l.first;
  memset(s->is_taken + l.first, true, l.end - l.first);
  return true;
}

static bool list_lines(lister* s) {
  for (uint32_t first = 0, end = 0; first < s->hinges->count; first = end) {
    end = first + 1;
    const bool is_twist = is_sheet_twist(s->hinges, first);
    if (s->is_taken[first] || (!is_twist && !is_sheet_hinge(s->hinges, first))) continue;
    while (end < s->hinges->count && continues(s->hinges, end, is_twist)) ++end;
    if (!add_line(s, (line){.first = first, .end = end, .is_twist = is_twist})) return false;
  }
  return true;
}

// Bodies within one patch have it as their owner: they are solved alike. Others have themselves.
static void find_owners(const lister* s, const weft_scene* scene) {
  for (uint32_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    const uint32_t* own = s->schedule->solver_of + part->first_particle;
    uint32_t owner = 0;
    for (uint32_t i = 0; i < part->particle_count; ++i) {
      const uint32_t patch = weft__patch_of_particle(s->schedule, own[i]);
      if (i == 0) owner = patch;
      if (patch != owner) owner = s->schedule->patch_count + p;
    }
    for (uint32_t i = 0; i < part->particle_count; ++i) s->owner_of[own[i]] = owner;
  }
}

static void sort_lines(lister* s) {
  for (size_t i = 0; i < s->count; ++i) {
    s->items[i] = (weft__sort_item){particle_of(s, &s->lines[i], 0), (uint32_t)i};
  }
  weft__sort(s->items, s->scratch, s->count);
  for (size_t i = 0; i < s->count; ++i) {
    const line* l = &s->lines[s->items[i].value];
    s->items[i].key = (uint64_t)l->color << 32 | s->owner_of[particle_of(s, l, 0)];
  }
  weft__sort(s->items, s->scratch, s->count);
}

static const line* line_at(const lister* s, size_t i) {
  return &s->lines[s->items[i].value];
}

// True if first particles of lines i - 1 and i follow each other.
static bool is_adjacent(const lister* s, size_t i) {
  return particle_of(s, line_at(s, i), 0) == particle_of(s, line_at(s, i - 1), 0) + 1;
}

typedef struct block_plan {
  size_t first;
  uint32_t lanes;
  uint32_t rows;
} block_plan;

static block_plan plan_block(const lister* s, size_t first) {
  block_plan plan = {.first = first};
  bool adjacent = true;
  for (size_t i = first; i < s->count && plan.lanes < WEFT__LANES; ++i, ++plan.lanes) {
    if (s->items[i].key != s->items[first].key) break;
    const bool follows = i == first || is_adjacent(s, i);
    if (!follows && adjacent && plan.lanes >= MIN_ADJACENT) break;
    adjacent &= follows;
    const uint32_t length = length_of(line_at(s, i));
    if (length > plan.rows) plan.rows = length;
  }
  return plan;
}

static void count_blocks(const lister* s, weft__bend_lines* out, uint64_t* rows) {
  block_plan plan;
  for (size_t i = 0; i < s->count; i += plan.lanes) {
    plan = plan_block(s, i);
    if (plan.rows > out->max_rows) out->max_rows = plan.rows;
    *rows += plan.rows;
    ++out->block_count;
    for (uint32_t c = line_at(s, i)->color; c < WEFT__LINE_COLORS; ++c) ++out->color_first[c + 1];
  }
}

static void fill_lane(const lister* s, weft__bend_lines* out, const line* l, uint32_t first_row,
                      uint32_t lane) {
  for (uint32_t k = 0; k < length_of(l); ++k) {
    const uint32_t row = first_row + k;
    const uint32_t particle = particle_of(s, l, k);
    out->particle[row][lane] = particle;
    out->present[row] = (uint16_t)(out->present[row] | 1u << lane);
    out->slot[l->color][particle] = row * WEFT__LANES + lane;
    const uint32_t other = l->is_twist ? end_of(s, l, k, 2) : particle;
    out->other[row][lane] = other;
    out->slot[l->color][other] = row * WEFT__LANES + lane;
    const uint32_t first_hinge = l->is_twist ? 0 : 1;
    if (k < first_hinge || k + 1 == length_of(l)) continue;
    out->hinge_mask[row] = (uint16_t)(out->hinge_mask[row] | 1u << lane);
    out->compliance[row][lane] = s->hinges->compliance[l->first + k - first_hinge];
  }
}

// Empty lanes repeat a particle of the row.
static void complete_row(weft__bend_lines* out, uint32_t row) {
  const uint32_t mask = out->present[row];
  uint32_t* particle = out->particle[row];
  const int present = __builtin_ctz(mask);
  bool is_window = mask == WEFT__ALL_LANES;
  for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
    if ((mask >> lane & 1u) == 0) {
      particle[lane] = particle[present];
      out->other[row][lane] = out->other[row][present];
    }
    is_window &= particle[lane] == particle[0] + lane;
  }
  if (is_window) out->access[row] = WEFT__LINE_WINDOW;
}

// Every second row from this one on has consecutive particles in each of 16 lanes.
static bool is_quad(const weft__bend_lines* out, uint32_t row, uint32_t end) {
  if (row + 6 >= end) return false;
  for (uint32_t k = 0; k < 4; ++k) {
    const uint32_t at = row + 2 * k;
    if (out->access[at] != WEFT__LINE_GATHER || out->present[at] != WEFT__ALL_LANES) return false;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      if (out->particle[at][lane] != out->particle[row][lane] + k) return false;
    }
  }
  return true;
}

static void find_quads(weft__bend_lines* out, uint32_t row, uint32_t end) {
  for (; row < end; ++row) {
    if (!is_quad(out, row, end)) continue;
    out->access[row] = WEFT__LINE_QUAD;
    for (uint32_t k = 1; k < 4; ++k) out->access[row + 2 * k] = WEFT__LINE_IN_QUAD;
  }
}

static void fill_block(const lister* s, weft__bend_lines* out, const block_plan* plan,
                       uint32_t first_row) {
  for (uint32_t lane = 0; lane < plan->lanes; ++lane) {
    fill_lane(s, out, line_at(s, plan->first + lane), first_row, lane);
  }
  const uint32_t end = first_row + plan->rows;
  for (uint32_t row = first_row; row < end; ++row) complete_row(out, row);
  find_quads(out, first_row, end);
}

static bool fill_blocks(const lister* s) {
  weft__bend_lines* out = s->out;
  uint64_t rows = 0;
  count_blocks(s, out, &rows);
  if (rows > UINT32_MAX / WEFT__LANES) return false;  // slots have 32 bits
  out->row_count = (uint32_t)rows;
  out->particle_count = s->schedule->particle_count;
  if (!weft__bend_lines_allocate(out)) return false;
  uint32_t row = 0;
  size_t i = 0;
  for (uint32_t b = 0; b < out->block_count; ++b) {
    const block_plan plan = plan_block(s, i);
    fill_block(s, out, &plan, row);
    out->blocks[b] = (weft__line_block){.first_row = row,
                                        .row_count = plan.rows,
                                        .stride = 1,
                                        .is_twist = line_at(s, i)->is_twist,
                                        .is_stale = true};
    row += plan.rows;
    i += plan.lanes;
  }
  return true;
}

static bool make_blocks(lister* s) {
  s->items = weft__alloc(s->count, sizeof(*s->items));
  s->scratch = weft__alloc(s->count, sizeof(*s->scratch));
  if (s->items == NULL || s->scratch == NULL) return false;
  sort_lines(s);
  return fill_blocks(s);
}

bool weft__bend_lines_create(weft__bend_lines* lines, const weft__schedule* schedule,
                             const weft_scene* scene, bool* is_taken) {
  lister s = {
      .out = lines,
      .schedule = schedule,
      .hinges = &scene->hinges,
      .is_taken = is_taken,
      .colors = weft__alloc_zeroed(schedule->particle_count, sizeof(*s.colors)),
      .owner_of = weft__alloc(schedule->particle_count, sizeof(*s.owner_of)),
  };
  bool good = s.colors != NULL && s.owner_of != NULL && list_lines(&s);
  if (good && s.count > 0) find_owners(&s, scene);
  if (good && s.count > 0) good = make_blocks(&s);
  weft__free(s.owner_of);
  weft__free(s.lines);
  weft__free(s.colors);
  weft__free(s.items);
  weft__free(s.scratch);
  return good;
}
