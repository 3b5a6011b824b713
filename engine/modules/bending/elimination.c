#include "modules/bending/elimination.h"

#include <math.h>
#include <string.h>

// Stiffness limit, over the lightest particle over h^2: factors are in single precision.
#define MAX_STIFFNESS 3e5
// Share of their value before the elimination, below which pivots are rounding errors.
#define MIN_PIVOT 1e-11

// A mesh without free particles, such as one asleep, keeps its factors.
static void load_masses(const weft__mesh_bends* bends, weft__bend_mesh* mesh,
                        const weft__particles* particles) {
  const uint32_t end = mesh->first_vertex + mesh->vertex_count;
  bool is_changed = false, is_held = true;
  for (uint32_t v = mesh->first_vertex; v < end; ++v) {
    const float inv_mass = particles->inv_mass[bends->particle[v]];
    is_held &= inv_mass == 0.0f;
    is_changed |= inv_mass != bends->inv_mass[v];
  }
  mesh->is_stale = false;
  mesh->is_held = is_held;
  if (is_held || !is_changed) return;
  mesh->is_changed = true;
  for (uint32_t v = mesh->first_vertex; v < end; ++v) {
    bends->inv_mass[v] = particles->inv_mass[bends->particle[v]];
  }
}

static bool is_pinned(const weft__particles* p, uint32_t a, uint32_t b, uint32_t c) {
  return p->inv_mass[a] == 0.0f && p->inv_mass[b] == 0.0f && p->inv_mass[c] == 0.0f;
}

// Share in the jump at an edge: half, unless the triangle on one side cannot turn.
static double share_at(const weft__mesh_bends* bends, const weft__particles* particles,
                       const weft__bend_plate* plate, int k) {
  const uint32_t* p = bends->hinges[plate->edge[k]].particle;
  const bool first = is_pinned(particles, p[0], p[1], p[2]);
  const bool second = is_pinned(particles, p[0], p[1], p[3]);
  if (first == second) return 0.5;
  return first == (plate->sign[k] > 0.0f) ? 0.0 : 1.0;
}

static bool is_slope_fixed(const weft__mesh_bends* bends, const weft__particles* particles,
                           uint32_t edge) {
  const uint32_t* p = bends->hinges[edge].particle;
  return is_pinned(particles, p[0], p[1], p[2]) || is_pinned(particles, p[0], p[1], p[3]);
}

// Quotients of J^2, at inner edges and beside held triangles: plates.h.
#define TURN 0.35f
#define CLAMPED_TURN 0.7f
// Growth of forces over the matrix's: 4/3 make the step unstable.
#define MAX_GROWTH 1.15
// J^2 at which the force is ten times the matrix's.
#define MAX_TURN 0.9
// They share the vertex's mass.
#define PLATES_OF_VERTEX 6.0

// Frequency of a plate on its share of the masses, times the substep, squared: at most the trace of
// its matrix with slopes held. No mesh has a larger one than its plates (Irons, Treharne 1971, "A
// bound theorem in eigenvalues and its practical applications").
static double squared_frequency(const weft__mesh_bends* bends, const weft__particles* particles,
                                const weft__bend_plate* plate, double scale) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double inv_mass = (double)particles->inv_mass[plate->corner[k]];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        sum += inv_mass * plate->gradient[i][k] * plate->stiffness[i][j] * plate->gradient[j][k];
      }
    }
  }
  return PLATES_OF_VERTEX * scale * sum / (double)bends->rate_squared;
}

// Turn y up to which forces follow the law: J / (1 - y) grows as (1 + y) / (1 - y)^2. An implicit
// step at a frequency w bears 1 + 1 / (w substep)^2 times the growth that it bears without masses.
static double max_turn_of(double frequency_sq) {
  const double growth = MAX_GROWTH * (1.0 + 1.0 / fmax(frequency_sq, 1e-6));
  const double turn = (2.0 * growth + 1.0 - sqrt(8.0 * growth + 1.0)) / (2.0 * growth);
  return fmin(turn, MAX_TURN);
}

