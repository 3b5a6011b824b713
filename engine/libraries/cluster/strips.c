#include "libraries/cluster/strips.h"

#include <string.h>

#include "base/checksum.h"
#include "base/hash.h"
#include "base/memory.h"
#include "libraries/cluster/cluster.h"
#include "libraries/cluster/patch_graph.h"
#include "scene/scene.h"

// Rows of tiles built beside own ones, and after which colours repeat.
#define BESIDE 2u
#define PERIOD 2u

// Features that strips lack.
static weft_result check(const weft_world_def* def, const weft__sheet_parts* of) {
  const weft_sheet_def* sheet = of->sheet;
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(sheet == NULL, WEFT_ERROR_NULL, "sheet");
  WEFT__FAIL_IF(of->pins == NULL && of->pin_count > 0, WEFT_ERROR_NULL, "pins");
  WEFT__TRY(weft__check_sheet_def(sheet));
  const uint64_t count = (uint64_t)sheet->columns * sheet->rows;
  for (uint32_t k = 0; k < of->pin_count; ++k) {
    const weft_cluster_range* pins = &of->pins[k];
    if (pins->first > count || pins->count > count - pins->first) {
      return weft__fail_at(WEFT_ERROR_INDEX, "pins", k);
    }
  }
  WEFT__TRY(WEFT__CHECK_FIELD(solver, &def->solver, attachments));
  const struct {
    bool is_lacking;
    const char* field;
  } lacks[] = {
      {sheet->columns < sheet->rows || sheet->rows < 2, "weft_sheet_def.rows"},
      {weft__sheet_bends(sheet) && sheet->columns < 3, "weft_sheet_def.columns"},
      // without leaves, which the direct solver would take for trees
      {!sheet->structural, "weft_sheet_def.structural"},
      {def->solver.iterations == WEFT_AUTO, "weft_solver_def.iterations"},
      {def->solver.substeps == WEFT_AUTO, "weft_solver_def.substeps"},
      {def->solver.coarse_iterations != 0, "weft_solver_def.coarse_iterations"},
      {def->solver.attachments == WEFT_AUTO, "weft_solver_def.attachments"},
      {def->solver.tolerance != 0.0f, "weft_solver_def.tolerance"},
  };
  for (size_t k = 0; k < sizeof(lacks) / sizeof(*lacks); ++k) {
    WEFT__FAIL_IF(lacks[k].is_lacking, WEFT_ERROR_UNSUPPORTED, lacks[k].field);
  }
  return weft__ok();
}

static uint64_t sum_of_links(const weft_cluster* cluster) {
  const weft__schedule* schedule = &cluster->world->stepper.schedule;
  weft__checksum sum = {0};
  for (uint32_t g = 0; g < schedule->links.group_count; ++g) {
    const uint64_t mask = schedule->links.lane_mask[g];
    weft__checksum_add(&sum, &mask, sizeof(mask));
  }
  return weft__checksum_value(&sum);
}

void weft__strip_end_steps(weft_cluster* cluster) {
  cluster->sum_of_links = sum_of_links(cluster);
}

weft_result weft__strip_check_world(const weft_cluster* cluster) {
  const weft__stepper* s = &cluster->world->stepper;
  const weft__contacts* c = &s->contacts;
  const struct {
    bool acts;
    const char* field;
  } lacks[] = {
      {weft__stages_act(&s->stages, WEFT__PHASE_CONFIRM) ||
           weft__face_contacts_may_act(&c->faces, &c->materials, &c->colliders) || c->cloth.on ||
           weft__has_bodies(s) || s->particles.rotation_block != NULL,
       "weft_world_set_particle_shape"},
      {c->log.on, "weft_world_def.max_events"},
      // ranks that solve columns, or are attached beyond the link, do not know of it
      {(cluster->columns != NULL || cluster->anchors != NULL) &&
           sum_of_links(cluster) != cluster->sum_of_links,
       "WEFT_ATTRIBUTE_LINK_TORN"},
      {s->joints.end > 0, "weft_world_add_joint"},
      {s->relaxation.residual.tolerance != 0.0f, "weft_solver_def.tolerance"},
  };
  for (size_t k = 0; k < sizeof(lacks) / sizeof(*lacks); ++k) {
    WEFT__FAIL_IF(lacks[k].acts, WEFT_ERROR_UNSUPPORTED, lacks[k].field);
  }
  return weft__ok();
}

// Own row of tiles.
static uint32_t first_row_of(const weft__tiling* t, uint32_t rank, uint32_t rank_count) {
  return (uint32_t)((uint64_t)t->down * rank / rank_count);
}

