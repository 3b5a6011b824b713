/* Contacts in a world of several ranks have the bits of a world alone. */
#include "support/ranks.h"
#include "support/test.h"

enum { SIDE = 65, BALLS = 600 };

static const float spacing = 1.0f / (SIDE - 1);

// ---- scenes ----

typedef enum contact_stage { SELF, PARTICLES, FACES, CCD, EVENTS, RISE, STAGES } contact_stage;

typedef struct contact_case {
  const char* name;
  weft_scene* (*build)(void);
  weft_result (*set)(weft_world* world);  // of a world before its first step; the first error
  uint32_t steps, substeps, levels;
  contact_stage acts;                        // has contacts, at the end
  weft_result (*change)(weft_world* world);  // in the middle; NULL: nothing
} contact_case;

// A sheet that stands upright, leans a little, and falls in folds onto the floor and itself.
static weft_scene* folds(void) {
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = def.rows = SIDE;
  def.spacing = spacing;
  def.particle_mass = 0.2f * spacing * spacing;
  def.origin[1] = 0.02f + 40.0f / 41.0f;
  memcpy(def.down, (const float[3]){0.0f, -40.0f / 41.0f, 9.0f / 41.0f}, sizeof(def.down));
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  return scene;
}

// Two level sheets, closer than their thickness: see set_squeezed().
#define SQUEEZED_HEIGHT (0.55f * spacing)

static weft_scene* layers(void) {
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = def.rows = SIDE;
  def.spacing = spacing;
  def.particle_mass = 0.2f * spacing * spacing;
  memcpy(def.down, (const float[3]){0.0f, 0.0f, 1.0f}, sizeof(def.down));
  weft_scene* scene = new_scene();
  for (int layer = 0; layer < 2; ++layer) {
    def.origin[1] = (layer == 0 ? 1.0f : 2.2f) * SQUEEZED_HEIGHT;
    expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  }
  return scene;
}

// Balls above a sheet that is held at its corners.
static weft_scene* balls(void) {
  static float positions[BALLS][3];
  static float inv_mass[BALLS];
  for (uint32_t i = 0; i < BALLS; ++i) {
    inv_mass[i] = 20.0f;
    positions[i][0] = 0.2f + 0.06f * (float)(i % 10) + 0.01f * (float)(i / 100);
    positions[i][1] = 1.03f + 0.06f * (float)(i / 100);
    positions[i][2] = 0.2f + 0.06f * (float)(i / 10 % 10);
  }
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = def.rows = SIDE;
  def.spacing = spacing;
  def.origin[1] = 1.0f;
  memcpy(def.down, (const float[3]){0.0f, 0.0f, 1.0f}, sizeof(def.down));
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  expect_ok(weft_scene_pin(scene, weft_range(SIDE - 1, 1)));
  expect_ok(weft_scene_pin(scene, weft_range(SIDE * SIDE - 1, 1)));
  expect_ok(weft_scene_add_particles(scene, positions[0], inv_mass, BALLS, NULL));
  return scene;
}

// ---- settings ----

static weft_particle_shape_def cloth_shape(void) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = 0.55f * spacing;
  shape.surface.static_friction = shape.surface.dynamic_friction = 0.3f;
  return shape;
}

static weft_result add_floor(weft_world* world) {
  weft_collider_def def = weft_default_collider_def();
  weft_collider handle;
  def.shape = WEFT_COLLIDER_SHAPE_PLANE;
  def.surface.static_friction = def.surface.dynamic_friction = 0.3f;
  return weft_world_add_collider(world, &def, &handle);
}

// Folds: rows move forwards and backwards by turns, and all fall fast.
static weft_result start(weft_world* world, const weft_particle_shape_def* shape) {
  weft_world_stats stats = {0};
  weft_result result = weft_world_get_stats(world, &stats);
  for (uint32_t row = 0; row < SIDE && result.error == WEFT_OK; ++row) {
    const float velocity[3] = {0.0f, -3.0f, row % 22 < 11 ? 0.5f : -0.5f};
    result = weft_world_set(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(row * SIDE, SIDE), velocity,
                            WEFT_SAME);
  }
  if (result.error == WEFT_OK) result = add_floor(world);
  if (result.error == WEFT_OK) {
    result = weft_world_set_particle_shape(world, weft_range(0, stats.particle_count), shape);
  }
  return result;
}

