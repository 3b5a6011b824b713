#include "modules/bending/elimination.h"

#include <math.h>
#include <string.h>

// Stiffness limit, over the lightest particle over h^2: factors are in single precision.
#define MAX_STIFFNESS 3e5
// The same, above which forces and factors of other elements do not go together.
#define MAX_LAGGING_STIFFNESS 3e2
// Share of their value before the elimination, below which pivots are rounding errors.
#define MIN_PIVOT 1e-11

static double inv_mass_at(const weft__mesh_bends* bends, const weft__bend_plate* plate, int k) {
  return (double)bends->inv_mass[plate->corner[k]];
}

static bool is_pinned(const weft__mesh_bends* bends, const weft__bend_plate* plate) {
  bool has_free = false;
  for (int k = 0; k < 3; ++k) has_free |= inv_mass_at(bends, plate, k) > 0.0;
  return !has_free;
}

static const weft__bend_plate* neighbor(const weft__mesh_bends* bends,
                                        const weft__bend_plate* plate, int k) {
  const uint32_t* plates = bends->plates_of + 2 * (size_t)plate->edge[k];
  return &bends->plates[plates[plate->sign[k] > 0.0f ? 1 : 0]];
}

// Share in the jump at an edge: half, unless the triangle on one side cannot turn.
static double share_at(const weft__mesh_bends* bends, const weft__bend_plate* plate, int k) {
  const bool is_own = is_pinned(bends, plate);
  if (is_own == is_pinned(bends, neighbor(bends, plate, k))) return 0.5;
  return is_own ? 0.0 : 1.0;
}

static bool is_slope_fixed(const weft__mesh_bends* bends, const weft__bend_plate* plate, int k) {
  return is_pinned(bends, plate) || is_pinned(bends, neighbor(bends, plate, k));
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
static double squared_frequency(const weft__mesh_bends* bends, const weft__bend_plate* plate,
                                double scale) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double inv_mass = inv_mass_at(bends, plate, k);
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

// Stiffness at the stiffest corner, over the lightest corner's mass over h^2; 0 if none is free.
static double relative_stiffness(const weft__mesh_bends* bends, const weft__bend_plate* plate) {
  double stiffest = 0.0, inv_mass = 0.0;
  for (int k = 0; k < 3; ++k) {
    inv_mass = fmax(inv_mass, inv_mass_at(bends, plate, k));
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        sum += plate->gradient[i][k] * plate->stiffness[i][j] * plate->gradient[j][k];
      }
    }
    stiffest = fmax(stiffest, sum);
  }
  return stiffest * inv_mass / (double)bends->rate_squared;
}

// Factor to the stiffness: 0 if no particle is free.
static double scale_of(const weft__mesh_bends* bends, const weft__bend_plate* plate) {
  const double stiffness = relative_stiffness(bends, plate);
  if (!(stiffness > 0.0)) return 0.0;
  return stiffness > MAX_STIFFNESS ? MAX_STIFFNESS / stiffness : 1.0;
}

void weft__bend_plate_free(double stiffness[3][3], int edge) {
  double(*s)[3] = stiffness;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (i != edge && j != edge && s[edge][edge] > 0.0)
        s[i][j] -= s[i][edge] * s[edge][j] / s[edge][edge];
    }
  }
  for (int i = 0; i < 3; ++i) s[i][edge] = s[edge][i] = 0.0;
}

// s without hinges of at least this removal, scaled.
static void list_stiffness(const weft__mesh_bends* bends, const weft__bend_plate* plate,
                           uint8_t removal, double s[3][3]) {
  memcpy(s, plate->stiffness, sizeof(plate->stiffness));
  for (int k = 0; k < 3; ++k) {
    if (plate->edge[k] != WEFT__NONE && bends->removed[plate->edge[k]] >= removal)
      weft__bend_plate_free(s, k);
  }
  const double scale = scale_of(bends, plate);
  for (int i = 0; i < 9; ++i) s[i / 3][i % 3] *= scale;
}

bool weft__mesh_bends_is_stiff(const weft__mesh_bends* bends, uint32_t mesh) {
  const weft__bend_mesh* m = &bends->meshes[mesh];
  bool is_stiff = false;
  for (uint32_t i = 2 * m->first_hinge; i < 2 * (m->first_hinge + m->hinge_count); ++i) {
    const weft__bend_plate* plate = &bends->plates[bends->plates_of[i]];
    is_stiff |= relative_stiffness(bends, plate) > MAX_LAGGING_STIFFNESS;
  }
  return is_stiff;
}

