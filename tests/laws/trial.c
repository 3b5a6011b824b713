#include "laws/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

void trial_must(weft_result result, const char* file, int line) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s:%d: %s: %s [%llu]\n", file, line, result.field, weft_error_text(result.error),
          (unsigned long long)result.index);
  exit(EXIT_FAILURE);
}

trial_def default_trial(void) {
  return (trial_def){
      .gravity = {0.0f, -9.81f, 0.0f}, .gap = 0.02f, .rotation = {0, 0, 0, 1}, .copies = 1};
}

static void* allocate(size_t count, size_t size) {
  void* memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL) trial_must((weft_result){WEFT_ERROR_OUT_OF_MEMORY, "trial", 0}, __FILE__, 0);
  return memory;
}

// ---- scene ----

static weft_scene* new_scene_or_end(void) {
  weft_scene* scene = NULL;
  must(weft_scene_create(&scene));
  return scene;
}

// numbers of `count` elements: as they are, or shuffled
static uint32_t* draw_order(uint32_t count, random_source* random, bool shuffled) {
  uint32_t* order = allocate(count, sizeof(*order));
  for (uint32_t i = 0; i < count; ++i) order[i] = i;
  for (uint32_t i = count; shuffled && i > 1; --i) {
    const uint32_t j = random_below(random, i), kept = order[i - 1];
    order[i - 1] = order[j], order[j] = kept;
  }
  return order;
}

// the particles and links of a scene, with numbers of `number_of`
static weft_scene* renumber(const weft_scene* from, const uint32_t* number_of, bool mirrored,
                            random_source* random) {
  const uint32_t count = weft_scene_particle_count(from), links = weft_scene_link_count(from);
  float *x = allocate(count, 12), *w = allocate(count, 4), *to_x = allocate(count, 12),
        *to_w = allocate(count, 4);
  must(weft_scene_get_particles(from, 0, count, x, w));
  for (uint32_t i = 0; i < count; ++i) {
    memcpy(to_x + 3 * number_of[i], x + 3 * i, 12), to_w[number_of[i]] = w[i];
    if (mirrored) to_x[3 * number_of[i]] *= -1.0f;
  }
  weft_scene* scene = new_scene_or_end();
  must(weft_scene_add_particles(scene, to_x, to_w, count, NULL));
  weft_link_def* as_built = allocate(links, sizeof(*as_built));
  weft_link_def* added = allocate(links, sizeof(*added));
  must(weft_scene_get_links(from, 0, links, as_built));
  uint32_t* place = draw_order(links, random, true);
  for (uint32_t i = 0; i < links; ++i) {
    added[place[i]] = as_built[i];
    added[place[i]].a = number_of[as_built[i].a], added[place[i]].b = number_of[as_built[i].b];
  }
  if (links > 0) must(weft_scene_add_links(scene, added, links, NULL));
  free(x), free(w), free(to_x), free(to_w), free(as_built), free(added), free(place);
  return scene;
}

static float lowest_of(const weft_scene* scene) {
  const uint32_t count = weft_scene_particle_count(scene);
  float* x = allocate(count, 12);
  must(weft_scene_get_particles(scene, 0, count, x, NULL));
  float lowest = INFINITY;
  for (uint32_t i = 0; i < count; ++i) lowest = fminf(lowest, x[3 * i + 1]);
  free(x);
  return lowest;
}

static weft_scene* moved_scene(weft_scene* from, const float* position, const float* rotation) {
  weft_scene* scene = new_scene_or_end();
  must(weft_scene_add_scene(scene, from, position, rotation, 0, NULL));
  weft_scene_destroy(&from);
  return scene;
}