static weft_result set_thickness(weft_world* world) {
  const weft_particle_shape_def shape = cloth_shape();
  return start(world, &shape);
}

static weft_result set_ccd(weft_world* world) {
  weft_particle_shape_def shape = cloth_shape();
  shape.collision = WEFT_COLLISION_EXACT;
  return start(world, &shape);
}

// A plate presses them on a floor, and slides.
static weft_result set_squeezed(weft_world* world) {
  const weft_particle_shape_def shape = cloth_shape();
  weft_collider_def plate = weft_default_collider_def();
  weft_collider handle;
  plate.shape = WEFT_COLLIDER_SHAPE_BOX;
  plate.half_size[0] = plate.half_size[2] = 0.4f;
  plate.position[0] = plate.position[2] = 0.5f;
  plate.half_size[1] = 0.1f;
  plate.position[1] = 3.2f * SQUEEZED_HEIGHT + plate.half_size[1];
  plate.velocity[0] = 0.3f;
  plate.surface.static_friction = plate.surface.dynamic_friction = 0.3f;
  weft_result result = add_floor(world);
  if (result.error == WEFT_OK) result = weft_world_add_collider(world, &plate, &handle);
  if (result.error != WEFT_OK) return result;
  return weft_world_set_particle_shape(world, weft_range(0, 2 * SIDE * SIDE), &shape);
}

// Two borders are drawn together, and pulled apart by every third joint's breaking.
static weft_result set_sewn(weft_world* world) {
  weft_result result = set_squeezed(world);
  for (uint32_t i = 0; i < SIDE && result.error == WEFT_OK; i += 2) {
    weft_joint_def def = weft_default_joint_def();
    weft_joint handle;
    def.particle = i;
    def.to[0] = SIDE * SIDE + i;
    def.closing_time = 0.05f;
    def.break_force = i % 3 == 0 ? 1e-3f : 0.0f;
    result = weft_world_add_joint(world, &def, &handle);
  }
  return result;
}

// Fewer pairs than there are: the tiles from some index on have none.
static weft_result set_few_pairs(weft_world* world) {
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_pairs = 1000;
  const weft_result result = weft_world_set_contact_limits(world, &limits);
  return result.error == WEFT_OK ? set_thickness(world) : result;
}

// From contacts by thickness to CCD.
static weft_result change_to_ccd(weft_world* world) {
  weft_particle_shape_def shape = cloth_shape();
  shape.collision = WEFT_COLLISION_EXACT;
  return weft_world_set_particle_shape(world, weft_range(0, SIDE * SIDE), &shape);
}

// And back.
static weft_result change_to_thickness(weft_world* world) {
  const weft_particle_shape_def shape = cloth_shape();
  return weft_world_set_particle_shape(world, weft_range(0, SIDE * SIDE), &shape);
}

static weft_result set_faces(weft_world* world) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  weft_collider_def ball = weft_default_collider_def();
  weft_collider handle;
  ball.radius = 0.2f;
  ball.position[0] = 0.5f;
  // faces are tested near colliders that move
  ball.velocity[1] = 0.01f;
  weft_result result = start(world, &shape);
  if (result.error == WEFT_OK) result = weft_world_add_collider(world, &ball, &handle);
  return result;
}

// So fast that steps take more substeps, by what one of the ranks measures.
static weft_result set_struck(weft_world* world) {
  weft_collider_def ball = weft_default_collider_def();
  weft_collider handle;
  ball.radius = 0.1f;
  ball.position[1] = 0.3f;
  ball.velocity[0] = 5.0f;
  const weft_result result = set_thickness(world);
  return result.error == WEFT_OK ? weft_world_add_collider(world, &ball, &handle) : result;
}

