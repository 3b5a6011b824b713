#include "modules/articulated/rod_solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/pose.h"

// mass of a pinned point, over the heaviest free one's
#define PIN_MASS 1e8
// turn of a segment in one iteration, radians
#define MAX_TURN 0.5
// turn of an iteration, radians, after which the remaining error of lengths is its square
#define CONVERGED_TURN 3e-4
// floor of a turn's pivots, over the trace
#define PIVOT_SHARE 1e-15

typedef weft__vec3 vector;
typedef weft__rod_node node;
typedef weft__rod_matrix matrix;
typedef weft__rod_quadratic quadratic;

static vector times(const matrix* m, vector v) {
  return (vector){weft__dot(m->row[0], v), weft__dot(m->row[1], v), weft__dot(m->row[2], v)};
}

static matrix transposed(const matrix* m) {
  const vector* r = m->row;
  return (matrix){{{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}}};
}

static vector transposed_times(const matrix* m, vector v) {
  return weft__plus(weft__scaled(v.x, m->row[0]),
                    weft__plus(weft__scaled(v.y, m->row[1]), weft__scaled(v.z, m->row[2])));
}

static matrix full(const weft__symmetric* a) {
  return (matrix){{{a->xx, a->xy, a->xz}, {a->xy, a->yy, a->yz}, {a->xz, a->yz, a->zz}}};
}

static matrix product(const matrix* a, const matrix* b) {
  matrix c;
  for (int k = 0; k < 3; ++k) c.row[k] = transposed_times(b, a->row[k]);
  return c;
}

static matrix symmetric_product(const weft__symmetric* a, const matrix* b) {
  const matrix left = full(a);
  return product(&left, b);
}

// M L, L the derivative of a segment's vector by its turn: L p = p x a.
static matrix times_lever(const matrix* m, vector a) {
  matrix c;
  for (int k = 0; k < 3; ++k) c.row[k] = weft__cross(a, m->row[k]);
  return c;
}

// a += s m; the symmetric part counts.
static void add_symmetric(weft__symmetric* a, double s, const matrix* m) {
  const vector* r = m->row;
  a->xx += s * r[0].x;
  a->yy += s * r[1].y;
  a->zz += s * r[2].z;
  a->xy += 0.5 * s * (r[0].y + r[1].x);
  a->xz += 0.5 * s * (r[0].z + r[2].x);
  a->yz += 0.5 * s * (r[1].z + r[2].y);
}

static void add(weft__symmetric* a, double s, const weft__symmetric* b) {
  a->xx += s * b->xx;
  a->xy += s * b->xy;
  a->xz += s * b->xz;
  a->yy += s * b->yy;
  a->yz += s * b->yz;
  a->zz += s * b->zz;
}

static bool load_point(const weft__particles* p, uint32_t i, node* n) {
  n->position = weft__vec3_at(p->pos, i);
  n->start = n->position;
  n->is_free = p->inv_mass[i] > 0.0f;
  n->mass = n->is_free ? 1.0 / (double)p->inv_mass[i] : 0.0;
  return n->is_free;
}

static void load_segment(const weft__rods* rods, uint32_t rod, uint32_t segment, double h,
                         node* n) {
  const double* frame = rods->frame[segment];
  n->is_whole = !weft__rod_is_torn(rods, segment);
  n->rest_length = (double)rods->rest_length[segment];
  n->compliance = (double)rods->compliance[segment] * rods->inv_step_sq;
  n->multiplier = n->is_whole ? rods->multiplier[segment] * rods->multiplier_scale : 0.0;
  n->inertia = rods->inertia[rod] * n->rest_length;
  n->spun = rods->spin[segment] * h;
  n->torque = (vector){0.0, 0.0, 0.0};
  n->is_unmoved = true;
  memcpy(n->start_frame, frame, sizeof(n->start_frame));
  memcpy(n->frame, frame, sizeof(n->frame));
  const weft__frame axes = weft__rod_axes(frame);
  weft__rod_turn(n->frame, weft__scaled(n->spun, axes.axis[2]));
}

static void add_torque(const weft__rod_end* end, double step_sq, node* n) {
  const vector torque = {end->torque[0], end->torque[1], end->torque[2]};
  n->torque = weft__plus(n->torque, weft__scaled(step_sq, torque));
}

