/* Boxes of links' motion are the leaves of a binary tree in the order of links, which follows
 * ropes:
 *
 *     node 1            links 0 .. 7
 *     nodes 2, 3        0 .. 3              4 .. 7
 *     nodes 4 to 7      0 1      2 3        4 5      6 7
 *
 * Links that meet are found from the root down. A rope that hangs meets itself at neighbours only;
 * where too many boxes overlap, no rope is clear. */
#include "modules/multirate/strand_clearance.h"

#include "base/min_max.h"
#include "modules/multirate/adaption.h"
#include "modules/multirate/clearance.h"
#include "step/step.h"

// Pairs of boxes for each link that are tested at most.
#define TESTS_A_LINK 64u

typedef struct meeting {
  const weft__multirate* m;
  const weft__step_context* step;
  const weft__strands* strands;
  uint64_t tests_left;
} meeting;

static uint32_t component_of(const meeting* t, uint32_t strand) {
  const weft__schedule* schedule = t->step->schedule;
  const uint32_t end = weft__strand_ends(t->strands, strand)[0];
  return schedule->component[weft__patch_of_particle(schedule, end)];
}

static weft__aabb path_of(const meeting* t, uint32_t strand) {
  const weft__particles* p = t->step->particles;
  const uint32_t* end = weft__strand_ends(t->strands, strand);
  weft__aabb box = weft__aabb_empty();
  float moved = 0.0f;
  for (int e = 0; e < 2; ++e) {
    float at[3];
    weft__load3(p->pos, end[e], at);
    weft__aabb_add_point(&box, at);
    moved = weft__maxf(moved, t->step->kernels->measure_displacement(p, end[e], end[e] + 1));
  }
  weft__aabb_inflate(
      &box, weft__reach_in_step(t->step, moved) + WEFT__STRAND_MARGIN * t->strands->longest_radius);
  return box;
}

static void bound_paths(const meeting* t) {
  const weft__strands* s = t->strands;
  for (uint32_t k = 0; k < s->leaf_count; ++k)
    s->path[s->leaf_count + k] = k < s->count ? path_of(t, k) : weft__aabb_empty();
  for (uint32_t node = s->leaf_count - 1; node > 0; --node) {
    s->path[node] = s->path[2 * node];
    weft__aabb_add(&s->path[node], &s->path[2 * node + 1]);
  }
}

static void crowd(const meeting* t, uint32_t strand) {
  t->m->is_clear[component_of(t, strand)] = false;
}

// Crowds the links below two nodes of one depth that meet.
static void meet(meeting* t, uint32_t a, uint32_t b) {
  const weft__strands* s = t->strands;
  if (t->tests_left == 0 || (a != b && !weft__aabb_overlaps(&s->path[a], &s->path[b]))) return;
  --t->tests_left;
  if (a < s->leaf_count) {
    meet(t, 2 * a, 2 * b);
    meet(t, 2 * a, 2 * b + 1);
    if (a != b) meet(t, 2 * a + 1, 2 * b);
    meet(t, 2 * a + 1, 2 * b + 1);
  } else if (a != b &&
             !weft__strands_are_excluded(s, t->step, a - s->leaf_count, b - s->leaf_count)) {
    crowd(t, a - s->leaf_count);
    crowd(t, b - s->leaf_count);
  }
}

// Crowds another component, and links below a node, where they meet its box.
static void meet_box(meeting* t, uint32_t node, uint32_t c) {
  const weft__strands* s = t->strands;
  if (t->tests_left == 0 || !weft__aabb_overlaps(&s->path[node], &t->m->boxes[c])) return;
  --t->tests_left;
  if (node < s->leaf_count) {
    meet_box(t, 2 * node, c);
    meet_box(t, 2 * node + 1, c);
  } else if (component_of(t, node - s->leaf_count) != c) {
    crowd(t, node - s->leaf_count);
    t->m->is_clear[c] = false;
  }
}

void weft__strand_clearance_find(const weft__multirate* m, const weft__step_context* step) {
  const weft__strands* strands = &m->stepper->contacts.strands;
  meeting t = {m, step, strands, (uint64_t)TESTS_A_LINK * (strands->count + m->component_count)};
  bound_paths(&t);
  meet(&t, 1, 1);
  for (uint32_t c = 0; c < m->component_count; ++c) {
    const bool is_other = !weft__adaption_is_of_trees(m, c);
    if (is_other && m->contacts[c] != WEFT__NO_CONTACTS) meet_box(&t, 1, c);
  }
  for (uint32_t c = 0; c < m->component_count && t.tests_left == 0; ++c) m->is_clear[c] = false;
}
