#include "modules/articulated/tree_solve.h"

typedef weft__vec3 vector;
typedef weft__tree_joint joint;

// Pin that was freed and whose link is left to the sweeps.
static bool is_released(const weft__trees* trees, const weft__particles* particles, uint32_t node) {
  return trees->pin[node] == WEFT__PIN_SWEPT && particles->inv_mass[trees->particle[node]] > 0.0f;
}

static bool is_torn(const weft__trees* trees, uint32_t node) {
  return !weft__is_marked(trees->lane_mask, trees->slot[node]);
}

// Multiplier in a substep over that in a short one.
static double stretch_of(const weft__step_context* step) {
  return (double)step->stride * (double)step->stride;
}

static void load_joint(const weft__trees* trees, const weft__step_context* step, uint32_t node,
                       joint* j) {
  const weft__particles* particles = step->particles;
  const uint32_t i = trees->particle[node];
  const bool is_fixed = trees->pin[node] != WEFT__PIN_OWN;
  j->position = weft__vec3_at(particles->pos, i);
  j->start = j->position;
  j->inv_mass = is_fixed ? 0.0 : (double)particles->inv_mass[i];
  j->mass = j->inv_mass > 0.0 ? 1.0 / j->inv_mass : 0.0;
  j->rest_length = (double)trees->rest_length[node];
  j->compliance = (double)trees->compliance[node] * trees->inv_step_sq;
  j->multiplier = j->first_multiplier =
      trees->multiplier[node] * trees->multiplier_scale * stretch_of(step);
  j->parent = trees->parent[node];
  j->contacts = NULL;
  j->before = (vector){0.0, 0.0, 0.0};
  j->length_before = 0.0;
}

// Position a substep before the begin of this one; prev and pos: begin and end, by inertia and
// forces.
static vector last_position(const weft__step_context* step, uint32_t i) {
  const weft__particles* p = step->particles;
  const weft__motion* motion = weft__step_motion(step, i);
  const vector begin = weft__vec3_at(p->prev, i);
  vector last = weft__minus(weft__scaled(2.0, begin), weft__vec3_at(p->pos, i));
  if (!(p->inv_mass[i] > 0.0f)) return last;
  last = weft__plus(last, weft__vec3_of(motion->displacement));
  if (p->force_block == NULL) return last;
  const double push = (double)p->inv_mass[i] * (double)motion->step_squared;
  return weft__plus(last, weft__scaled(push, weft__vec3_at(p->force, i)));
}

static void load_last_offsets(const weft__step_context* step, const uint32_t* particle,
                              uint32_t count, joint* joints) {
  for (uint32_t n = 0; n < count; ++n) joints[n].before = last_position(step, particle[n]);
  // parents come first: theirs are positions until the last child is done
  for (uint32_t n = count; n-- > 1;) {
    joint* j = &joints[n];
    j->before = weft__minus(j->before, joints[j->parent].before);
    j->length_before = weft__length(j->before);
  }
  joints[0].before = (vector){0.0, 0.0, 0.0};
}

void weft__tree_load(const weft__trees* trees, uint32_t tree, const weft__step_context* step,
                     joint* joints) {
  const weft__particles* particles = step->particles;
  const uint32_t first = trees->first_node[tree];
  const uint32_t count = trees->first_node[tree + 1] - first;
  load_joint(trees, step, first, joints);
  joints[0].is_linked = false;
  for (uint32_t i = 1; i < count; ++i) {
    joint* j = &joints[i];
    load_joint(trees, step, first + i, j);
    j->is_linked = joints[j->parent].inv_mass + j->inv_mass > 0.0 && !is_torn(trees, first + i) &&
                   !is_released(trees, particles, first + i) &&
                   !is_released(trees, particles, first + j->parent);
    if (!j->is_linked) j->multiplier = j->first_multiplier = 0.0;
  }
  if (!step->schedule->links.along_present && trees->is_apart[tree] != 0) {
    load_last_offsets(step, trees->particle + first, count, joints);
  }
}

void weft__tree_store(const weft__trees* trees, uint32_t tree, const weft__step_context* step,
                      const joint* joints) {
  weft__particles* particles = step->particles;
  const double stretch = stretch_of(step);
  const uint32_t first = trees->first_node[tree];
  const uint32_t count = trees->first_node[tree + 1] - first;
  for (uint32_t n = 0; n < count; ++n) {
    trees->multiplier[first + n] = joints[n].multiplier / stretch;
    if (!(joints[n].inv_mass > 0.0)) continue;
    const uint32_t i = trees->particle[first + n];
    const joint* j = &joints[n];
    const vector position =
        j->contacts == NULL ? j->position : weft__tree_with_depth(j->contacts, j->position);
    weft__vec3_set(particles->pos, i, position);
  }
}
