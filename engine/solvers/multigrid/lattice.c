#include "solvers/multigrid/lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// an axis of so few particles is kept as it is
#define SMALL_SIDE 5u

// one axis of a lattice and of the coarser one
typedef struct axis {
  uint32_t fine, coarse; /* particles along it */
} axis;

static axis axis_of(uint32_t count) {
  return (axis){count, count <= SMALL_SIDE ? count : count / 2 + 1};
}

// the place along the fine axis of the `i`-th coarse particle; the last one stays the last
static uint32_t fine_place(axis a, uint32_t i) {
  if (a.coarse == a.fine) return i;
  return 2 * i < a.fine ? 2 * i : a.fine - 1;
}

// between which two coarse particles a fine one lies: both the same where it is one itself
static void coarse_places(axis a, uint32_t place, uint32_t between[2]) {
  if (a.coarse == a.fine) {
    between[0] = between[1] = place;
  } else if (place == a.fine - 1) {
    between[0] = between[1] = a.coarse - 1;
  } else {
    between[0] = place / 2;
    between[1] = (place + 1) / 2;
  }
}

// ---- links by their ends ----

// columns and rows between two particles of a part
typedef struct offset {
  uint32_t columns, rows;
} offset;

static offset offset_between(const weft__part* part, uint32_t a, uint32_t b) {
  const uint32_t from = (a < b ? a : b) - part->first_particle;
  const uint32_t to = (a < b ? b : a) - part->first_particle;
  const uint32_t column_a = from % part->columns;
  const uint32_t column_b = to % part->columns;
  return (offset){column_a < column_b ? column_b - column_a : column_a - column_b,
                  to / part->columns - from / part->columns};
}

bool weft__lattice_spans(const weft__part* part, uint32_t a, uint32_t b) {
  const offset o = offset_between(part, a, b);
  return o.columns > 2 || o.rows > 2;
}

// A link belongs to the lattice by its kind and by its ends: the sides and the diagonals of cells. All
// others may join any two particles.
static void note_link(weft__lattice_links* links, const weft_scene* scene, const uint32_t* part_of,
                      uint32_t link) {
  const uint32_t a = scene->links.end_a[link];
  const uint32_t b = scene->links.end_b[link];
  const uint32_t first = a < b ? a : b;
  const weft__part* part = &scene->parts[part_of[first]];
  if (part_of[a] != part_of[b] || part->columns == 0) return;
  if (!weft__links_carry(&scene->links, link)) return;
  const offset o = offset_between(part, a, b);
  if (scene->links.kind[link] == WEFT_LINK_SHEAR && o.columns == 1 && o.rows == 1) {
    if (links->diagonals[part_of[a]]++ == 0) links->shear[part_of[a]] = link;
  } else if (scene->links.kind[link] == WEFT_LINK_STRUCTURAL) {
    if (scene->links.stiffness[link] == 0.0f) return;
    if (o.columns == 1 && o.rows == 0) {
      links->right[first] = scene->links.rest_length[link];
      if (links->soft_right) links->soft_right[first] = scene->links.compliance[link];
    } else if (o.columns == 0 && o.rows == 1) {
      links->down[first] = scene->links.rest_length[link];
      if (links->soft_down) links->soft_down[first] = scene->links.compliance[link];
    }
  }
}

static bool make_softness(weft__lattice_links* links, const weft_scene* scene) {
  bool any = false;
  for (uint32_t i = 0; i < scene->links.count; ++i) any |= scene->links.compliance[i] > 0.0f;
  if (!any) return true;
  links->soft_right = weft__alloc_zeroed(scene->particle_count, sizeof(*links->soft_right));
  links->soft_down = weft__alloc_zeroed(scene->particle_count, sizeof(*links->soft_down));
  return links->soft_right != NULL && links->soft_down != NULL;
}

bool weft__lattice_links_find(weft__lattice_links* links, const weft_scene* scene) {
  *links = (weft__lattice_links){
      .right = weft__alloc_zeroed(scene->particle_count, sizeof(*links->right)),
      .down = weft__alloc_zeroed(scene->particle_count, sizeof(*links->down)),
      .shear = weft__alloc(scene->part_count, sizeof(*links->shear)),
      .diagonals = weft__alloc_zeroed(scene->part_count, sizeof(*links->diagonals)),
  };
  uint32_t* part_of = weft__alloc(scene->particle_count, sizeof(*part_of));
  if (!links->right || !links->down || !links->shear || !links->diagonals || !part_of ||
      !make_softness(links, scene)) {
    weft__lattice_links_destroy(links);
    free(part_of);
    return false;
  }
  for (size_t p = 0; p < scene->part_count; ++p) links->shear[p] = WEFT__NO_SHEAR;
  weft__scene_list_parts(scene, part_of);
  for (uint32_t i = 0; i < scene->links.count; ++i) note_link(links, scene, part_of, i);
  free(part_of);
  return true;
}

