#include "libraries/cluster/columns.h"

#include <string.h>

#include "base/memory.h"
#include "libraries/cluster/cluster.h"
#include "modules/bending/lines.h"
#include "schedule/freeze.h"

// beside own ones
#define BESIDE 2u

// In a message; inverse masses where they are new.
enum { POSITION = 3, POSITION_AND_MASS = 4 };

static uint32_t length_of(weft__range range) {
  return range.end - range.begin;
}

// Empty if the rank has no columns.
static weft__range built_columns(const weft__strip_columns* c, uint32_t rank) {
  weft__range columns = weft__rank_range(c->first_column, rank);
  if (columns.begin == columns.end) return columns;
  columns.begin -= columns.begin < BESIDE ? columns.begin : BESIDE;
  columns.end += c->column_count - columns.end < BESIDE ? c->column_count - columns.end : BESIDE;
  return columns;
}

static bool divide(weft__strip_columns* c, uint32_t ranks) {
  c->first_column = weft__alloc((size_t)ranks + 1, sizeof(*c->first_column));
  if (c->first_column == NULL) return false;
  for (uint32_t r = 0; r < ranks; ++r) {
    c->first_column[r] = (uint32_t)((uint64_t)c->column_count * r / ranks) / 2 * 2;
  }
  c->first_column[ranks] = c->column_count;
  return true;
}

static bool create_particles(weft__particles* p, uint32_t count) {
  const size_t rows = (size_t)count + WEFT__PARTICLE_PADDING;
  float* block = weft__alloc_zeroed(rows, POSITION_AND_MASS * sizeof(float));
  *p = (weft__particles){.count = count, .block = block};
  if (block == NULL) return false;
  for (size_t axis = 0; axis < 3; ++axis) p->pos[axis] = block + axis * rows;
  p->inv_mass = block + 3 * rows;
  p->bytes = rows * POSITION_AND_MASS * sizeof(float);
  return true;
}

static bool freeze(weft__strip_columns* c, const weft_sheet_def* sheet) {
  weft_scene* scene = NULL;
  bool good = weft_scene_create(&scene).error == WEFT_OK &&
              weft__scene_add_sheet_columns(scene, sheet, c->built).error == WEFT_OK &&
              weft__stages_freeze(&c->stages, &c->schedule, scene);
  weft_scene_destroy(&scene);
  return good && create_particles(&c->particles, c->schedule.particle_count);
}

static size_t packed_floats(const weft_cluster* cluster, const weft__strip_columns* c) {
  size_t longest = 0;
  for (uint32_t r = 0; r < cluster->mailbox.transport.rank_count; ++r) {
    const weft__range own = weft__rank_range(c->first_row, cluster->mailbox.transport.rank);
    const size_t out = (size_t)length_of(own) * length_of(built_columns(c, r));
    const size_t back = (size_t)length_of(weft__rank_range(c->first_row, r)) * length_of(c->built);
    longest = out > longest ? out : longest;
    longest = back > longest ? back : longest;
  }
  return longest * POSITION_AND_MASS;
}

static bool fill(weft_cluster* cluster, weft__strip_columns* c, const weft_sheet_def* sheet) {
  const weft_transport* transport = &cluster->mailbox.transport;
  if (!divide(c, transport->rank_count)) return false;
  c->built = built_columns(c, transport->rank);
  c->packed = weft__alloc(packed_floats(cluster, c), sizeof(float));
  if (c->packed == NULL || !weft__stages_allocate(&c->stages)) return false;
  if (c->built.begin == c->built.end) return true;
  if (!freeze(c, sheet)) return false;
  const uint32_t workers = weft__worker_pool_count(cluster->world->stepper.pool);
  return weft__bend_lines_start(weft__bend_lines_of(&c->stages), workers);
}

