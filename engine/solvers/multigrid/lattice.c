#include "solvers/multigrid/lattice.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/min_max.h"

// shorter axes are not coarsened
#define MAX_KEPT_SIDE 5u

typedef struct axis {
  uint32_t fine, coarse;
} axis;

static axis axis_of(uint32_t count) {
  return (axis){count, count <= MAX_KEPT_SIDE ? count : count / 2 + 1};
}

static uint32_t fine_coordinate(axis a, uint32_t i) {
  if (a.coarse == a.fine) return i;
  return 2 * i < a.fine ? 2 * i : a.fine - 1;
}

// Equal at a coarse particle.
static void enclosing_coarse(axis a, uint32_t coordinate, uint32_t between[2]) {
  if (a.coarse == a.fine) {
    between[0] = between[1] = coordinate;
  } else if (coordinate == a.fine - 1) {
    between[0] = between[1] = a.coarse - 1;
  } else {
    between[0] = coordinate / 2;
    between[1] = (coordinate + 1) / 2;
  }
}

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

// Edges and diagonals of cells, by kind and ends; other links may join any two particles.
static void record_link(weft__lattice_links* links, const weft_scene* scene,
                        const uint32_t* part_of, uint32_t link) {
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
    if (scene->links.relaxation[link] == 0.0f) return;
    if (o.columns == 1 && o.rows == 0) {
      links->right[first] = scene->links.rest_length[link];
      if (links->compliance_right) links->compliance_right[first] = scene->links.compliance[link];
    } else if (o.columns == 0 && o.rows == 1) {
      links->down[first] = scene->links.rest_length[link];
      if (links->compliance_down) links->compliance_down[first] = scene->links.compliance[link];
    }
  }
}

static bool make_compliances(weft__lattice_links* links, const weft_scene* scene) {
  bool any = false;
  for (uint32_t i = 0; i < scene->links.count; ++i) any |= scene->links.compliance[i] > 0.0f;
  if (!any) return true;
  links->compliance_right =
      weft__alloc_zeroed(scene->particle_count, sizeof(*links->compliance_right));
  links->compliance_down =
      weft__alloc_zeroed(scene->particle_count, sizeof(*links->compliance_down));
  return links->compliance_right != NULL && links->compliance_down != NULL;
}

bool weft__lattice_links_create(weft__lattice_links* links, const weft_scene* scene) {
  *links = (weft__lattice_links){
      .right = weft__alloc_zeroed(scene->particle_count, sizeof(*links->right)),
      .down = weft__alloc_zeroed(scene->particle_count, sizeof(*links->down)),
      .shear = weft__alloc(scene->part_count, sizeof(*links->shear)),
      .diagonals = weft__alloc_zeroed(scene->part_count, sizeof(*links->diagonals)),
  };
  uint32_t* part_of = weft__alloc(scene->particle_count, sizeof(*part_of));
  if (!links->right || !links->down || !links->shear || !links->diagonals || !part_of ||
      !make_compliances(links, scene)) {
    weft__lattice_links_destroy(links);
    weft__free(part_of);
    return false;
  }
  for (size_t p = 0; p < scene->part_count; ++p) links->shear[p] = WEFT__NO_SHEAR;
  weft__scene_list_parts(scene, part_of);
  for (uint32_t i = 0; i < scene->links.count; ++i) record_link(links, scene, part_of, i);
  weft__free(part_of);
  return true;
}

void weft__lattice_links_destroy(weft__lattice_links* links) {
  weft__free(links->right);
  weft__free(links->down);
  weft__free(links->shear);
  weft__free(links->diagonals);
  weft__free(links->compliance_right);
  weft__free(links->compliance_down);
  *links = (weft__lattice_links){0};
}

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
  return p->fine_first + fine_coordinate(p->rows, row) * p->columns.fine +
         fine_coordinate(p->columns, column);
}

static uint32_t coarse_at(const pair* p, uint32_t column, uint32_t row) {
  return p->coarse_first + row * p->columns.coarse + column;
}

// Sum over the fine links between consecutive coarse particles, 0 if one is missing.
static float sum_rest_lengths(const float* rests, uint32_t from, uint32_t to, uint32_t stride) {
  float sum = 0.0f;
  for (uint32_t i = from; i < to; i += stride) {
    if (rests[i] == 0.0f) return 0.0f;
    sum += rests[i];
  }
  return sum;
}

typedef struct chain {
  const float* rests;
  const float* compliance;
  uint32_t stride; /* index step along the chain */
  uint32_t across; /* index step to the next chain */
} chain;

// Newtons per metre; infinite without compliance, 0 if a link is missing.
static double chain_stiffness(const chain* c, uint32_t from, uint32_t to) {
  double compliance = 0.0;
  for (uint32_t i = from; i < to; i += c->stride) {
    if (c->rests[i] == 0.0f) return 0.0;
    compliance += (double)c->compliance[i];
  }
  return 1.0 / compliance;
}

// Own chain in parallel with half of each chain up to the next coarse link on either side.
// coordinate: across the chain
static float compliance_between(const chain* c, axis across, uint32_t coordinate, uint32_t from,
                                uint32_t to) {
  if (c->compliance == NULL) return 0.0f;
  double stiffness = chain_stiffness(c, from, to);
  uint32_t between[2];
  if (coordinate > 0) enclosing_coarse(across, coordinate - 1, between);
  if (coordinate > 0 && between[0] != between[1]) {
    stiffness += 0.5 * chain_stiffness(c, from - c->across, to - c->across);
  }
  if (coordinate + 1 < across.fine) enclosing_coarse(across, coordinate + 1, between);
  if (coordinate + 1 < across.fine && between[0] != between[1]) {
    stiffness += 0.5 * chain_stiffness(c, from + c->across, to + c->across);
  }
  return (float)(1.0 / stiffness);
}

