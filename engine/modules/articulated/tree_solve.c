#include "modules/articulated/tree_solve.h"

#include <float.h>
#include <math.h>

// compliance of a link to a pin, over the inverse mass at its other end
#define PIN_COMPLIANCE_SHARE 1e-6
// relative move of a link's ends in one iteration, in rest lengths
#define MAX_RELATIVE_MOVE 0.5
#define MAX_HALVINGS 5
// solves as contacts change
#define MAX_CONTACT_ROUNDS 3
// solves as nodes that stick share a load
#define BALANCE_ROUNDS 2
// solves as nodes begin to slide
#define MAX_SLIP_ROUNDS 8
// largest turn in two substeps of links that are corrected along their mean direction
#define MIN_COSINE 0.5
// share of the last offset that is dropped where the substep resolves no swing
#define UNRESOLVED_DAMPING 0.1
// squared phase of a swing in a substep from which hardly any of the last offset counts
#define STIFF_SWING 400.0
// in rest lengths: positions are single precision
#define CONVERGED_ERROR 1e-5

typedef weft__vec3 vector;
typedef weft__tree_joint joint;

static bool is_stuck(const joint* j) {
  return j->contacts != NULL && j->contacts->is_stuck;
}

// Adds the weighted offset a substep before. Returns the link's direction.
static vector take_mean(joint* j, vector offset, double length, double inv_masses) {
  const double swing = j->multiplier > 0.0 ? inv_masses * j->multiplier / length : 0.0;
  const double share =
      (1.0 - UNRESOLVED_DAMPING * swing / (1.0 + swing)) / (1.0 + swing / STIFF_SWING);
  if (j->compliance > 0.0) {
    const double past = j->compliance / (j->compliance + inv_masses);
    j->error = (j->error + past * (j->length_before - j->rest_length)) / (1.0 + past);
  }
  return weft__plus(offset, weft__scaled(share, j->before));
}

static void measure_link(joint* j, const joint* parent) {
  const vector offset = weft__minus(j->position, parent->position);
  const double length = weft__length(offset);
  vector along = offset;
  j->is_active = j->is_linked && length > 0.0;
  j->error = length - j->rest_length;
  if (weft__dot(offset, j->before) > MIN_COSINE * length * j->length_before) {
    along = take_mean(j, offset, length, j->inv_mass + parent->inv_mass);
  }
  const double inv_length = length > 0.0 ? 1.0 / weft__length(along) : 0.0;
  j->direction = weft__scaled(inv_length, along);
  j->stiffness = j->multiplier > 0.0 ? j->multiplier * inv_length : 0.0;
}

// Links between two nodes that stick have no error: penalties would turn its rounding into tension.
static void measure(joint* joints, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    joint* j = &joints[i];
    measure_link(j, &joints[j->parent]);
    if (is_stuck(j) && is_stuck(&joints[j->parent])) j->error = j->compliance * j->multiplier;
  }
}

// Squared errors; with_compliance: less the stretch that the multipliers allow.
static double sum_errors(const joint* joints, uint32_t count, bool with_compliance,
                         bool* converged) {
  double sum = 0.0;
  *converged = true;
  for (uint32_t i = 1; i < count; ++i) {
    const joint* j = &joints[i];
    if (!j->is_linked) continue;
    const double error = j->error - (with_compliance ? j->compliance * j->multiplier : 0.0);
    const double small = CONVERGED_ERROR * j->rest_length;
    sum += error * error;
    *converged &= error * error <= small * small;
  }
  return sum;
}

static void init_system(joint* j) {
  j->system = (weft__symmetric){.xx = j->mass, .yy = j->mass, .zz = j->mass};
  j->rhs = weft__scaled(-j->mass, weft__minus(j->position, j->start));
  if (j->contacts != NULL) weft__tree_add_penalties(j->contacts, j);
}

// P B^-1 P from u = B^-1 n: the inverse restricted to directions across the link.
static weft__symmetric inverse_across(const joint* j, double along) {
  const vector n = j->direction;
  const vector u = j->response;
  const weft__symmetric b = j->inverse;
  weft__symmetric across = {
      .xx = b.xx - 2.0 * n.x * u.x,
      .xy = b.xy - (n.x * u.y + n.y * u.x),
      .xz = b.xz - (n.x * u.z + n.z * u.x),
      .yy = b.yy - 2.0 * n.y * u.y,
      .yz = b.yz - (n.y * u.z + n.z * u.y),
      .zz = b.zz - 2.0 * n.z * u.z,
  };
  weft__add_square(&across, along, n);
  return across;
}