// Upper balls fall faster.
static weft_result set_balls(weft_world* world) {
  weft_particle_shape_def shape = cloth_shape();
  weft_result result = weft_world_set_particle_shape(world, weft_range(0, SIDE * SIDE), &shape);
  for (uint32_t i = 0; i < BALLS && result.error == WEFT_OK; i += 100) {
    const float velocity[3] = {0.0f, -0.01f * (float)i, 0.0f};
    result = weft_world_set(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(SIDE * SIDE + i, 100),
                            velocity, WEFT_SAME);
  }
  shape.shape = WEFT_PARTICLE_SHAPE_SPHERE;
  shape.half_size[0] = 0.025f;
  shape.surface.restitution = 0.3f;
  if (result.error != WEFT_OK) return result;
  return weft_world_set_particle_shape(world, weft_range(SIDE * SIDE, BALLS), &shape);
}

static weft_result set_turning(weft_world* world) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  weft_result result = set_balls(world);
  shape.shape = WEFT_PARTICLE_SHAPE_BOX;
  shape.half_size[0] = shape.half_size[1] = shape.half_size[2] = 0.025f;
  shape.surface.static_friction = shape.surface.dynamic_friction = 0.5f;
  if (result.error == WEFT_OK) {
    result = weft_world_set_particle_shape(world, weft_range(SIDE * SIDE, BALLS / 2), &shape);
  }
  shape.shape = WEFT_PARTICLE_SHAPE_SPHERE;
  shape.turns = true;
  if (result.error != WEFT_OK) return result;
  return weft_world_set_particle_shape(world, weft_range(SIDE * SIDE + BALLS / 2, BALLS / 2),
                                       &shape);
}

static weft_result set_events(weft_world* world) {
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_events = 1u << 16;
  const weft_result result = weft_world_set_contact_limits(world, &limits);
  return result.error == WEFT_OK ? set_balls(world) : result;
}

static const contact_case cases[] = {
    {"drop-folds", folds, set_thickness, 12, 3, 0, SELF, NULL},
    {"drop-folds with levels", folds, set_thickness, 12, 2, 2, SELF, NULL},
    {"few pairs", folds, set_few_pairs, 12, 2, 0, SELF, NULL},
    {"thickness, then ccd", folds, set_thickness, 6, 1, 0, CCD, change_to_ccd},
    {"squeezed", layers, set_squeezed, 12, 2, 0, SELF, NULL},
    {"a seam that breaks", layers, set_sewn, 12, 2, 0, SELF, NULL},
    {"faces", folds, set_faces, 9, 2, 0, FACES, NULL},
    {"struck by a ball", folds, set_struck, 12, 2, 0, RISE, NULL},
    {"turning balls, and boxes", balls, set_turning, 8, 2, 0, PARTICLES, NULL},
    {"events", balls, set_events, 8, 2, 0, EVENTS, NULL},
    {"ccd, then thickness", folds, set_ccd, 9, 2, 0, SELF, change_to_thickness},
};

// ---- runs ----

typedef struct state {
  uint64_t hash;
  weft_contact_stats stats;
  uint32_t event_count;
  bool has_risen;  // to more substeps
} state;

// Reads the state of a world that has all of it.
static weft_result read_state(weft_world* world, state* s) {
  enum { MANY = 1 << 16 };
  weft_contact_event* events = malloc(MANY * sizeof(*events));
  s->hash = weft_world_hash(world);
  s->event_count = 0;
  weft_result result = weft_world_get_contact_stats(world, &s->stats);
  weft_world_stats counts = {0};
  if (result.error == WEFT_OK) result = weft_world_get_stats(world, &counts);
  s->has_risen = counts.last_substeps > counts.substeps;
  if (result.error == WEFT_OK) {
    result = weft_world_take_contact_events(world, MANY, events, &s->event_count);
    // a case without events
    if (result.error == WEFT_ERROR_DISABLED) result.error = WEFT_OK;
  }
  free(events);
  return result;
}

static bool acts(const state* s, contact_stage stage) {
  const bool has[STAGES] = {s->stats.self_pairs > 0,    s->stats.particle_pairs > 100,
                            s->stats.face_contacts > 0, s->stats.ccd_pairs > 0,
                            s->event_count > 0,         s->has_risen};
  return has[stage];
}

static weft_world_def def_of(const contact_case* c, uint32_t workers, weft_isa isa) {
  weft_world_def def = weft_plain_world_def();
  def.solver.iterations = 3;
  def.solver.substeps = c->substeps;
  def.solver.coarse_iterations = c->levels;
  def.worker_count = workers;
  def.isa = isa;
  return def;
}

