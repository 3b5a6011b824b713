/* Exchanges within a step: the other side of step/domain.h. */
#include "cluster/exchange.h"

#include <string.h>

#include "cluster/cluster.h"

// Columns of a table, one float an entry.
static weft__halo_column column_of(float* data) {
  return (weft__halo_column){data, 1, 1};
}

// Columns that a stage reads: positions, previous ones, what the rounding of displacements dropped.
typedef enum cloth_columns { POSITIONS = 3, PREVIOUS = 6, VELOCITIES = 9 } cloth_columns;

static void exchange_cloth(weft_cluster* cluster, weft__halo* halo, cloth_columns count,
                           weft__halo_direction direction) {
  const weft__particles* p = &cluster->world->stepper.particles;
  const weft__halo_column columns[VELOCITIES] = {
      column_of(p->pos_x),     column_of(p->pos_y),     column_of(p->pos_z),
      column_of(p->prev_x),    column_of(p->prev_y),    column_of(p->prev_z),
      column_of(p->carried_x), column_of(p->carried_y), column_of(p->carried_z)};
  weft__halo_send(halo, &cluster->mailbox, columns, count, direction);
  weft__halo_receive(halo, &cluster->mailbox, columns, count, direction);
}

static void exchange_records(weft_cluster* cluster, uint32_t l) {
  const weft__levels* levels = &cluster->world->stepper.levels;
  float* records = l == 0 ? levels->displacements : levels->levels[l - 1].displacements;
  const weft__halo_column column = {records, WEFT__DISPLACEMENT_FLOATS, WEFT__DISPLACEMENT_FLOATS};
  weft__halo* halo = &cluster->levels[l].records;
  weft__halo_send(halo, &cluster->mailbox, &column, 1, WEFT__HALO_FROM_OWNERS);
  // on their way together with the records
  if (l == 0) exchange_cloth(cluster, &cluster->sources, PREVIOUS, WEFT__HALO_FROM_OWNERS);
  weft__halo_receive(halo, &cluster->mailbox, &column, 1, WEFT__HALO_FROM_OWNERS);
}

static void exchange_corrections(weft_cluster* cluster, uint32_t l) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  const weft__coarse_corrections* c = &level->corrections;
  const weft__halo_column columns[3] = {column_of(c->x), column_of(c->y), column_of(c->z)};
  const weft__halo_column multipliers = column_of(level->schedule.multiplier);
  weft__level_exchange* halos = &cluster->levels[l];
  weft__mailbox* mailbox = &cluster->mailbox;
  weft__halo_send(&halos->corrections, mailbox, columns, 3, WEFT__HALO_FROM_OWNERS);
  weft__halo_send(&halos->multipliers, mailbox, &multipliers, 1, WEFT__HALO_FROM_OWNERS);
  weft__halo_receive(&halos->corrections, mailbox, columns, 3, WEFT__HALO_FROM_OWNERS);
  weft__halo_receive(&halos->multipliers, mailbox, &multipliers, 1, WEFT__HALO_FROM_OWNERS);
}

// True if a stage after the sweeps moves particles: ghosts are behind then.
static bool moves_after_sweeps(const weft__stepper* stepper) {
  return stepper->contacts.materials.on || stepper->bounds.on || stepper->skin.on ||
         stepper->trees.tree_count > 0 || stepper->joints.count > 0 ||
         stepper->forces.pressures.count > 0;
}

// ---- residual ----

static weft__range patches_of(const weft_cluster* cluster, uint32_t rank) {
  return (weft__range){cluster->cloth.first_patch[rank], cluster->cloth.first_patch[rank + 1]};
}

static void take_sums(void* context, uint32_t from, const void* bytes, size_t size) {
  const weft_cluster* cluster = context;
  double* sums = cluster->world->stepper.residual.sum_of_patch;
  if (size > 0) memcpy(sums + patches_of(cluster, from).begin, bytes, size);
}

