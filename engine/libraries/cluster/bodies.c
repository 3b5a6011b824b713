#include "libraries/cluster/bodies.h"

#include "base/memory.h"
#include "libraries/cluster/cluster.h"
#include "scene/fingerprint.h"
#include "schedule/freeze.h"
#include "schedule/order.h"
#include "schedule/touched.h"

// lanes of the patch before do not reach beyond
#define MIN_PATCH 32u

typedef struct last_patch {
  uint32_t color;
  bool reaches_next;  // lanes without a constraint name the next patch's particles
  bool is_lost;       // unknown colour
  bool is_small;
} last_patch;

typedef struct survey {
  weft_scene* scene;       // one body
  weft_scene* group;       // bodies since one that began a patch
  uint64_t* cost;          // particles and links before each body, and of all [count + 1]
  uint64_t* particles;     // only particles
  uint32_t* patches;       // begun before each body [count + 1]
  bool* is_start;          // a rank may begin with the body [count + 1]
  uint32_t kind_of_parts;  // the first body's: lattices, or not
  uint32_t filled;
  bool is_open;  // another small body may join it
  last_patch last;
  uint32_t first_color;
  weft__checksum sum;
} survey;

enum { NO_PARTS, LATTICES, GRAPHS };

static void destroy_survey(survey* s) {
  weft_scene_destroy(&s->scene);
  weft_scene_destroy(&s->group);
  weft__free(s->cost);
  weft__free(s->particles);
  weft__free(s->patches);
  weft__free(s->is_start);
}

static bool create_survey(survey* s, uint32_t count) {
  const size_t rows = (size_t)count + 1;
  *s = (survey){.cost = weft__alloc_zeroed(rows, sizeof(*s->cost)),
                .particles = weft__alloc_zeroed(rows, sizeof(*s->particles)),
                .patches = weft__alloc_zeroed(rows, sizeof(*s->patches)),
                .is_start = weft__alloc_zeroed(rows, sizeof(*s->is_start))};
  return s->cost != NULL && s->particles != NULL && s->patches != NULL && s->is_start != NULL;
}

// Lattices and other parts are not in the order of bodies: a scene has one kind.
static weft_result check_parts(survey* s) {
  const weft_scene* scene = s->scene;
  WEFT__FAIL_IF(weft__scene_environment_count(scene) > 1, WEFT_ERROR_UNSUPPORTED, "environment");
  for (size_t p = 0; p < scene->part_count; ++p) {
    const uint32_t kind = scene->parts[p].columns > 0 ? LATTICES : GRAPHS;
    if (s->kind_of_parts == NO_PARTS) s->kind_of_parts = kind;
    WEFT__FAIL_IF(kind != s->kind_of_parts, WEFT_ERROR_UNSUPPORTED, "build");
  }
  return weft__ok();
}

// In the scene of all: weft__order_push_patch(). begins: a patch begins with the body
static bool add_patches(survey* s, uint32_t body, bool* begins) {
  weft__order order;
  if (!weft__order_create(&order, s->scene)) return false;
  s->patches[body + 1] = s->patches[body];
  for (size_t k = 0; k < order.push_count; ++k) {
    const uint32_t count = order.pushes[k] >> 1;
    const bool is_whole = (order.pushes[k] & 1u) != 0;
    const bool joins = is_whole && s->is_open && s->filled + count <= order.shared_patch;
    if (k == 0) *begins = !joins;
    s->filled = joins ? s->filled + count : count;
    s->is_open = is_whole;
    s->patches[body + 1] += !joins;
  }
  weft__order_destroy(&order);
  return true;
}

typedef struct reach {
  uint32_t end;
  bool is_beyond;
} reach;

static bool visit_touched(void* context, weft__range particles) {
  reach* r = context;
  r->is_beyond |= particles.end > r->end;
  return true;
}

static bool reaches_next(const weft__schedule* schedule, uint32_t patch) {
  reach r = {.end = schedule->patch_first[patch + 1]};
  // padding stands for the next patch's particles
  weft__schedule padded = *schedule;
  padded.particle_count += MIN_PATCH;
  (void)weft__visit_touched(&padded, patch, visit_touched, &r);
  return r.is_beyond;
}

static uint32_t patch_size(const weft__schedule* schedule, uint32_t patch) {
  return schedule->patch_first[patch + 1] - schedule->patch_first[patch];
}

static void color_patches(const weft__schedule* schedule, uint32_t first, uint32_t* color) {
  color[0] = first;
  for (uint32_t p = 1; p < schedule->patch_count; ++p) {
    uint64_t used = 0;
    for (uint32_t n = schedule->patch_first_neighbor[p]; n < schedule->patch_first_neighbor[p + 1];
         ++n) {
      if (schedule->neighbors[n] < p) used |= 1ull << (color[schedule->neighbors[n]] & 63u);
    }
    color[p] = (uint32_t)__builtin_ctzll(~used);
  }
}

// Colour of a complete group's last patch in the scene of all.
static bool close_group(survey* s) {
  weft__schedule schedule;
  weft__stage_states stages = {.block = NULL};
  const bool good =
      weft__stages_allocate(&stages) && weft__stages_freeze(&stages, &schedule, s->group);
  weft__stages_destroy(&stages);
  if (!good) return false;
  const uint32_t last = schedule.patch_count - 1;
  uint32_t* color = weft__alloc(schedule.patch_count, sizeof(*color));
  if (color != NULL) {
    color_patches(&schedule, s->first_color, color);
    s->last.color = color[last];
    s->last.reaches_next = reaches_next(&schedule, last);
    s->last.is_small = patch_size(&schedule, last) < MIN_PATCH;
    s->last.is_lost |= s->last.is_small || patch_size(&schedule, 0) < MIN_PATCH;
  }
  weft__free(color);
  weft__schedule_destroy(&schedule);
  return color != NULL;
}

