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

// State that a rank has computed.
static void copy_state(weft_cluster* cluster, copier* c, uint32_t rank) {
  weft__stepper* stepper = &cluster->world->stepper;
  const weft__range particles = {cluster->cloth.first_particle[rank],
                                 cluster->cloth.first_particle[rank + 1]};
  const weft__range patches = {cluster->cloth.first_patch[rank],
                               cluster->cloth.first_patch[rank + 1]};
  copy_particles(c, &stepper->particles, particles);
  copy_elements(c, &stepper->schedule, patches);
  copy_touches(c, &stepper->bounds, particles);
}

typedef struct receiver {
  weft_cluster* cluster;
  uint32_t contact_count; /* of all ranks */
} receiver;

static void take_state(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)size;
  receiver* r = context;
  uint32_t contacts = 0;
  memcpy(&contacts, bytes, sizeof(contacts));
  r->contact_count += contacts;
  copier c = {.from = bytes, .at = sizeof(contacts)};
  copy_state(r->cluster, &c, from);
}

static bool share_state(weft_cluster* cluster) {
  weft__mailbox* mailbox = &cluster->mailbox;
  weft__colliders* colliders = &cluster->world->stepper.contacts.colliders;
  const uint32_t own = mailbox->transport.rank;
  copier c = {.at = sizeof(colliders->contact_count)};
  copy_state(cluster, &c, own);
  unsigned char* bytes = weft__alloc(c.at, 1);
  const bool good = weft__mailbox_agree(mailbox, &cluster->common, bytes != NULL);
  if (good) {
    receiver r = {cluster, colliders->contact_count};
    memcpy(bytes, &colliders->contact_count, sizeof(colliders->contact_count));
    c = (copier){.to = bytes, .at = sizeof(colliders->contact_count)};
    copy_state(cluster, &c, own);
    weft__mailbox_gather(mailbox, &cluster->state, bytes, c.at, take_state, &r);
    if (!cluster->domain.solves_all_contacts) colliders->contact_count = r.contact_count;
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
  return share_lists(cluster) && share_state(cluster);
}