// False if all points are pinned.
static bool load_rod(const weft__rods* rods, uint32_t rod, const weft__step_context* step,
                     node* nodes) {
  const uint32_t segments = weft__rod_segments(rods, rod);
  const uint32_t first = weft__rod_first_point(rods, rod);
  double largest = 0.0;
  for (uint32_t k = 0; k <= segments; ++k) {
    node* n = &nodes[k];
    if (load_point(step->particles, rods->particle[first + k], n) && n->mass > largest)
      largest = n->mass;
    n->is_whole = false;
    if (k > 0) load_segment(rods, rod, rods->first_segment[rod] + k - 1, (double)step->solved_h, n);
  }
  for (uint32_t k = 0; k <= segments; ++k) {
    if (!nodes[k].is_free) nodes[k].mass = PIN_MASS * largest;
  }
  const weft__rod_end* ends = rods->end + 2 * (size_t)rod;
  add_torque(&ends[0], 1.0 / rods->inv_step_sq, &nodes[1]);
  add_torque(&ends[1], 1.0 / rods->inv_step_sq, &nodes[segments]);
  return largest > 0.0;
}

static double damping_at(const weft__step_context* step, uint32_t particle) {
  if (step->environments == NULL) return (double)step->physics->damping;
  return (double)step->environments[weft__environment_of(step->schedule, particle)].damping;
}

// Partial substeps (step/step_size.h) take the share of both.
static void store_frame(const weft__rods* rods, uint32_t segment, const weft__step_context* step,
                        const node* n, double rate) {
  const vector turned = weft__rod_strain(n->start_frame, n->frame);
  const double spin = turned.z * rate;
  double* frame = rods->frame[segment];
  if (step->h == step->solved_h) {
    memcpy(frame, n->frame, sizeof(n->frame));
    rods->spin[segment] = spin;
    return;
  }
  const double share = (double)step->h / (double)step->solved_h;
  rods->spin[segment] += (spin - rods->spin[segment]) * share;
  const weft__frame axes = weft__rod_axes(n->start_frame);
  const vector bent = weft__plus(weft__scaled(turned.x * share, axes.axis[0]),
                                 weft__scaled(turned.y * share, axes.axis[1]));
  const double twisted = rods->spin[segment] * (double)step->h;
  memcpy(frame, n->start_frame, sizeof(n->start_frame));
  weft__rod_turn(frame, weft__plus(bent, weft__scaled(twisted, axes.axis[2])));
}

static void store_rod(const weft__rods* rods, uint32_t rod, weft__step_context* step,
                      const node* nodes) {
  weft__particles* p = step->particles;
  const uint32_t segments = weft__rod_segments(rods, rod);
  const uint32_t* particle = rods->particle + weft__rod_first_point(rods, rod);
  const double h = (double)step->solved_h;
  const double rate = 1.0 / (h * (1.0 + damping_at(step, particle[0]) * h));
  for (uint32_t k = 0; k <= segments; ++k) {
    const node* n = &nodes[k];
    if (n->is_free) weft__vec3_set(p->pos, particle[k], n->position);
    if (!n->is_whole) continue;
    const uint32_t segment = rods->first_segment[rod] + k - 1;
    store_frame(rods, segment, step, n, rate);
    rods->multiplier[segment] = n->multiplier;
  }
}

// Element at point k, between segments k and k + 1 or with a clamp. False if there is none.
static bool bend_at(const weft__rods* rods, uint32_t rod, uint32_t k, const double* before,
                    const double* after, weft__rod_bend* bend) {
  const double* rest = rods->rest[weft__rod_first_point(rods, rod) + k];
  const double inv_length = 1.0 / weft__rod_element_length(rods, rod, k);
  const double* stiffness = rods->stiffness[rod];
  if (before == NULL || after == NULL) return false;
  *bend = weft__rod_bend_of(
      before, after, (vector){rest[0], rest[1], rest[2]},
      (vector){stiffness[0] * inv_length, stiffness[1] * inv_length, stiffness[2] * inv_length});
  return true;
}

static const double* clamp_of(const weft__rods* rods, uint32_t rod, uint32_t side) {
  const weft__rod_end* end = &rods->end[2 * (size_t)rod + side];
  return end->is_clamped != 0 ? end->frame : NULL;
}

static void scale_bend(weft__rod_bend* bend, double step_sq) {
  const weft__symmetric stiffness = bend->stiffness;
  bend->moment = weft__scaled(step_sq, bend->moment);
  bend->stiffness = (weft__symmetric){0};
  add(&bend->stiffness, step_sq, &stiffness);
}