typedef struct snapshot {
  unsigned char* bytes;
  size_t size;
  uint64_t hash;  // of the world
} snapshot;

typedef struct trial {
  const contact_case* c;
  const weft_scene* scene;
  uint32_t workers;
  weft_isa isa;
  bool moves;           // patches, before each step
  uint32_t begin, end;  // steps: from a snapshot, unless 0, and to one, unless it is the last one
  snapshot saved[MAX_TEST_RANKS];
  state state[MAX_TEST_RANKS];
  weft_result result[MAX_TEST_RANKS];
} trial;

static weft_result save(const weft_world* world, snapshot* made) {
  const weft_result result = weft_world_get_snapshot_size(world, &made->size);
  if (result.error != WEFT_OK) return result;
  made->hash = weft_world_hash(world);
  made->bytes = malloc(made->size);
  return weft_world_save(world, made->bytes, made->size, &made->size);
}

// The end of a run without ranks, and a snapshot after `saved_step` steps, in the second half.
static state state_alone(const trial* t, uint32_t saved_step, snapshot* saved) {
  const weft_world_def def = def_of(t->c, t->workers, WEFT_ISA_AUTO);
  weft_world* world = NULL;
  state s;
  expect_ok(weft_world_create(&def, t->scene, &world));
  expect_ok(t->c->set(world));
  weft_world_step(world, t->c->steps / 2);
  if (t->c->change != NULL) expect_ok(t->c->change(world));
  weft_world_step(world, saved_step - t->c->steps / 2);
  expect_ok(save(world, saved));
  weft_world_step(world, t->c->steps - saved_step);
  expect_ok(read_state(world, &s));
  weft_world_destroy(&world);
  return s;
}

static weft_result run_part(trial* t, uint32_t rank, weft_cluster* cluster) {
  weft_result (*const step)(weft_cluster*, uint32_t) = t->moves ? step_and_move : weft_cluster_step;
  weft_world* world = weft_cluster_world(cluster);
  weft_result result = t->begin == 0
                           ? t->c->set(world)
                           : weft_world_restore(world, t->saved[0].bytes, t->saved[0].size);
  const uint32_t half = t->begin == 0 ? t->c->steps / 2 : 1;
  const bool changes = t->c->change != NULL && t->begin == 0;
  if (result.error == WEFT_OK) result = step(cluster, half);
  if (result.error == WEFT_OK && changes) result = weft_cluster_synchronize(cluster);
  if (result.error == WEFT_OK && changes) result = t->c->change(world);
  if (result.error == WEFT_OK) result = step(cluster, t->end - t->begin - half);
  if (result.error == WEFT_OK) result = weft_cluster_synchronize(cluster);
  if (result.error != WEFT_OK) return result;
  return t->end < t->c->steps ? save(world, &t->saved[rank]) : read_state(world, &t->state[rank]);
}

static void run_rank(void* context, const weft_transport* transport) {
  trial* t = context;
  const uint32_t rank = transport->rank;
  const weft_world_def def = def_of(t->c, t->workers, t->isa);
  weft_cluster* cluster = NULL;
  t->result[rank] = weft_cluster_create(transport, &def, t->scene, &cluster);
  if (t->result[rank].error == WEFT_OK) t->result[rank] = run_part(t, rank, cluster);
  weft_cluster_destroy(&cluster);
}

// Runs without a stop, of the first case: those in two parts have three ranks and two.
static const rank_run runs[] = {
    {4, 2, WEFT_ISA_SCALAR, false, false},
    {1, 2, WEFT_ISA_AUTO, false, false},
    {8, 1, WEFT_ISA_AUTO, true, true},
};

enum { RUN_COUNT = (int)(sizeof(runs) / sizeof(*runs)) };

static void check_states(const trial* t, uint32_t ranks, const state* expected) {
  for (uint32_t r = 0; r < ranks; ++r) {
    expect_ok(t->result[r]);
    const state* s = &t->state[r];
    if (s->hash == expected->hash && s->event_count == expected->event_count &&
        memcmp(&s->stats, &expected->stats, sizeof(s->stats)) == 0) {
      continue;
    }
    ck_abort_msg("%s: rank %u of %u x %u workers: hash %016llx, not %016llx; %u pairs, not %u",
                 t->c->name, r, ranks, t->workers, (unsigned long long)s->hash,
                 (unsigned long long)expected->hash, s->stats.self_pairs,
                 expected->stats.self_pairs);
  }
}