// the body above the plane y = 0, flat ones lying
static weft_scene* place_body(const law_trial* trial) {
  weft_scene* scene = new_scene_or_end();
  trial->body->build(scene, trial->body->size);
  const bool is_borne = (trial->path->traits & (TRAIT_ALOFT | TRAIT_INNER)) == 0;
  if (!is_borne || !(trial->body->traits & TRAIT_FREE)) return scene;
  const float lying[4] = {-0.70710678f, 0.0f, 0.0f, 0.70710678f};
  if (trial->body->traits & TRAIT_LIES) scene = moved_scene(scene, NULL, lying);
  const float layers = trial->path->add != NULL ? 2.0f : 1.0f;
  const float position[3] = {
      0.0f, layers * trial->body->thickness + trial->def.gap - lowest_of(scene), 0.0f};
  return moved_scene(scene, position, NULL);
}

static void build_scene(law_trial* trial) {
  random_source random = {.state = trial->def.shuffle};
  weft_scene* placed = place_body(trial);
  trial->count = weft_scene_particle_count(placed);
  trial->number_of = draw_order(trial->count, &random, trial->def.shuffle != 0);
  if (trial->def.shuffle != 0) {
    weft_scene* renumbered = renumber(placed, trial->number_of, trial->def.mirrored, &random);
    weft_scene_destroy(&placed);
    placed = renumbered;
  }
  trial->scene = new_scene_or_end();
  for (uint32_t e = 0; e < trial->def.copies; ++e) {
    must(weft_scene_add_scene(trial->scene, placed, trial->def.offset, trial->def.rotation, e,
                              e == 0 ? &trial->range : NULL));
  }
  weft_scene_destroy(&placed);
  if (trial->path->add != NULL) trial->path->add(trial->scene);
  if (trial->def.beside != NULL) trial->def.beside(trial->scene);
  trial->scene_count = weft_scene_particle_count(trial->scene);
}

// ---- world ----

// false if clusters do not support the case
static bool create_cluster(law_trial* trial, const weft_world_def* def) {
  const weft_result result =
      weft_cluster_create(trial->def.transport, def, trial->scene, &trial->cluster);
  if (result.error == WEFT_ERROR_UNSUPPORTED) return false;
  must(result);
  trial->world = weft_cluster_world(trial->cluster);
  return true;
}

// welds, in each environment
static void join_body(law_trial* trial) {
  const uint32_t count = law_joints(trial->body);
  for (uint32_t k = 0; k < count * trial->def.copies; ++k) {
    weft_joint_def def = weft_default_joint_def();
    weft_joint joint;
    uint32_t pair[2];
    law_join(trial->body, k % count, pair);
    def.particle = trial->number_of[pair[0]] + k / count * trial->count;
    def.to[0] = trial->number_of[pair[1]] + k / count * trial->count;
    must(weft_world_add_joint(trial->world, &def, &joint));
  }
}

static void create_world(law_trial* trial) {
  weft_world_def def = weft_default_world_def();
  trial->setting->apply(&def);
  memcpy(def.gravity, trial->def.gravity, sizeof(def.gravity));
  def.damping = trial->def.damping, def.loads = trial->def.loads, def.isa = trial->def.isa;
  if (trial->def.workers > 0) def.worker_count = trial->def.workers;
  if (trial->def.uneven) def.remainder = WEFT_REMAINDER_STEP;
  if (trial->def.sleeps) def.sleep_speed = 0.05f;
  const uint32_t joints = law_joints(trial->body) * trial->def.copies;
  if (joints > def.max_joints) def.max_joints = joints;
  trial->refused = trial->def.transport != NULL && !create_cluster(trial, &def);
  if (trial->cluster == NULL) must(weft_world_create(&def, trial->scene, &trial->world));
  must(weft_world_get_def(trial->world, &trial->settings));
  join_body(trial);
  trial->step_time = 1e-9 * (double)trial->settings.step_ns;
  // the def leaves open what adapts: cloth in motion has many lengths, others have the shortest
  weft_world_stats stats;
  must(weft_world_get_stats(trial->world, &stats));
  const bool varies = trial->settings.solver.substeps == WEFT_AUTO;
  const bool has_faces = (trial->body->traits & TRAIT_FACES) != 0;
  const double substep = varies && has_faces ? 0.0 : trial->step_time / stats.substeps;
  switch (trial->settings.solver.integrator) {
    case WEFT_INTEGRATOR_POSITION_VERLET:
      trial->lag = trial->settings.solver.springs ? 0.0 : 0.5 * substep;
      break;
    case WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER:
    case WEFT_INTEGRATOR_IMPLICIT_EULER:
      trial->lag = 0.5 * substep;
      break;
    case WEFT_INTEGRATOR_EXPLICIT_EULER:
      trial->lag = -0.5 * substep;
      break;
    default:
      trial->lag = 0.0;
  }
}

