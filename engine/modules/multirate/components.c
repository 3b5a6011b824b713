#include "modules/multirate/components.h"

#include "base/memory.h"
#include "base/union_find.h"
#include "modules/multirate/adaption.h"
#include "step/step.h"

// Patches of the cloth that share particles, or whose particles a patch of a level follows.
static void unite_patches(const weft__schedule* cloth, const weft__levels* levels, uint32_t* root) {
  for (uint32_t p = 0; p < cloth->patch_count; ++p) root[p] = p;
  for (uint32_t p = 0; p < cloth->patch_count; ++p) {
    for (uint32_t n = cloth->patch_first_neighbor[p]; n < cloth->patch_first_neighbor[p + 1]; ++n)
      (void)weft__unite(root, p, cloth->neighbors[n]);
  }
  for (uint32_t l = 0; l < levels->count; ++l) {
    const weft__level* level = &levels->levels[l];
    for (uint32_t p = 0; p < level->schedule.patch_count; ++p) {
      const uint32_t begin = level->schedule.patch_first[p];
      const uint32_t first = weft__patch_of_particle(cloth, level->source[begin]);
      for (uint32_t i = begin + 1; i < level->schedule.patch_first[p + 1]; ++i)
        (void)weft__unite(root, first, weft__patch_of_particle(cloth, level->source[i]));
    }
  }
}

static bool number_level(weft__level* level, const weft__schedule* cloth) {
  weft__schedule* schedule = &level->schedule;
  schedule->component = weft__alloc(schedule->patch_count, sizeof(*schedule->component));
  if (schedule->component == NULL) return false;
  schedule->bytes += schedule->patch_count * sizeof(*schedule->component);
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    const uint32_t source = level->source[schedule->patch_first[p]];
    schedule->component[p] = cloth->component[weft__patch_of_particle(cloth, source)];
  }
  return true;
}

bool weft__components_number(weft__multirate* m, weft__schedule* cloth, weft__levels* levels) {
  cloth->component = weft__alloc(cloth->patch_count, sizeof(*cloth->component));
  if (cloth->component == NULL) return false;
  cloth->bytes += cloth->patch_count * sizeof(*cloth->component);
  unite_patches(cloth, levels, cloth->component);
  // a root is the lowest patch of its component: it comes first
  for (uint32_t p = 0; p < cloth->patch_count; ++p) {
    const uint32_t root = weft__find_root(cloth->component, p);
    cloth->component[p] = root;
  }
  for (uint32_t p = 0; p < cloth->patch_count; ++p) {
    const uint32_t root = cloth->component[p];
    cloth->component[p] = root == p ? m->component_count++ : cloth->component[root];
  }
  bool good = true;
  for (uint32_t l = 0; l < levels->count && good; ++l)
    good = number_level(&levels->levels[l], cloth);
  return good;
}

// Mean length of the links of trees that adapt.
static void load_lengths(weft__multirate* m, const weft__build* build) {
  const weft__links* links = &build->scene->links;
  const weft__schedule* cloth = build->schedule;
  bool any = false;
  for (uint32_t c = 0; c < m->component_count; ++c) any |= weft__adaption_is_of_trees(m, c);
  for (uint32_t i = 0; any && i < links->count; ++i) {
    const uint32_t end = cloth->solver_of[links->end_a[i]];
    const uint32_t c = cloth->component[weft__patch_of_particle(cloth, end)];
    if (links->kind[i] != WEFT_LINK_STRUCTURAL || !weft__adaption_is_of_trees(m, c)) continue;
    m->length[c] += (double)links->rest_length[i];
    ++m->count[c];
  }
  for (uint32_t c = 0; c < m->component_count; ++c)
    if (m->count[c] > 0) m->length[c] /= (double)m->count[c];
}

void weft__components_load(weft__multirate* m, const weft__build* build) {
  const weft__schedule* cloth = build->schedule;
  for (uint32_t c = 0; c < m->component_count; ++c) m->first_user[c] = UINT32_MAX;
  for (uint32_t p = 0; p < cloth->patch_count; ++p) {
    const uint32_t c = cloth->component[p];
    for (uint32_t i = cloth->patch_first[p]; i < cloth->patch_first[p + 1]; ++i) {
      const uint32_t user = cloth->user_of[i];
      if (user < m->first_user[c]) m->first_user[c] = user;
      if (user > m->last_user[c]) m->last_user[c] = user;
    }
  }
  for (uint32_t c = 0; c < m->component_count; ++c) {
    const size_t part = weft__scene_part_of(build->scene, m->first_user[c]);
    m->group[c] = build->scene->parts[part].patch_key;
    m->sweeps[c] = build->settings->groups.of[m->group[c]].iterations;
    m->strides[c] = 1;
    weft__adaption_restart(m, c);
  }
  load_lengths(m, build);
}