// Factor to the stiffness: 0 if an element is lost or no particle is free.
static double scale_of(const weft__mesh_bends* bends, const weft__particles* particles,
                       const weft__bend_plate* plate) {
  double stiffest = 0.0;
  float inv_mass = 0.0f;
  for (int k = 0; k < 3; ++k) {
    if (plate->edge[k] != WEFT__NONE && bends->removed[plate->edge[k]] != 0) return 0.0;
    inv_mass = fmaxf(inv_mass, particles->inv_mass[plate->corner[k]]);
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        sum += plate->gradient[i][k] * plate->stiffness[i][j] * plate->gradient[j][k];
      }
    }
    stiffest = fmax(stiffest, sum);
  }
  if (inv_mass == 0.0f) return 0.0;
  const double limit = MAX_STIFFNESS * (double)bends->rate_squared / (double)inv_mass;
  return stiffest > limit ? limit / stiffest : 1.0;
}

static void set_moments(const weft__mesh_bends* bends, const weft__particles* particles,
                        const weft__bend_node* leaf, uint32_t lane, double scale) {
  weft__bend_triangles* t = &bends->triangles[leaf->leaf];
  const weft__bend_plate* plate = &bends->plates[leaf->first_element + lane];
  for (int j = 0; j < 3; ++j) {
    const bool is_border = plate->edge[j] == WEFT__NONE;
    const double share = is_border ? 0.0 : scale * share_at(bends, particles, plate, j);
    for (int i = 0; i < 3; ++i) t->moment[i][j][lane] = (float)(share * plate->stiffness[i][j]);
  }
}

static void free_turns(const weft__mesh_bends* bends, uint32_t number) {
  const weft__bend_node* node = &bends->nodes[number];
  for (int side = 0; side < 2 && node->child[side] != WEFT__NONE; ++side) {
    free_turns(bends, node->child[side]);
  }
  for (uint32_t i = 0; i < 3 * node->element_count; ++i) {
    const uint32_t edge = bends->plates[node->first_element + i / 3].edge[i % 3];
    if (edge == WEFT__NONE) continue;
    bends->edges[edge / WEFT__LANES].max_turn[edge % WEFT__LANES] = (float)MAX_TURN;
  }
}

// The stiffer plate of an edge limits it.
static void limit_turns(const weft__mesh_bends* bends, const weft__particles* particles,
                        const weft__bend_plate* plate, double scale) {
  const double limit = max_turn_of(squared_frequency(bends, particles, plate, scale));
  for (int k = 0; k < 3; ++k) {
    if (plate->edge[k] == WEFT__NONE) continue;
    weft__bend_edges* edges = &bends->edges[plate->edge[k] / WEFT__LANES];
    const uint32_t lane = plate->edge[k] % WEFT__LANES;
    const bool is_clamped = is_slope_fixed(bends, particles, plate->edge[k]);
    edges->turn[lane] = is_clamped ? CLAMPED_TURN : TURN;
    edges->max_turn[lane] = fminf(edges->max_turn[lane], (float)limit);
  }
}

typedef struct front {
  const weft__mesh_bends* bends;
  const weft__particles* particles;
  const weft__bend_node* node;
  double* matrix; /* upper triangle [size][size] */
  uint32_t size;
} front;

static void add(const front* f, uint32_t i, uint32_t j, double value) {
  const uint32_t row = i < j ? i : j, column = i < j ? j : i;
  f->matrix[(size_t)row * f->size + column] += value;
}

static uint32_t front_place(const weft__bend_node* node, uint32_t local) {
  const uint32_t pivots = node->pivot_count;
  return local < pivots ? local : local - weft__whole_tiles(pivots) + pivots;
}