static weft__range built_rows(const weft__tiling* t, uint32_t rank, uint32_t rank_count) {
  const uint32_t begin = first_row_of(t, rank, rank_count);
  const uint32_t end = first_row_of(t, rank + 1, rank_count);
  const uint32_t first = begin < BESIDE ? 0 : (begin - BESIDE) / PERIOD * PERIOD;
  return (weft__range){first, t->down - end < BESIDE ? t->down : end + BESIDE};
}

// By the rank's numbers; ranges that it has not built are empty.
static bool divide(weft_cluster* cluster, const weft__tiling* t, weft__range built) {
  const uint32_t ranks = cluster->mailbox.transport.rank_count;
  uint32_t* first = weft__alloc((size_t)ranks + 1, sizeof(*first));
  cluster->cloth.first_patch = first;
  cluster->cloth.first_particle = weft__alloc((size_t)ranks + 1, sizeof(*first));
  if (first == NULL || cluster->cloth.first_particle == NULL) return false;
  for (uint32_t r = 0; r <= ranks; ++r) {
    uint32_t row = first_row_of(t, r, ranks);
    if (row < built.begin) row = built.begin;
    if (row > built.end) row = built.end;
    first[r] = (row - built.begin) * t->across;
  }
  return true;
}

static bool repeats(const weft__schedule* schedule, uint32_t period) {
  for (uint32_t p = period; p < schedule->patch_count; ++p) {
    if (schedule->patch_color[p] != schedule->patch_color[p - period]) return false;
  }
  return true;
}

static bool list_rows(weft_cluster* cluster, const weft__tiling* t) {
  const uint32_t ranks = cluster->mailbox.transport.rank_count;
  cluster->first_row = weft__alloc((size_t)ranks + 1, sizeof(*cluster->first_row));
  for (uint32_t r = 0; r <= ranks && cluster->first_row != NULL; ++r) {
    const uint32_t row = first_row_of(t, r, ranks) * t->size.height;
    cluster->first_row[r] = row < t->rows ? row : t->rows;
  }
  return cluster->first_row != NULL;
}

static uint64_t fingerprint(const weft__sheet_parts* of) {
  const weft_sheet_def* sheet = of->sheet;
  const weft_material_def none = {0};
  const weft_material_def* m = sheet->material != NULL ? sheet->material : &none;
  const float numbers[] = {(float)sheet->columns,
                           (float)sheet->rows,
                           sheet->spacing,
                           sheet->particle_mass,
                           sheet->relaxation,
                           sheet->shear_relaxation,
                           sheet->bend_relaxation,
                           sheet->structural ? 1.0f : 0.0f,
                           sheet->shear ? 1.0f : 0.0f,
                           sheet->bend ? 1.0f : 0.0f,
                           sheet->tear_ratio,
                           m->density,
                           m->stretch_stiffness,
                           m->shear_stiffness,
                           m->bend_stiffness,
                           sheet->material != NULL ? 1.0f : 0.0f};
  const float* const vectors[] = {sheet->origin, sheet->across, sheet->down};
  weft__checksum sum = {0};
  weft__checksum_add(&sum, numbers, sizeof(numbers));
  for (size_t k = 0; k < sizeof(vectors) / sizeof(*vectors); ++k) {
    const float vector[4] = {vectors[k][0], vectors[k][1], vectors[k][2], 0.0f};
    weft__checksum_add(&sum, vector, sizeof(vector));
  }
  if (of->pin_count > 0) weft__checksum_add(&sum, of->pins, of->pin_count * sizeof(*of->pins));
  return weft__checksum_value(&sum);
}

// Particles from `first` on.
static weft_result pin(weft_scene* scene, const weft__sheet_parts* of, uint64_t first) {
  const uint64_t end = first + scene->particle_count;
  for (uint32_t k = 0; k < of->pin_count; ++k) {
    const weft_cluster_range* pins = &of->pins[k];
    const uint64_t begin = pins->first > first ? pins->first : first;
    const uint64_t stop = pins->first + pins->count < end ? pins->first + pins->count : end;
    if (begin >= stop) continue;
    WEFT__TRY(
        weft_scene_pin(scene, weft_range((uint32_t)(begin - first), (uint32_t)(stop - begin))));
  }
  return weft__ok();
}

