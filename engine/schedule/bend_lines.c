#include "schedule/bend_lines.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

// Chain of hinges [first, end) of a scene.
typedef struct line {
  uint32_t first, end;
  uint32_t color;
} line;

typedef struct lister {
  weft__schedule* schedule;
  const weft__hinges* hinges;
  bool* is_lined;
  line* lines;
  size_t count, capacity;
  uint8_t* colors; // of the lines that contain a particle, in solver order; one bit each
  weft__sort_item* items;
  weft__sort_item* scratch;
} lister;

// ---- chains ----

// Hinge of a sheet: symmetric, flat at rest and elastic.
static bool is_sheet_hinge(const weft__hinges* hinges, uint32_t hinge) {
  const float* c = hinges->coefficient[hinge];
  return hinges->particle[hinge][3] == WEFT__NO_PARTICLE && c[0] == 1.0f && c[1] == -2.0f &&
         c[2] == 1.0f && hinges->rest_length[hinge] == 0.0f && hinges->yield[hinge] == 0.0f;
}

static bool continues(const weft__hinges* hinges, uint32_t hinge) {
  const uint32_t* before = hinges->particle[hinge - 1];
  const uint32_t* particle = hinges->particle[hinge];
  return is_sheet_hinge(hinges, hinge) && particle[0] == before[1] && particle[1] == before[2];
}

static uint32_t length_of(const line* l) {
  return l->end - l->first + 2;
}

// Particle of a line in solver order.
static uint32_t particle_of(const lister* s, const line* l, uint32_t k) {
  const uint32_t last = l->end - l->first - 1;
  const uint32_t hinge = k > last ? last : k;
  return s->schedule->solver_of[s->hinges->particle[l->first + hinge][k - hinge]];
}

// Colours the particles of a line; false, with no particle coloured, if one has the colour.
static bool try_color(const lister* s, const line* l) {
  const uint32_t bit = 1u << l->color;
  for (uint32_t k = 0; k < length_of(l); ++k) {
    uint8_t* colors = &s->colors[particle_of(s, l, k)];
    if ((*colors & bit) == 0) {
      *colors = (uint8_t)(*colors | bit);
      continue;
    }
    while (k-- > 0) {
      uint8_t* given = &s->colors[particle_of(s, l, k)];
      *given = (uint8_t)(*given & ~bit);
    }
    return false;
  }
  return true;
}

// Adds a line, unless its particles have lines of both colours: its hinges are then swept.
static bool add_line(lister* s, line l) {
  while (l.color < WEFT__LINE_COLORS && !try_color(s, &l)) ++l.color;
  if (l.color == WEFT__LINE_COLORS) return true;
  if (!weft__grow((void**)&s->lines, &s->capacity, s->count + 1, sizeof(*s->lines))) return false;
  s->lines[s->count++] = l;
  s->schedule->bend_lines.hinge_count += l.end - l.first;
  memset(s->is_lined + l.first, true, l.end - l.first);
  return true;
}

static bool list_lines(lister* s) {
  for (uint32_t first = 0, end = 0; first < s->hinges->count; first = end) {
    end = first + 1;
    if (!is_sheet_hinge(s->hinges, first)) continue;
    while (end < s->hinges->count && continues(s->hinges, end)) ++end;
    if (!add_line(s, (line){.first = first, .end = end})) return false;
  }
  return true;
}

// ---- blocks ----