// B^T S B, B: e_i = sign_i p_i - sum g_ik x_k.
static void add_plate(const front* f, uint32_t lane, double scale) {
  const weft__mesh_bends* bends = f->bends;
  const weft__bend_plate* plate = &bends->plates[f->node->first_element + lane];
  const weft__bend_triangles* t = &bends->triangles[f->node->leaf];
  double b[3][6] = {{0}};
  uint32_t place[6] = {0};
  bool is_free[6] = {false};
  for (int k = 0; k < 3; ++k) {
    is_free[k] = f->particles->inv_mass[plate->corner[k]] > 0.0f;
    place[k] = front_place(f->node, t->corner[k][lane]);
    for (int i = 0; i < 3; ++i) b[i][k] = -plate->gradient[i][k];
    if (plate->edge[k] == WEFT__NONE) continue;
    is_free[3 + k] = !is_slope_fixed(bends, f->particles, plate->edge[k]);
    place[3 + k] = front_place(f->node, t->slope[k][lane]);
    b[k][3 + k] = (double)plate->sign[k];
  }
  for (int m = 0; m < 6; ++m) {
    for (int n = m; n < 6; ++n) {
      double sum = 0.0;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) sum += b[i][m] * plate->stiffness[i][j] * b[j][n];
      }
      if (is_free[m] && is_free[n]) add(f, place[m], place[n], scale * sum);
    }
  }
}

static void add_elements(const front* f) {
  for (uint32_t lane = 0; lane < f->node->element_count; ++lane) {
    const weft__bend_plate* plate = &f->bends->plates[f->node->first_element + lane];
    const double scale = scale_of(f->bends, f->particles, plate);
    set_moments(f->bends, f->particles, f->node, lane, scale);
    limit_turns(f->bends, f->particles, plate, scale);
    add_plate(f, lane, scale);
  }
}

static void add_child(const front* f, const weft__bend_node* child, const double* rest) {
  const uint32_t* row_of_parent = f->bends->row_of_parent + child->first_row;
  for (uint32_t i = 0; i < child->row_count; ++i) {
    const uint32_t row = front_place(f->node, row_of_parent[i]);
    for (uint32_t j = i; j < child->row_count; ++j) {
      const uint32_t column = front_place(f->node, row_of_parent[j]);
      add(f, row, column, rest[(size_t)i * child->row_count + j]);
    }
  }
}

static void add_masses(const front* f) {
  const uint32_t* unknown = f->bends->pivot_unknown + f->node->first_pivot;
  for (uint32_t k = 0; k < f->node->pivot_count; ++k) {
    if (unknown[k] >= f->bends->vertex_count) continue;
    const float inv_mass = f->particles->inv_mass[f->bends->particle[unknown[k]]];
    if (inv_mass > 0.0f) add(f, k, k, (double)f->bends->rate_squared / (double)inv_mass);
  }
}

// Cholesky factorization U^T U of the pivots. Held pivots have a diagonal of 0 and eliminate
// nothing.
static void eliminate(const front* f) {
  const size_t size = f->size;
  for (size_t k = 0; k < f->node->pivot_count; ++k) {
    double* row = f->matrix + k * size;
    double diagonal = row[k];
    for (size_t j = 0; j < k; ++j) {
      const double above = f->matrix[j * size + k];
      diagonal += above * above;
    }
    if (!(row[k] > MIN_PIVOT * diagonal)) {
      memset(row + k, 0, (size - k) * sizeof(*row));
      continue;
    }
    const double inverse = 1.0 / sqrt(row[k]);
    for (size_t j = k; j < size; ++j) row[j] *= inverse;
    for (size_t i = k + 1; i < size; ++i) {
      const double share = row[i];
      if (share == 0.0) continue;
      double* below = f->matrix + i * size;
      for (size_t j = i; j < size; ++j) below[j] -= share * row[j];
    }
  }
}

// U X = Y in place, `count` columns; rows of X whose pivot is held are 0.
static void solve_upper(const front* f, double* y, size_t stride, size_t count) {
  for (size_t k = f->node->pivot_count; k-- > 0;) {
    const double* row = f->matrix + k * f->size;
    double* to = y + k * stride;
    const double inverse = row[k] > 0.0 ? 1.0 / row[k] : 0.0;
    for (size_t j = k + 1; j < f->node->pivot_count; ++j) {
      if (row[j] == 0.0) continue;
      const double* from = y + j * stride;
      for (size_t c = 0; c < count; ++c) to[c] -= row[j] * from[c];
    }
    for (size_t c = 0; c < count; ++c) to[c] *= inverse;
  }
}