static void measure(const weft__rods* rods, uint32_t rod, node* nodes) {
  const uint32_t segments = weft__rod_segments(rods, rod);
  for (uint32_t k = 1; k <= segments; ++k) {
    node* n = &nodes[k];
    n->has_bend = n->has_parent_bend = false;
    if (!n->is_whole) continue;
    const vector edge = weft__minus(n->position, nodes[k - 1].position);
    n->axis = weft__rod_axes(n->frame).axis[2];
    n->length = n->compliance > 0.0 ? weft__dot(n->axis, edge) : n->rest_length;
    n->error = weft__minus(edge, weft__scaled(n->rest_length, n->axis));
    n->has_parent_bend = k > 1 && nodes[k - 1].is_whole;
    const double* before = k == 1 ? clamp_of(rods, rod, 0) : nodes[k - 1].frame;
    n->has_bend =
        (k == 1 || n->has_parent_bend) && bend_at(rods, rod, k - 1, before, n->frame, &n->bend);
    if (n->has_bend) scale_bend(&n->bend, 1.0 / rods->inv_step_sq);
  }
}

// Inertia of spin, like an element between the frame and the start's, turned only by spin.
static void add_spin(node* n) {
  if (n->is_unmoved) {
    weft__add_square(&n->w.pp, n->inertia, n->axis);
    return;
  }
  const weft__rod_bend spin = weft__rod_bend_of(
      n->start_frame, n->frame, (vector){0.0, 0.0, n->spun}, (vector){0.0, 0.0, n->inertia});
  n->w.p = weft__minus(n->w.p, spin.moment);
  add(&n->w.pp, 1.0, &spin.stiffness);
}

// Mass of the point; spin, tension and torque of the segment.
static void init_quadratic(node* n) {
  quadratic* w = &n->w;
  *w = (quadratic){.dd = {.xx = n->mass, .yy = n->mass, .zz = n->mass}};
  if (n->is_free) w->d = weft__scaled(-n->mass, weft__minus(n->position, n->start));
  if (!n->is_whole) return;
  w->p = n->torque;
  add_spin(n);
  if (n->multiplier > 0.0) weft__add_across(&w->pp, n->multiplier * n->length, n->axis);
}

static void add_last_bend(const weft__rods* rods, uint32_t rod, uint32_t segments, node* nodes) {
  weft__rod_bend bend;
  node* n = &nodes[segments];
  if (!n->is_whole || !bend_at(rods, rod, segments, n->frame, clamp_of(rods, rod, 1), &bend))
    return;
  scale_bend(&bend, 1.0 / rods->inv_step_sq);
  n->w.p = weft__plus(n->w.p, bend.moment);
  add(&n->w.pp, 1.0, &bend.stiffness);
}

// 1: the least over the stretch.
static void eliminate_stretch(node* n) {
  quadratic* w = &n->w;
  const matrix dd = full(&w->dd);
  const vector d = n->stretch_d = times(&dd, n->axis);
  const vector p = n->stretch_p = times(&w->pd, n->axis);
  const double s = n->stretch_s = weft__dot(n->axis, d) + 1.0 / n->compliance;
  const double share = (n->stretch_b = weft__dot(w->d, n->axis)) / s;
  weft__add_square(&w->dd, -1.0 / s, d);
  weft__add_square(&w->pp, -1.0 / s, p);
  w->pd.row[0] = weft__minus(w->pd.row[0], weft__scaled(p.x / s, d));
  w->pd.row[1] = weft__minus(w->pd.row[1], weft__scaled(p.y / s, d));
  w->pd.row[2] = weft__minus(w->pd.row[2], weft__scaled(p.z / s, d));
  w->d = weft__minus(w->d, weft__scaled(share, d));
  w->p = weft__minus(w->p, weft__scaled(share, p));
}

// 2: in terms of the move of the point before.
static quadratic shifted(const node* n) {
  const vector arm = weft__scaled(n->length, n->axis);
  const matrix dd = full(&n->w.dd);
  quadratic w = n->w;
  const matrix lever = times_lever(&dd, arm);
  const matrix raised = transposed(&lever);
  const matrix pd_lever = times_lever(&n->w.pd, arm);
  const matrix twice = times_lever(&raised, arm);
  add_symmetric(&w.pp, 2.0, &pd_lever);
  add_symmetric(&w.pp, 1.0, &twice);
  for (int k = 0; k < 3; ++k) w.pd.row[k] = weft__plus(w.pd.row[k], raised.row[k]);
  w.d = weft__plus(w.d, times(&dd, n->error));
  w.p = weft__plus(w.p, weft__plus(times(&n->w.pd, n->error), weft__cross(arm, w.d)));
  return w;
}

