#include "solvers/direct/solve.h"

#include <float.h>
#include <math.h>

#include "solvers/direct/walls.h"

// what a link to a pin gives way, as a share of what its other end would by itself
#define SOFTNESS 1e-6
// the most that the ends of a link move relative to each other, in rest lengths of it
#define MOST_TURN 0.5
#define MOST_HALVINGS 5
// times that a tree is solved anew as it comes to walls or off them
#define MOST_ROUNDS 3
// errors, in rest lengths, that are not worth an iteration: positions are single precision
#define SMALL_ERROR 1e-5

typedef weft__vec3 vector;
typedef weft__tree_joint joint;

// ---- in and out ----

// whether a node stands for a pin that was freed and whose link is left to the sweeps
static bool lets_go(const weft__trees* trees, const weft__particles* particles, uint32_t node) {
  return trees->pin[node] == WEFT__PIN_LET_GO && particles->inv_mass[trees->particle[node]] > 0.0f;
}

static bool is_gone(const weft__trees* trees, uint32_t node) {
  return !weft__is_marked(trees->lane_mask, trees->slot[node]);
}

static void load_joint(const weft__trees* trees, const weft__particles* particles, uint32_t node,
                       joint* j) {
  const uint32_t i = trees->particle[node];
  const bool is_held = trees->pin[node] != WEFT__PIN_OWN;
  j->position = (vector){(double)particles->pos_x[i], (double)particles->pos_y[i],
                         (double)particles->pos_z[i]};
  j->start = j->position;
  j->inv_mass = is_held ? 0.0 : (double)particles->inv_mass[i];
  j->mass = j->inv_mass > 0.0 ? 1.0 / j->inv_mass : 0.0;
  j->rest_length = (double)trees->rest_length[node];
  j->give = (double)trees->compliance[node] * trees->inv_step_sq;
  j->multiplier = trees->multiplier[node] * trees->rescale;
  j->parent = trees->parent[node];
  j->is_held = false;
  j->wall[0] = j->wall[1] = j->wall[2] = 0;
  j->held_mass = (vector){0.0, 0.0, 0.0};
  // 0 times what the last tree left here is no number that all workers share
  j->held_at = j->position;
}

static void load_tree(const weft__trees* trees, uint32_t first, uint32_t count,
                      const weft__particles* particles, joint* joints) {
  load_joint(trees, particles, first, joints);
  joints[0].is_linked = false;
  for (uint32_t i = 1; i < count; ++i) {
    joint* j = &joints[i];
    load_joint(trees, particles, first + i, j);
    j->is_linked = joints[j->parent].inv_mass + j->inv_mass > 0.0 && !is_gone(trees, first + i) &&
                   !lets_go(trees, particles, first + i) &&
                   !lets_go(trees, particles, first + j->parent);
    if (!j->is_linked) j->multiplier = 0.0;
  }
}

static void store_tree(const weft__trees* trees, uint32_t first, uint32_t count,
                       const weft__particles* particles, const joint* joints) {
  for (uint32_t n = 0; n < count; ++n) {
    trees->multiplier[first + n] = joints[n].multiplier;
    if (!(joints[n].inv_mass > 0.0)) continue;
    const uint32_t i = trees->particle[first + n];
    const joint* j = &joints[n];
    // beyond walls as it was: what it meets them with is for the bounds
    particles->pos_x[i] = (float)(j->wall[0] == 0 ? j->position.x : j->met_at.x);
    particles->pos_y[i] = (float)(j->wall[1] == 0 ? j->position.y : j->met_at.y);
    particles->pos_z[i] = (float)(j->wall[2] == 0 ? j->position.z : j->met_at.z);
  }
}

// the tree is left as it is: nothing pulls
static void forget_multipliers(const weft__trees* trees, uint32_t first, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) trees->multiplier[first + n] = 0.0;
}

// ---- how far the tree is from a solution ----

// Takes directions and errors from the positions, and how stiff each link makes its turning.
static void measure(joint* joints, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    joint* j = &joints[i];
    const vector from_parent = weft__minus(j->position, joints[j->parent].position);
    const double length = sqrt(weft__dot(from_parent, from_parent));
    const double inv_length = length > 0.0 ? 1.0 / length : 0.0;
    j->along = weft__scaled(inv_length, from_parent);
    j->acts = j->is_linked && length > 0.0;
    j->error = length - j->rest_length;
    j->stiffness = j->multiplier > 0.0 ? j->multiplier * inv_length : 0.0;
  }
}

