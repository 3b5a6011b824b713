#include "solvers/multigrid/restriction.h"

#include <string.h>

#include "base/memory.h"

typedef void visit_follower(weft__restriction* followers, uint32_t parent, uint32_t particle,
                            float weight, const void* context);

static void visit_all(weft__restriction* followers, const weft__schedule* schedule,
                      const weft__coarse_corrections* corrections, uint32_t finer_patches,
                      visit_follower* visit, const void* context) {
  const weft__prolongation* end =
      corrections->blends + corrections->patch_first_blend[finer_patches];
  for (const weft__prolongation* blend = corrections->blends; blend < end; ++blend) {
    for (uint32_t k = 0; k < blend->count; ++k) {
      for (uint32_t j = 0; j < 4; ++j) {
        if (blend->weight[j] == 0.0f) continue;
        const uint32_t parent = schedule->solver_of[blend->of[j] + k];
        visit(followers, parent, blend->first + k, blend->weight[j], context);
      }
    }
  }
}

static void count_follower(weft__restriction* followers, uint32_t parent, uint32_t particle,
                           float weight, const void* context) {
  (void)particle;
  (void)weight;
  (void)context;
  ++followers->first[parent + 1];
}

bool weft__followers_create(weft__restriction* followers, const weft__schedule* schedule,
                            const weft__coarse_corrections* corrections, uint32_t finer_patches,
                            size_t* bytes) {
  const size_t count = schedule->particle_count;
  followers->first = weft__alloc_zeroed(count + 1, sizeof(*followers->first));
  if (followers->first == NULL) return false;
  visit_all(followers, schedule, corrections, finer_patches, count_follower, NULL);
  for (size_t i = 0; i < count; ++i) followers->first[i + 1] += followers->first[i];
  const size_t all = followers->first[count];
  followers->of = weft__alloc_zeroed(all, sizeof(*followers->of));
  followers->share = weft__alloc_zeroed(all, sizeof(*followers->share));
  *bytes += (count + 1) * sizeof(*followers->first) +
            all * (sizeof(*followers->of) + sizeof(*followers->share));
  return followers->of != NULL && followers->share != NULL;
}

void weft__followers_destroy(weft__restriction* followers) {
  weft__free(followers->first);
  weft__free(followers->of);
  weft__free(followers->share);
}

typedef struct follower_weights {
  const weft__schedule* schedule;
  const float* inv_mass;
  const double* masses;
} follower_weights;

// Appends to the parent's entries: first[parent + 1] is the next free entry.
static void list_follower(weft__restriction* followers, uint32_t parent, uint32_t particle,
                          float weight, const void* context) {
  const follower_weights* w = context;
  const uint32_t slot = followers->first[parent + 1]++;
  const double mass = w->masses[w->schedule->user_of[parent]];
  const double inv_mass = (double)w->inv_mass[particle];
  followers->of[slot] = particle;
  followers->share[slot] =
      mass > 0.0 && inv_mass > 0.0 ? (float)((double)weight / inv_mass / mass) : 0.0f;
}

void weft__followers_weigh(weft__restriction* followers, const weft__schedule* schedule,
                           const weft__coarse_corrections* corrections, uint32_t finer_patches,
                           const float* inv_mass, const double* masses) {
  const size_t count = schedule->particle_count;
  memmove(followers->first + 1, followers->first, count * sizeof(*followers->first));
  const follower_weights w = {schedule, inv_mass, masses};
  visit_all(followers, schedule, corrections, finer_patches, list_follower, &w);
}
