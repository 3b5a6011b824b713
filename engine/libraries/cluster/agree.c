#include <stddef.h>
#include <string.h>

#include "base/checksum.h"
#include "libraries/cluster/cluster.h"

typedef struct compared_field {
  const char* name;
  size_t offset, size;
} compared_field;

#define FIELD(def, member, offset)                                               \
  {                                                                              \
    "weft_" #def "_def." #member, (offset) + offsetof(weft_##def##_def, member), \
        sizeof(((weft_##def##_def*)0)->member)                                   \
  }
#define WORLD(member) FIELD(world, member, 0)
#define SOLVER(member) FIELD(solver, member, offsetof(weft_world_def, solver))

// Members that change results; workers, callbacks and profiles may differ.
static const compared_field fields[] = {
    WORLD(gravity),
    WORLD(damping),
    SOLVER(iterations),
    SOLVER(tolerance),
    SOLVER(coarse_iterations),
    SOLVER(direct_iterations),
    SOLVER(substeps),
    SOLVER(attachments),
    SOLVER(integrator),
    SOLVER(sweeps),
    SOLVER(springs),
    WORLD(pair_force.kind),
    WORLD(max_speed),
    WORLD(friction_rule),
    WORLD(plane),
    WORLD(loads),
    WORLD(sleep_speed),
    WORLD(sleep_seconds),
    WORLD(max_joints),
    WORLD(max_events),
    WORLD(step_ns),
    SOLVER(max_substeps),
    SOLVER(quality),
};

#define FIELD_COUNT (sizeof(fields) / sizeof(*fields))
#define FIELD_BYTES 16u

typedef struct identity {
  char version[16];
  unsigned char def[FIELD_COUNT][FIELD_BYTES];
  uint64_t fingerprint; /* the scene's; 0 if the world was not created */
  uint32_t error;
} identity;

typedef struct comparison {
  identity own;
  weft_result result;
} comparison;

static weft_result compare_identities(const identity* own, const identity* other, uint32_t rank) {
  if (memcmp(own->version, other->version, sizeof(own->version)) != 0) {
    return weft__fail_at(WEFT_ERROR_FOREIGN, "weft_version", rank);
  }
  for (size_t f = 0; f < FIELD_COUNT; ++f) {
    if (memcmp(own->def[f], other->def[f], FIELD_BYTES) != 0) {
      return weft__fail_at(WEFT_ERROR_FOREIGN, fields[f].name, rank);
    }
  }
  if (own->error != WEFT_OK) return weft__ok();
  if (other->error != WEFT_OK) return weft__fail_at((weft_error)other->error, "rank", rank);
  if (own->fingerprint != other->fingerprint) {
    return weft__fail_at(WEFT_ERROR_FOREIGN, "scene", rank);
  }
  return weft__ok();
}

static void take_identity(void* context, uint32_t from, const void* bytes, size_t size) {
  comparison* c = context;
  identity other = {.version = ""};
  if (c->result.error != WEFT_OK) return;
  // another version may send another struct
  memcpy(&other, bytes, size < sizeof(other) ? size : sizeof(other));
  c->result = compare_identities(&c->own, &other, from);
}

weft_result weft__cluster_compare(weft_cluster* cluster, const weft_world_def* def,
                                  weft_result created) {
  comparison c = {.result = weft__ok()};
  // padding is compared
  memset(&c.own, 0, sizeof(c.own));
  strncpy(c.own.version, weft_version(), sizeof(c.own.version) - 1);
  for (size_t f = 0; f < FIELD_COUNT && def != NULL; ++f) {
    memcpy(c.own.def[f], (const char*)def + fields[f].offset, fields[f].size);
  }
  c.own.error = created.error;
  if (created.error == WEFT_OK) c.own.fingerprint = cluster->fingerprint;
  weft__mailbox_gather(&cluster->mailbox, &cluster->common, &c.own, sizeof(c.own), take_identity,
                       &c);
  return created.error != WEFT_OK && c.result.error == WEFT_OK ? created : c.result;
}

enum { CLOTH_TABLES, CCD_TABLES, TABLE_KINDS };

typedef struct table_sums {
  uint64_t sum[TABLE_KINDS]; /* 0: no tables */
} table_sums;

static table_sums sums_of(const weft__self* cloth, const weft__ccd* ccd) {
  table_sums sums = {0};
  if (cloth->particle_count > 0) {
    const size_t places = (size_t)cloth->tiles.tile_count * WEFT__TILE;
    weft__checksum sum = {.words = 0};
    weft__checksum_add(&sum, cloth->particle, places * sizeof(*cloth->particle));
    weft__checksum_add(&sum, cloth->tiles.range, places * sizeof(*cloth->tiles.range));
    sums.sum[CLOTH_TABLES] = weft__checksum_value(&sum);
  }
  if (ccd->particle_count > 0) {
    // columns end with zeros, on a cache line
    weft__checksum sum = {.words = 0};
    const size_t size = weft__round_up(ccd->mesh.face_count * sizeof(float), sizeof(uint64_t));
    weft__checksum_add(&sum, ccd->mesh.size, size);
    sums.sum[CCD_TABLES] = weft__checksum_value(&sum);
  }
  return sums;
}

typedef struct table_comparison {
  table_sums own;
  bool is_same;
} table_comparison;

static void take_sums(void* context, uint32_t from, const void* bytes, size_t size) {
  (void)from;
  table_comparison* c = context;
  c->is_same = c->is_same && size == sizeof(c->own) && memcmp(&c->own, bytes, size) == 0;
}

weft_result weft__cluster_compare_tables(weft_cluster* cluster) {
  const weft__stepper* stepper = &cluster->world->stepper;
  const weft__self* cloth = &stepper->contacts.cloth;
  const weft__ccd* ccd = weft__ccd_of(stepper);
  const uint32_t has = (cloth->particle_count > 0 ? 1u << CLOTH_TABLES : 0u) |
                       (ccd->particle_count > 0 ? 1u << CCD_TABLES : 0u);
  if (has == cluster->has_tables) return weft__ok();
  table_comparison c = {sums_of(cloth, ccd), true};
  weft__mailbox_gather(&cluster->mailbox, &cluster->common, &c.own, sizeof(c.own), take_sums, &c);
  WEFT__FAIL_IF(!c.is_same, WEFT_ERROR_STALE, "weft_cluster_synchronize");
  cluster->has_tables = has;
  return weft__ok();
}

typedef struct lack {
  bool acts;
  const char* field;
} lack;

weft_result weft__cluster_check(const weft_world* world) {
  const weft__stepper* s = &world->stepper;
  const lack lacks[] = {
      {s->settings.with_springs, "weft_solver_def.springs"},
      {s->settings.pair_force.kind != WEFT_PAIR_FORCE_NONE, "weft_world_def.pair_force"},
      {s->particles.velocity_block != NULL, "weft_solver_def.integrator"},
      {s->settings.with_loads, "weft_world_def.loads"},
  };
  for (size_t k = 0; k < sizeof(lacks) / sizeof(*lacks); ++k) {
    WEFT__FAIL_IF(lacks[k].acts, WEFT_ERROR_UNSUPPORTED, lacks[k].field);
  }
  for (uint32_t k = 0; weft__stages[k] != NULL; ++k) {
    const weft__stage* stage = weft__stages[k];
    if (stage->not_in_clusters == NULL) continue;
    WEFT__FAIL_IF(stage->is_on(s->stages.of[k]), WEFT_ERROR_UNSUPPORTED, stage->not_in_clusters);
  }
  return weft__ok();
}