// The sum of the squared errors; `pulling`: with what the multipliers make links give way. *settled: all
// are small.
static double sum_errors(const joint* joints, uint32_t count, bool pulling, bool* settled) {
  double sum = 0.0;
  *settled = true;
  for (uint32_t i = 1; i < count; ++i) {
    const joint* j = &joints[i];
    if (!j->is_linked) continue;
    const double error = j->error - (pulling ? j->give * j->multiplier : 0.0);
    const double small = SMALL_ERROR * j->rest_length;
    sum += error * error;
    *settled &= error * error <= small * small;
  }
  return sum;
}

// ---- towards the root ----

// the node itself, before its children are added
static void start_sum(joint* j) {
  j->sum = (weft__symmetric){.xx = j->mass, .yy = j->mass, .zz = j->mass};
  j->drag = weft__scaled(-j->mass, weft__minus(j->position, j->start));
  if (!j->is_held) return;
  const vector m = j->held_mass;
  const vector off = weft__minus(j->position, j->held_at);
  j->sum.xx += m.x;
  j->sum.yy += m.y;
  j->sum.zz += m.z;
  j->drag = weft__minus(j->drag, (vector){m.x * off.x, m.y * off.y, m.z * off.z});
}

// P B^-1 P, from u = B^-1 n: what of the inverse is across the link
static weft__symmetric inverse_across(const joint* j, double along) {
  const vector n = j->along;
  const vector u = j->yield;
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
  const double k = 1.0 / j->softness;
  const double s = j->stiffness;
  weft__add_square(&parent->sum, k, j->lead);
  parent->drag = weft__minus(parent->drag, weft__scaled(k * j->residual, j->lead));
  if (!(s > 0.0)) return;
  const weft__symmetric across = inverse_across(j, along);
  const double s_sq = s * s;
  weft__add_across(&parent->sum, s, j->along);
  parent->sum.xx -= s_sq * across.xx;
  parent->sum.xy -= s_sq * across.xy;
  parent->sum.xz -= s_sq * across.xz;
  parent->sum.yy -= s_sq * across.yy;
  parent->sum.yz -= s_sq * across.yz;
  parent->sum.zz -= s_sq * across.zz;
  parent->drag = weft__plus(parent->drag, weft__scaled(s, weft__across(j->along, j->pull)));
}

// eliminates a node whose children are done
static void eliminate(joint* j, joint* parent) {
  j->inverse = (weft__symmetric){0};
  if (!j->acts) j->stiffness = 0.0;
  if (j->inv_mass > 0.0) {
    weft__add_across(&j->sum, j->stiffness, j->along);
    j->inverse = weft__inverse(&j->sum, j->mass);
  }
  j->yield = weft__times(&j->inverse, j->along);
  j->pull = weft__times(&j->inverse, j->drag);
  j->lead = weft__minus(weft__scaled(j->stiffness, weft__across(j->along, j->yield)), j->along);
  const double along = weft__dot(j->along, j->yield);
  const double soft = j->inv_mass > 0.0 ? 0.0 : SOFTNESS * parent->inv_mass;
  j->softness = soft + j->give + (along > 0.0 ? along : 0.0);
  j->residual = j->error + soft * j->multiplier + weft__dot(j->along, j->pull);
  if (j->acts && parent->inv_mass > 0.0) add_to_parent(j, parent, along);
}

static void go_up(joint* joints, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) start_sum(&joints[i]);
  for (uint32_t i = count; i-- > 1;) eliminate(&joints[i], &joints[joints[i].parent]);
  joint* root = &joints[0];
  root->inverse = (weft__symmetric){0};
  if (root->inv_mass > 0.0) root->inverse = weft__inverse(&root->sum, root->mass);
}

// ---- towards the leaves ----

static void find_move(joint* j, vector parents_move) {
  if (!j->acts) {
    j->move = j->pull;
    j->change = -j->multiplier;
    return;
  }
  const double multiplier = (j->residual + weft__dot(j->lead, parents_move)) / j->softness;
  const vector turned = weft__scaled(j->stiffness, weft__across(j->along, parents_move));
  const vector follows =
      weft__minus(weft__times(&j->inverse, turned), weft__scaled(multiplier, j->yield));
  j->move = weft__plus(j->pull, follows);
  j->change = multiplier - j->multiplier;
}

// Finds all moves; returns how much of them may be made, nothing where they are no numbers.
static double go_down(joint* joints, uint32_t count) {
  joints[0].move = weft__times(&joints[0].inverse, joints[0].drag);
  double sum = weft__dot(joints[0].move, joints[0].move);
  double most = MOST_TURN * MOST_TURN;
  for (uint32_t i = 1; i < count; ++i) {
    joint* j = &joints[i];
    const vector parents_move = joints[j->parent].move;
    find_move(j, parents_move);
    // infinity times 0 is no number either
    sum += weft__dot(j->move, j->move) + 0.0 * j->change;
    if (!j->is_linked) continue;
    const vector turn = weft__minus(j->move, parents_move);
    const double turn_sq = weft__dot(turn, turn);
    const double bound = j->rest_length * j->rest_length;
    if (turn_sq > most * bound) most = turn_sq / bound;
  }
  return sum <= DBL_MAX ? MOST_TURN / sqrt(most) : 0.0;
}