bool weft__strip_columns_create(weft_cluster* cluster, const weft_sheet_def* sheet) {
  const bool is_needed = weft__sheet_bends(sheet) && cluster->mailbox.transport.rank_count > 1;
  weft__strip_columns* c = is_needed ? weft__alloc_zeroed(1, sizeof(*c)) : NULL;
  if (c == NULL) return !is_needed;
  cluster->columns = c;
  c->column_count = sheet->columns;
  c->row_count = sheet->rows;
  c->first_row = cluster->first_row;
  c->channel = weft__mailbox_open(&cluster->mailbox);
  c->has_new_masses = true;
  return fill(cluster, c, sheet);
}

void weft__strip_columns_destroy(weft__strip_columns* c) {
  if (c == NULL) return;
  weft__schedule_destroy(&c->schedule);
  weft__free(c->particles.block);
  weft__free(c->first_column);
  weft__free(c->packed);
  weft__stages_destroy(&c->stages);
  weft__free(c);
}

typedef struct rectangle {
  weft__particles* particles;
  const uint32_t* solver_of;
  weft__range rows, columns;        /* the sheet's */
  uint32_t first_row, first_column; /* the table's */
  uint32_t width;
} rectangle;

static uint32_t particle_at(const rectangle* r, uint32_t row, uint32_t column) {
  return r->solver_of[(row - r->first_row) * r->width + (column - r->first_column)];
}

static size_t pack(const rectangle* r, uint32_t floats, float* to) {
  const weft__particles* p = r->particles;
  const float* const columns[POSITION_AND_MASS] = {p->pos_x, p->pos_y, p->pos_z, p->inv_mass};
  float* next = to;
  for (uint32_t row = r->rows.begin; row < r->rows.end; ++row) {
    for (uint32_t column = r->columns.begin; column < r->columns.end; ++column) {
      const uint32_t i = particle_at(r, row, column);
      for (uint32_t k = 0; k < floats; ++k) *next++ = columns[k][i];
    }
  }
  return (size_t)(next - to) * sizeof(*to);
}

static void unpack(const rectangle* r, uint32_t floats, const float* from) {
  weft__particles* p = r->particles;
  float* const columns[POSITION_AND_MASS] = {p->pos_x, p->pos_y, p->pos_z, p->inv_mass};
  for (uint32_t row = r->rows.begin; row < r->rows.end; ++row) {
    for (uint32_t column = r->columns.begin; column < r->columns.end; ++column) {
      const uint32_t i = particle_at(r, row, column);
      for (uint32_t k = 0; k < floats; ++k) columns[k][i] = *from++;
    }
  }
}

static rectangle in_rows(weft_cluster* cluster, weft__range columns) {
  const weft__strip_columns* c = cluster->columns;
  weft__stepper* stepper = &cluster->world->stepper;
  return (rectangle){
      .particles = &stepper->particles,
      .solver_of = stepper->schedule.solver_of,
      .rows = weft__rank_range(c->first_row, cluster->mailbox.transport.rank),
      .columns = columns,
      .first_row = (uint32_t)(cluster->first_particle / c->column_count),
      .width = c->column_count,
  };
}

static rectangle in_columns(weft__strip_columns* c, weft__range rows, weft__range columns) {
  return (rectangle){
      .particles = &c->particles,
      .solver_of = c->schedule.solver_of,
      .rows = rows,
      .columns = columns,
      .first_column = c->built.begin,
      .width = length_of(c->built),
  };
}

static bool is_empty(const rectangle* r) {
  return r->rows.begin == r->rows.end || r->columns.begin == r->columns.end;
}

static size_t particles_of(const rectangle* r) {
  return (size_t)length_of(r->rows) * length_of(r->columns);
}

// Masses where `floats` says so; to this rank by a copy.
static void send(weft_cluster* cluster, uint32_t rank, const rectangle* from, uint32_t floats,
                 const rectangle* own_to) {
  weft__strip_columns* c = cluster->columns;
  if (is_empty(from)) return;
  const size_t size = pack(from, floats, (float*)(void*)c->packed);
  if (rank == cluster->mailbox.transport.rank) {
    unpack(own_to, floats, (const float*)(const void*)c->packed);
  } else {
    weft__mailbox_send(&cluster->mailbox, &c->channel, rank, c->packed, size);
  }
}

