#include "cluster/synchronize.h"

#include <string.h>

#include "base/memory.h"
#include "cluster/cloth.h"
#include "world/snapshot.h"

// Copies state from or to a block, or measures it.
typedef struct copier {
  unsigned char* to;         /* NULL = from or measure */
  const unsigned char* from; /* NULL = to or measure */
  size_t at;
} copier;

static void copy(copier* c, void* state, size_t size) {
  if (c->to != NULL && size > 0) memcpy(c->to + c->at, state, size);
  if (c->from != NULL && size > 0) memcpy(state, c->from + c->at, size);
  c->at += size;
}

static void copy_column(copier* c, float* column, weft__range range) {
  if (column != NULL) copy(c, column + range.begin, (range.end - range.begin) * sizeof(float));
}

static void copy_particles(copier* c, const weft__particles* p, weft__range range) {
  float* const columns[] = {p->pos_x,     p->pos_y,  p->pos_z,     p->prev_x,
                            p->prev_y,    p->prev_z, p->carried_x, p->carried_y,
                            p->carried_z, p->pull_x, p->pull_y,    p->pull_z};
  for (size_t k = 0; k < sizeof(columns) / sizeof(*columns); ++k) {
    copy_column(c, columns[k], range);
  }
}

// Lagrange multipliers, which measures read, and rest lengths of plastic bend elements.
static void copy_elements(copier* c, const weft__schedule* s, weft__range patches) {
  if (s->multiplier != NULL) {
    const size_t first = (size_t)weft__patch_first_group(s, patches.begin) * WEFT__LANES;
    const size_t end = (size_t)weft__patch_first_group(s, patches.end) * WEFT__LANES;
    copy(c, s->multiplier + first, (end - first) * sizeof(*s->multiplier));
  }
  if (s->hinges.hinge_count > 0) {
    const uint32_t* lanes = s->hinges.patch_first_lanes;
    const size_t count = lanes[patches.end] - lanes[patches.begin];
    const size_t first = lanes[patches.begin];
    copy(c, s->hinges.multipliers + first, count * sizeof(*s->hinges.multipliers));
    if (s->hinges.is_plastic) {
      copy(c, s->hinges.lanes + first, count * sizeof(*s->hinges.lanes));
    }
  }
  if (s->membranes.membrane_count > 0) {
    const uint32_t* lanes = s->membranes.patch_first_lanes;
    copy(c, s->membranes.multipliers + lanes[patches.begin],
         (lanes[patches.end] - lanes[patches.begin]) * sizeof(*s->membranes.multipliers));
  }
}

static uint16_t merge(uint16_t old, uint16_t given, uint32_t lanes) {
  return (uint16_t)((old & ~lanes) | (given & lanes));
}

// Contacts with the bounds: lane groups at the ends of a range are those of two ranks.
static void copy_touches(copier* c, const weft__bounds* bounds, weft__range range) {
  if (bounds->touch == NULL || range.begin == range.end) return;
  for (uint32_t g = range.begin / WEFT__LANES; g <= (range.end - 1) / WEFT__LANES; ++g) {
    weft__wall_contact given = bounds->touch[g];
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      const uint32_t i = g * WEFT__LANES + lane;
      if (i >= range.begin && i < range.end) lanes |= 1u << lane;
    }
    copy(c, &given, sizeof(given));
    for (int axis = 0; axis < 3; ++axis) {
      weft__wall_contact* touch = &bounds->touch[g];
      touch->lower[axis] = merge(touch->lower[axis], given.lower[axis], lanes);
      touch->upper[axis] = merge(touch->upper[axis], given.upper[axis], lanes);
    }
  }
}

// Counts of a rank's own particles: those of others are added, unless each rank has all.
static void copy_contact_count(const weft_cluster* cluster, copier* c, weft__colliders* colliders) {
  uint32_t count = colliders->contact_count;
  copy(c, &count, sizeof(count));
  if (c->from != NULL && !cluster->domain.solves_all_contacts) colliders->contact_count += count;
}

