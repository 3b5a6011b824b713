#include "collision/self/seams.h"

#include <string.h>

#include "base/min_max.h"
#include "base/sort.h"
#include "collision/self/capacity.h"
#include "collision/self/neighbors.h"
#include "collision/self/tiles.h"

// ---- paths ----

// Particles that joints lead to, on paths from one particle; further ones are left out.
enum { MAX_ENDS = 64 };

// Settled ends first, nearest first, then the open ones. The first is the particle itself.
typedef struct search {
  const weft__exclusions* exclusions;
  const weft__joints* joints;
  weft__seam_path ends[MAX_ENDS];
  uint32_t count, settled;
  weft__seam_paths* found;
} search;

static void relax(weft__seam_path* paths, uint32_t* count, uint32_t capacity,
                  weft__seam_path path) {
  for (uint32_t n = 0; n < *count; ++n) {
    if (paths[n].particle != path.particle) continue;
    paths[n].length = weft__minf(paths[n].length, path.length);
    return;
  }
  if (*count < capacity) paths[(*count)++] = path;
}

// Along links, 0 to itself; longer than any limit if it is not listed.
static float path_along_links(const weft__exclusions* exclusions, uint32_t from, uint32_t to) {
  if (from == to) return 0.0f;
  for (uint32_t e = exclusions->first[from]; e < exclusions->first[from + 1]; ++e) {
    if (exclusions->other[e] == to) return exclusions->path_length[e];
  }
  return INFINITY;
}

// Between the held particle and the k-th one of the anchor.
static float joint_length(const search* s, const weft__joint* joint, uint32_t k) {
  float length = joint->rest_length;
  for (uint32_t e = 1; e < joint->end_count; ++e) {
    if (e == k) continue;
    length +=
        joint->weight[e] * path_along_links(s->exclusions, joint->particle[e], joint->particle[k]);
  }
  return length;
}

static void follow_joint(search* s, const weft__joint* joint, uint32_t e, float path_length) {
  const uint32_t first = e == 0 ? 1 : 0, end = e == 0 ? joint->end_count : 1;
  if (!weft__joint_binds(joint)) return;
  for (uint32_t other = first; other < end; ++other) {
    const float length = path_length + joint_length(s, joint, e == 0 ? other : e);
    if (length <= s->exclusions->max_path)
      relax(s->ends, &s->count, MAX_ENDS, (weft__seam_path){joint->particle[other], length});
  }
}

static void visit(search* s, weft__seam_path at, bool is_over_joint) {
  const weft__joints* joints = s->joints;
  if (at.length > s->exclusions->max_path) return;
  if (is_over_joint) relax(s->found->to, &s->found->count, WEFT__MAX_EXCLUSIONS, at);
  for (uint32_t end = weft__joints_first_end(joints, at.particle); end != WEFT__NO_JOINT;
       end = weft__joints_next_end(joints, at.particle, end)) {
    follow_joint(s, &joints->joints[end / WEFT__JOINT_ENDS], end % WEFT__JOINT_ENDS, at.length);
  }
}

static bool is_nearer(const weft__seam_path* a, const weft__seam_path* b) {
  return a->length < b->length || (a->length == b->length && a->particle < b->particle);
}

static weft__seam_path settle_nearest(search* s) {
  uint32_t nearest = s->settled;
  for (uint32_t n = nearest + 1; n < s->count; ++n) {
    if (is_nearer(&s->ends[n], &s->ends[nearest])) nearest = n;
  }
  const weft__seam_path end = s->ends[nearest];
  s->ends[nearest] = s->ends[s->settled];
  s->ends[s->settled++] = end;
  return end;
}

// Dijkstra 1959, from joint to joint: paths between are listed.
void weft__seams_find_paths(const weft__exclusions* exclusions, const weft__joints* joints,
                            uint32_t particle, weft__seam_paths* paths) {
  search s;
  s.exclusions = exclusions;
  s.joints = joints;
  s.ends[0] = (weft__seam_path){particle, 0.0f};
  s.count = 1;
  s.settled = 0;
  s.found = paths;
  paths->count = 0;
  while (s.settled < s.count) {
    const bool is_over_joint = s.settled > 0;
    const weft__seam_path here = settle_nearest(&s);
    visit(&s, here, is_over_joint);
    for (uint32_t e = exclusions->first[here.particle]; e < exclusions->first[here.particle + 1];
         ++e) {
      const float length = here.length + exclusions->path_length[e];
      visit(&s, (weft__seam_path){exclusions->other[e], length}, is_over_joint);
    }
  }
}

