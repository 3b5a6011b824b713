/* Plant with recursive forks, and supports that keep its branches from sagging.
 *
 *       3     4          trunk and branches   0-1, 1-2 .., solved directly
 *        \   / .         supports             from a branch's end to its grandparent (0-3), between
 *         \ /   .                             the branches of a fork (3-4), from the roots to the
 *          1     .                            trunk's top; if not flat, also to the next branch of
 *          |      .                           the parent fork, or a root, as a fork could otherwise
 *     r - -0- - r                             rotate about the branch it grows from
 *
 * A support nearly as long as the two branches that it spans hardly resists small bends; links
 * across forks turn them into triangles.
 *
 * Masses follow the pipe model: branches above a fork have the cross-section of the one below; a
 * branch's mass is at its end. (Shinozaki et al. 1964, "A quantitative analysis of plant form") */
#include <math.h>

#include "base/float_mode.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/min_max.h"
#include "libraries/bodies/draft.h"
#include "libraries/bodies/turn.h"

#define MAX_NODES 1000000u

// End of a branch while its children grow.
typedef struct node {
  uint32_t parent;
  uint32_t sibling;     // next branch of the fork, in a ring; the trunk: itself
  double direction[3];  // unit; of the branch that ends here
  double length;        // metres of that branch
  double thickness;     // its mass a metre, over the trunk's
  uint32_t generation;  // 0: the trunk
  double compliance;    // for its supports
} node;

typedef struct grower {
  const weft_tree_def* def;
  weft__draft* draft;
  node* nodes;
  uint64_t random;
} grower;

static uint64_t leaves_of(const weft_tree_def* def) {
  uint64_t count = 1;
  for (uint32_t d = 0; d < def->depth && count <= MAX_NODES; ++d) count *= def->branches;
  return count;
}

static uint64_t branches_of(const weft_tree_def* def) {
  uint64_t count = 1;
  uint64_t generation = 1;
  for (uint32_t d = 0; d < def->depth && count <= MAX_NODES; ++d) {
    generation *= def->branches;
    count += generation;
  }
  return count;
}

static uint32_t roots_of(const weft_tree_def* def) {
  return def->flat ? 2 : 3;
}

// A ring between a fork's branches, or one link for two.
static uint64_t ring_of(const weft_tree_def* def) {
  return def->branches > 2 ? def->branches : 1;
}

static uint64_t count_links(const weft_tree_def* def) {
  const uint64_t branches = branches_of(def);
  const uint64_t forks = (branches - 1) / def->branches;
  return branches + roots_of(def) + (branches - 1) + forks * ring_of(def) +
         (def->flat ? 0 : branches - 1);
}

static weft_result check_def(const weft_tree_def* def) {
  WEFT__TRY(weft__check_def(&weft__tree_fields, def));
  WEFT__FAIL_IF(branches_of(def) > MAX_NODES, WEFT_ERROR_TOO_MANY, "weft_tree_def.depth");
  return weft__ok();
}

// Uniform from -1 to 1 (SplitMix64: Steele, Lea, Flood 2014).
static double draw_random(grower* g) {
  g->random += WEFT__SPLITMIX_STEP;
  return (double)(int64_t)(weft__mix64(g->random) >> 11) * 0x1p-52 - 1.0;
}

static void cross(const double a[3], const double b[3], double product[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3;
    const int last = (axis + 2) % 3;
    product[axis] = a[next] * b[last] - a[last] * b[next];
  }
}

// Perpendicular unit vector, in the plane if there is one.
static void find_side(const double direction[3], double side[3]) {
  const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
  const double fallback[3] = {1.0, 0.0, 0.0};
  const double found[3] = {direction[1] / length, -direction[0] / length, 0.0};
  for (int axis = 0; axis < 3; ++axis) side[axis] = length > 1e-3 ? found[axis] : fallback[axis];
}

// Fan in the plane, or a cone.
static void turn_branch(grower* g, const node* parent, uint32_t number, double direction[3]) {
  const double* from = parent->direction;
  const weft_tree_def* def = g->def;
  const double count = (double)def->branches;
  const double index = (double)number;
  const double noise = (double)def->irregularity * draw_random(g);
  double lean = (double)def->spread;
  weft__turn around = {1.0, 0.0};
  if (def->flat) {
    // less than halfway to the next branch
    lean *= 2.0 * (index + 0.3 * noise) / (count - 1.0) - 1.0;
  } else {
    lean *= 1.0 + 0.5 * noise;
    // forks are perpendicular to their parent forks
    const double quarters = (double)(parent->generation % 4);
    around = weft__turn_by(2.0 * WEFT__PI * (index / count + 0.25 * quarters) +
                           0.5 * (double)def->irregularity * draw_random(g) / count);
  }
  const weft__turn turn = weft__turn_by(lean);
  double side[3];
  double other[3];
  find_side(from, side);
  cross(from, side, other);
  for (int axis = 0; axis < 3; ++axis) {
    const double out = side[axis] * around.cosine + other[axis] * around.sine;
    direction[axis] = from[axis] * turn.cosine + out * turn.sine;
  }
}