static void add_to_parent(const joint* j, joint* parent, double along) {
  const double k = 1.0 / j->inv_effective_mass;
  const double s = j->stiffness;
  weft__add_square(&parent->system, k, j->coupling);
  parent->rhs = weft__minus(parent->rhs, weft__scaled(k * j->residual, j->coupling));
  if (!(s > 0.0)) return;
  const weft__symmetric across = inverse_across(j, along);
  const double s_sq = s * s;
  weft__add_across(&parent->system, s, j->direction);
  parent->system.xx -= s_sq * across.xx;
  parent->system.xy -= s_sq * across.xy;
  parent->system.xz -= s_sq * across.xz;
  parent->system.yy -= s_sq * across.yy;
  parent->system.yz -= s_sq * across.yz;
  parent->system.zz -= s_sq * across.zz;
  parent->rhs = weft__plus(parent->rhs, weft__scaled(s, weft__across(j->direction, j->free_move)));
}

static void eliminate(joint* j, joint* parent) {
  j->inverse = (weft__symmetric){0};
  if (!j->is_active) j->stiffness = 0.0;
  if (j->inv_mass > 0.0) {
    weft__add_across(&j->system, j->stiffness, j->direction);
    j->inverse = weft__inverse(&j->system, j->mass);
  }
  j->response = weft__times(&j->inverse, j->direction);
  j->free_move = weft__times(&j->inverse, j->rhs);
  j->coupling = weft__minus(weft__scaled(j->stiffness, weft__across(j->direction, j->response)),
                            j->direction);
  const double along = weft__dot(j->direction, j->response);
  const double pin_compliance = j->inv_mass > 0.0 ? 0.0 : PIN_COMPLIANCE_SHARE * parent->inv_mass;
  j->inv_effective_mass = pin_compliance + j->compliance + (along > 0.0 ? along : 0.0);
  j->residual = j->error + pin_compliance * j->multiplier + weft__dot(j->direction, j->free_move);
  if (j->is_active && parent->inv_mass > 0.0) add_to_parent(j, parent, along);
}

static void eliminate_all(joint* joints, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) init_system(&joints[i]);
  for (uint32_t i = count; i-- > 1;) eliminate(&joints[i], &joints[joints[i].parent]);
  joint* root = &joints[0];
  root->inverse = (weft__symmetric){0};
  if (root->inv_mass > 0.0) root->inverse = weft__inverse(&root->system, root->mass);
}

static void compute_move(joint* j, vector parent_move) {
  if (!j->is_active) {
    j->move = j->free_move;
    j->change = -j->multiplier;
    return;
  }
  const double multiplier =
      (j->residual + weft__dot(j->coupling, parent_move)) / j->inv_effective_mass;
  const vector restored = weft__scaled(j->stiffness, weft__across(j->direction, parent_move));
  const vector driven =
      weft__minus(weft__times(&j->inverse, restored), weft__scaled(multiplier, j->response));
  j->move = weft__plus(j->free_move, driven);
  j->change = multiplier - j->multiplier;
}

// Returns the share of the moves that may be applied, 0 if one is not finite.
static double substitute_back(joint* joints, uint32_t count) {
  joints[0].move = weft__times(&joints[0].inverse, joints[0].rhs);
  double sum = weft__dot(joints[0].move, joints[0].move);
  double largest_sq = MAX_RELATIVE_MOVE * MAX_RELATIVE_MOVE;
  for (uint32_t i = 1; i < count; ++i) {
    joint* j = &joints[i];
    const vector parent_move = joints[j->parent].move;
    compute_move(j, parent_move);
    // 0 times infinity is NaN, which fails the test below
    sum += weft__dot(j->move, j->move) + 0.0 * j->change;
    if (!j->is_linked) continue;
    const vector relative = weft__minus(j->move, parent_move);
    const double relative_sq = weft__dot(relative, relative);
    const double bound = j->rest_length * j->rest_length;
    if (relative_sq > largest_sq * bound) largest_sq = relative_sq / bound;
  }
  return sum <= DBL_MAX ? MAX_RELATIVE_MOVE / sqrt(largest_sq) : 0.0;
}

static void move(joint* joints, uint32_t count, double share) {
  joints[0].position = weft__plus(joints[0].position, weft__scaled(share, joints[0].move));
  for (uint32_t i = 1; i < count; ++i) {
    joint* j = &joints[i];
    j->position = weft__plus(j->position, weft__scaled(share, j->move));
    j->multiplier += share * j->change;
  }
}

// Damped iteration. False, with nothing moved, if the sum of squared errors would not fall.
static bool iterate(joint* joints, uint32_t count, double* sum, bool* converged) {
  eliminate_all(joints, count);
  double share = substitute_back(joints, count);
  if (share == 0.0) return false;
  move(joints, count, share);
  for (int halvings = 0; halvings <= MAX_HALVINGS; ++halvings) {
    measure(joints, count);
    const double after = sum_errors(joints, count, true, converged);
    if (after < *sum) {
      *sum = after;
      return true;
    }
    share *= 0.5;
    move(joints, count, -share);
  }
  move(joints, count, -share);
  return false;
}

