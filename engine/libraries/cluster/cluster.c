#include "libraries/cluster/cluster.h"

#include <math.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "libraries/cluster/bodies.h"
#include "libraries/cluster/exchange.h"
#include "libraries/cluster/redistribute.h"
#include "libraries/cluster/strips.h"
#include "libraries/cluster/synchronize.h"

static weft_result check_transport(const weft_transport* transport) {
  WEFT__FAIL_IF(transport == NULL, WEFT_ERROR_NULL, "transport");
  WEFT__FAIL_IF(transport->send == NULL, WEFT_ERROR_NULL, "weft_transport.send");
  WEFT__FAIL_IF(transport->receive == NULL, WEFT_ERROR_NULL, "weft_transport.receive");
  WEFT__FAIL_IF(transport->rank_count == 0 || transport->rank_count > WEFT_MAX_RANKS,
                WEFT_ERROR_RANGE, "weft_transport.rank_count");
  WEFT__FAIL_IF(transport->rank >= transport->rank_count, WEFT_ERROR_INDEX, "weft_transport.rank");
  return weft__ok();
}

static void flush(const weft_cluster* cluster) {
  const weft_transport* t = &cluster->mailbox.transport;
  if (t->flush != NULL) t->flush(t->context);
}

static void leave_out_messages(weft_cluster* cluster, weft__traffic begin) {
  const weft__traffic now = cluster->mailbox.traffic;
  flush(cluster);
  cluster->other.messages += now.messages - begin.messages;
  cluster->other.bytes += now.bytes - begin.bytes;
  cluster->other.waited_ns += now.waited_ns - begin.waited_ns;
}

typedef struct description {
  const weft_scene* scene;
  const weft__sheet_parts* sheet;  // each rank has some rows; or NULL
  const weft__body_list* bodies;   // each rank has some; or NULL
} description;

static weft_result make_world(weft_cluster* cluster, const weft_world_def* def,
                              const description* of) {
  if (of->sheet != NULL) return weft__strip_create(cluster, def, of->sheet);
  if (of->bodies != NULL) return weft__bodies_create(cluster, def, of->bodies);
  WEFT__TRY(weft_world_create(def, of->scene, &cluster->world));
  cluster->fingerprint = cluster->world->fingerprint;
  cluster->complete_patches = cluster->world->stepper.schedule.patch_count;
  return weft__ok();
}

// All ranks are at each point together: an error on one is an error on all.
static weft_result fill(weft_cluster* cluster, const weft_world_def* def, const description* of) {
  weft__mailbox* mailbox = &cluster->mailbox;
  cluster->common = weft__mailbox_open(mailbox);
  cluster->torn = weft__mailbox_open(mailbox);
  cluster->all = weft__mailbox_open(mailbox);
  cluster->state = weft__mailbox_open(mailbox);
  weft_result created = make_world(cluster, def, of);
  if (created.error == WEFT_OK) created = weft__cluster_check(cluster->world);
  WEFT__TRY(weft__cluster_compare(cluster, def, created));
  if (cluster->is_bodies) return weft__ok();
  const bool is_attached =
      of->sheet == NULL || def->solver.attachments == 0 ||
      weft__strip_attach(cluster, cluster->part, of->sheet, def->solver.attachments);
  weft_scene_destroy(&cluster->part);
  WEFT__FAIL_IF(!is_attached || !weft__cluster_divide(cluster, NULL), WEFT_ERROR_OUT_OF_MEMORY,
                "cluster");
  weft__cluster_apply(cluster);
  cluster->has_positions = true;
  weft__cluster_set_exchanges(cluster);
  cluster->world->stepper.domain = &cluster->domain;
  return weft__ok();
}

static weft_result create_cluster(const weft_transport* transport, const weft_world_def* def,
                                  const description* of, weft_cluster** cluster) {
  WEFT__TRY(check_transport(transport));
  WEFT__FAIL_IF(cluster == NULL, WEFT_ERROR_NULL, "cluster");
  weft_cluster* made = weft__alloc_zeroed(1, sizeof(*made));
  if (made == NULL || !weft__mailbox_create(&made->mailbox, transport)) {
    weft_cluster_destroy(&made);
    return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  }
  const weft_result result = fill(made, def, of);
  leave_out_messages(made, (weft__traffic){0});
  if (result.error != WEFT_OK) {
    weft_cluster_destroy(&made);
    return result;
  }
  *cluster = made;
  return weft__ok();
}

weft_result weft_cluster_create(const weft_transport* transport, const weft_world_def* def,
                                const weft_scene* scene, weft_cluster** cluster) {
  const description of = {.scene = scene};
  WEFT__RETURN_COMPUTED(create_cluster, transport, def, &of, cluster);
}

