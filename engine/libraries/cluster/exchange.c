/* Exchanges within a step: the other side of step/domain.h. */
#include "libraries/cluster/exchange.h"

#include <string.h>

#include "libraries/cluster/columns.h"

// Positions, previous ones, rounding errors of displacements.
typedef enum cloth_columns { POSITIONS = 3, PREVIOUS = 6, VELOCITIES = 9 } cloth_columns;

static void exchange_cloth(weft_cluster* cluster, weft__halo* halo, cloth_columns count,
                           weft__halo_direction direction) {
  const weft__particles* p = &cluster->world->stepper.particles;
  const weft__halo_column columns[VELOCITIES] = {
      {p->pos_x, 1},  {p->pos_y, 1},     {p->pos_z, 1},     {p->prev_x, 1},   {p->prev_y, 1},
      {p->prev_z, 1}, {p->carried_x, 1}, {p->carried_y, 1}, {p->carried_z, 1}};
  weft__halo_send(halo, &cluster->mailbox, columns, count, direction);
  weft__halo_receive(halo, &cluster->mailbox, columns, count, direction);
}

static void exchange_displacements(weft_cluster* cluster, uint32_t l) {
  weft__halo* halo = &cluster->levels[l].displacements;
  if (l == 0) {
    exchange_cloth(cluster, halo, PREVIOUS, WEFT__HALO_FROM_OWNERS);
    return;
  }
  const weft__displacements* d = &cluster->world->stepper.levels.levels[l - 1].displacements;
  const weft__halo_column columns[6] = {{d->start[0], 1}, {d->start[1], 1}, {d->start[2], 1},
                                        {d->moved[0], 1}, {d->moved[1], 1}, {d->moved[2], 1}};
  weft__halo_send(halo, &cluster->mailbox, columns, 6, WEFT__HALO_FROM_OWNERS);
  weft__halo_receive(halo, &cluster->mailbox, columns, 6, WEFT__HALO_FROM_OWNERS);
}

static void exchange_corrections(weft_cluster* cluster, uint32_t l) {
  const weft__level* level = &cluster->world->stepper.levels.levels[l];
  const weft__coarse_corrections* c = &level->corrections;
  const weft__halo_column columns[3] = {{c->x, 1}, {c->y, 1}, {c->z, 1}};
  const weft__halo_column multipliers = {level->schedule.multiplier, 1};
  weft__level_exchange* halos = &cluster->levels[l];
  weft__mailbox* mailbox = &cluster->mailbox;
  weft__halo_send(&halos->corrections, mailbox, columns, 3, WEFT__HALO_FROM_OWNERS);
  weft__halo_send(&halos->multipliers, mailbox, &multipliers, 1, WEFT__HALO_FROM_OWNERS);
  weft__halo_receive(&halos->corrections, mailbox, columns, 3, WEFT__HALO_FROM_OWNERS);
  weft__halo_receive(&halos->multipliers, mailbox, &multipliers, 1, WEFT__HALO_FROM_OWNERS);
}

// Now and before, from columns to a block or back.
static void copy_positions(weft_cluster* cluster, uint32_t rank, float* packed, bool packs) {
  const weft__particles* p = &cluster->world->stepper.particles;
  float* const columns[PREVIOUS] = {p->pos_x, p->pos_y, p->pos_z, p->prev_x, p->prev_y, p->prev_z};
  const uint32_t first = cluster->cloth.first_particle[rank];
  const uint32_t count = cluster->cloth.first_particle[rank + 1] - first;
  if (count == 0) return;
  for (uint32_t c = 0; c < PREVIOUS; ++c, packed += count) {
    float* column = columns[c] + first;
    memcpy(packs ? packed : column, packs ? column : packed, count * sizeof(float));
  }
}

static void take_positions(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)size;
  copy_positions(context, from, (float*)bytes, false);
}

void weft__cluster_share_positions(weft_cluster* cluster) {
  const weft__range own = cluster->domain.particles;
  copy_positions(cluster, cluster->mailbox.transport.rank, cluster->positions, true);
  weft__mailbox_gather(&cluster->mailbox, &cluster->all, cluster->positions,
                       (size_t)(own.end - own.begin) * PREVIOUS * sizeof(float), take_positions,
                       cluster);
}

// Ghosts are behind if a stage after the sweeps moves particles.
static bool moves_after_sweeps(const weft__stepper* stepper) {
  return stepper->contacts.materials.on || stepper->bounds.on ||
         weft__stages_act(&stepper->stages, WEFT__PHASE_LIMITS) ||
         weft__stages_act(&stepper->stages, WEFT__PHASE_AFTER_SWEEPS) ||
         stepper->joints.count > 0 || stepper->forces.pressures.count > 0;
}

void weft__cluster_exchange_corners(weft_cluster* cluster) {
  exchange_cloth(cluster, &cluster->faces, POSITIONS, WEFT__HALO_FROM_OWNERS);
}

static void take_sums(void* context, uint32_t from, const void* bytes, size_t size) {
  const weft_cluster* cluster = context;
  double* sums = cluster->world->stepper.residual.sum_of_patch;
  if (size > 0)
    memcpy(sums + weft__rank_range(cluster->cloth.first_patch, from).begin, bytes, size);
}

static void take_counts(void* context, uint32_t from, const void* bytes, size_t size) {
  const weft_cluster* cluster = context;
  uint32_t* counts = cluster->world->stepper.residual.count_of_patch;
  if (size > 0)
    memcpy(counts + weft__rank_range(cluster->cloth.first_patch, from).begin, bytes, size);
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
    case WEFT__EXCHANGE_CONTACTS:
      weft__cluster_share_positions(cluster);
      break;
    case WEFT__EXCHANGE_BLOCKS:
      if (!stepper->contacts.materials.on || cluster->domain.solves_all_contacts) break;
      exchange_cloth(cluster, &cluster->blocks, PREVIOUS, WEFT__HALO_FROM_OWNERS);
      break;
    case WEFT__EXCHANGE_ANCHORS:
      if (cluster->anchors == NULL || !cluster->anchors->are_moved) break;
      weft__strip_anchors_exchange(cluster);
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
    case WEFT__EXCHANGE_DISPLACEMENTS:
      exchange_displacements(cluster, index);
      break;
    case WEFT__EXCHANGE_CORRECTIONS:
      exchange_corrections(cluster, index);
      break;
  }
}

// Numbers of all ranks, the slot counted from its patch's first.
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
    uint16_t* mask = &schedule->torn[slot / WEFT__LANES];
    *mask = (uint16_t)(*mask | 1u << slot % WEFT__LANES);
    stepper->torn.in_patch[patch] = true;
  }
}

void weft__cluster_share_torn(void* context) {
  weft_cluster* cluster = context;
  const weft__stepper* stepper = &cluster->world->stepper;
  cluster->own_torn.count = 0;
  for (uint32_t patch = cluster->domain.patches.begin; patch < cluster->domain.patches.end;
       ++patch) {
    if (!stepper->torn.in_patch[patch]) continue;
    weft__schedule_visit(&stepper->schedule, patch, stepper->schedule.torn, list_torn, cluster);
  }
  const size_t size = cluster->own_torn.count * sizeof(uint32_t);
  mark_torn(cluster, cluster->mailbox.transport.rank, cluster->own_torn.items, size);
  weft__mailbox_gather(&cluster->mailbox, &cluster->torn, cluster->own_torn.items, size, mark_torn,
                       cluster);
}