static void set_shapes(law_trial* trial) {
  if (trial->path->traits & TRAIT_ALOFT) return;
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.shape = trial->path->shape;
  for (int axis = 0; axis < 3; ++axis) shape.half_size[axis] = trial->body->thickness;
  if (trial->path->traits & TRAIT_EXACT) shape.collision = WEFT_COLLISION_EXACT;
  shape.surface.static_friction = shape.surface.dynamic_friction = trial->def.friction;
  must(weft_world_set_particle_shape(trial->world, weft_range(0, trial->count), &shape));
  shape.surface.static_friction = shape.surface.dynamic_friction = 0.0f;
  must(weft_world_set_particle_shape(
      trial->world, weft_range(trial->count, trial->scene_count - trial->count), &shape));
}

static void read_constants(law_trial* trial) {
  trial->mass = allocate(trial->scene_count, sizeof(double));
  trial->positions = allocate(trial->scene_count, 12);
  trial->velocities = allocate(trial->scene_count, 12);
  trial->first_positions = allocate(trial->scene_count, 12);
  must(weft_scene_get_particles(trial->scene, 0, trial->scene_count, trial->first_positions, NULL));
  must(weft_scene_get_particles(trial->scene, 0, trial->scene_count, NULL, trial->velocities));
  for (uint32_t i = 0; i < trial->scene_count; ++i) {
    const double inverse = (double)trial->velocities[i];
    trial->mass[i] = inverse > 0.0 ? 1.0 / inverse : 0.0;
  }
  trial->link_count = trial->range.link_count;
  trial->scene_link_count = weft_scene_link_count(trial->scene);
  trial->links = allocate(trial->scene_link_count, sizeof(*trial->links));
  must(weft_scene_get_links(trial->scene, 0, trial->scene_link_count, trial->links));
  must(weft_world_get_faces(trial->world, 0, NULL, &trial->face_count));
  trial->faces = allocate(trial->face_count, 12);
  must(weft_world_get_faces(trial->world, trial->face_count, trial->faces, &trial->face_count));
}

law_trial* trial_open(const law_case* c, const trial_def* def) {
  law_trial* trial = allocate(1, sizeof(*trial));
  trial->body = &law_bodies[c->body], trial->path = &law_paths[c->path];
  trial->setting = &law_settings[c->setting], trial->def = *def;
  build_scene(trial);
  create_world(trial);
  read_constants(trial);
  set_shapes(trial);
  if (trial->path->open != NULL) trial->path->open(trial);
  trial_read(trial);
  trial_begin_gas(trial);
  return trial;
}

void trial_close(law_trial* trial) {
  if (trial->cluster == NULL) weft_world_destroy(&trial->world);
  weft_cluster_destroy(&trial->cluster);
  weft_scene_destroy(&trial->scene);
  free(trial->number_of), free(trial->mass), free(trial->positions), free(trial->velocities),
      free(trial->first_positions);
  free(trial->links), free(trial->faces), free(trial);
}

void trial_step(law_trial* trial, uint32_t steps) {
  for (uint32_t i = 0; i < steps; ++i, ++trial->step) {
    if (trial->path->move != NULL) trial->path->move(trial);
    if (trial->cluster == NULL) {
      weft_world_step(trial->world, 1);
      continue;
    }
    const weft_result result = weft_cluster_step(trial->cluster, 1);
    trial->refused = trial->refused || result.error == WEFT_ERROR_UNSUPPORTED;
    if (!trial->refused) must(result);
  }
  if (trial->cluster != NULL) must(weft_cluster_synchronize(trial->cluster));
}