void weft__lattice_links_destroy(weft__lattice_links* links) {
  free(links->right);
  free(links->down);
  free(links->shear);
  free(links->diagonals);
  free(links->soft_right);
  free(links->soft_down);
  *links = (weft__lattice_links){0};
}

// ---- the coarse lattice ----

// a part and its coarse lattice
typedef struct pair {
  uint32_t fine_first, coarse_first; /* particles */
  axis columns, rows;
} pair;

static pair pair_of(const weft__part* part) {
  return (pair){.fine_first = part->first_particle,
                .columns = axis_of(part->columns),
                .rows = axis_of(part->particle_count / part->columns)};
}

bool weft__lattice_coarsens(const weft__part* part) {
  if (part->columns == 0 || part->fine_only) return false;
  const pair p = pair_of(part);
  return p.columns.coarse < p.columns.fine || p.rows.coarse < p.rows.fine;
}

static uint32_t fine_at(const pair* p, uint32_t column, uint32_t row) {
  return p->fine_first + fine_place(p->rows, row) * p->columns.fine +
         fine_place(p->columns, column);
}

static uint32_t coarse_at(const pair* p, uint32_t column, uint32_t row) {
  return p->coarse_first + row * p->columns.coarse + column;
}

// The rest length of the one or two fine links from one coarse particle to the next, 0 where one is
// missing. `stride` is from a fine particle to the next one that way.
static float rest_between(const float* rests, uint32_t from, uint32_t to, uint32_t stride) {
  float sum = 0.0f;
  for (uint32_t i = from; i < to; i += stride) {
    if (rests[i] == 0.0f) return 0.0f;
    sum += rests[i];
  }
  return sum;
}

// ---- their compliance ----

// the fine links that run from one coarse particle to the next, one behind the other
typedef struct chain {
  const float* rests;
  const float* softness;
  uint32_t stride; /* from a fine particle to the next one that way */
  uint32_t across; /* from a chain to the one beside it */
} chain;

// newtons per metre of the one or two links from here on; infinite where they do not give way
static double chain_stiffness(const chain* c, uint32_t from, uint32_t to) {
  double softness = 0.0;
  for (uint32_t i = from; i < to; i += c->stride) {
    if (c->rests[i] == 0.0f) return 0.0;
    softness += (double)c->softness[i];
  }
  return 1.0 / softness;
}

// A coarse link stands for its own chain and for half of one between it and the next coarse link on
// either side. `place` is along the axis across the chain.
static float compliance_between(const chain* c, axis across, uint32_t place, uint32_t from,
                                uint32_t to) {
  if (c->softness == NULL) return 0.0f;
  double stiffness = chain_stiffness(c, from, to);
  uint32_t between[2];
  if (place > 0) coarse_places(across, place - 1, between);
  if (place > 0 && between[0] != between[1]) {
    stiffness += 0.5 * chain_stiffness(c, from - c->across, to - c->across);
  }
  if (place + 1 < across.fine) coarse_places(across, place + 1, between);
  if (place + 1 < across.fine && between[0] != between[1]) {
    stiffness += 0.5 * chain_stiffness(c, from + c->across, to + c->across);
  }
  return (float)(1.0 / stiffness);
}

// how a part's cells hang together
typedef struct cell_shape {
  bool has_shear;
  float shear_compliance;
  double cosine; /* of the angle between the ways right and down */
} cell_shape;

// Reads the angle off one diagonal and the sides of its cell, by the law of cosines: a right one where a
// side is missing, or where no triangle has these sides. Fewer diagonals than cells resist no shear.
static cell_shape shape_of(const weft_scene* scene, const weft__lattice_links* links, size_t part) {
  const uint32_t link = links->shear[part];
  const weft__part* lattice = &scene->parts[part];
  const uint32_t rows = lattice->particle_count / lattice->columns;
  if (link == WEFT__NO_SHEAR || links->diagonals[part] < (lattice->columns - 1) * (rows - 1)) {
    return (cell_shape){0};
  }
  cell_shape shape = {.has_shear = true, .shear_compliance = scene->links.compliance[link]};
  const uint32_t a = scene->links.end_a[link];
  const uint32_t b = scene->links.end_b[link];
  const uint32_t upper = a < b ? a : b;
  const bool falls_right = (a < b ? b - a : a - b) > scene->parts[part].columns;
  const double right = (double)links->right[falls_right ? upper : upper - 1];
  const double down = (double)links->down[upper];
  const double across = (double)scene->links.rest_length[link];
  if (right == 0.0 || down == 0.0) return shape;
  const double cosine = (across * across - right * right - down * down) / (2.0 * right * down);
  if (fabs(cosine) < 1.0) shape.cosine = falls_right ? cosine : -cosine;
  return shape;
}