// Environment of a particle, which is the last that begins at it or before.
static uint32_t environment_of(const weft__schedule* schedule, uint32_t particle) {
  uint32_t begin = 0;
  for (uint32_t end = schedule->environment_count; end - begin > 1;) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (schedule->patch_first[schedule->environment_first[middle]] <= particle) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

// Sorts by colour, environment and length, then by particle: neighbouring lanes lie side by side.
static void sort_lines(lister* s) {
  for (size_t i = 0; i < s->count; ++i) {
    s->items[i] = (weft__sort_item){particle_of(s, &s->lines[i], 0), (uint32_t)i};
  }
  weft__sort(s->items, s->scratch, s->count);
  for (size_t i = 0; i < s->count; ++i) {
    const line* l = &s->lines[s->items[i].value];
    const uint64_t environment = environment_of(s->schedule, particle_of(s, l, 0));
    s->items[i].key = (uint64_t)l->color << 63 | environment << 32 | length_of(l);
  }
  weft__sort(s->items, s->scratch, s->count);
}

static const line* line_at(const lister* s, size_t i) {
  return &s->lines[s->items[i].value];
}

// True if line i begins with the particle after that of the line before.
static bool is_adjacent(const lister* s, size_t i) {
  return particle_of(s, line_at(s, i), 0) == particle_of(s, line_at(s, i - 1), 0) + 1;
}

// Number of lines from `i` on that make up a block: of one colour, environment and length. A block
// of adjacent lines ends with them, so that all its rows are windows.
static uint32_t block_lanes(const lister* s, size_t i) {
  uint32_t lanes = 1;
  const bool adjacent = i + 1 < s->count && is_adjacent(s, i + 1);
  while (lanes < WEFT__LANES && i + lanes < s->count) {
    if (s->items[i + lanes].key != s->items[i].key) break;
    if (adjacent && !is_adjacent(s, i + lanes)) break;
    ++lanes;
  }
  return lanes;
}

static void count_blocks(const lister* s, weft__bend_lines* out) {
  for (size_t i = 0; i < s->count; i += block_lanes(s, i)) {
    const uint32_t length = length_of(line_at(s, i));
    if (length > out->max_length) out->max_length = length;
    out->row_count += length;
    ++out->block_count;
    for (uint32_t c = line_at(s, i)->color; c < WEFT__LINE_COLORS; ++c) ++out->color_first[c + 1];
  }
}

static void fill_lane(const lister* s, weft__bend_lines* out, const line* l, uint32_t first_row,
                      uint32_t lane) {
  for (uint32_t k = 0; k < length_of(l); ++k) {
    const uint32_t row = first_row + k;
    const uint32_t particle = particle_of(s, l, k);
    out->rows[row].particle[lane] = particle;
    out->slot[l->color][particle] = row * WEFT__LANES + lane;
    if (k == 0 || k + 1 == length_of(l)) continue;
    out->hinge_mask[row] = (uint16_t)(out->hinge_mask[row] | 1u << lane);
    out->compliance[row][lane] = s->hinges->compliance[l->first + k - 1];
  }
}

static void fill_block(const lister* s, weft__bend_lines* out, const weft__line_block* block,
                       size_t i) {
  for (uint32_t lane = 0; lane < block->lane_count; ++lane) {
    fill_lane(s, out, line_at(s, i + lane), block->first_row, lane);
  }
  for (uint32_t row = block->first_row; row < block->first_row + block->length; ++row) {
    uint32_t* particle = out->rows[row].particle;
    out->is_window[row] = block->lane_count > 1;
    for (uint32_t lane = 1; lane < WEFT__LANES; ++lane) {
      if (lane >= block->lane_count) {
        particle[lane] = particle[0];
      } else if (particle[lane] != particle[0] + lane) {
        out->is_window[row] = false;
      }
    }
  }
}

static bool allocate(weft__bend_lines* out, uint32_t particle_count) {
  out->blocks = weft__alloc_zeroed(out->block_count, sizeof(*out->blocks));
  out->rows = weft__alloc_zeroed(out->row_count, sizeof(*out->rows));
  out->is_window = weft__alloc_zeroed(out->row_count, sizeof(*out->is_window));
  out->hinge_mask = weft__alloc_zeroed(out->row_count, sizeof(*out->hinge_mask));
  out->compliance = weft__alloc_zeroed(out->row_count, sizeof(*out->compliance));
  bool good = out->blocks != NULL && out->rows != NULL && out->is_window != NULL &&
              out->hinge_mask != NULL && out->compliance != NULL;
  for (uint32_t c = 0; c < WEFT__LINE_COLORS; ++c) {
    out->slot[c] = weft__alloc(particle_count, sizeof(uint32_t));
    if (out->slot[c] == NULL) return false;
    memset(out->slot[c], 0xff, particle_count * sizeof(uint32_t));
  }
  out->bytes = out->block_count * sizeof(*out->blocks) +
               out->row_count * (sizeof(*out->rows) + sizeof(*out->is_window) +
                                 sizeof(*out->hinge_mask) + sizeof(*out->compliance)) +
               (size_t)WEFT__LINE_COLORS * particle_count * sizeof(uint32_t);
  return good;
}

static bool fill_blocks(const lister* s) {
  weft__bend_lines* out = &s->schedule->bend_lines;
  count_blocks(s, out);
  if (out->row_count > UINT32_MAX / WEFT__LANES) return false;  // slots are numbered in 32 bits
  if (!allocate(out, s->schedule->particle_count)) return false;
  uint32_t row = 0;
  size_t i = 0;
  for (uint32_t b = 0; b < out->block_count; ++b) {
    out->blocks[b] = (weft__line_block){
        .first_row = row,
        .length = length_of(line_at(s, i)),
        .lane_count = block_lanes(s, i),
        .is_stale = true,
    };
    fill_block(s, out, &out->blocks[b], i);
    row += out->blocks[b].length;
    i += out->blocks[b].lane_count;
  }
  s->schedule->bytes += out->bytes;
  return true;
}

static bool make_blocks(lister* s) {
  s->items = weft__alloc(s->count, sizeof(*s->items));
  s->scratch = weft__alloc(s->count, sizeof(*s->scratch));
  if (s->items == NULL || s->scratch == NULL) return false;
  sort_lines(s);
  return fill_blocks(s);
}

bool weft__bend_lines_create(weft__schedule* schedule, const weft__hinges* hinges, bool* is_lined) {
  lister s = {
      .schedule = schedule,
      .hinges = hinges,
      .is_lined = is_lined,
      .colors = weft__alloc_zeroed(schedule->particle_count, sizeof(*s.colors)),
  };
  bool good = s.colors != NULL && list_lines(&s);
  if (good && s.count > 0) good = make_blocks(&s);
  weft__free(s.lines);
  weft__free(s.colors);
  weft__free(s.items);
  weft__free(s.scratch);
  return good;
}