// Ranks may begin where the first patch has the first colour, as in their own worlds.
static bool begin_group(survey* s, uint32_t body) {
  if (body > 0 && !close_group(s)) return false;
  if (!s->last.reaches_next && !s->last.is_small) s->last.is_lost = false;
  s->first_color = s->last.reaches_next && s->last.color == 0 ? 1 : 0;
  s->is_start[body] = body == 0 || (!s->last.is_lost && s->first_color == 0);
  weft_scene_destroy(&s->group);
  return weft_scene_create(&s->group).error == WEFT_OK;
}

static weft_result survey_body(survey* s, const weft__body_list* of, uint32_t body) {
  weft_scene_destroy(&s->scene);
  WEFT__TRY(weft_scene_create(&s->scene));
  WEFT__TRY(of->build(s->scene, body, of->context));
  WEFT__FAIL_IF(s->scene->particle_count == 0, WEFT_ERROR_EMPTY, "build");
  WEFT__TRY(check_parts(s));
  bool begins = true;
  WEFT__FAIL_IF(!add_patches(s, body, &begins) || (begins && !begin_group(s, body)),
                WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  WEFT__TRY(of->build(s->group, body, of->context));
  weft__scene_add_to_checksum(&s->sum, s->scene);
  const uint64_t particles = s->scene->particle_count;
  s->particles[body + 1] = s->particles[body] + particles;
  s->cost[body + 1] = s->cost[body] + particles + s->scene->links.count;
  WEFT__FAIL_IF(s->particles[body + 1] > UINT32_MAX, WEFT_ERROR_TOO_MANY, "build");
  return weft__ok();
}

// Begin of a patch, from the rank's share of the cost on.
static uint32_t first_body(const survey* s, uint32_t count, uint32_t rank, uint32_t rank_count) {
  const uint64_t share = (uint64_t)((double)s->cost[count] * (double)rank / (double)rank_count);
  uint32_t body = 0;
  while (body < count && (s->cost[body] < share || !s->is_start[body])) ++body;
  return rank == 0 ? 0 : body;
}

static weft_result build_own(weft_cluster* cluster, const weft_world_def* def,
                             const weft__body_list* of, weft__range bodies) {
  weft_scene* scene = NULL;
  WEFT__TRY(weft_scene_create(&scene));
  weft_result result = weft__ok();
  for (uint32_t body = bodies.begin; body < bodies.end && result.error == WEFT_OK; ++body) {
    result = of->build(scene, body, of->context);
  }
  if (result.error == WEFT_OK) result = weft_world_create(def, scene, &cluster->world);
  weft_scene_destroy(&scene);
  return result;
}

static weft_result divide(weft_cluster* cluster, const weft_world_def* def,
                          const weft__body_list* of, survey* s) {
  const weft_transport* transport = &cluster->mailbox.transport;
  for (uint32_t body = 0; body < of->count; ++body) WEFT__TRY(survey_body(s, of, body));
  cluster->bodies_of_rank =
      (weft__range){first_body(s, of->count, transport->rank, transport->rank_count),
                    first_body(s, of->count, transport->rank + 1, transport->rank_count)};
  if (transport->rank + 1 == transport->rank_count) cluster->bodies_of_rank.end = of->count;
  const uint32_t first = cluster->bodies_of_rank.begin;
  WEFT__FAIL_IF(first == cluster->bodies_of_rank.end, WEFT_ERROR_EMPTY, "body_count");
  cluster->first_particle = s->particles[first];
  cluster->mailbox.numbering =
      (weft__numbering){(uint32_t)cluster->first_particle, s->patches[first]};
  cluster->fingerprint = weft__checksum_value(&s->sum);
  WEFT__TRY(build_own(cluster, def, of, cluster->bodies_of_rank));
  const weft__stepper* stepper = &cluster->world->stepper;
  cluster->domain.patches = (weft__range){0, stepper->schedule.patch_count};
  cluster->domain.particles = (weft__range){0, stepper->particles.count};
  return weft__ok();
}

weft_result weft__bodies_create(weft_cluster* cluster, const weft_world_def* def,
                                const weft__body_list* of) {
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(of->build == NULL, WEFT_ERROR_NULL, "build");
  WEFT__FAIL_IF(of->count == 0, WEFT_ERROR_EMPTY, "body_count");
  const struct {
    bool is_lacking;
    const char* field;
  } lacks[] = {
      {def->solver.iterations == WEFT_AUTO, "weft_solver_def.iterations"},
      {def->solver.substeps == WEFT_AUTO, "weft_solver_def.substeps"},
      {def->solver.attachments == WEFT_AUTO, "weft_solver_def.attachments"},
      // patches of coarse levels are divided elsewhere
      {def->solver.coarse_iterations != 0, "weft_solver_def.coarse_iterations"},
      {def->solver.tolerance != 0.0f, "weft_solver_def.tolerance"},
  };
  for (size_t k = 0; k < sizeof(lacks) / sizeof(*lacks); ++k) {
    WEFT__FAIL_IF(lacks[k].is_lacking, WEFT_ERROR_UNSUPPORTED, lacks[k].field);
  }
  cluster->is_bodies = true;
  survey s;
  weft_result result = weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "cluster");
  if (create_survey(&s, of->count)) result = divide(cluster, def, of, &s);
  destroy_survey(&s);
  return result;
}