// Ranks save the same bytes, and another number of ranks goes on from there. Lists of cloth are
// those of a world alone; those of other contacts are in the order of the first rank's workers.
static void check_in_two_parts(const contact_case* c, const weft_scene* scene, uint32_t saved_step,
                               const snapshot* alone, const state* expected) {
  enum { BEFORE = 3, AFTER = 2 };
  trial saved = {.c = c, .scene = scene, .workers = 2, .moves = true, .end = saved_step};
  run_ranks(BEFORE, true, run_rank, &saved);
  for (uint32_t r = 0; r < BEFORE; ++r) {
    const snapshot* made = &saved.saved[r];
    expect_ok(saved.result[r]);
    const bool is_canonical = c->acts == SELF && c->change == NULL;
    const snapshot* other = is_canonical ? alone : &saved.saved[0];
    require(made->hash == alone->hash);
    require(made->size == other->size);
    require(memcmp(made->bytes, other->bytes, made->size) == 0);
  }
  trial restored = {.c = c, .scene = scene, .workers = 1, .isa = WEFT_ISA_SCALAR};
  restored.begin = saved_step;
  restored.end = c->steps;
  restored.saved[0] = saved.saved[0];
  run_ranks(AFTER, false, run_rank, &restored);
  check_states(&restored, AFTER, expected);
  for (uint32_t r = 0; r < BEFORE; ++r) free(saved.saved[r].bytes);
}

enum { CASES = sizeof(cases) / sizeof(*cases) };

// Sanitizers see CCD in "thickness, then ccd" only, and the thread sanitizer only that case: it has
// both ways of solving.
LOOP_TEST(contacts_have_the_bits_of_a_world_alone, THREADED(0, 3),
          THREADED(CASES - ROUNDS(0, 1), 4)) {
  const contact_case* c = &cases[_i];
  const uint32_t saved_step = 2 * c->steps / 3;
  snapshot alone;
  weft_scene* scene = c->build();
  trial t = {.c = c, .scene = scene, .workers = 2, .end = c->steps};
  const state expected = state_alone(&t, saved_step, &alone);
  require(acts(&expected, c->acts));
  check_in_two_parts(c, scene, saved_step, &alone, &expected);
  free(alone.bytes);
  for (int r = 0; _i == 0 && r < ROUNDS(RUN_COUNT, 1); ++r) {
    t.workers = runs[r].workers;
    t.isa = runs[r].isa;
    t.moves = runs[r].moves;
    run_ranks(runs[r].ranks, runs[r].shuffles, run_rank, &t);
    check_states(&t, runs[r].ranks, &expected);
  }
}

static void set_late(void* context, const weft_transport* transport) {
  trial* t = context;
  const weft_world_def def = def_of(t->c, 1, WEFT_ISA_AUTO);
  weft_cluster* cluster = NULL;
  weft_result result = weft_cluster_create(transport, &def, t->scene, &cluster);
  if (result.error == WEFT_OK) result = weft_cluster_step(cluster, 4);
  if (result.error == WEFT_OK && t->begin > 0) result = weft_cluster_synchronize(cluster);
  if (result.error == WEFT_OK) result = t->c->set(weft_cluster_world(cluster));
  if (result.error == WEFT_OK) result = weft_cluster_step(cluster, 1);
  t->result[transport->rank] = result;
  weft_cluster_destroy(&cluster);
}

TEST(contacts_need_the_positions_of_all_ranks) {
  weft_scene* scene = folds();
  trial t = {.c = &cases[_i], .scene = scene};
  run_ranks(3, false, set_late, &t);
  for (int r = 0; r < 3; ++r) {
    require(t.result[r].error == WEFT_ERROR_STALE);
    ck_assert_str_eq(t.result[r].field, "weft_cluster_synchronize");
  }
  t.begin = 1;
  run_ranks(3, false, set_late, &t);
  for (int r = 0; r < 3; ++r) expect_ok(t.result[r]);
}