// 3 and 4: adds the bend and the least over the turn to the parent's W.
static void eliminate_turn(node* n, node* parent) {
  quadratic w = shifted(n);
  if (n->has_bend) {
    add(&w.pp, 1.0, &n->bend.stiffness);
    w.p = weft__minus(w.p, n->bend.moment);
  }
  const double trace = w.pp.xx + w.pp.yy + w.pp.zz;
  const weft__symmetric inverse = weft__inverse(&w.pp, PIVOT_SHARE * trace);
  n->turn_b = weft__times(&inverse, w.p);
  n->by_move = symmetric_product(&inverse, &w.pd);
  const matrix pd_transposed = transposed(&w.pd);
  const matrix softened = product(&pd_transposed, &n->by_move);
  add(&parent->w.dd, 1.0, &w.dd);
  add_symmetric(&parent->w.dd, -1.0, &softened);
  parent->w.d = weft__plus(parent->w.d, weft__minus(w.d, transposed_times(&w.pd, n->turn_b)));
  if (!n->has_parent_bend) return;
  const matrix bend = full(&n->bend.stiffness);
  n->by_turn = symmetric_product(&inverse, &bend);
  const matrix coupling = product(&bend, &n->by_move);
  const matrix stiffened = product(&bend, &n->by_turn);
  for (int k = 0; k < 3; ++k)
    parent->w.pd.row[k] = weft__plus(parent->w.pd.row[k], coupling.row[k]);
  add(&parent->w.pp, 1.0, &n->bend.stiffness);
  add_symmetric(&parent->w.pp, -1.0, &stiffened);
  parent->w.p = weft__plus(parent->w.p, weft__plus(n->bend.moment, times(&bend, n->turn_b)));
}

static void eliminate_all(const weft__rods* rods, uint32_t rod, node* nodes) {
  const uint32_t segments = weft__rod_segments(rods, rod);
  for (uint32_t k = 0; k <= segments; ++k) init_quadratic(&nodes[k]);
  add_last_bend(rods, rod, segments, nodes);
  for (uint32_t k = segments; k > 0; --k) {
    node* n = &nodes[k];
    if (!n->is_whole) continue;
    if (n->compliance > 0.0) eliminate_stretch(n);
    eliminate_turn(n, &nodes[k - 1]);
  }
}

static void move_root(node* n) {
  const weft__symmetric inverse = weft__inverse(&n->w.dd, n->mass);
  n->move = weft__times(&inverse, n->w.d);
  n->turn = (vector){0.0, 0.0, 0.0};
  n->change = 0.0;
}

static void move_behind(const node* parent, node* n) {
  n->turn = weft__minus(n->turn_b, times(&n->by_move, parent->move));
  if (n->has_parent_bend) n->turn = weft__plus(n->turn, times(&n->by_turn, parent->turn));
  const vector swing = weft__scaled(n->length, weft__cross(n->turn, n->axis));
  n->move = weft__minus(weft__plus(parent->move, swing), n->error);
  double tension;
  if (n->compliance > 0.0) {
    const double stretch =
        (n->stretch_b - weft__dot(n->stretch_d, n->move) - weft__dot(n->stretch_p, n->turn)) /
        n->stretch_s;
    n->move = weft__plus(n->move, weft__scaled(stretch, n->axis));
    tension = stretch / n->compliance;
  } else {
    const vector force = weft__minus(
        n->w.d, weft__plus(weft__times(&n->w.dd, n->move), transposed_times(&n->w.pd, n->turn)));
    tension = weft__dot(n->axis, force);
  }
  n->change = tension - n->multiplier;
}

// Returns the share of the moves that may be applied, 0 if one is not finite; *largest: turn,
// radians.
static double substitute_back(uint32_t segments, node* nodes, double* largest) {
  double sum = 0.0;
  double largest_sq = 0.0;
  for (uint32_t k = 0; k <= segments; ++k) {
    node* n = &nodes[k];
    if (!n->is_whole) {
      move_root(n);
      sum += weft__dot(n->move, n->move);
      continue;
    }
    move_behind(&nodes[k - 1], n);
    const double turned_sq = weft__dot(n->turn, n->turn);
    if (turned_sq > largest_sq) largest_sq = turned_sq;
    // 0 times infinity is NaN, which fails the test below
    sum += weft__dot(n->move, n->move) + turned_sq + 0.0 * n->change;
  }
  *largest = sqrt(largest_sq);
  if (!(sum <= DBL_MAX)) return 0.0;
  return *largest > MAX_TURN ? MAX_TURN / *largest : 1.0;
}