// Own particles, no cycle of links between pinned ones. Rows that are not own lack links, and may
// have trees that the whole sheet has not.
static bool has_own_tree(const weft_cluster* cluster) {
  const weft__stepper* stepper = &cluster->world->stepper;
  const uint32_t columns = cluster->sheet_columns;
  const weft__range own = weft__rank_range(cluster->first_row, weft__own_rank(cluster));
  const uint32_t first = (uint32_t)cluster->first_particle;
  for (uint32_t node = 0; node < weft__trees_of(stepper)->node_count; ++node) {
    const uint32_t user = stepper->schedule.user_of[weft__trees_of(stepper)->particle[node]];
    const uint32_t row = (user + first) / columns;
    if (stepper->particles.inv_mass[weft__trees_of(stepper)->particle[node]] == 0.0f) continue;
    if (weft__range_has(own, row)) return true;
  }
  return false;
}

static weft_result build(weft_cluster* cluster, const weft_world_def* def,
                         const weft__sheet_parts* of, weft__range rows) {
  // attachments are made later, by all ranks
  weft_world_def of_part = *def;
  of_part.solver.attachments = 0;
  WEFT__TRY(weft_scene_create(&cluster->part));
  weft_scene* scene = cluster->part;
  const bool has_columns = cluster->mailbox.transport.rank_count == 1;
  weft_result result = weft__scene_add_sheet_rows(scene, of->sheet, rows, has_columns);
  if (result.error == WEFT_OK) result = pin(scene, of, cluster->first_particle);
  if (result.error == WEFT_OK) result = weft_world_create(&of_part, scene, &cluster->world);
  WEFT__TRY(result);
  WEFT__FAIL_IF(has_own_tree(cluster), WEFT_ERROR_UNSUPPORTED, "pins");
  if (weft__trees_of(&cluster->world->stepper)->tree_count == 0) return weft__ok();
  weft_world_destroy(&cluster->world);
  of_part.solver.direct_iterations = 0;
  return weft_world_create(&of_part, scene, &cluster->world);
}

weft_result weft__strip_create(weft_cluster* cluster, const weft_world_def* def,
                               const weft__sheet_parts* of) {
  const weft_transport* transport = &cluster->mailbox.transport;
  WEFT__TRY(check(def, of));
  const weft_sheet_def* sheet = of->sheet;
  const weft__tiling t = weft__tiling_of(sheet->columns, sheet->rows);
  const weft__range built = built_rows(&t, transport->rank, transport->rank_count);
  weft__range rows = {built.begin * t.size.height, built.end * t.size.height};
  if (rows.end > sheet->rows) rows.end = sheet->rows;
  cluster->fingerprint = fingerprint(of);
  cluster->is_strip = true;
  cluster->first_particle = (uint64_t)rows.begin * sheet->columns;
  cluster->mailbox.numbering =
      (weft__numbering){(uint32_t)cluster->first_particle, built.begin * t.across};
  WEFT__FAIL_IF(!divide(cluster, &t, built), WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  cluster->sheet_columns = sheet->columns;
  WEFT__FAIL_IF(!list_rows(cluster, &t), WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  WEFT__TRY(build(cluster, def, of, rows));
  WEFT__FAIL_IF(!repeats(&cluster->world->stepper.schedule, PERIOD * t.across),
                WEFT_ERROR_UNSUPPORTED, "weft_sheet_def.columns");
  WEFT__FAIL_IF(!weft__strip_columns_create(cluster, sheet), WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  // the last row of tiles lacks links to the next one
  cluster->complete_patches = (t.down - built.begin) * t.across;
  if (built.end < t.down) cluster->complete_patches = (built.end - built.begin - 1) * t.across;
  weft__strip_end_steps(cluster);
  return weft__ok();
}

uint64_t weft__strip_hash(weft_cluster* cluster) {
  weft__mailbox* mailbox = &cluster->mailbox;
  weft__channel* channel = &cluster->state;
  const uint32_t rank = mailbox->transport.rank, last = mailbox->transport.rank_count - 1;
  uint64_t hash = WEFT__FNV_BASIS;
  if (rank > 0) {
    weft__block* block = weft__mailbox_wait(mailbox, channel, rank - 1);
    memcpy(&hash, block->bytes, sizeof(hash));
    block->is_in_use = false;
  }
  hash = weft__world_hash_range(cluster->world, hash, cluster->domain.particles);
  if (rank < last) weft__mailbox_send(mailbox, channel, rank + 1, &hash, sizeof(hash));
  ++channel->sequence;
  // the last rank's hash is the whole sheet's
  if (rank < last) {
    weft__block* block = weft__mailbox_wait(mailbox, channel, last);
    memcpy(&hash, block->bytes, sizeof(hash));
    block->is_in_use = false;
  }
  for (uint32_t r = 0; rank == last && r < last; ++r) {
    weft__mailbox_send(mailbox, channel, r, &hash, sizeof(hash));
  }
  ++channel->sequence;
  return hash;
}