weft_result weft_cluster_create_sheet(const weft_transport* transport, const weft_world_def* def,
                                      const weft_sheet_def* sheet, const weft_cluster_range* pins,
                                      uint32_t pin_count, weft_cluster** cluster) {
  WEFT__FAIL_IF(sheet == NULL, WEFT_ERROR_NULL, "sheet");
  const weft__sheet_parts parts = {sheet, pins, pin_count};
  const description of = {.sheet = &parts};
  WEFT__RETURN_COMPUTED(create_cluster, transport, def, &of, cluster);
}

weft_result weft_cluster_create_bodies(const weft_transport* transport, const weft_world_def* def,
                                       uint32_t body_count, weft_body_builder* build, void* context,
                                       weft_cluster** cluster) {
  const weft__body_list bodies = {body_count, build, context};
  const description of = {.bodies = &bodies};
  WEFT__RETURN_COMPUTED(create_cluster, transport, def, &of, cluster);
}

void weft_cluster_destroy(weft_cluster** cluster) {
  if (cluster == NULL || *cluster == NULL) return;
  weft_world_destroy(&(*cluster)->world);
  weft_scene_destroy(&(*cluster)->part);
  weft__strip_columns_destroy((*cluster)->columns);
  weft__strip_anchors_destroy((*cluster)->anchors, (*cluster)->mailbox.transport.rank_count);
  weft__free((*cluster)->first_row);
  weft__cluster_destroy_lists(*cluster);
  weft__mailbox_destroy(&(*cluster)->mailbox);
  weft__free(*cluster);
  *cluster = NULL;
}

weft_world* weft_cluster_world(weft_cluster* cluster) {
  return cluster == NULL ? NULL : cluster->world;
}

// Before the first step; while a rank moves pinned particles, before each substep.
static void begin_anchors(weft_cluster* cluster) {
  const bool are_still = cluster->world->stepper.moves.count == 0;
  cluster->anchors->are_moved =
      !weft__mailbox_agree(&cluster->mailbox, &cluster->common, are_still);
  weft__strip_anchors_exchange(cluster);
}

// Contacts that every rank solves for all particles begin and end with all positions.
static weft_result begin_steps(weft_cluster* cluster) {
  weft__stepper* s = &cluster->world->stepper;
  if (cluster->columns != NULL && !s->weighed) cluster->columns->has_new_masses = true;
  if (cluster->anchors != NULL) begin_anchors(cluster);
  weft__contacts* c = &s->contacts;
  weft__domain* domain = &cluster->domain;
  const bool needs_all = weft__stages_act(&s->stages, WEFT__PHASE_CONFIRM) ||
                         weft__face_contacts_may_act(&c->faces, &c->materials, &c->colliders) ||
                         c->log.on || s->particles.rotation_block != NULL;
  domain->solves_all_contacts = needs_all || c->cloth.on || weft__has_bodies(s);
  if (domain->solves_all_contacts && !cluster->has_positions)
    weft__cluster_share_positions(cluster);
  cluster->has_positions = domain->solves_all_contacts;
  return weft__ok();
}

static weft_result check_steps(const weft_cluster* cluster) {
  WEFT__FAIL_IF(cluster == NULL, WEFT_ERROR_NULL, "cluster");
  // weft_world_reset() takes it out of the cluster
  WEFT__FAIL_IF(cluster->world->stepper.domain == NULL && !cluster->is_bodies, WEFT_ERROR_STALE,
                "weft_cluster_world");
  return weft__ok();
}

static weft_result check_strip(weft_cluster* cluster) {
  const weft__traffic before = cluster->mailbox.traffic;
  const weft_result own = weft__strip_check_world(cluster);
  const bool all = weft__mailbox_agree(&cluster->mailbox, &cluster->common, own.error == WEFT_OK);
  leave_out_messages(cluster, before);
  if (own.error != WEFT_OK || all) return own;
  return weft__fail(WEFT_ERROR_UNSUPPORTED, "rank");
}

static weft_result redistribute(weft_cluster* cluster, float share) {
  const weft__traffic before = cluster->mailbox.traffic;
  const weft_result result = weft__cluster_redistribute(cluster, share);
  leave_out_messages(cluster, before);
  return result;
}