// Multipliers of trees, and closed bodies, that have their home at a rank.
static void copy_sets(const weft_cluster* cluster, copier* c, uint32_t rank) {
  const weft__trees* trees = &cluster->world->stepper.trees;
  const weft__pressures* pressures = &cluster->world->stepper.forces.pressures;
  for (uint32_t t = 0; t < trees->tree_count; ++t) {
    if (cluster->trees.home[t] != rank) continue;
    const uint32_t first = trees->first_node[t];
    copy(c, trees->multiplier + first,
         (trees->first_node[t + 1] - first) * sizeof(*trees->multiplier));
  }
  for (uint32_t g = 0; g < pressures->count; ++g) {
    if (cluster->bodies.home[g] != rank) continue;
    copy(c, &pressures->pressures[g], sizeof(*pressures->pressures));
  }
}

typedef void copy_part(weft_cluster* cluster, copier* c, uint32_t rank);

// Joints that have their home at a rank; those added since the last step are the same on all.
static void copy_joints(weft_cluster* cluster, copier* c, uint32_t rank) {
  const weft__joints* joints = &cluster->world->stepper.joints;
  for (uint32_t j = 0; j < joints->end && cluster->joints.home != NULL; ++j) {
    weft__joint* joint = &joints->joints[j];
    if (cluster->joints.home[j] != rank || joint->state == WEFT__JOINT_FREE) continue;
    copy(c, joint, sizeof(*joint));
  }
}

// State that a rank has computed.
static void copy_state(weft_cluster* cluster, copier* c, uint32_t rank) {
  weft__stepper* stepper = &cluster->world->stepper;
  const weft__range particles = {cluster->cloth.first_particle[rank],
                                 cluster->cloth.first_particle[rank + 1]};
  const weft__range patches = {cluster->cloth.first_patch[rank],
                               cluster->cloth.first_patch[rank + 1]};
  copy_contact_count(cluster, c, &stepper->contacts.colliders);
  copy_particles(c, &stepper->particles, particles);
  copy_elements(c, &stepper->schedule, patches);
  copy_touches(c, &stepper->bounds, particles);
  copy_sets(cluster, c, rank);
  copy_joints(cluster, c, rank);
}

// ---- exchange ----

typedef struct receiver {
  weft_cluster* cluster;
  copy_part* copy;
} receiver;

static void take_part(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)size;
  const receiver* r = context;
  copier c = {.from = bytes};
  r->copy(r->cluster, &c, from);
}

static bool gather(weft_cluster* cluster, copy_part* copy_own) {
  weft__mailbox* mailbox = &cluster->mailbox;
  const uint32_t own = mailbox->transport.rank;
  copier c = {.at = 0};
  copy_own(cluster, &c, own);
  unsigned char* bytes = weft__alloc(c.at, 1);
  const bool good = weft__mailbox_agree(mailbox, &cluster->common, bytes != NULL);
  if (good) {
    receiver r = {cluster, copy_own};
    c = (copier){.to = bytes};
    copy_own(cluster, &c, own);
    weft__mailbox_gather(mailbox, &cluster->state, bytes, c.at, take_part, &r);
  }
  weft__free(bytes);
  return good;
}

// ---- lists of contacts ----

static void take_lists(void* context, uint32_t from, const void* bytes, size_t size) {
  weft_cluster* cluster = context;
  if (from != 0) return;
  weft__archive archive = {.mode = WEFT__ARCHIVE_LOAD, .from = bytes, .end = size};
  weft__snapshot_visit_pairs(&archive, cluster->world);
}

// Where all ranks have the same lists, in the order of each one's workers: that of rank 0 is taken
// over, so that ranks save the same bytes.
static bool share_lists(weft_cluster* cluster) {
  weft__mailbox* mailbox = &cluster->mailbox;
  const bool is_first = mailbox->transport.rank == 0;
  if (cluster->divides_cloth) return weft__cluster_share_cloth(cluster);
  if (!cluster->domain.solves_all_contacts) return true;
  weft__archive archive = {.mode = WEFT__ARCHIVE_WRITE};
  if (is_first) weft__snapshot_visit_pairs(&archive, cluster->world);
  const size_t size = archive.at;
  unsigned char* bytes = weft__alloc(size, 1);
  const bool good = weft__mailbox_agree(mailbox, &cluster->common, bytes != NULL);
  if (good) {
    archive = (weft__archive){.mode = WEFT__ARCHIVE_WRITE, .to = bytes};
    if (is_first) weft__snapshot_visit_pairs(&archive, cluster->world);
    weft__mailbox_gather(mailbox, &cluster->state, bytes, size, take_lists, cluster);
  }
  weft__free(bytes);
  return good;
}