static bool has_no_tension(const joint* joints, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    if (joints[i].multiplier != 0.0) return false;
  }
  return true;
}

// Multipliers of a trial iteration, without its moves: if nothing were taut, a loaded rope would be
// out of shape for many steps.
static void guess_multipliers(joint* joints, uint32_t count) {
  if (!has_no_tension(joints, count)) return;
  eliminate_all(joints, count);
  if (substitute_back(joints, count) == 0.0) return;
  for (uint32_t i = 1; i < count; ++i) joints[i].multiplier += joints[i].change;
  measure(joints, count);
}

// True if converged; *moved: errors have fallen.
static bool run_newton(joint* joints, uint32_t count, uint32_t iterations, bool* moved) {
  measure(joints, count);
  bool converged = true;
  double sum = sum_errors(joints, count, false, &converged);
  // NaN or overflow: the tree stays
  if (!(sum <= DBL_MAX)) return false;
  if (converged) return true;
  guess_multipliers(joints, count);
  for (uint32_t i = 0; i < iterations && !converged; ++i) {
    if (!iterate(joints, count, &sum, &converged)) break;
    *moved = true;
  }
  return converged;
}

static void act_along_present(joint* joints, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) {
    joints[n].before = (vector){0.0, 0.0, 0.0};
    joints[n].length_before = 0.0;
  }
}

// Once more from the start if the tree turns too fast for mean directions.
static bool solve(joint* joints, uint32_t count, uint32_t iterations, bool* moved) {
  const bool along_mean = joints[count - 1].length_before > 0.0;
  if (run_newton(joints, count, iterations, moved)) return true;
  if (!along_mean) return false;
  act_along_present(joints, count);
  for (uint32_t n = 0; n < count; ++n) {
    joints[n].position = joints[n].start;
    joints[n].multiplier = joints[n].first_multiplier;
  }
  *moved = false;
  return run_newton(joints, count, iterations, moved);
}

// Links of a tree in contact act along their present directions.
static bool add_contacts(const weft__tree_in_contact* tree) {
  if (!weft__tree_add_contacts(tree)) return false;
  act_along_present(tree->joints, tree->count);
  return true;
}

static bool solve_in_contact(const weft__tree_in_contact* tree, uint32_t iterations) {
  const uint32_t count = tree->count;
  bool moved = false;
  (void)add_contacts(tree);
  bool converged = solve(tree->joints, count, iterations, &moved);
  for (int round = 0; moved && round < MAX_CONTACT_ROUNDS; ++round) {
    const bool left = weft__tree_drop_contacts(tree);
    if (!add_contacts(tree) && !left) break;
    weft__tree_restart(tree);
    converged = solve(tree->joints, count, iterations, &moved);
  }
  if (!moved || !converged || !weft__tree_stick(tree)) return moved;
  weft__tree_restart(tree);
  converged = solve(tree->joints, count, iterations, &moved);
  for (int round = 0;
       round < BALANCE_ROUNDS && weft__tree_overloads(tree) && weft__tree_balance(tree); ++round) {
    weft__tree_restart(tree);
    converged = solve(tree->joints, count, iterations, &moved);
  }
  for (int round = 0; round < MAX_SLIP_ROUNDS && weft__tree_slip(tree); ++round) {
    weft__tree_restart(tree);
    converged = solve(tree->joints, count, iterations, &moved);
  }
  if (!converged) weft__tree_restore_frictionless(tree);
  return moved;
}

// times h^2, in the right-hand sides
static void sum_link_forces(joint* joints, uint32_t count) {
  measure(joints, count);
  for (uint32_t n = 0; n < count; ++n) joints[n].rhs = (vector){0.0, 0.0, 0.0};
  for (uint32_t n = 1; n < count; ++n) {
    joint* j = &joints[n];
    const vector force = weft__scaled(j->multiplier, j->direction);
    j->rhs = weft__minus(j->rhs, force);
    joints[j->parent].rhs = weft__plus(joints[j->parent].rhs, force);
  }
}

// Impulse beyond the links' forces, times h: contacts', or the solve's residual.
static vector excess_of(const weft__tree_in_contact* tree, uint32_t n) {
  const joint* j = &tree->joints[n];
  const vector moved =
      weft__minus(weft__vec3_at(tree->particles->pos, tree->particle[n]), j->start);
  return weft__minus(weft__scaled(j->mass, moved), j->rhs);
}

// Residual of nodes without contacts, divided among those with.
static vector rest_of(const weft__tree_in_contact* tree) {
  vector rest = {0.0, 0.0, 0.0};
  uint32_t touching = 0;
  for (uint32_t n = 0; n < tree->count; ++n) {
    if (tree->nodes[n].count > 0) {
      ++touching;
    } else if (tree->joints[n].inv_mass > 0.0) {
      rest = weft__plus(rest, excess_of(tree, n));
    }
  }
  return weft__scaled(touching > 0 ? 1.0 / (double)touching : 0.0, rest);
}