bool weft__seams_exclude(const weft__exclusions* exclusions, const weft__joints* joints, uint32_t a,
                         uint32_t b, float max_path) {
  if (joints->count == 0) return false;
  weft__seam_paths paths;
  weft__seams_find_paths(exclusions, joints, a, &paths);
  for (uint32_t n = 0; n < paths.count; ++n) {
    if (paths.to[n].particle == b) return paths.to[n].length <= max_path;
  }
  return false;
}

// ---- changes of joints ----

static void mark_tiles(weft__self* self, uint32_t particle) {
  const weft__exclusions* exclusions = &self->exclusions;
  self->has_seam[self->place_of[particle] / WEFT__TILE] = 1;
  for (uint32_t e = exclusions->first[particle]; e < exclusions->first[particle + 1]; ++e)
    self->has_seam[self->place_of[exclusions->other[e]] / WEFT__TILE] = 1;
}

static bool has_seams(const weft__self* self) {
  return memchr(self->has_seam, 1, self->tiles.tile_count) != NULL;
}

void weft__self_renew_seams(weft__self* self, const weft__joints* joints) {
  bool is_outdated = has_seams(self);
  memset(self->has_seam, 0, self->tiles.tile_count);
  for (uint32_t n = 0; n < joints->end; ++n) {
    const weft__joint* joint = &joints->joints[n];
    for (uint32_t e = 0; e < joint->end_count && weft__joint_binds(joint); ++e)
      mark_tiles(self, joint->particle[e]);
  }
  is_outdated |= has_seams(self);
  if (is_outdated) weft__self_drop_lists(self);
  self->joints_version = joints->version;
}

static void restart_around(weft__self* self, uint32_t particle) {
  const weft__exclusions* exclusions = &self->exclusions;
  weft__self_restart(self, particle);
  for (uint32_t e = exclusions->first[particle]; e < exclusions->first[particle + 1]; ++e)
    weft__self_restart(self, exclusions->other[e]);
}

void weft__self_part_seam(weft__self* self, const weft__joint* joint) {
  if (self->exclusions.first == NULL || joint->mode == WEFT_LINK_MODE_COMPRESS) return;
  for (uint32_t e = 0; e < joint->end_count; ++e) restart_around(self, joint->particle[e]);
}

void weft__self_part_broken(weft__self* self, weft__joints* joints) {
  for (uint32_t n = 0; n < joints->end; ++n) {
    weft__joint* joint = &joints->joints[n];
    if (joint->state != WEFT__JOINT_BROKEN || joint->is_parted) continue;
    weft__self_part_seam(self, joint);
    joint->is_parted = 1;
  }
  joints->any_broke = false;
  ++joints->version;
}

// ---- lists ----

// Excluded pairs of a tile: place of the other end, and lane; ascending.
typedef struct excluded_pairs {
  uint32_t count;
  uint64_t pair[WEFT__TILE * WEFT__MAX_EXCLUSIONS];
} excluded_pairs;

static void find_excluded(const weft__self* self, const weft__joints* joints, uint32_t tile,
                          excluded_pairs* excluded) {
  excluded->count = 0;
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const uint32_t place = tile * WEFT__TILE + lane;
    if (!(self->tiles.radius[place] > 0.0f)) continue;
    weft__seam_paths paths;
    weft__seams_find_paths(&self->exclusions, joints, self->particle[place], &paths);
    for (uint32_t n = 0; n < paths.count; ++n) {
      const uint32_t other = self->place_of[paths.to[n].particle];
      if (paths.to[n].length <= weft__self_max_path(&self->tiles, place, other))
        excluded->pair[excluded->count++] = (uint64_t)other << 32 | lane;
    }
  }
  weft__sort_numbers(excluded->pair, excluded->count);
}

static uint32_t excluded_lanes(const excluded_pairs* excluded, uint32_t place) {
  uint32_t begin = 0, end = excluded->count;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (excluded->pair[middle] >> 32 < place) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  uint32_t lanes = 0;
  for (; begin < excluded->count && excluded->pair[begin] >> 32 == place; ++begin)
    lanes |= 1u << (excluded->pair[begin] & UINT32_MAX);
  return lanes;
}

void weft__self_leave_out_seams(const weft__self* self, const weft__joints* joints, uint32_t tile,
                                weft__tile_list* list) {
  excluded_pairs excluded;
  find_excluded(self, joints, tile, &excluded);
  if (excluded.count == 0) return;
  uint32_t kept = 0;
  list->pairs = 0;
  for (uint32_t r = 0; r < list->count; ++r) {
    weft__tile_row row = list->rows[r];
    row.lanes &= ~excluded_lanes(&excluded, row.place);
    if (row.lanes == 0) continue;
    list->pairs += weft__self_count_pairs(tile, &row);
    list->rows[kept++] = row;
  }
  list->count = kept;
}