static void take_counts(void* context, uint32_t from, const void* bytes, size_t size) {
  const weft_cluster* cluster = context;
  uint32_t* counts = cluster->world->stepper.residual.count_of_patch;
  if (size > 0) memcpy(counts + patches_of(cluster, from).begin, bytes, size);
}

static void gather_residual(weft_cluster* cluster) {
  const weft__residual* r = &cluster->world->stepper.residual;
  const weft__range own = cluster->domain.patches;
  const size_t count = own.end - own.begin;
  weft__mailbox_gather(&cluster->mailbox, &cluster->residual, r->sum_of_patch + own.begin,
                       count * sizeof(*r->sum_of_patch), take_sums, cluster);
  weft__mailbox_gather(&cluster->mailbox, &cluster->residual, r->count_of_patch + own.begin,
                       count * sizeof(*r->count_of_patch), take_counts, cluster);
}

// ---- stages ----

void weft__cluster_exchange(void* context, weft__exchange kind, uint32_t index) {
  weft_cluster* cluster = context;
  const weft__stepper* stepper = &cluster->world->stepper;
  switch (kind) {
    case WEFT__EXCHANGE_FACES:
      exchange_cloth(cluster, &cluster->faces, VELOCITIES, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_TOUCHED:
      if (!moves_after_sweeps(stepper)) break;
      exchange_cloth(cluster, &cluster->touched, POSITIONS, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_BLOCKS:
      if (!stepper->contacts.materials.on) break;
      exchange_cloth(cluster, &cluster->blocks, PREVIOUS, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_TREES:
      exchange_cloth(cluster, &cluster->trees.halo, PREVIOUS, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_MESHES:
      exchange_cloth(cluster, &cluster->meshes.halo, POSITIONS, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_BODIES:
      exchange_cloth(cluster, &cluster->bodies.halo, PREVIOUS, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_JOINTS:
      exchange_cloth(cluster, &cluster->joints.halo, POSITIONS, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_RESIDUAL:
      gather_residual(cluster);
      break;
    case WEFT__EXCHANGE_LINES:
      exchange_cloth(cluster, &cluster->lines[index], POSITIONS, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_LINES_BACK:
      exchange_cloth(cluster, &cluster->lines[index], POSITIONS, WEFT__HALO_TO_OWNERS);
      break;
    case WEFT__EXCHANGE_RECORDS:
      exchange_records(cluster, index);
      break;
    case WEFT__EXCHANGE_CORRECTIONS:
      exchange_corrections(cluster, index);
      break;
  }
}

// ---- torn links ----

static void list_torn(void* context, const weft__lane* lane) {
  weft_cluster* cluster = context;
  if (!weft__words_push(&cluster->own_torn, weft__lane_slot(lane))) weft__ranks_out_of_memory();
}

static void mark_torn(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)from;
  weft_cluster* cluster = context;
  weft__stepper* stepper = &cluster->world->stepper;
  const uint32_t* slots = bytes;
  for (size_t k = 0; k < size / sizeof(*slots); ++k) {
    uint16_t* mask = &stepper->schedule.torn[slots[k] / WEFT__LANES];
    *mask = (uint16_t)(*mask | 1u << slots[k] % WEFT__LANES);
    stepper->has_torn[weft__schedule_lane(&stepper->schedule, slots[k]).patch] = true;
  }
}

void weft__cluster_share_torn(void* context) {
  weft_cluster* cluster = context;
  const weft__stepper* stepper = &cluster->world->stepper;
  cluster->own_torn.count = 0;
  for (uint32_t patch = cluster->domain.patches.begin; patch < cluster->domain.patches.end;
       ++patch) {
    if (!stepper->has_torn[patch]) continue;
    weft__schedule_visit(&stepper->schedule, patch, stepper->schedule.torn, list_torn, cluster);
  }
  weft__mailbox_gather(&cluster->mailbox, &cluster->torn, cluster->own_torn.items,
                       cluster->own_torn.count * sizeof(uint32_t), mark_torn, cluster);
}