static void record_contacts(const weft__tree_solver* solver, const weft__trees* trees,
                            uint32_t worker, const weft__tree_in_contact* tree) {
  const double rate = trees->inv_step_sq * (double)solver->step->h;
  sum_link_forces(tree->joints, tree->count);
  const vector rest = rest_of(tree);
  for (uint32_t n = 0; n < tree->count; ++n) {
    const weft__tree_node_contacts* node = &tree->nodes[n];
    const vector all = weft__plus(excess_of(tree, n), rest);
    for (uint32_t k = 0; k < node->count; ++k) {
      const weft__tree_plane* plane = &node->at[k];
      if (plane->source < WEFT__TREE_WALLS) continue;
      const vector share = weft__tree_impulse_share(node, &tree->joints[n], all, k);
      solver->record(solver->step, worker, tree->particle[n], plane, weft__scaled(rate, share));
    }
  }
}

// Cold start of the next substep: an unsolved tree carries no tension.
static void clear_multipliers(const weft__trees* trees, uint32_t first, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) trees->multiplier[first + n] = 0.0;
}

// A tree that is held, as in sleep, has nothing to solve.
static bool has_free_node(const weft__trees* trees, uint32_t first, uint32_t count,
                          const weft__particles* particles) {
  for (uint32_t n = first; n < first + count; ++n) {
    if (particles->inv_mass[trees->particle[n]] > 0.0f) return true;
  }
  return false;
}

static void find_contacts(const weft__tree_solver* solver, uint32_t worker,
                          const weft__tree_in_contact* tree) {
  weft__tree_clear_contacts(tree);
  for (uint32_t n = 0; n < tree->count; ++n) tree->joints[n].contacts = &tree->nodes[n];
  if (solver->find_planes == NULL) return;
  solver->find_planes(solver->step, worker, tree->particle, tree->count, tree->joints, tree->nodes);
}

void weft__tree_solve(const weft__tree_solver* solver, const weft__trees* trees, uint32_t tree,
                      uint32_t worker, const weft__tree_memory* memory) {
  weft__step_context* step = solver->step;
  const uint32_t first = trees->first_node[tree];
  const uint32_t count = trees->first_node[tree + 1] - first;
  joint* joints = memory->joints;
  if (!has_free_node(trees, first, count, step->particles)) {
    clear_multipliers(trees, first, count);
    return;
  }
  weft__tree_load(trees, tree, step, joints);
  bool moved = false;
  const weft__tree_in_contact contact = {step->bounds, step->particles, trees->particle + first,
                                         count,        joints,          memory->nodes};
  if (step->bounds->on || solver->find_planes != NULL) {
    find_contacts(solver, worker, &contact);
    moved = solve_in_contact(&contact, solver->iterations);
  } else {
    (void)solve(joints, count, solver->iterations, &moved);
  }
  if (moved) {
    weft__tree_store(trees, tree, step, joints);
    if (solver->record != NULL) record_contacts(solver, trees, worker, &contact);
  } else {
    clear_multipliers(trees, first, count);
  }
}

void weft__trees_add_multipliers(const weft__trees* trees, float* multiplier) {
  for (uint32_t tree = 0; tree < trees->tree_count; ++tree) {
    // the root has no link
    for (uint32_t n = trees->first_node[tree] + 1; n < trees->first_node[tree + 1]; ++n) {
      multiplier[trees->slot[n]] += (float)trees->multiplier[n];
    }
  }
}

typedef struct solve_args {
  const weft__trees* trees;
  const weft__tree_solver* solver;
} solve_args;

static void solve_shares(void* context, weft__range shares, uint32_t worker) {
  const solve_args* args = context;
  const weft__trees* trees = args->trees;
  for (uint32_t share = shares.begin; share < shares.end; ++share) {
    const size_t at = trees->first_joint[trees->has_memory_by_worker ? worker : share];
    const weft__tree_memory memory = {trees->memory.joints + at, trees->memory.nodes + at};
    for (uint32_t t = trees->first_tree[share]; t < trees->first_tree[share + 1]; ++t) {
      if (trees->solves != NULL && trees->solves[t] == 0) continue;
      if (weft__step_skips(args->solver->step, trees->particle[trees->first_node[t]])) continue;
      weft__tree_solve(args->solver, trees, t, worker, &memory);
    }
  }
}

void weft__trees_solve(const weft__trees* trees, const weft__tree_solver* solver) {
  solve_args args = {trees, solver};
  weft__step_for(solver->step, trees->share_count, 1, solve_shares, &args);
}