// U^-T, then U X = U^-T.
static void invert(const front* f, double* inverse) {
  const size_t count = f->node->pivot_count;
  memset(inverse, 0, count * count * sizeof(*inverse));
  for (size_t k = 0; k < count; ++k) {
    double* to = inverse + k * count;
    const double pivot = f->matrix[k * f->size + k];
    to[k] = 1.0;
    for (size_t j = 0; j < k; ++j) {
      const double above = f->matrix[j * f->size + k];
      if (above == 0.0) continue;
      const double* from = inverse + j * count;
      for (size_t c = 0; c <= j; ++c) to[c] -= above * from[c];
    }
    for (size_t c = 0; c <= k; ++c) to[c] *= pivot > 0.0 ? 1.0 / pivot : 0.0;
  }
  solve_upper(f, inverse, count, count);
}

// S^-1 and G, which is X^T, in tiles.
static void store_factors(const front* f, const double* inverse) {
  const weft__bend_node* node = f->node;
  const size_t pivots = node->pivot_count, rows = node->row_count;
  float* forward = f->bends->forward + node->first_forward;
  float* backward = f->bends->backward + node->first_backward;
  for (size_t r = 0; r < rows; ++r) {
    for (size_t k = 0; k < pivots; ++k) {
      const float value = (float)f->matrix[k * f->size + pivots + r];
      forward[(r / WEFT__LANES * pivots + k) * WEFT__LANES + r % WEFT__LANES] = value;
      const size_t tile = k / WEFT__LANES * (pivots + rows);
      backward[(tile + pivots + r) * WEFT__LANES + k % WEFT__LANES] = -value;
    }
  }
  for (size_t k = 0; k < pivots; ++k) {
    const size_t tile = k / WEFT__LANES * (pivots + rows);
    for (size_t j = 0; j < pivots; ++j) {
      backward[(tile + j) * WEFT__LANES + k % WEFT__LANES] = (float)inverse[k * pivots + j];
    }
  }
}

// Leaves the Schur complement of the node's rows at `stack`.
static void factor_node(const weft__mesh_bends* bends, const weft__particles* particles,
                        uint32_t number, double* stack) {
  const weft__bend_node* node = &bends->nodes[number];
  const size_t pivots = node->pivot_count, rows = node->row_count;
  const double* rest[2] = {stack, stack};
  double* top = stack;
  for (int side = 0; side < 2 && node->child[side] != WEFT__NONE; ++side) {
    const size_t count = bends->nodes[node->child[side]].row_count;
    factor_node(bends, particles, node->child[side], top);
    rest[side] = top;
    top += count * count;
  }
  const front f = {bends, particles, node, top, (uint32_t)(pivots + rows)};
  double* inverse = top + (size_t)f.size * f.size;
  memset(f.matrix, 0, (size_t)f.size * f.size * sizeof(*f.matrix));
  for (int side = 0; side < 2 && node->child[side] != WEFT__NONE; ++side) {
    add_child(&f, &bends->nodes[node->child[side]], rest[side]);
  }
  if (node->leaf != WEFT__NONE) add_elements(&f);
  add_masses(&f);
  eliminate(&f);
  invert(&f, inverse);
  solve_upper(&f, f.matrix + pivots, f.size, rows);
  store_factors(&f, inverse);
  for (size_t i = 0; i < rows; ++i) {
    memmove(stack + i * rows, f.matrix + (pivots + i) * f.size + pivots, rows * sizeof(*stack));
  }
}

void weft__mesh_bends_factor(const weft__mesh_bends* bends, weft__bend_mesh* mesh,
                             const weft__particles* particles) {
  load_masses(bends, mesh, particles);
  if (mesh->is_held || !mesh->is_changed) return;
  free_turns(bends, mesh->root);
  factor_node(bends, particles, mesh->root, bends->front);
  mesh->is_changed = false;
}