// links a coarse particle to the next one along a row or a column; returns the rest length, 0 = not
static float link_next(weft_scene* scene, const chain* c, axis across, uint32_t place,
                       const uint32_t fine[2], const uint32_t coarse[2]) {
  const float rest = rest_between(c->rests, fine[0], fine[1], c->stride);
  if (rest == 0.0f) return 0.0f;
  const float compliance = compliance_between(c, across, place, fine[0], fine[1]);
  weft__push_coarse_link(scene, coarse[0], coarse[1], rest, WEFT_LINK_STRUCTURAL, compliance);
  return rest;
}

// the links from one coarse particle to the right, down, and along both diagonals of its cell
static void link_particle(weft_scene* scene, const pair* p, const weft__lattice_links* links,
                          const cell_shape* shape, uint32_t column, uint32_t row) {
  const uint32_t width = p->columns.coarse;
  const uint32_t here = fine_at(p, column, row);
  const uint32_t coarse = coarse_at(p, column, row);
  const uint32_t links_before = scene->links.count;
  float right = 0.0f;
  float down = 0.0f;
  if (column + 1 < width) {
    const chain c = {links->right, links->soft_right, 1, p->columns.fine};
    right = link_next(scene, &c, p->rows, fine_place(p->rows, row),
                      (const uint32_t[]){here, fine_at(p, column + 1, row)},
                      (const uint32_t[]){coarse, coarse + 1});
  }
  if (row + 1 < p->rows.coarse) {
    const chain c = {links->down, links->soft_down, p->columns.fine, 1};
    down = link_next(scene, &c, p->columns, fine_place(p->columns, column),
                     (const uint32_t[]){here, fine_at(p, column, row + 1)},
                     (const uint32_t[]){coarse, coarse + width});
  }
  if (!shape->has_shear || right == 0.0f || down == 0.0f) return;
  const double squares = (double)right * (double)right + (double)down * (double)down;
  const double twice = 2.0 * shape->cosine * (double)right * (double)down;
  // diagonals alone hold no shape: they are not to be stiffer than what they are fixed to
  float softness = shape->shear_compliance;
  for (uint32_t i = links_before; i < scene->links.count; ++i) {
    softness = fmaxf(softness, scene->links.compliance[i]);
  }
  // those of a long cell lie along its long sides, and are to add no more to them than a square's do
  const double longer = fmax((double)right, (double)down);
  const double shorter = fmin((double)right, (double)down);
  softness = (float)(softness * 2.0 * longer * longer * longer / (shorter * squares));
  weft__push_coarse_link(scene, coarse, coarse + width + 1, (float)sqrt(squares + twice),
                         WEFT_LINK_SHEAR, softness);
  weft__push_coarse_link(scene, coarse + 1, coarse + width, (float)sqrt(squares - twice),
                         WEFT_LINK_SHEAR, softness);
}

static void set_parents(weft__parents* parents, const pair* p, uint32_t column, uint32_t row) {
  uint32_t columns[2];
  uint32_t rows[2];
  coarse_places(p->columns, column, columns);
  coarse_places(p->rows, row, rows);
  *parents = (weft__parents){0};
  uint32_t count = 0;
  for (uint32_t r = 0; r < (rows[0] == rows[1] ? 1u : 2u); ++r) {
    for (uint32_t c = 0; c < (columns[0] == columns[1] ? 1u : 2u); ++c) {
      parents->of[count++] = coarse_at(p, columns[c], rows[r]);
    }
  }
  for (uint32_t i = 0; i < WEFT__PARENTS; ++i) {
    if (i >= count) parents->of[i] = parents->of[0];
    parents->weight[i] = i < count ? 1.0f / (float)count : 0.0f;
  }
}

bool weft__lattice_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                           const weft__lattice_links* links, size_t part) {
  weft_scene* scene = coarsening->scene;
  pair p = pair_of(&fine->parts[part]);
  const uint32_t count = p.columns.coarse * p.rows.coarse;
  if (weft__scene_reserve(scene, count, (uint64_t)4 * count).error != WEFT_OK) return false;
  const cell_shape shape = shape_of(fine, links, part);
  p.coarse_first = weft__scene_push_part(scene, count, p.columns.coarse);
  for (uint32_t row = 0; row < p.rows.coarse; ++row) {
    for (uint32_t column = 0; column < p.columns.coarse; ++column) {
      const uint32_t coarse = coarse_at(&p, column, row);
      const uint32_t from = fine_at(&p, column, row);
      coarsening->fine_of[coarse] = from;
      scene->inverse_masses[coarse] = fine->inverse_masses[from];
      memcpy(scene->positions + (size_t)3 * coarse, fine->positions + (size_t)3 * from,
             3 * sizeof(float));
      link_particle(scene, &p, links, &shape, column, row);
    }
  }
  for (uint32_t row = 0; row < p.rows.fine; ++row) {
    for (uint32_t column = 0; column < p.columns.fine; ++column) {
      const uint32_t i = p.fine_first + row * p.columns.fine + column;
      set_parents(&coarsening->parents[i], &p, column, row);
    }
  }
  return true;
}
