#include "libraries/cluster/exchange.h"

#include <string.h>

#include "libraries/cluster/columns.h"
#include "libraries/cluster/state.h"
#include "libraries/cluster/synchronize.h"
#include "solvers/joints/joints.h"

weft__stage_halo* weft__cluster_halo(weft_cluster* cluster, const weft__halo_rows* rows,
                                     uint32_t index) {
  if (rows == &weft__joint_rows) return &cluster->joints;
  for (uint32_t h = 0; h < cluster->halo_count; ++h) {
    weft__stage_halo* halo = &cluster->halos[h];
    if (halo->rows == rows && halo->index == index) return halo;
  }
  return NULL;
}

static weft__halo* lists_of(weft_cluster* cluster, const weft__halo_fill* fill) {
  weft__stage_halo* halo = weft__cluster_halo(cluster, fill->rows, fill->index);
  return halo != NULL ? &halo->lists : NULL;
}

static weft__halo_direction direction_of(const weft__halo_fill* fill) {
  return fill->is_back ? WEFT__HALO_TO_OWNERS : WEFT__HALO_FROM_OWNERS;
}

static void send_halo(void* context, const weft__halo_fill* fill) {
  weft_cluster* cluster = context;
  const weft__halo* lists = lists_of(cluster, fill);
  if (lists == NULL) return;
  weft__halo_send(lists, &cluster->mailbox, fill->columns, fill->table, direction_of(fill));
}

static void receive_halo(void* context, const weft__halo_fill* fill) {
  weft_cluster* cluster = context;
  weft__halo* lists = lists_of(cluster, fill);
  if (lists == NULL) return;
  weft__halo_receive(lists, &cluster->mailbox, fill->columns, fill->table, direction_of(fill));
}

weft__range weft__cluster_owned(const weft_cluster* cluster, weft__owned_rows rows, uint32_t rank) {
  if (rows == WEFT__OWNED_PARTICLES) return weft__rank_range(cluster->cloth.first_particle, rank);
  return weft__rank_range(cluster->cloth.first_patch, rank);
}

typedef struct owned_columns {
  weft_cluster* cluster;
  weft__owned_rows rows;
  const weft__table* columns;
  const void* table;
} owned_columns;

static void copy_rows(const owned_columns* o, uint32_t rank, weft__copier* copier) {
  weft__copy_columns(copier, o->table, o->columns, 0,
                     weft__cluster_owned(o->cluster, o->rows, rank));
}

static void take_rows(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)size;
  copy_rows(context, from, &(weft__copier){.from = bytes});
}

static bool reserve(const owned_columns* o, size_t* size) {
  weft__copier measured = {.at = 0};
  copy_rows(o, weft__own_rank(o->cluster), &measured);
  *size = measured.at;
  return weft__grow((void**)&o->cluster->packed, &o->cluster->packed_bytes, *size, 1);
}

bool weft__cluster_reserve(weft_cluster* cluster, weft__owned_rows rows, const weft__table* columns,
                           const void* table) {
  size_t size = 0;
  return reserve(&(owned_columns){cluster, rows, columns, table}, &size);
}

void weft__cluster_gather_rows(weft_cluster* cluster, weft__owned_rows rows,
                               const weft__table* columns, void* table) {
  owned_columns o = {cluster, rows, columns, table};
  size_t size = 0;
  if (!reserve(&o, &size)) weft__ranks_out_of_memory();
  copy_rows(&o, weft__own_rank(cluster), &(weft__copier){.to = cluster->packed});
  weft__mailbox_gather(&cluster->mailbox, &cluster->all, cluster->packed, size, take_rows, &o);
}

static void gather(void* context, weft__owned_rows rows, const weft__table* columns, void* table) {
  weft__cluster_gather_rows(context, rows, columns, table);
}

static double largest(void* context, double value) {
  weft_cluster* cluster = context;
  return weft__mailbox_largest(&cluster->mailbox, &cluster->common, value);
}

