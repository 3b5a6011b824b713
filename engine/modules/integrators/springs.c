#include "modules/integrators/springs.h"

#include "base/memory.h"
#include "base/min_max.h"
#include "scene/adjacency.h"

// newtons: the difference of two such forces is finite in single precision
#define MAX_FORCE 1e30

void weft__springs_assign(const weft__links* links, uint8_t* solver) {
  for (uint32_t i = 0; i < links->count; ++i) {
    const bool is_spring = links->compliance[i] > 0.0f && links->relaxation[i] >= 1.0f;
    if (is_spring) solver[i] = WEFT__SOLVER_SPRING;
  }
}

static bool is_spring(const void* context, const weft_scene* scene, uint32_t link) {
  (void)context;
  return weft__links_solver(&scene->links, link) == WEFT__SOLVER_SPRING;
}

static weft__spring spring_of(const weft__links* links, uint32_t link) {
  weft__spring spring = {.stiffness = 1.0 / (double)links->compliance[link],
                         .shortest = links->rest_length[link],
                         .longest = links->rest_length[link]};
  if (links->spring_damping != NULL) spring.damping = links->spring_damping[link];
  if (links->force_curve != NULL) spring.curve = links->force_curve[link];
  if (links->mode == NULL) return spring;
  spring.shortest -= links->slack_below[link];
  spring.longest += links->slack_above[link];
  return spring;
}

static void list_ends(weft__springs* springs, const weft_scene* scene,
                      const weft__schedule* schedule, const weft__adjacency* adjacency) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < schedule->particle_count; ++i) {
    const uint32_t user = schedule->user_of[i];
    springs->first[i] = end;
    for (uint32_t n = adjacency->first[user]; n < adjacency->first[user + 1]; ++n) {
      weft__spring* spring = &springs->ends[end++];
      *spring = spring_of(&scene->links, adjacency->link[n]);
      spring->other = schedule->solver_of[adjacency->to[n]];
      spring->slot = schedule->links.slot_of_link[adjacency->link[n]];
    }
  }
  springs->first[schedule->particle_count] = end;
}

bool weft__springs_create(weft__springs* springs, const weft_scene* scene,
                          const weft__schedule* schedule) {
  *springs = (weft__springs){.lane_mask = schedule->links.lane_mask};
  weft__adjacency adjacency;
  if (!weft__adjacency_create(&adjacency, scene, is_spring, NULL)) return false;
  const size_t particles = scene->particle_count;
  const size_t ends = adjacency.first[particles];
  bool good = true;
  if (ends > 0) {
    springs->first = weft__alloc(particles + 1, sizeof(*springs->first));
    springs->ends = weft__alloc(ends, sizeof(*springs->ends));
    springs->bytes = (particles + 1) * sizeof(*springs->first) + ends * sizeof(*springs->ends);
    good = springs->first != NULL && springs->ends != NULL &&
           weft__force_curves_copy(&springs->curves, &scene->curves);
    springs->bytes += weft__force_curves_bytes(&springs->curves);
  }
  if (ends > 0 && good) {
    springs->count = (uint32_t)(ends / 2);
    list_ends(springs, scene, schedule, &adjacency);
  }
  weft__adjacency_destroy(&adjacency);
  return good;
}

void weft__springs_destroy(weft__springs* springs) {
  weft__free(springs->first);
  weft__free(springs->ends);
  weft__force_curves_destroy(&springs->curves);
  *springs = (weft__springs){0};
}

void weft__springs_force(const weft__springs* springs, const weft__particles* particles, uint32_t i,
                         double kept, double force[3]) {
  force[0] = force[1] = force[2] = 0.0;
  for (uint32_t e = springs->first[i]; e < springs->first[i + 1]; ++e) {
    const weft__spring* spring = &springs->ends[e];
    const weft__spring_state state = weft__spring_measure(springs, particles, i, spring);
    if (state.length == 0.0) continue;
    double newtons = weft__spring_load_of(springs, spring, state.excess).force;
    if (spring->damping > 0.0f) {
      double velocity[3];
      weft__spring_velocity(particles, i, spring->other, velocity);
      newtons += (double)spring->damping * kept * weft__inner(state.along, velocity);
    }
    for (int axis = 0; axis < 3; ++axis) force[axis] += newtons * state.along[axis];
  }
  for (int axis = 0; axis < 3; ++axis)
    force[axis] = weft__max(weft__min(force[axis], MAX_FORCE), -MAX_FORCE);
}

static weft__spring* find_end(const weft__springs* springs, uint32_t particle, uint32_t slot) {
  if (springs->count == 0) return NULL;
  for (uint32_t e = springs->first[particle]; e < springs->first[particle + 1]; ++e) {
    if (springs->ends[e].slot == slot) return &springs->ends[e];
  }
  return NULL;
}

weft__spring_ends weft__springs_find(const weft__springs* springs, const weft__lane* lane) {
  const uint32_t slot = weft__lane_slot(lane);
  return (weft__spring_ends){find_end(springs, lane->a, slot), find_end(springs, lane->b, slot)};
}