void weft__bend_plate_set_moments(const weft__mesh_bends* bends, uint32_t number, uint8_t removal) {
  const weft__bend_plate* plate = &bends->plates[number];
  weft__bend_triangles* t = &bends->triangles[plate->leaf];
  double s[3][3];
  list_stiffness(bends, plate, removal, s);
  for (int j = 0; j < 3; ++j) {
    const double share = plate->edge[j] == WEFT__NONE ? 0.0 : share_at(bends, plate, j);
    for (int i = 0; i < 3; ++i) t->moment[i][j][plate->lane] = (float)(share * s[i][j]);
  }
}

// Turns are limited by the stiffer plate of an edge.
static void set_edges(const weft__mesh_bends* bends, const weft__bend_plate* plate) {
  const double scale = scale_of(bends, plate);
  const double limit = max_turn_of(squared_frequency(bends, plate, scale));
  for (int k = 0; k < 3; ++k) {
    if (plate->edge[k] == WEFT__NONE) continue;
    weft__bend_edges* edges = &bends->edges[plate->edge[k] / WEFT__LANES];
    const uint32_t lane = plate->edge[k] % WEFT__LANES;
    edges->turn[lane] = is_slope_fixed(bends, plate, k) ? CLAMPED_TURN : TURN;
    edges->max_turn[lane] = fminf(edges->max_turn[lane], (float)limit);
  }
}

void weft__mesh_bends_set_edges(const weft__mesh_bends* bends, uint32_t mesh) {
  const weft__bend_mesh* m = &bends->meshes[mesh];
  for (uint32_t h = m->first_hinge; h < m->first_hinge + m->hinge_count; ++h) {
    bends->edges[h / WEFT__LANES].max_turn[h % WEFT__LANES] = (float)MAX_TURN;
  }
  for (uint32_t i = 2 * m->first_hinge; i < 2 * (m->first_hinge + m->hinge_count); ++i) {
    set_edges(bends, &bends->plates[bends->plates_of[i]]);
  }
}

typedef struct front {
  const weft__mesh_bends* bends;
  const weft__bend_node* node;
  uint8_t removal;
  double* matrix;  /* upper triangle [size][size] */
  double* inverse; /* U^-T, then S^-1 [pivots][pivots] */
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
static void add_plate(const front* f, uint32_t lane) {
  const weft__mesh_bends* bends = f->bends;
  const weft__bend_plate* plate = &bends->plates[f->node->first_element + lane];
  const weft__bend_triangles* t = &bends->triangles[f->node->leaf];
  double s[3][3], b[3][6] = {{0}};
  uint32_t place[6] = {0};
  bool is_free[6] = {false};
  list_stiffness(bends, plate, f->removal, s);
  for (int k = 0; k < 3; ++k) {
    is_free[k] = inv_mass_at(bends, plate, k) > 0.0;
    place[k] = front_place(f->node, t->corner[k][lane]);
    for (int i = 0; i < 3; ++i) b[i][k] = -plate->gradient[i][k];
    if (plate->edge[k] == WEFT__NONE) continue;
    is_free[3 + k] = !is_slope_fixed(bends, plate, k);
    place[3 + k] = front_place(f->node, t->slope[k][lane]);
    b[k][3 + k] = (double)plate->sign[k];
  }
  for (int m = 0; m < 6; ++m) {
    for (int n = m; n < 6; ++n) {
      double sum = 0.0;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) sum += b[i][m] * s[i][j] * b[j][n];
      }
      if (is_free[m] && is_free[n]) add(f, place[m], place[n], sum);
    }
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
    const float inv_mass = f->bends->inv_mass[unknown[k]];
    if (inv_mass > 0.0f) add(f, k, k, (double)f->bends->rate_squared / (double)inv_mass);
  }
}