static void grow_child(grower* g, uint32_t parent, uint32_t number) {
  const node* from = &g->nodes[parent];
  const double length_noise = 1.0 + 0.5 * (double)g->def->irregularity * draw_random(g);
  const double length = from->length * (double)g->def->length_ratio * length_noise;
  double direction[3];
  turn_branch(g, from, number, direction);
  const double* base = g->draft->local_positions[parent];
  const uint32_t i = weft__draft_add_particle(g->draft, base[0] + length * direction[0],
                                              base[1] + length * direction[1],
                                              base[2] + length * direction[2], 0.0);
  const uint32_t first = i - number;
  g->nodes[i] = (node){.parent = parent,
                       .sibling = number + 1 < g->def->branches ? i + 1 : first,
                       .direction = {direction[0], direction[1], direction[2]},
                       .length = length,
                       .generation = from->generation + 1,
                       .thickness = from->thickness / (double)g->def->branches,
                       .compliance = from->compliance * (double)g->def->softening};
}

static void grow(grower* g) {
  const weft_tree_def* def = g->def;
  const double length = (double)def->length;
  const uint32_t branches = (uint32_t)branches_of(def);
  (void)weft__draft_add_particle(g->draft, 0.0, 0.0, 0.0, 0.0);
  (void)weft__draft_add_particle(g->draft, 0.0, length, 0.0, 0.0);
  g->nodes[0] = (node){.direction = {0.0, 1.0, 0.0}};
  g->nodes[1] = (node){.sibling = 1,
                       .direction = {0.0, 1.0, 0.0},
                       .length = length,
                       .thickness = 1.0,
                       .compliance = (double)def->bend_compliance};
  for (uint32_t parent = 1; g->draft->particle_count <= branches; ++parent) {
    for (uint32_t n = 0; n < def->branches; ++n) grow_child(g, parent, n);
  }
  for (uint32_t r = 0; r < roots_of(def); ++r) {
    const weft__turn turn = weft__turn_of((double)r, (double)roots_of(def));
    (void)weft__draft_add_particle(g->draft, 0.5 * length * turn.cosine, 0.0,
                                   0.5 * length * turn.sine, 0.0);
  }
}

static void set_masses(grower* g) {
  const uint32_t end = (uint32_t)branches_of(g->def) + 1;
  double sum = 0.0;
  for (uint32_t i = 1; i < end; ++i) sum += g->nodes[i].length * g->nodes[i].thickness;
  for (uint32_t i = 1; i < end; ++i) {
    const double share = g->nodes[i].length * g->nodes[i].thickness / sum;
    g->draft->inverse_masses[i] = (float)(1.0 / (share * (double)g->def->mass));
  }
}

static void support(grower* g, uint32_t a, uint32_t b, double compliance) {
  const weft_link_def kind = {
      .relaxation = 1.0f,
      .kind = WEFT_LINK_SUPPORT,
      .compliance = (float)weft__min(compliance, (double)WEFT__MAX_COMPLIANCE)};
  weft__draft_link(g->draft, &kind, a, b);
}

static uint32_t parent_sibling_of(const grower* g, uint32_t i) {
  const uint32_t parent = g->nodes[i].parent;
  if (g->nodes[parent].sibling != parent) return g->nodes[parent].sibling;
  return (uint32_t)branches_of(g->def) + 1 + (i - 1) % roots_of(g->def);
}

static void support_branch(grower* g, uint32_t i) {
  const node* n = &g->nodes[i];
  const node* parent = &g->nodes[n->parent];
  support(g, parent->parent, i, n->compliance);
  const bool closes = n->sibling < i;
  const bool once = closes && g->def->branches == 2;
  if (!once) support(g, i, n->sibling, n->compliance);
  if (!g->def->flat) support(g, i, parent_sibling_of(g, i), n->compliance);
}

static void link_all(grower* g) {
  const uint32_t end = (uint32_t)branches_of(g->def) + 1;
  const weft_link_def branch = {.relaxation = 1.0f, .tear_ratio = g->def->tear_ratio};
  for (uint32_t i = 1; i < end; ++i) weft__draft_link(g->draft, &branch, g->nodes[i].parent, i);
  for (uint32_t r = 0; r < roots_of(g->def); ++r) support(g, end + r, 1, g->nodes[1].compliance);
  for (uint32_t i = 2; i < end; ++i) support_branch(g, i);
}

static weft_result add_tree(weft_scene* scene, const weft_tree_def* def, weft_body* body) {
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  const weft__draft_frame frame = WEFT__FRAME(def, "weft_tree_def");
  WEFT__TRY(check_def(def));
  const uint64_t particles = 1 + branches_of(def) + roots_of(def);
  weft__draft draft;
  WEFT__TRY(weft__draft_open(&draft, scene, particles, count_links(def)));
  grower g = {def, &draft, weft__alloc_zeroed(particles, sizeof(*g.nodes)), def->seed};
  if (g.nodes == NULL) {
    weft__draft_discard(&draft);
    return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "scene");
  }
  grow(&g);
  set_masses(&g);
  link_all(&g);
  weft__free(g.nodes);
  return weft__draft_close(&draft, scene, &frame, "weft_tree_def.mass", "weft_tree_def.length",
                           body);
}

weft_result weft_scene_add_tree(weft_scene* scene, const weft_tree_def* def, weft_body* body) {
  WEFT__RETURN_COMPUTED(add_tree, scene, def, body);
}

weft_result weft_tree_get_leaves(const weft_tree_def* def, uint32_t* first, uint32_t* count) {
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(first == NULL, WEFT_ERROR_NULL, "first");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  WEFT__TRY(check_def(def));
  *count = (uint32_t)leaves_of(def);
  *first = 1 + (uint32_t)branches_of(def) - *count;
  return weft__ok();
}