// Floats of a particle.
static uint32_t receive(weft_cluster* cluster, uint32_t rank, const rectangle* to) {
  weft__strip_columns* c = cluster->columns;
  if (is_empty(to) || rank == cluster->mailbox.transport.rank) return 0;
  weft__block* block = weft__mailbox_wait(&cluster->mailbox, &c->channel, rank);
  const uint32_t floats = (uint32_t)(block->total / (particles_of(to) * sizeof(float)));
  unpack(to, floats, (const float*)(const void*)block->bytes);
  block->is_in_use = false;
  return floats;
}

static void send_rows(weft_cluster* cluster) {
  weft__strip_columns* c = cluster->columns;
  const uint32_t own = cluster->mailbox.transport.rank;
  const uint32_t ranks = cluster->mailbox.transport.rank_count;
  const uint32_t floats = c->has_new_masses ? POSITION_AND_MASS : POSITION;
  bool has_new_masses = c->has_new_masses;
  const rectangle own_to = in_columns(c, weft__rank_range(c->first_row, own), c->built);
  for (uint32_t k = 0; k < ranks; ++k) {
    const uint32_t rank = (own + k) % ranks;
    const rectangle from = in_rows(cluster, built_columns(c, rank));
    send(cluster, rank, &from, floats, &own_to);
  }
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    const rectangle to = in_columns(c, weft__rank_range(c->first_row, rank), c->built);
    has_new_masses |= receive(cluster, rank, &to) == POSITION_AND_MASS;
  }
  if (has_new_masses) weft__bend_lines_set_stale(weft__bend_lines_of(&c->stages));
  c->has_new_masses = false;
  ++c->channel.sequence;
}

static void send_columns(weft_cluster* cluster) {
  weft__strip_columns* c = cluster->columns;
  const uint32_t own = cluster->mailbox.transport.rank;
  const uint32_t ranks = cluster->mailbox.transport.rank_count;
  const weft__range columns = weft__rank_range(c->first_column, own);
  const rectangle own_to = in_rows(cluster, columns);
  for (uint32_t k = 0; k < ranks; ++k) {
    const uint32_t rank = (own + k) % ranks;
    const rectangle from = in_columns(c, weft__rank_range(c->first_row, rank), columns);
    send(cluster, rank, &from, POSITION, &own_to);
  }
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    const rectangle to = in_rows(cluster, weft__rank_range(c->first_column, rank));
    (void)receive(cluster, rank, &to);
  }
  ++c->channel.sequence;
}

void weft__strip_columns_solve(weft_cluster* cluster, weft__step_context* step) {
  weft__strip_columns* c = cluster->columns;
  weft__bend_lines* lines = weft__bend_lines_of(&c->stages);
  if (weft__step_is_paused(step, 0)) return;
  send_rows(cluster);
  weft__step_context of_columns = *step;
  of_columns.particles = &c->particles;
  of_columns.environments = NULL;
  weft__bend_lines_set_rate(lines,
                            weft__bend_lines_of(&cluster->world->stepper.stages)->rate_squared);
  for (uint32_t color = 0; color < WEFT__LINE_COLORS && lines->hinge_count > 0; ++color) {
    weft__bend_lines_solve(lines, color, &of_columns);
  }
  send_columns(cluster);
}

void weft__strip_columns_tear(const weft_cluster* cluster, uint32_t a, uint32_t b) {
  const weft__strip_columns* c = cluster->columns;
  const uint32_t ends[2] = {a, b};
  uint32_t particle[2];
  for (int k = 0; k < 2; ++k) {
    const uint32_t row = ends[k] / c->column_count, column = ends[k] % c->column_count;
    if (column < c->built.begin || column >= c->built.end) return;
    particle[k] = c->schedule.solver_of[row * length_of(c->built) + column - c->built.begin];
  }
  weft__bend_lines_tear(weft__bend_lines_of(&c->stages), particle[0], particle[1]);
}