// Row k of the Cholesky factorization U^T U of the pivots. Held pivots have a diagonal of 0 and
// eliminate nothing.
static void eliminate(const front* f, size_t k) {
  const size_t size = f->size;
  double* row = f->matrix + k * size;
  double diagonal = row[k];
  for (size_t j = 0; j < k; ++j) {
    const double above = f->matrix[j * size + k];
    diagonal += above * above;
  }
  if (!(row[k] > MIN_PIVOT * diagonal)) {
    memset(row + k, 0, (size - k) * sizeof(*row));
    return;
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

// Row k of U X = Y in place, after those below, `count` columns; rows of X whose pivot is held are
// 0.
static void solve_upper(const front* f, double* y, size_t stride, size_t count, size_t k) {
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

// Row k of U^-T.
static void invert(const front* f, size_t k) {
  const size_t count = f->node->pivot_count;
  double* to = f->inverse + k * count;
  const double pivot = f->matrix[k * f->size + k];
  memset(to, 0, count * sizeof(*to));
  to[k] = 1.0;
  for (size_t j = 0; j < k; ++j) {
    const double above = f->matrix[j * f->size + k];
    if (above == 0.0) continue;
    const double* from = f->inverse + j * count;
    for (size_t c = 0; c <= j; ++c) to[c] -= above * from[c];
  }
  for (size_t c = 0; c <= k; ++c) to[c] *= pivot > 0.0 ? 1.0 / pivot : 0.0;
}

// S^-1 and G, which is X^T, in tiles.
static void store_factors(const front* f) {
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
      backward[(tile + j) * WEFT__LANES + k % WEFT__LANES] = (float)f->inverse[k * pivots + j];
    }
  }
}

static front front_of(const weft__mesh_bends* bends, uint32_t number, uint8_t removal,
                      double* memory) {
  const weft__bend_node* node = &bends->nodes[number];
  const uint32_t size = node->pivot_count + node->row_count;
  double* matrix = memory + node->first_front;
  for (int side = 0; side < 2 && node->child[side] != WEFT__NONE; ++side) {
    const size_t count = bends->nodes[node->child[side]].row_count;
    matrix += count * count;
  }
  return (front){bends, node, removal, matrix, matrix + (size_t)size * size, size};
}

static void assemble(const front* f, const double* memory) {
  const weft__bend_node* node = f->node;
  memset(f->matrix, 0, (size_t)f->size * f->size * sizeof(*f->matrix));
  for (int side = 0; side < 2 && node->child[side] != WEFT__NONE; ++side) {
    const weft__bend_node* child = &f->bends->nodes[node->child[side]];
    add_child(f, child, memory + child->first_front);
  }
  for (uint32_t lane = 0; node->leaf != WEFT__NONE && lane < node->element_count; ++lane) {
    add_plate(f, lane);
  }
  add_masses(f);
}

static void keep_rest(const front* f, double* rest) {
  const size_t pivots = f->node->pivot_count, rows = f->node->row_count;
  for (size_t i = 0; i < rows; ++i) {
    memmove(rest + i * rows, f->matrix + (pivots + i) * f->size + pivots, rows * sizeof(*rest));
  }
}

// Rows of U, U^-T, S^-1, G, and one step at the end.
uint32_t weft__bend_node_steps(const weft__bend_node* node) {
  return 4 * node->pivot_count + 1;
}

uint64_t weft__bend_step_work(const weft__bend_node* node) {
  const uint64_t size = node->pivot_count + node->row_count;
  return size * size / 4 + 1;
}

void weft__bend_node_factor(const weft__mesh_bends* bends, uint32_t number, uint8_t removal,
                            weft__range steps, double* memory) {
  const front f = front_of(bends, number, removal, memory);
  const uint32_t pivots = f.node->pivot_count;
  if (steps.begin == 0) assemble(&f, memory);
  for (uint32_t step = steps.begin; step < steps.end; ++step) {
    const uint32_t k = step % (pivots + (pivots == 0)), upwards = pivots - 1 - k;
    if (step == 4 * pivots) {
      store_factors(&f);
      keep_rest(&f, memory + f.node->first_front);
    } else if (step < pivots) {
      eliminate(&f, k);
    } else if (step < 2 * pivots) {
      invert(&f, k);
    } else if (step < 3 * pivots) {
      solve_upper(&f, f.inverse, pivots, pivots, upwards);
    } else {
      solve_upper(&f, f.matrix + pivots, f.size, f.node->row_count, upwards);
    }
  }
}