bool weft__cluster_synchronize(weft_cluster* cluster) {
  return share_lists(cluster) && gather(cluster, copy_state);
}

bool weft__cluster_synchronize_joints(weft_cluster* cluster) {
  return gather(cluster, copy_joints);
}

// ---- positions of a range ----

// Position in a message: `index` counts from the begin of the range.
typedef struct packed_position {
  uint64_t index;
  float at[3], zero;
} packed_position;

// Particles of the range that the rank's world has, by its numbers.
static weft__range range_here(const weft_cluster* cluster, weft_cluster_range range) {
  const uint64_t first = cluster->first_particle;
  const uint64_t end = first + cluster->world->stepper.particles.count;
  const uint64_t range_end = range.first + range.count;
  const uint64_t begin = range.first > first ? range.first : first;
  const uint64_t stop = range_end < end ? range_end : end;
  if (begin >= stop) return (weft__range){0, 0};
  return (weft__range){(uint32_t)(begin - first), (uint32_t)(stop - first)};
}

// Copies own particles of the range, or counts them.
static size_t pack_positions(const weft_cluster* cluster, weft_cluster_range range,
                             packed_position* to) {
  const weft__particles* p = &cluster->world->stepper.particles;
  const weft__range here = range_here(cluster, range), own = cluster->domain.particles;
  size_t count = 0;
  for (uint32_t user = here.begin; user < here.end; ++user) {
    const uint32_t i = cluster->world->stepper.schedule.solver_of[user];
    if (i < own.begin || i >= own.end) continue;
    if (to != NULL) {
      to[count] = (packed_position){cluster->first_particle + user - range.first,
                                    {p->pos_x[i], p->pos_y[i], p->pos_z[i]},
                                    0.0f};
    }
    ++count;
  }
  return count;
}

static void store_positions(const packed_position* from, size_t count, float* positions) {
  for (size_t k = 0; k < count; ++k) {
    memcpy(positions + 3 * from[k].index, from[k].at, sizeof(from[k].at));
  }
}

// Sends own positions to rank 0, which stores those of all. Returns their number, on rank 0.
static uint64_t send_positions(weft_cluster* cluster, const packed_position* own, size_t count,
                               float* positions) {
  weft__mailbox* mailbox = &cluster->mailbox;
  uint64_t all = count;
  if (mailbox->transport.rank > 0) {
    weft__mailbox_send(mailbox, &cluster->state, 0, own, count * sizeof(*own));
  } else {
    store_positions(own, count, positions);
  }
  for (uint32_t r = 1; r < mailbox->transport.rank_count && mailbox->transport.rank == 0; ++r) {
    weft__block* block = weft__mailbox_wait(mailbox, &cluster->state, r);
    const size_t given = block->total / sizeof(*own);
    store_positions((const packed_position*)(const void*)block->bytes, given, positions);
    all += given;
    block->is_in_use = false;
  }
  ++cluster->state.sequence;
  return all;
}

bool weft__cluster_gather(weft_cluster* cluster, weft_cluster_range range, float* positions,
                          bool* is_complete) {
  weft__mailbox* mailbox = &cluster->mailbox;
  const size_t count = pack_positions(cluster, range, NULL);
  packed_position* own = weft__alloc(count, sizeof(*own));
  const bool good = weft__mailbox_agree(mailbox, &cluster->common, own != NULL);
  if (good) {
    (void)pack_positions(cluster, range, own);
    const uint64_t all = send_positions(cluster, own, count, positions);
    const bool has_all = mailbox->transport.rank > 0 || all == range.count;
    *is_complete = weft__mailbox_agree(mailbox, &cluster->common, has_all);
  }
  weft__free(own);
  return good;
}
