#include "libraries/cluster/synchronize.h"

#include "base/memory.h"
#include "libraries/cluster/state.h"
#include "world/snapshot.h"

// Other ranks' counts are added, unless each rank has all.
static void copy_contact_count(const weft_cluster* cluster, weft__copier* c,
                               weft__colliders* colliders) {
  uint32_t count = colliders->contact_count;
  weft__copy_bytes(c, &count, sizeof(count));
  if (c->from != NULL && !cluster->domain.solves_all_contacts) colliders->contact_count += count;
}

// By their home.
static void copy_sets(weft_cluster* cluster, weft__copier* c, uint32_t rank) {
  const weft__stage_halo* of_trees = weft__cluster_halo(cluster, &weft__tree_rows, 0);
  const weft__stage_halo* of_meshes = weft__cluster_halo(cluster, &weft__bend_mesh_rows, 0);
  const weft__stage_halo* of_bodies = weft__cluster_halo(cluster, &weft__pressure_rows, 0);
  const uint32_t trees = weft__trees_of(&cluster->world->stepper)->tree_count;
  const uint32_t meshes = weft__mesh_bends_of(&cluster->world->stepper.stages)->mesh_count;
  const uint32_t bodies = cluster->world->stepper.forces.pressures.count;
  for (uint32_t t = 0; t < trees; ++t) {
    if (of_trees->home[t] == rank) weft__copy_tree(cluster, c, t);
  }
  for (uint32_t m = 0; m < meshes; ++m) {
    if (of_meshes->home[m] == rank) weft__copy_mesh(cluster, c, m);
  }
  for (uint32_t b = 0; b < bodies; ++b) {
    if (of_bodies->home[b] == rank) weft__copy_body(cluster, c, b);
  }
}

typedef void copy_part(weft_cluster* cluster, weft__copier* c, uint32_t rank);

// Joints added since the last step are the same on all ranks.
static void copy_joints(weft_cluster* cluster, weft__copier* c, uint32_t rank) {
  const weft__joints* joints = &cluster->world->stepper.joints;
  for (uint32_t j = 0; j < joints->end && cluster->joints.home != NULL; ++j) {
    weft__joint* joint = &joints->joints[j];
    if (cluster->joints.home[j] != rank || joint->state == WEFT__JOINT_FREE) continue;
    weft__copy_bytes(c, joint, sizeof(*joint));
  }
}

static void copy_state(weft_cluster* cluster, weft__copier* c, uint32_t rank) {
  const weft__range patches = weft__rank_range(cluster->cloth.first_patch, rank);
  copy_contact_count(cluster, c, &cluster->world->stepper.contacts.colliders);
  weft__copy_patches(cluster, c, patches);
  copy_sets(cluster, c, rank);
  copy_joints(cluster, c, rank);
}

typedef struct receiver {
  weft_cluster* cluster;
  copy_part* copy;
} receiver;

static void take_part(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)size;
  const receiver* r = context;
  weft__copier c = {.from = bytes};
  r->copy(r->cluster, &c, from);
}

static bool gather(weft_cluster* cluster, copy_part* copy_own) {
  weft__mailbox* mailbox = &cluster->mailbox;
  const uint32_t own = mailbox->transport.rank;
  weft__copier c = {.at = 0};
  copy_own(cluster, &c, own);
  unsigned char* bytes = weft__alloc(c.at, 1);
  const bool good = weft__mailbox_agree(mailbox, &cluster->common, bytes != NULL);
  if (good) {
    receiver r = {cluster, copy_own};
    c = (weft__copier){.to = bytes};
    copy_own(cluster, &c, own);
    weft__mailbox_gather(mailbox, &cluster->state, bytes, c.at, take_part, &r);
  }
  weft__free(bytes);
  return good;
}

static void take_lists(void* context, uint32_t from, const void* bytes, size_t size) {
  weft_cluster* cluster = context;
  if (from != 0) return;
  weft__archive archive = {.mode = WEFT__ARCHIVE_LOAD, .from = bytes, .end = size};
  weft__snapshot_visit_pairs(&archive, cluster->world);
}

// Lists that all ranks have, in rank 0's order: ranks save the same bytes.
static bool share_lists(weft_cluster* cluster) {
  weft__mailbox* mailbox = &cluster->mailbox;
  const bool is_first = mailbox->transport.rank == 0;
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
  const bool good = gather(cluster, copy_joints);
  weft__joints_find_broken(&cluster->world->stepper.joints);
  return good;
}

// index: from the begin of the range
typedef struct packed_position {
  uint64_t index;
  float at[3], zero;
} packed_position;

// By the rank's numbers.
static weft__range range_here(const weft_cluster* cluster, weft_cluster_range range) {
  const uint64_t first = cluster->first_particle;
  const uint64_t end = first + cluster->world->stepper.particles.count;
  const uint64_t range_end = range.first + range.count;
  const uint64_t begin = range.first > first ? range.first : first;
  const uint64_t stop = range_end < end ? range_end : end;
  if (begin >= stop) return (weft__range){0, 0};
  return (weft__range){(uint32_t)(begin - first), (uint32_t)(stop - first)};
}

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

// Total number, on rank 0, which stores all ranks' positions.
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