typedef struct cell_shape {
  bool has_shear;
  float shear_compliance;
  double cosine; /* between right and down */
} cell_shape;

// Law of cosines on one diagonal and its cell's edges; a right angle where an edge is missing or
// lengths make no triangle. Fewer diagonals than cells: no shear resistance.
static cell_shape measure_cell_shape(const weft_scene* scene, const weft__lattice_links* links,
                                     size_t part) {
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
  const bool descends_right = (a < b ? b - a : a - b) > scene->parts[part].columns;
  const double right = (double)links->right[descends_right ? upper : upper - 1];
  const double down = (double)links->down[upper];
  const double across = (double)scene->links.rest_length[link];
  if (right == 0.0 || down == 0.0) return shape;
  const double cosine = (across * across - right * right - down * down) / (2.0 * right * down);
  if (fabs(cosine) < 1.0) shape.cosine = descends_right ? cosine : -cosine;
  return shape;
}

// Rest length of the link to the next one in the row or column, 0 if there is none.
static float push_axis_link(weft_scene* scene, const chain* c, axis across, uint32_t coordinate,
                            const uint32_t fine[2], const uint32_t coarse[2]) {
  const float rest = sum_rest_lengths(c->rests, fine[0], fine[1], c->stride);
  if (rest == 0.0f) return 0.0f;
  const float compliance = compliance_between(c, across, coordinate, fine[0], fine[1]);
  weft__push_coarse_link(scene, coarse[0], coarse[1], rest, WEFT_LINK_STRUCTURAL, compliance);
  return rest;
}

static void push_cell_links(weft_scene* scene, const pair* p, const weft__lattice_links* links,
                            const cell_shape* shape, uint32_t column, uint32_t row) {
  const uint32_t width = p->columns.coarse;
  const uint32_t here = fine_at(p, column, row);
  const uint32_t coarse = coarse_at(p, column, row);
  const uint32_t links_before = scene->links.count;
  float right = 0.0f;
  float down = 0.0f;
  if (column + 1 < width) {
    const chain c = {links->right, links->compliance_right, 1, p->columns.fine};
    right = push_axis_link(scene, &c, p->rows, fine_coordinate(p->rows, row),
                           (const uint32_t[]){here, fine_at(p, column + 1, row)},
                           (const uint32_t[]){coarse, coarse + 1});
  }
  if (row + 1 < p->rows.coarse) {
    const chain c = {links->down, links->compliance_down, p->columns.fine, 1};
    down = push_axis_link(scene, &c, p->columns, fine_coordinate(p->columns, column),
                          (const uint32_t[]){here, fine_at(p, column, row + 1)},
                          (const uint32_t[]){coarse, coarse + width});
  }
  if (!shape->has_shear || right == 0.0f || down == 0.0f) return;
  const double squares = (double)right * (double)right + (double)down * (double)down;
  const double twice = 2.0 * shape->cosine * (double)right * (double)down;
  // diagonals must not be stiffer than the edges that they are fixed to
  float compliance = shape->shear_compliance;
  for (uint32_t i = links_before; i < scene->links.count; ++i) {
    compliance = weft__maxf(compliance, scene->links.compliance[i]);
  }
  // diagonals of a long cell lie near its long edges: they stiffen these no more than in a square
  const double longer = weft__max((double)right, (double)down);
  const double shorter = weft__min((double)right, (double)down);
  compliance = (float)(compliance * 2.0 * longer * longer * longer / (shorter * squares));
  weft__push_coarse_link(scene, coarse, coarse + width + 1, (float)sqrt(squares + twice),
                         WEFT_LINK_SHEAR, compliance);
  weft__push_coarse_link(scene, coarse + 1, coarse + width, (float)sqrt(squares - twice),
                         WEFT_LINK_SHEAR, compliance);
}

static void set_parents(weft__parents* parents, const pair* p, uint32_t column, uint32_t row) {
  uint32_t columns[2];
  uint32_t rows[2];
  enclosing_coarse(p->columns, column, columns);
  enclosing_coarse(p->rows, row, rows);
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
  const cell_shape shape = measure_cell_shape(fine, links, part);
  p.coarse_first = weft__scene_push_part(scene, count, p.columns.coarse);
  scene->parts[scene->part_count - 1].environment = fine->parts[part].environment;
  scene->parts[scene->part_count - 1].patch_key = (uint32_t)part;
  for (uint32_t row = 0; row < p.rows.coarse; ++row) {
    for (uint32_t column = 0; column < p.columns.coarse; ++column) {
      const uint32_t coarse = coarse_at(&p, column, row);
      const uint32_t from = fine_at(&p, column, row);
      coarsening->fine_of[coarse] = from;
      scene->inverse_masses[coarse] = fine->inverse_masses[from];
      memcpy(scene->positions + (size_t)3 * coarse, fine->positions + (size_t)3 * from,
             3 * sizeof(float));
      push_cell_links(scene, &p, links, &shape, column, row);
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
