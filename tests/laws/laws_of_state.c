/* Steps, order, company, state, clones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "laws/measures.h"
#include "laws/trial.h"
#include "libraries/bodies/turn.h"
#include "support/bare.h"
#include "support/random.h"
#include "support/ranks.h"

// ---- steps ----

static const int64_t whole_step_ns = 1000000000 / 60;

// length of the k-th of uneven frames
static int64_t uneven_ns(random_source* random, uint32_t k) {
  return k % 12 == 11 ? 1000 : (int64_t)random_from(random, 4000, 30000) * 1000;
}

// largest speed of half a second; `frame_ns` 0: uneven frames
static double fastest(const law_case* c, int64_t frame_ns) {
  trial_def def = default_trial();
  def.uneven = true;
  law_trial* trial = trial_open(c, &def);
  trial_push(trial, 0.3f, 6);
  random_source random = {.state = 11};
  double most = 0.0;
  int64_t left = 500000000;
  for (uint32_t k = 0; left > 0 && most < 1e5; ++k) {
    int64_t frame = frame_ns > 0 ? frame_ns : uneven_ns(&random, k);
    if (frame > left) frame = left;
    trial_advance(trial, frame);
    trial_read(trial);
    const double speed = trial_max_speed(trial);
    if (!(speed <= most)) most = speed;
    left -= frame;
  }
  trial_close(trial);
  return most;
}

double measure_steps(const law_case* c) {
  const double fixed = fmax(fastest(c, whole_step_ns), fastest(c, whole_step_ns / 2));
  return fastest(c, 0) / fixed;
}

// ---- comparisons ----

// a run of `seconds`, still open
static law_trial* run_of(const law_case* c, const trial_def* def, double seconds) {
  law_trial* trial = trial_open(c, def);
  float spin[3] = {0.3f, 1.0f, 0.5f};
  if (def->mirrored) spin[1] *= -1.0f, spin[2] *= -1.0f;
  trial_turn(trial, spin);
  trial_push(trial, 0.02f, 8);
  if (trial->body->traits & TRAIT_FREE) trial_spin(trial, spin);
  trial_step(trial, trial_steps_of(trial, seconds));
  trial_read(trial);
  return trial;
}

// position of a builder's particle, before turn, shift and mirror
static void place_of(const law_trial* trial, uint32_t i, float place[3]) {
  law_trial back = {.def = trial->def};
  for (int axis = 0; axis < 3; ++axis) back.def.rotation[axis] *= -1.0f;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    place[axis] = trial->positions[3 * trial->number_of[i] + axis] - trial->def.offset[axis];
  }
  trial_turn(&back, place);
  if (trial->def.mirrored) place[0] *= -1.0f;
}

// root mean square distance of the particles of two runs of a body
static double distance_of(const law_trial* a, const law_trial* b) {
  double sum = 0.0;
  for (uint32_t i = 0; i < a->count; ++i) {
    float x[3], y[3];
    place_of(a, i, x), place_of(b, i, y);
    for (int axis = 0; axis < 3; ++axis) {
      sum += ((double)x[axis] - (double)y[axis]) * ((double)x[axis] - (double)y[axis]);
    }
  }
  return sqrt(sum / a->count);
}

// largest distance of other runs from the first, over `scale`
static double distance_from(const law_trial* first, const law_case* c, const trial_def* def,
                            double seconds) {
  law_trial* other = run_of(c, def, seconds);
  const double distance = distance_of(first, other);
  trial_close(other);
  return distance;
}

// gravity off all axes, turned and mirrored like the body
static void lean_gravity(trial_def* def) {
  const law_trial turned = {.def = *def};
  float gravity[3] = {def->mirrored ? -4.0f : 4.0f, -9.0f, 3.0f};
  trial_turn(&turned, gravity);
  memcpy(def->gravity, gravity, sizeof(gravity));
}

// largest distance from a run as built, as a share of its motion
static double compare_runs(const law_case* c, trial_def* others, int count) {
  const double seconds = 0.3;
  trial_def base = default_trial();
  lean_gravity(&base);
  law_trial* start = run_of(c, &base, 0.0);
  law_trial* first = run_of(c, &base, seconds);
  const double motion = distance_of(first, start);
  double most = 0.0;
  for (int k = 0; k < count; ++k) {
    lean_gravity(&others[k]);
    most = fmax(most, distance_from(first, c, &others[k], seconds));
  }
  trial_close(start), trial_close(first);
  return most / motion;
}

double measure_order(const law_case* c) {
  const trial_def base = default_trial();
  trial_def others[3] = {base, base, base};
  others[0].shuffle = 21;
  others[1].shuffle = 22, others[1].mirrored = true;
  const weft__turn half = weft__turn_by(0.3);
  others[2].rotation[1] = (float)half.sine, others[2].rotation[3] = (float)half.cosine;
  return compare_runs(c, others, 3);
}

double measure_place(const law_case* c) {
  trial_def other = default_trial();
  other.offset[0] = 100.0f, other.offset[2] = -60.0f;
  return compare_runs(c, &other, 1);
}

// ---- company ----

static void add_elastic_ball(weft_scene* scene) {
  weft_ball_def def = bare_ball_def();
  def.origin[0] = 6.0f;
  must(weft_scene_add_ball(scene, &def, NULL));
}

static void add_tearing_sheet(weft_scene* scene) {
  weft_sheet_def def = weft_default_sheet_def();
  def.columns = def.rows = 6, def.origin[0] = 6.0f, def.tear_ratio = 2.0f;
  must(weft_scene_add_sheet(scene, &def, NULL));
}

static void add_web_beside(weft_scene* scene) {
  weft_web_def def = weft_default_web_def();
  def.origin[0] = 6.0f;
  must(weft_scene_add_web(scene, &def, NULL));
}

static void add_ragdoll_beside(weft_scene* scene) {
  weft_ragdoll_def def = weft_default_ragdoll_def();
  def.origin[0] = 6.0f;
  must(weft_scene_add_ragdoll(scene, &def, NULL));
}

// large enough for levels, at rest
static void add_curtain_beside(weft_scene* scene) {
  weft_sheet_def def = weft_default_sheet_def();
  const uint32_t first = weft_scene_particle_count(scene);
  def.columns = def.rows = 49, def.origin[0] = 6.0f;
  must(weft_scene_add_sheet(scene, &def, NULL));
  must(weft_scene_pin(scene, weft_range(first, def.columns)));
}

static void add_stiff_sheet(weft_scene* scene) {
  weft_sheet_def def = weft_default_sheet_def();
  weft_material_def material = weft_default_material_def();
  def.columns = def.rows = 6, def.origin[0] = 6.0f;
  material.bend_stiffness = 1e-4f;
  def.material = &material;
  must(weft_scene_add_sheet(scene, &def, NULL));
}

static void (*const companions[])(weft_scene*) = {add_elastic_ball,   add_tearing_sheet,
                                                  add_web_beside,     add_ragdoll_beside,
                                                  add_curtain_beside, add_stiff_sheet};
enum { COMPANIONS = sizeof(companions) / sizeof(companions[0]) };

double measure_company(const law_case* c) {
  trial_def def = default_trial();
  law_trial* alone = run_of(c, &def, 0.15);
  double most = 0.0;
  for (int k = 0; k < COMPANIONS; ++k) {
    def.beside = companions[k];
    most = fmax(most, distance_from(alone, c, &def, 0.15));
  }
  most /= trial_extent(alone);
  trial_close(alone);
  return most;
}

// sweeps of a step over each link of the body, which comes first
static double cost_of(const law_case* c, void (*beside)(weft_scene*)) {
  trial_def def = default_trial();
  def.beside = beside;
  law_trial* trial = trial_open(c, &def);
  weft_body_settings s;
  uint32_t count;
  must(weft_world_explain(trial->world, 1, &s, &count));
  const double cost = (double)s.substeps * (double)(s.iterations + s.coarse_iterations);
  trial_close(trial);
  return cost;
}

double measure_company_cost(const law_case* c) {
  const double alone = cost_of(c, NULL);
  double most = 0.0;
  for (int k = 0; k < COMPANIONS; ++k) most = fmax(most, cost_of(c, companions[k]) / alone);
  return most;
}

// ---- state ----

static void edit_nothing(law_trial* trial) {
  (void)trial;
}

static void edit_lengths(law_trial* trial) {
  for (uint32_t i = 0; i < trial->link_count; ++i) {
    const float length = 2.0f * trial->links[i].rest_length;
    if (trial->links[i].mode == WEFT_LINK_MODE_RANGE) continue;
    const weft_result result =
        weft_world_set(trial->world, WEFT_ATTRIBUTE_LINK_REST_LENGTH, weft_range(i, 1), &length, 0);
    // membranes and rods keep theirs
    if (result.error != WEFT_ERROR_UNSUPPORTED) must(result);
  }
}

static void edit_lengths_then_shapes(law_trial* trial) {
  edit_lengths(trial);
  weft_particle_shape_def shape;
  must(weft_world_get_particle_shapes(trial->world, weft_range(0, 1), &shape));
  // the first shape of a body aloft
  if (trial->path->traits & TRAIT_ALOFT) shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  for (int axis = 0; axis < 3; ++axis) shape.half_size[axis] = 1.2f * trial->body->thickness;
  must(weft_world_set_particle_shape(trial->world, weft_range(0, trial->count), &shape));
}

static void edit_masses(law_trial* trial) {
  const float inverse_masses[2] = {0.0f, 3.0f};
  const uint32_t count = trial->count < 2 ? trial->count : 2;
  must(weft_world_set(trial->world, WEFT_ATTRIBUTE_INVERSE_MASS, weft_range(0, count),
                      inverse_masses, 0));
}

static void edit_links(law_trial* trial) {
  if (trial->link_count == 0) return;
  must(weft_world_set(trial->world, WEFT_ATTRIBUTE_LINK_TORN, weft_range(trial->link_count / 2, 1),
                      &(bool){true}, 0));
  must(weft_world_set(trial->world, WEFT_ATTRIBUTE_LINK_ENABLED,
                      weft_range(trial->link_count - 1, 1), &(bool){false}, 0));
}

static void edit_grip(law_trial* trial) {
  weft_grip grip;
  must(weft_world_add_grip(trial->world, trial->positions, 0.1f, &grip));
  float place[3];
  must(weft_world_get_grip(trial->world, grip, place, NULL, NULL));
  place[1] += 0.01f;
  must(weft_world_move_grip(trial->world, grip, place));
}

static void edit_world(law_trial* trial) {
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = 3.0f, wind.gust = 0.5f;
  must(weft_world_set_wind(trial->world, &wind));
  must(weft_world_set_gravity(trial->world, (const float[3]){1.0f, -5.0f, 0.5f}));
  must(weft_world_set_damping(trial->world, 0.3f));
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = -0.7f;
  must(weft_world_set_bounds(trial->world, &bounds));
}

static void edit_colliders(law_trial* trial) {
  weft_collider_def def = weft_default_collider_def();
  weft_collider collider;
  def.radius = 0.2f, def.position[0] = 0.5f, def.velocity[0] = -1.0f;
  must(weft_world_add_collider(trial->world, &def, &collider));
  if (trial->collider_count > 0) {
    must(weft_world_remove_collider(trial->world, trial->colliders[0]));
  }
}

static void (*const edits[])(law_trial*) = {edit_nothing, edit_lengths,  edit_lengths_then_shapes,
                                            edit_masses,  edit_links,    edit_grip,
                                            edit_world,   edit_colliders};
enum { EDITS = sizeof(edits) / sizeof(edits[0]) };

// leaves a pattern in the memory of the next calls: none of it belongs in a snapshot
static __attribute__((noinline)) void dirty_stack(unsigned char pattern) {
  volatile unsigned char bytes[60000];
  for (size_t i = 0; i < sizeof(bytes); ++i) bytes[i] = pattern;
}

static law_trial* run_edited(const law_case* c, int edit, unsigned char pattern) {
  const trial_def def = default_trial();
  law_trial* trial = run_of(c, &def, 0.05);
  dirty_stack(pattern);
  edits[edit](trial);
  // a path without its collider goes on
  if (edits[edit] == edit_colliders) trial->path = &law_paths[0];
  trial_step(trial, 3);
  return trial;
}

static bool is_restored(const law_case* c, law_trial* straight, const void* bytes, size_t size) {
  const trial_def def = default_trial();
  law_trial* fresh = trial_open(c, &def);
  const bool taken = weft_world_restore(fresh->world, bytes, size).error == WEFT_OK;
  fresh->step = straight->step, fresh->path = straight->path;
  trial_step(fresh, 3), trial_step(straight, 3);
  const bool same = weft_world_hash(fresh->world) == weft_world_hash(straight->world);
  trial_close(fresh);
  return taken && same;
}

// edits after which a snapshot does not continue the run, or differs from one of the same calls
double measure_state(const law_case* c) {
  int faults = 0;
  for (int edit = 0; edit < EDITS; ++edit) {
    law_trial *a = run_edited(c, edit, 0xee), *b = run_edited(c, edit, 0x11);
    size_t size, same_size;
    void *bytes = trial_save(a, &size), *same = trial_save(b, &same_size);
    const bool equal = size == same_size && memcmp(bytes, same, size) == 0;
    faults += !equal || !is_restored(c, a, bytes, size);
    free(bytes), free(same);
    trial_close(a), trial_close(b);
  }
  return faults;
}

// ---- clones ----

static bool has_same_bits(const law_trial* a, const law_trial* b) {
  return memcmp(a->positions, b->positions, 12ul * a->count) == 0;
}

// an environment of two, and the same scene made again: 1 for each that differs
double measure_clones(const law_case* c) {
  trial_def def = default_trial();
  law_trial *alone = run_of(c, &def, 0.3), *again = run_of(c, &def, 0.3);
  def.copies = 2;
  law_trial* environment = run_of(c, &def, 0.3);
  const int faults = !has_same_bits(alone, again) + !has_same_bits(alone, environment);
  trial_close(alone), trial_close(again), trial_close(environment);
  return faults;
}

// hashes of ranks, each with its part of the body
typedef struct rank_hashes {
  const law_case* of;
  uint64_t hashes[2];
  bool refused[2];
} rank_hashes;

static void run_as_rank(void* context, const weft_transport* transport) {
  rank_hashes* ranks = context;
  trial_def def = default_trial();
  def.transport = transport;
  law_trial* trial = run_of(ranks->of, &def, 0.1);
  ranks->refused[transport->rank] = trial->refused;
  ranks->hashes[transport->rank] = weft_world_hash(trial->world);
  trial_close(trial);
}

// ranks whose hash differs from a single world's, where clusters support the case
double measure_ranks(const law_case* c) {
  rank_hashes ranks = {.of = c};
  const trial_def def = default_trial();
  run_ranks(2, false, run_as_rank, &ranks);
  law_trial* alone = run_of(c, &def, 0.1);
  const uint64_t hash = weft_world_hash(alone->world);
  trial_close(alone);
  if (ranks.refused[0] || ranks.refused[1]) return 0.0;
  return (ranks.hashes[0] != hash) + (ranks.hashes[1] != hash);
}

// a body at rest that slept meanwhile, and one that did not
static law_trial* run_slept(const law_case* c, bool sleeps) {
  trial_def def = default_trial();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.sleeps = true;
  law_trial* trial = trial_open(c, &def);
  if (sleeps)
    must(weft_world_set(trial->world, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, trial->count),
                        &(bool){true}, WEFT_SAME));
  trial_step(trial, 6);
  must(weft_world_set(trial->world, WEFT_ATTRIBUTE_ASLEEP, weft_range(0, trial->count),
                      &(bool){false}, WEFT_SAME));
  trial_read(trial);
  trial_push(trial, 0.2f, 9);
  trial_step(trial, trial_steps_of(trial, 0.3));
  trial_read(trial);
  return trial;
}

double measure_asleep(const law_case* c) {
  law_trial *slept = run_slept(c, true), *awake = run_slept(c, false);
  const double distance = distance_of(slept, awake) / trial_extent(awake);
  trial_close(slept), trial_close(awake);
  return distance;
}

double measure_teleport(const law_case* c) {
  trial_def def = default_trial();
  const float offset[3] = {4.0f, 0.0f, -8.0f};
  law_trial* moved = trial_open(c, &def);
  must(weft_world_add(moved->world, WEFT_ATTRIBUTE_POSITION,
                      weft_range(moved->range.first_particle, moved->range.particle_count), offset,
                      WEFT_SAME));
  memcpy(def.offset, offset, sizeof(offset));
  law_trial* made = trial_open(c, &def);
  memcpy(moved->def.offset, offset, sizeof(offset));
  law_trial* both[2] = {moved, made};
  for (int k = 0; k < 2; ++k) {
    trial_read(both[k]);
    trial_push(both[k], 0.2f, 10);
    trial_step(both[k], trial_steps_of(both[k], 0.3));
    trial_read(both[k]);
  }
  const double distance = distance_of(moved, made) / trial_extent(made);
  trial_close(moved), trial_close(made);
  return distance;
}