weft_result weft_cluster_step(weft_cluster* cluster, uint32_t count) {
  WEFT__TRY(check_steps(cluster));
  WEFT__TRY(weft__cluster_check(cluster->world));
  if (cluster->is_strip || cluster->is_bodies) WEFT__TRY(check_strip(cluster));
  if (cluster->is_bodies) {
    weft_world_step(cluster->world, count);
    cluster->steps += count;
    return weft__ok();
  }
  WEFT__TRY(weft__cluster_compare_tables(cluster));
  WEFT__FAIL_IF(!weft__coupled_update_joints(cluster), WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  if (count > 0) WEFT__TRY(begin_steps(cluster));
  weft_world_step(cluster->world, count);
  if (cluster->is_strip) weft__strip_end_steps(cluster);
  flush(cluster);
  cluster->steps += count;
  return weft__ok();
}

// Ranks of sheets by rows and of many bodies have only their own part.
static weft_result check_divided(const weft_cluster* cluster) {
  WEFT__FAIL_IF(cluster == NULL, WEFT_ERROR_NULL, "cluster");
  WEFT__FAIL_IF(cluster->is_strip, WEFT_ERROR_UNSUPPORTED, "weft_cluster_create_sheet");
  WEFT__FAIL_IF(cluster->is_bodies, WEFT_ERROR_UNSUPPORTED, "weft_cluster_create_bodies");
  return check_steps(cluster);
}

weft_result weft_cluster_redistribute(weft_cluster* cluster, float share) {
  WEFT__TRY(check_divided(cluster));
  WEFT__RETURN_COMPUTED(redistribute, cluster, share);
}

weft_result weft_cluster_synchronize(weft_cluster* cluster) {
  WEFT__FAIL_IF(cluster == NULL, WEFT_ERROR_NULL, "cluster");
  WEFT__FAIL_IF(cluster->is_strip, WEFT_ERROR_UNSUPPORTED, "weft_cluster_create_sheet");
  WEFT__FAIL_IF(cluster->is_bodies, WEFT_ERROR_UNSUPPORTED, "weft_cluster_create_bodies");
  const weft__traffic before = cluster->mailbox.traffic;
  const bool good = weft__cluster_synchronize(cluster);
  leave_out_messages(cluster, before);
  WEFT__FAIL_IF(!good, WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  cluster->has_positions = true;
  ++cluster->world->changes;
  return weft__ok();
}

weft_result weft_cluster_hash(weft_cluster* cluster, uint64_t* hash) {
  WEFT__FAIL_IF(cluster == NULL, WEFT_ERROR_NULL, "cluster");
  WEFT__FAIL_IF(hash == NULL, WEFT_ERROR_NULL, "hash");
  if (!cluster->is_strip && !cluster->is_bodies) {
    WEFT__TRY(weft_cluster_synchronize(cluster));
    *hash = weft_world_hash(cluster->world);
    return weft__ok();
  }
  const weft__traffic before = cluster->mailbox.traffic;
  *hash = weft__strip_hash(cluster);
  leave_out_messages(cluster, before);
  return weft__ok();
}

weft_result weft_cluster_gather(weft_cluster* cluster, weft_cluster_range range, float* positions) {
  WEFT__FAIL_IF(cluster == NULL, WEFT_ERROR_NULL, "cluster");
  const bool is_missing = positions == NULL && cluster->mailbox.transport.rank == 0;
  WEFT__FAIL_IF(range.count > UINT64_MAX - range.first, WEFT_ERROR_INDEX, "range");
  bool is_complete = false;
  const weft__traffic before = cluster->mailbox.traffic;
  if (!weft__mailbox_agree(&cluster->mailbox, &cluster->common, !is_missing)) {
    return weft__fail(WEFT_ERROR_NULL, "positions");
  }
  const bool good = weft__cluster_gather(cluster, range, positions, &is_complete);
  leave_out_messages(cluster, before);
  WEFT__FAIL_IF(!good, WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  WEFT__FAIL_IF(!is_complete, WEFT_ERROR_INDEX, "range");
  return weft__ok();
}

weft_result weft_cluster_get_stats(const weft_cluster* cluster, weft_cluster_stats* stats) {
  WEFT__FAIL_IF(cluster == NULL, WEFT_ERROR_NULL, "cluster");
  WEFT__FAIL_IF(stats == NULL, WEFT_ERROR_NULL, "stats");
  const weft__mailbox* mailbox = &cluster->mailbox;
  const weft__traffic* traffic = &mailbox->traffic;
  const weft__domain* domain = &cluster->domain;
  *stats = (weft_cluster_stats){
      .rank = mailbox->transport.rank,
      .rank_count = mailbox->transport.rank_count,
      .first_patch = mailbox->numbering.first_patch + domain->patches.begin,
      .patch_count = domain->patches.end - domain->patches.begin,
      .first_particle = domain->particles.begin,
      .particle_count = domain->particles.end - domain->particles.begin,
      .world_first = cluster->first_particle,
      .first_body = cluster->bodies_of_rank.begin,
      .body_count = cluster->bodies_of_rank.end - cluster->bodies_of_rank.begin,
      .ghost_patch_count = cluster->ghosts != NULL ? cluster->ghosts->count : 0,
      .neighbor_count = cluster->border.outbox_count,
      .steps = cluster->steps,
      .messages_sent = traffic->messages - cluster->other.messages,
      .bytes_sent = traffic->bytes - cluster->other.bytes,
      .waited = (double)(traffic->waited_ns - cluster->other.waited_ns) * 1e-9,
      .redistributions = cluster->balance.count,
      .imbalance_before = cluster->balance.before,
      .imbalance_after = cluster->balance.after,
  };
  return weft__ok();
}