static void apply(uint32_t segments, node* nodes, double share) {
  for (uint32_t k = 0; k <= segments; ++k) {
    node* n = &nodes[k];
    if (n->is_free) n->position = weft__plus(n->position, weft__scaled(share, n->move));
    if (!n->is_whole) continue;
    weft__rod_turn(n->frame, weft__scaled(share, n->turn));
    n->is_unmoved = false;
    n->multiplier += share * n->change;
  }
}

static void turn_ends(const weft__rods* rods, uint32_t rod, double h) {
  for (uint32_t side = 0; side < 2; ++side) {
    weft__rod_end* end = &rods->end[2 * (size_t)rod + side];
    const vector spin = {end->spin[0], end->spin[1], end->spin[2]};
    if (end->is_clamped != 0) weft__rod_turn(end->frame, weft__scaled(h, spin));
  }
}

static void solve_points(const weft__rods* rods, uint32_t rod, uint32_t iterations,
                         weft__step_context* step, node* nodes) {
  const uint32_t segments = weft__rod_segments(rods, rod);
  if (!load_rod(rods, rod, step, nodes)) return;
  for (uint32_t i = 0; i < iterations; ++i) {
    double largest = 0.0;
    measure(rods, rod, nodes);
    eliminate_all(rods, rod, nodes);
    const double share = substitute_back(segments, nodes, &largest);
    // NaN or overflow: the rod stays
    if (share == 0.0) return;
    apply(segments, nodes, share);
    if (largest < CONVERGED_TURN) break;
  }
  store_rod(rods, rod, step, nodes);
}

static void solve_rod(const weft__rods* rods, uint32_t rod, uint32_t iterations,
                      weft__step_context* step, node* nodes) {
  turn_ends(rods, rod, (double)step->solved_h);
  solve_points(rods, rod, iterations, step, nodes);
  if (step->h < step->solved_h) turn_ends(rods, rod, (double)step->h - (double)step->solved_h);
}

typedef struct solve_args {
  const weft__rods* rods;
  uint32_t iterations;
  weft__step_context* step;
} solve_args;

static void solve_rods(void* context, weft__range range, uint32_t worker) {
  const solve_args* args = context;
  const weft__rods* rods = args->rods;
  for (uint32_t rod = range.begin; rod < range.end; ++rod) {
    const uint32_t first = weft__rod_first_point(rods, rod);
    if (weft__step_skips(args->step, rods->particle[first])) continue;
    const size_t at = rods->has_memory_by_worker ? (size_t)worker * rods->largest : first;
    solve_rod(rods, rod, args->iterations, args->step, rods->nodes + at);
  }
}

void weft__rods_solve(const weft__rods* rods, uint32_t iterations, weft__step_context* step) {
  solve_args args = {rods, iterations, step};
  weft__step_for(step, rods->rod_count, 1, solve_rods, &args);
}

void weft__rods_add_multipliers(const weft__rods* rods, float* multiplier) {
  for (uint32_t s = 0; s < rods->segment_count; ++s) {
    if (!weft__rod_is_torn(rods, s)) multiplier[rods->slot[s]] += (float)rods->multiplier[s];
  }
}

static bool present_bend(const weft__rods* rods, uint32_t rod, uint32_t k, weft__rod_bend* bend) {
  const uint32_t segments = weft__rod_segments(rods, rod);
  const uint32_t first = rods->first_segment[rod];
  const bool is_torn = (k > 0 && weft__rod_is_torn(rods, first + k - 1)) ||
                       (k < segments && weft__rod_is_torn(rods, first + k));
  const double* before = k > 0 ? rods->frame[first + k - 1] : clamp_of(rods, rod, 0);
  const double* after = k < segments ? rods->frame[first + k] : clamp_of(rods, rod, 1);
  return !is_torn && bend_at(rods, rod, k, before, after, bend);
}

weft__vec3 weft__rod_moment(const weft__rods* rods, uint32_t rod, uint32_t k) {
  weft__rod_bend bend;
  return present_bend(rods, rod, k, &bend) ? bend.moment : (vector){0.0, 0.0, 0.0};
}

double weft__rods_energy(const weft__rods* rods) {
  double sum = 0.0;
  for (uint32_t rod = 0; rod < rods->rod_count; ++rod) {
    for (uint32_t k = 0; k <= weft__rod_segments(rods, rod); ++k) {
      weft__rod_bend bend;
      if (present_bend(rods, rod, k, &bend)) sum += bend.energy;
    }
  }
  return sum;
}