void weft__cluster_share_positions(weft_cluster* cluster) {
  weft__cluster_gather_rows(cluster, WEFT__OWNED_PARTICLES, &weft__particle_moves,
                            &cluster->world->stepper.particles);
}

static void begin_substep(void* context) {
  weft_cluster* cluster = context;
  if (cluster->anchors->are_moved) weft__strip_anchors_exchange(cluster);
}

static void finish_stage(void* context, uint32_t stage, weft__step_context* step) {
  if (stage == WEFT__STAGE_LINES) weft__strip_columns_solve(context, step);
}

// numbers of all ranks, the slot from its patch's first
typedef struct torn_link {
  uint32_t patch, slot;
  uint32_t end[2]; /* particles, caller's order */
} torn_link;

enum { TORN_WORDS = sizeof(torn_link) / sizeof(uint32_t) };

static void list_torn(void* context, const weft__lane* lane) {
  weft_cluster* cluster = context;
  const weft__schedule* schedule = &cluster->world->stepper.schedule;
  const weft__numbering* all = &cluster->mailbox.numbering;
  const uint32_t words[TORN_WORDS] = {
      lane->patch + all->first_patch,
      weft__lane_slot(lane) - weft__patch_first_slot(schedule, lane->patch),
      schedule->user_of[lane->a] + all->first_particle,
      schedule->user_of[lane->b] + all->first_particle};
  for (uint32_t k = 0; k < TORN_WORDS; ++k) {
    if (!weft__words_push(&cluster->own_torn, words[k])) weft__ranks_out_of_memory();
  }
}

static void mark_torn(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)from;
  const weft_cluster* cluster = context;
  const weft__stepper* stepper = &cluster->world->stepper;
  const weft__schedule* schedule = &stepper->schedule;
  const torn_link* torn = bytes;
  for (size_t k = 0; k < size / sizeof(*torn); ++k) {
    const uint32_t patch = torn[k].patch - cluster->mailbox.numbering.first_patch;
    if (cluster->columns != NULL) weft__strip_columns_tear(cluster, torn[k].end[0], torn[k].end[1]);
    if (patch >= cluster->complete_patches) continue;
    const uint32_t slot = weft__patch_first_slot(schedule, patch) + torn[k].slot;
    uint16_t* mask = &schedule->links.torn[slot / WEFT__LANES];
    *mask = (uint16_t)(*mask | 1u << slot % WEFT__LANES);
    stepper->torn.in_patch[patch] = true;
  }
}

static void share_torn(void* context) {
  weft_cluster* cluster = context;
  const weft__stepper* stepper = &cluster->world->stepper;
  cluster->own_torn.count = 0;
  for (uint32_t patch = cluster->domain.patches.begin; patch < cluster->domain.patches.end;
       ++patch) {
    if (!stepper->torn.in_patch[patch]) continue;
    weft__schedule_visit(&stepper->schedule, patch, stepper->schedule.links.torn, list_torn,
                         cluster);
  }
  const size_t size = cluster->own_torn.count * sizeof(uint32_t);
  mark_torn(cluster, cluster->mailbox.transport.rank, cluster->own_torn.items, size);
  weft__mailbox_gather(&cluster->mailbox, &cluster->torn, cluster->own_torn.items, size, mark_torn,
                       cluster);
}

static void share_joints(void* context) {
  (void)weft__cluster_synchronize_joints(context);
}

void weft__cluster_set_exchanges(weft_cluster* cluster) {
  weft__domain* domain = &cluster->domain;
  domain->context = cluster;
  domain->send = send_halo;
  domain->receive = receive_halo;
  domain->gather = gather;
  domain->share_torn = share_torn;
  domain->share_joints = share_joints;
  domain->largest = largest;
  if (cluster->anchors != NULL) domain->begin_substep = begin_substep;
  if (cluster->columns != NULL) domain->finish_stage = finish_stage;
}