void trial_advance(law_trial* trial, int64_t elapsed_ns) {
  must(weft_world_advance(trial->world, elapsed_ns, NULL));
}

uint32_t trial_steps_of(const law_trial* trial, double seconds) {
  return (uint32_t)(seconds / trial->step_time + 0.5);
}

void trial_read(law_trial* trial) {
  must(weft_world_get(trial->world, WEFT_ATTRIBUTE_POSITION, weft_range(0, trial->scene_count),
                      trial->positions, 0));
  must(weft_world_get(trial->world, WEFT_ATTRIBUTE_VELOCITY, weft_range(0, trial->scene_count),
                      trial->velocities, 0));
}

void* trial_save(const law_trial* trial, size_t* size) {
  must(weft_world_get_snapshot_size(trial->world, size));
  void* bytes = allocate(*size, 1);
  must(weft_world_save(trial->world, bytes, *size, size));
  return bytes;
}

// ---- drives ----

// adds `by` to the velocities of the free particles of the body
static void add_velocities(law_trial* trial, const float* by) {
  for (uint32_t i = 0; i < 3 * trial->count; ++i) {
    if (trial->mass[i / 3] > 0.0) trial->velocities[i] += by[i];
  }
  const weft_result result = weft_world_set(trial->world, WEFT_ATTRIBUTE_VELOCITY,
                                            weft_range(0, trial->count), trial->velocities, 0);
  // an exploded body takes no more
  if (result.error != WEFT_ERROR_RANGE && result.error != WEFT_ERROR_NOT_FINITE) must(result);
  trial_read(trial);
}

void trial_turn(const law_trial* trial, float vector[3]) {
  const float* q = trial->def.rotation;
  const float t[3] = {2.0f * (q[1] * vector[2] - q[2] * vector[1]),
                      2.0f * (q[2] * vector[0] - q[0] * vector[2]),
                      2.0f * (q[0] * vector[1] - q[1] * vector[0])};
  vector[0] += q[3] * t[0] + q[1] * t[2] - q[2] * t[1];
  vector[1] += q[3] * t[1] + q[2] * t[0] - q[0] * t[2];
  vector[2] += q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
}

void trial_push(law_trial* trial, float speed, uint64_t seed) {
  float* by = allocate(trial->count, 12);
  random_source random = {.state = seed};
  for (uint32_t i = 0; i < trial->count; ++i) {
    // drawn in the builder's order, whatever the numbers
    float* velocity = by + 3 * trial->number_of[i];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(&random, -speed, speed);
    if (trial->def.mirrored) velocity[0] *= -1.0f;
    trial_turn(trial, velocity);
  }
  add_velocities(trial, by);
  free(by);
}

void trial_throw(law_trial* trial, const float velocity[3]) {
  float* by = allocate(trial->count, 12);
  for (uint32_t i = 0; i < trial->count; ++i) memcpy(by + 3 * i, velocity, 12);
  add_velocities(trial, by);
  free(by);
}

void trial_spin(law_trial* trial, const float spin[3]) {
  float* by = allocate(trial->count, 12);
  double center[3];
  trial_pivot(trial, center);
  for (uint32_t i = 0; i < trial->count; ++i) {
    double arm[3];
    for (int axis = 0; axis < 3; ++axis) {
      arm[axis] = (double)trial->positions[3 * i + (uint32_t)axis] - center[axis];
    }
    by[3 * i] = (float)((double)spin[1] * arm[2] - (double)spin[2] * arm[1]);
    by[3 * i + 1] = (float)((double)spin[2] * arm[0] - (double)spin[0] * arm[2]);
    by[3 * i + 2] = (float)((double)spin[0] * arm[1] - (double)spin[1] * arm[0]);
  }
  add_velocities(trial, by);
  free(by);
}
