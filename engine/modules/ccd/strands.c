#include "modules/ccd/strands.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "modules/ccd/clusters.h"

// ---- links ----

static bool has_faces(const weft__faces* faces, uint32_t particle) {
  return faces->count > 0 && weft__face_count_of(faces, particle) > 0;
}

// True if a lane resists stretch; a strut may be longer by any length.
static bool resists_stretch(const weft__link_schedule* links, const weft__lane* lane) {
  const weft__run* run = lane->run;
  if (!weft__run_has_slack(run)) return true;
  const size_t group = lane->group - run->first_group;
  const uint32_t n = (uint32_t)__builtin_ctz(lane->bit);
  return links->slack_above[run->slack_above + group * run->slack_above_stride + n] < INFINITY;
}

// True if a link, by the caller's number, is a strand; then `end` has its ends.
static bool is_strand(const weft__contact_setup* setup, uint32_t link, uint32_t end[2]) {
  const weft__schedule* schedule = setup->schedule;
  const uint32_t slot = schedule->links.slot_of_link[link];
  if (!weft__is_marked(schedule->links.structural, slot)) return false;
  const weft__lane lane = weft__schedule_lane(schedule, slot);
  end[0] = lane.a < lane.b ? lane.a : lane.b;
  end[1] = lane.a < lane.b ? lane.b : lane.a;
  return (!has_faces(setup->faces, lane.a) || !has_faces(setup->faces, lane.b)) &&
         resists_stretch(&schedule->links, &lane);
}

static uint32_t count_strands(const weft__contact_setup* setup, uint32_t limit) {
  const uint32_t links = setup->schedule->links.link_count;
  uint32_t count = 0;
  uint32_t end[2];
  for (uint32_t link = 0; link < links && count < limit; ++link) {
    if (is_strand(setup, link, end)) ++count;
  }
  return count;
}

bool weft__ccd_has_features(const weft__contact_setup* setup) {
  return setup->faces->count > 0 || count_strands(setup, 1) > 0;
}

// ---- table ----

static void allocate_columns(weft__faces* joined, size_t particle_count, weft__arena* arena) {
  joined->corner = weft__arena_alloc(arena, joined->count, sizeof(*joined->corner));
  joined->link = weft__arena_alloc(arena, joined->count, sizeof(*joined->link));
  joined->first_use = weft__arena_alloc(arena, particle_count + 2, sizeof(*joined->first_use));
  joined->use = weft__arena_alloc(arena, (size_t)3 * joined->count, sizeof(*joined->use));
}

static void copy_faces(weft__faces* joined, const weft__faces* faces) {
  if (faces->count == 0) return;
  memcpy(joined->corner, faces->corner, faces->count * sizeof(*joined->corner));
  memcpy(joined->link, faces->link, faces->count * sizeof(*joined->link));
}

static void add_strands(weft__faces* joined, const weft__contact_setup* setup) {
  uint32_t face = setup->faces->count;
  for (uint32_t link = 0; link < setup->schedule->links.link_count; ++link) {
    uint32_t end[2];
    if (!is_strand(setup, link, end)) continue;
    joined->link[face][0] = link;
    joined->link[face][1] = joined->link[face][2] = WEFT__NONE;
    joined->corner[face][0] = end[0];
    joined->corner[face][1] = joined->corner[face][2] = end[1];
    ++face;
  }
}

bool weft__ccd_join_strands(const weft__contact_setup* setup, weft__faces** joined) {
  *joined = NULL;
  const uint32_t strand_count = count_strands(setup, UINT32_MAX);
  if (strand_count == 0) return true;
  weft__faces* made = weft__alloc(1, sizeof(*made));
  if (made == NULL) return false;
  *made = (weft__faces){.count = setup->faces->count + strand_count, .strand_count = strand_count};
  memcpy(made->place, setup->faces->place, sizeof(made->place));
  for (weft__arena arena = {0}; weft__arena_next(&arena, &made->block, &made->bytes);) {
    allocate_columns(made, setup->particles->count, &arena);
  }
  *joined = made;
  if (made->block == NULL) return false;
  copy_faces(made, setup->faces);
  add_strands(made, setup);
  weft__faces_list_uses(made, setup->particles->count);
  return true;
}

void weft__ccd_free_joined(weft__faces* joined) {
  if (joined == NULL) return;
  weft__faces_destroy(joined);
  weft__free(joined);
}
