#include "cluster/synchronize.h"

#include "base/memory.h"
#include "cluster/cloth.h"
#include "cluster/state.h"
#include "world/snapshot.h"

// Counts of a rank's own particles: those of others are added, unless each rank has all.
static void copy_contact_count(const weft_cluster* cluster, weft__copier* c,
                               weft__colliders* colliders) {
  uint32_t count = colliders->contact_count;
  weft__copy_bytes(c, &count, sizeof(count));
  if (c->from != NULL && !cluster->domain.solves_all_contacts) colliders->contact_count += count;
}

// Trees and closed bodies that have their home at a rank.
static void copy_sets(weft_cluster* cluster, weft__copier* c, uint32_t rank) {
  const uint32_t trees = cluster->world->stepper.trees.tree_count;
  const uint32_t bodies = cluster->world->stepper.forces.pressures.count;
  for (uint32_t t = 0; t < trees; ++t) {
    if (cluster->trees.home[t] == rank) weft__copy_tree(cluster, c, t);
  }
  for (uint32_t b = 0; b < bodies; ++b) {
    if (cluster->bodies.home[b] == rank) weft__copy_body(cluster, c, b);
  }
}

typedef void copy_part(weft_cluster* cluster, weft__copier* c, uint32_t rank);

// Joints that have their home at a rank; those added since the last step are the same on all.
static void copy_joints(weft_cluster* cluster, weft__copier* c, uint32_t rank) {
  const weft__joints* joints = &cluster->world->stepper.joints;
  for (uint32_t j = 0; j < joints->end && cluster->joints.home != NULL; ++j) {
    weft__joint* joint = &joints->joints[j];
    if (cluster->joints.home[j] != rank || joint->state == WEFT__JOINT_FREE) continue;
    weft__copy_bytes(c, joint, sizeof(*joint));
  }
}

// State that a rank has computed.
static void copy_state(weft_cluster* cluster, weft__copier* c, uint32_t rank) {
  const weft__range patches = {cluster->cloth.first_patch[rank],
                               cluster->cloth.first_patch[rank + 1]};
  copy_contact_count(cluster, c, &cluster->world->stepper.contacts.colliders);
  weft__copy_patches(cluster, c, patches);
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