static void move(joint* joints, uint32_t count, double share) {
  joints[0].position = weft__plus(joints[0].position, weft__scaled(share, joints[0].move));
  for (uint32_t i = 1; i < count; ++i) {
    joint* j = &joints[i];
    j->position = weft__plus(j->position, weft__scaled(share, j->move));
    j->multiplier += share * j->change;
  }
}

// ---- the whole ----

// One iteration; `sum` is that of the squared errors. False when it would not fall, and nothing is moved.
static bool iterate(joint* joints, uint32_t count, double* sum, bool* settled) {
  go_up(joints, count);
  double share = go_down(joints, count);
  if (share == 0.0) return false;
  move(joints, count, share);
  for (int halvings = 0; halvings <= MOST_HALVINGS; ++halvings) {
    measure(joints, count);
    const double after = sum_errors(joints, count, true, settled);
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

static bool is_slack(const joint* joints, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    if (joints[i].multiplier != 0.0) return false;
  }
  return true;
}

// Where there are no multipliers of a last step, takes those that an iteration finds without its moves:
// moved as if nothing were taut, a loaded rope would be out of shape for many steps.
static void guess_multipliers(joint* joints, uint32_t count) {
  if (!is_slack(joints, count)) return;
  go_up(joints, count);
  if (go_down(joints, count) == 0.0) return;
  for (uint32_t i = 1; i < count; ++i) joints[i].multiplier += joints[i].change;
  measure(joints, count);
}

// Solves a tree as it stands. *moved: it has made it better.
static bool solve(joint* joints, uint32_t count, uint32_t iterations, bool* moved) {
  measure(joints, count);
  bool settled = true;
  double sum = sum_errors(joints, count, false, &settled);
  // numbers that are none, or too large, are none of ours
  if (!(sum <= DBL_MAX)) return false;
  if (settled) return true;
  guess_multipliers(joints, count);
  for (uint32_t i = 0; i < iterations && !settled; ++i) {
    if (!iterate(joints, count, &sum, &settled)) break;
    *moved = true;
  }
  return settled;
}

static bool solve_in_box(const weft__tree_in_bounds* tree, uint32_t iterations) {
  const uint32_t count = tree->count;
  bool moved = false;
  (void)weft__tree_meet_walls(tree);
  bool settled = solve(tree->joints, count, iterations, &moved);
  for (int round = 0; moved && round < MOST_ROUNDS; ++round) {
    const bool left = weft__tree_leave_walls(tree);
    if (!weft__tree_meet_walls(tree) && !left) break;
    weft__tree_start_anew(tree);
    settled = solve(tree->joints, count, iterations, &moved);
  }
  if (!moved || !settled || !(tree->bounds->friction > 0.0f)) return moved;
  if (!weft__tree_stick(tree)) return moved;
  weft__tree_start_anew(tree);
  settled = solve(tree->joints, count, iterations, &moved);
  if (weft__tree_slip(tree)) {
    weft__tree_start_anew(tree);
    settled = solve(tree->joints, count, iterations, &moved);
  }
  if (!settled) weft__tree_go_back(tree);
  return moved;
}

void weft__tree_solve(const weft__trees* trees, uint32_t tree, const weft__particles* particles,
                      const weft__bounds* bounds, uint32_t iterations, weft__tree_joint* joints) {
  const uint32_t first = trees->first_node[tree];
  const uint32_t count = trees->first_node[tree + 1] - first;
  load_tree(trees, first, count, particles, joints);
  bool moved = false;
  if (bounds->on) {
    const weft__tree_in_bounds box = {bounds, particles, trees->particle + first, count, joints};
    moved = solve_in_box(&box, iterations);
  } else {
    (void)solve(joints, count, iterations, &moved);
  }
  if (moved) {
    store_tree(trees, first, count, particles, joints);
  } else {
    forget_multipliers(trees, first, count);
  }
}

void weft__trees_solve(const weft__trees* trees, const weft__particles* particles,
                       const weft__bounds* bounds, uint32_t iterations, uint32_t worker) {
  weft__tree_joint* joints = trees->joints + trees->first_joint[worker];
  uint32_t turn = 0;
  uint32_t share = 0;
  while (weft__trees_take(trees, worker, &turn, &share)) {
    for (uint32_t t = trees->first_tree[share]; t < trees->first_tree[share + 1]; ++t) {
      weft__tree_solve(trees, t, particles, bounds, iterations, joints);
    }
  }
}
