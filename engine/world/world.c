#include "world/world.h"

#include <math.h>
#include <string.h>

#include "base/float_mode.h"
#include "base/grain_size.h"
#include "base/memory.h"
#include "base/min_max.h"
#include "parallel/cpus.h"
#include "parallel/threads.h"
#include "scene/fingerprint.h"
#include "step/step_size.h"
#include "world/solver_choice.h"

// Smallest amount of work that pays for another worker. Lane groups: two microseconds of a sweep.
#define GROUPS_PER_WORKER WEFT__GRAIN(512u, 2u)
// Particles without links, which may be bodies that collide.
#define LOOSE_PER_WORKER WEFT__GRAIN(128u, 8u)

weft_result weft__check_plane(const weft_world* world, const float values[3], const char* field) {
  if (world->def.plane && values[2] != 0.0f) return weft__fail_at(WEFT_ERROR_RANGE, field, 2);
  return weft__ok();
}

// Refuses settings and scenes that leave the plane z = 0, or that have no meaning in it.
static weft_result check_plane_def(const weft_world_def* def, const weft_scene* scene) {
  if (!def->plane) return weft__ok();
  if (def->gravity[2] != 0.0f) {
    return weft__fail_at(WEFT_ERROR_RANGE, "weft_world_def.gravity", 2);
  }
  WEFT__FAIL_IF(scene->pressure_count > 0, WEFT_ERROR_RANGE, "scene");
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    if (scene->positions[3 * (size_t)i + 2] != 0.0f)
      return weft__fail_at(WEFT_ERROR_RANGE, "scene", i);
  }
  return weft__ok();
}

weft_world_def weft_plain_world_def(void) {
  weft_world_def def = weft_default_world_def();
  def.solver.iterations = 10;
  def.solver.substeps = 1;
  def.solver.coarse_iterations = def.solver.attachments = def.solver.direct_bends = 0;
  def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  return def;
}

void weft__set_max_speed(weft_world* world, const float max_speed[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    world->stepper.physics.max_speed[axis] = weft__minf(max_speed[axis], WEFT_MAX_MAGNITUDE);
  }
}

static weft_result check_workers(const weft_world_def* def) {
  const bool has_source = def->threads != NULL || def->task_system.enqueue != NULL;
  WEFT__FAIL_IF(def->threads != NULL && def->task_system.enqueue != NULL, WEFT_ERROR_RANGE,
                "weft_world_def.task_system");
  WEFT__FAIL_IF(has_source && def->worker_cpus != NULL, WEFT_ERROR_RANGE,
                "weft_world_def.worker_cpus");
  return weft__check_cpus(def->worker_cpus, def->worker_count, "weft_world_def.worker_cpus");
}

static weft_result check_pair_force(const weft_world_def* def) {
  const weft_pair_force_def* law = &def->pair_force;
  if (law->kind == WEFT_PAIR_FORCE_NONE) return weft__ok();
  WEFT__TRY(weft__check_def(&weft__pair_force_fields, law));
  if (law->kind == WEFT_PAIR_FORCE_LENNARD_JONES) {
    WEFT__TRY(WEFT__CHECK_FIELD(pair_force, law, size));
    WEFT__TRY(
        weft__check_range(law->cutoff, law->size, 10.0f * law->size, "weft_pair_force_def.cutoff"));
  }
  WEFT__FAIL_IF(def->solver.integrator == WEFT_INTEGRATOR_IMPLICIT_EULER, WEFT_ERROR_RANGE,
                "weft_solver_def.integrator");
  return weft__ok();
}

// Particles of the pair force, which the scene must have.
static weft_result check_members(const weft_pair_force_def* law, uint32_t particle_count) {
  if (law->kind == WEFT_PAIR_FORCE_NONE) return weft__ok();
  WEFT__FAIL_IF(law->first >= particle_count, WEFT_ERROR_INDEX, "weft_pair_force_def.first");
  WEFT__FAIL_IF(law->count > particle_count - law->first, WEFT_ERROR_INDEX,
                "weft_pair_force_def.count");
  return weft__ok();
}

// Loads count only links: nothing else may carry a part of them.
static weft_result check_loads(const weft_world_def* def) {
  const uint32_t levels = def->solver.coarse_iterations;
  const uint32_t attachments = def->solver.attachments;
  WEFT__FAIL_IF(def->loads && levels != 0 && levels != WEFT_AUTO, WEFT_ERROR_RANGE,
                "weft_solver_def.coarse_iterations");
  WEFT__FAIL_IF(def->loads && attachments != 0 && attachments != WEFT_AUTO, WEFT_ERROR_RANGE,
                "weft_solver_def.attachments");
  return weft__ok();
}

static weft_result check_def(const weft_world_def* def) {
  WEFT__TRY(weft__check_def(&weft__world_fields, def));
  WEFT__TRY(weft__stages_check(def->solver.integrator != WEFT_INTEGRATOR_POSITION_VERLET,
                               WEFT__SERVES_VELOCITIES, "weft_solver_def.integrator"));
  WEFT__TRY(
      weft__stages_check(def->solver.springs, WEFT__SERVES_VELOCITIES, "weft_solver_def.springs"));
  WEFT__TRY(check_pair_force(def));
  WEFT__TRY(weft__stages_check(def->pair_force.kind != WEFT_PAIR_FORCE_NONE,
                               WEFT__SERVES_VELOCITIES, "weft_pair_force_def.kind"));
  WEFT__TRY(check_loads(def));
  WEFT__TRY(weft__stages_check(def->sleep_speed > 0.0f, WEFT__SERVES_SLEEP,
                               "weft_world_def.sleep_speed"));
  WEFT__FAIL_IF(def->max_elapsed_ns != 0 && def->max_elapsed_ns < def->step_ns, WEFT_ERROR_RANGE,
                "weft_world_def.max_elapsed_ns");
  WEFT__FAIL_IF(def->max_elapsed_ns != 0 && def->min_elapsed_ns > def->max_elapsed_ns,
                WEFT_ERROR_RANGE, "weft_world_def.min_elapsed_ns");
  WEFT__TRY(check_workers(def));
  // the automatic choice fails only if the environment variable names an unsupported one
  WEFT__FAIL_IF(!weft_isa_supported(def->isa), WEFT_ERROR_UNSUPPORTED,
                def->isa == WEFT_ISA_AUTO ? "WEFT_ISA" : "weft_world_def.isa");
  return weft__ok();
}

uint32_t weft_available_cpus(void) {
  return weft__available_cpus();
}

static uint32_t useful_workers(const weft__schedule* schedule, const weft__stage_states* stages,
                               uint32_t wanted) {
  uint32_t groups = schedule->links.group_count;
  for (uint32_t p = 0; p < schedule->patch_count; ++p) {
    groups += weft__hinge_cost(&schedule->hinges, p) + weft__membrane_cost(&schedule->membranes, p);
  }
  const uint32_t for_links = groups / GROUPS_PER_WORKER + 1;
  const uint32_t for_stages = weft__stages_useful_workers(stages);
  uint32_t useful = for_links > for_stages ? for_links : for_stages;
  // an estimate: each link covers one particle
  const uint32_t links = schedule->links.link_count;
  const uint32_t loose = schedule->particle_count > links ? schedule->particle_count - links : 0;
  if (loose / LOOSE_PER_WORKER + 1 > useful) useful = loose / LOOSE_PER_WORKER + 1;
  return wanted < useful ? wanted : useful;
}

double weft__substep_length(const weft_world* world, int64_t step_ns) {
  return (double)step_ns * 1e-9 / (double)world->stepper.settings.substeps;
}

double weft__last_substep(const weft_world* world) {
  return world->stepper.physics.last_h;
}

// Keeps worker_cpus for weft_world_reset(): the def has them at the caller's.
static bool copy_worker_cpus(weft_world* world) {
  const uint32_t* cpus = world->def.worker_cpus;
  world->def.worker_cpus = NULL;
  if (cpus == NULL) return true;
  world->worker_cpus = weft__alloc(world->def.worker_count, sizeof(*cpus));
  if (world->worker_cpus == NULL) return false;
  memcpy(world->worker_cpus, cpus, world->def.worker_count * sizeof(*cpus));
  return true;
}

static bool start_workers(weft_world* world) {
  const weft_world_def* def = &world->def;
  const weft__worker_source source = {
      .threads = def->threads,
      .task_system = def->task_system,
      .cpus = world->worker_cpus != NULL ? world->worker_cpus + 1 : NULL,
  };
  weft__stepper* stepper = &world->stepper;
  const uint32_t count = useful_workers(&stepper->schedule, &stepper->stages, def->worker_count);
  return weft__stepper_start(stepper, count, &source);
}

// Symmetric sweeps come in pairs.
static uint32_t sweep_count(const weft_world_def* def, uint32_t iterations) {
  return def->solver.sweeps == WEFT_SWEEPS_TEXTBOOK ? iterations : iterations + iterations % 2;
}

static bool load_bodies(weft_world* world, const weft_scene* scene,
                        const weft__solver_choice* choice) {
  world->bodies = weft__alloc(scene->part_count, sizeof(*world->bodies));
  if (world->bodies == NULL) return false;
  world->body_count = scene->part_count;
  world->bodies_differ = choice->bodies_differ;
  for (size_t p = 0; p < scene->part_count; ++p) {
    weft_body_settings settings = choice->bodies[p];
    settings.iterations = sweep_count(&world->def, settings.iterations);
    world->bodies[p] =
        (weft__body_data){settings.first_particle, settings, scene->parts[p].user_data};
  }
  return true;
}

// Sweeps of each group, and the most.
static void set_sweeps(weft__settings* settings, const weft_world_def* def,
                       const weft__rate_groups* groups) {
  settings->groups = *groups;
  for (uint32_t g = 0; g < groups->count; ++g)
    settings->groups.of[g].iterations = sweep_count(def, groups->of[g].iterations);
  settings->quality = def->solver.quality;
  settings->sweeps = def->solver.sweeps;
  settings->iterations = sweep_count(def, def->solver.iterations);
}

static bool fill_tables(weft_world* world, const weft_world_def* given, const weft_world_def* def,
                        const weft_scene* scene, const weft__solver_choice* choice) {
  weft__stepper* stepper = &world->stepper;
  // rate groups and levels depend on the world
  weft_scene view = *scene;
  view.parts = choice->parts;
  world->fixed_step = weft__fixed_step_of(def);
  stepper->settings.substeps = def->solver.substeps;
  stepper->substep_count.set = def->solver.substeps;
  stepper->substep_count.most = weft__most_substeps(def->solver.max_substeps, def->solver.substeps);
  stepper->physics.damping = def->damping;
  memcpy(stepper->physics.gravity, def->gravity, sizeof(def->gravity));
  weft__set_max_speed(world, def->max_speed);
  stepper->physics.is_plane = def->plane;
  stepper->physics.h = weft__substep_length(world, def->step_ns);
  set_sweeps(&stepper->settings, def, &choice->groups);
  stepper->relaxation.residual.tolerance = def->solver.tolerance;
  stepper->settings.coarse_iterations = sweep_count(def, def->solver.coarse_iterations);
  stepper->settings.coarse_every = def->solver.coarse_every;
  stepper->settings.direct_iterations = def->solver.direct_iterations;
  stepper->settings.max_attachments = def->solver.attachments;
  stepper->settings.direct_bends = def->loads ? 0 : def->solver.direct_bends;
  stepper->settings.integrator = def->solver.integrator;
  stepper->settings.with_springs = def->solver.springs;
  stepper->settings.with_loads = stepper->contacts.colliders.with_loads = def->loads;
  stepper->settings.pair_force = def->pair_force;
  stepper->settings.max_events = def->max_events;
  stepper->settings.max_spans = def->span_capacity;
  stepper->settings.max_joints = def->max_joints;
  stepper->settings.sleep_speed = def->sleep_speed;
  stepper->settings.sleep_seconds = def->sleep_seconds;
  stepper->profile.on = def->profile;
  weft__pair_rule_reset(&stepper->contacts.materials.between, def->friction_rule);
  stepper->kernels = weft__kernels_select(def->isa);
  world->def = *given;
  world->def.isa = stepper->kernels->isa;
  if (!copy_worker_cpus(world) || !load_bodies(world, scene, choice) ||
      !weft__stepper_create(stepper, &view) || !start_workers(world)) {
    return false;
  }
  if (def->remainder == WEFT_REMAINDER_STEP &&
      !weft__step_size_prepare(&stepper->partial, &stepper->particles))
    return false;
  world->fingerprint = weft__scene_fingerprint(scene, &stepper->schedule);
  return true;
}

// Builds a zeroed world in place: some of its tables point to others.
static bool fill_world(weft_world* world, const weft_world_def* given, const weft_scene* scene) {
  weft__solver_choice choice;
  weft_world_def def = *given;
  const bool good =
      weft__choose_solver(&def, scene, &choice) && fill_tables(world, given, &def, scene, &choice);
  weft__solver_choice_free(&choice);
  return good;
}

// Contacts and wind of the scene, as by calls; a plane has no wind.
static weft_result set_out(weft_world* world, const weft_scene* scene) {
  WEFT__TRY(weft__begin_contacts(world, scene));
  const weft__selection all = {.count = world->stepper.schedule.environment_count};
  const bool has_wind = scene->has_wind && !world->def.plane;
  return has_wind ? weft__set_winds(world, &all, &scene->wind) : weft__ok();
}

static weft_result build_world(weft_world* world, const weft_world_def* given,
                               const weft_scene* scene) {
  WEFT__FAIL_IF(!fill_world(world, given, scene), WEFT_ERROR_OUT_OF_MEMORY, "world");
  return set_out(world, scene);
}

// Frees the tables of a world, which may be half built.
static void empty_world(weft_world* world) {
  weft__stepper_destroy(&world->stepper);
  weft__free(world->worker_cpus);
  weft__free(world->bodies);
}

// Rods have a solver of their own, in space.
static weft_result check_rods(const weft_world_def* def, const weft_scene* scene) {
  if (scene->rod_count == 0) return weft__ok();
  WEFT__TRY(weft__stages_check(true, WEFT__SERVES_RODS, "scene"));
  WEFT__FAIL_IF(def->solver.direct_iterations == 0, WEFT_ERROR_RANGE,
                "weft_solver_def.direct_iterations");
  WEFT__FAIL_IF(def->plane, WEFT_ERROR_UNSUPPORTED, "weft_world_def.plane");
  return weft__ok();
}

static weft_result create_world(const weft_world_def* def, const weft_scene* scene,
                                weft_world** world) {
  WEFT__FAIL_IF(def == NULL, WEFT_ERROR_NULL, "def");
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_def(def));
  WEFT__FAIL_IF(scene->particle_count == 0, WEFT_ERROR_EMPTY, "scene");
  WEFT__TRY(check_plane_def(def, scene));
  WEFT__TRY(check_rods(def, scene));
  WEFT__TRY(
      weft__stages_check(scene->hinges.count > 0 && def->solver.direct_bends > 0 && !def->loads,
                         WEFT__SERVES_BENDING, "weft_solver_def.direct_bends"));
  WEFT__TRY(weft__scene_check_environments(scene));
  WEFT__TRY(check_members(&def->pair_force, scene->particle_count));
  weft_world* made = weft__alloc_zeroed(1, sizeof(*made));
  WEFT__FAIL_IF(made == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  const weft_result result = build_world(made, def, scene);
  if (result.error != WEFT_OK) weft_world_destroy(&made);
  if (result.error == WEFT_OK) *world = made;
  return result;
}

weft_result weft_world_create(const weft_world_def* def, const weft_scene* scene,
                              weft_world** world) {
  WEFT__RETURN_COMPUTED(create_world, def, scene, world);
}

static weft_result reset_world(weft_world* world, const weft_scene* scene) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(scene == NULL, WEFT_ERROR_NULL, "scene");
  WEFT__FAIL_IF(scene->particle_count == 0, WEFT_ERROR_EMPTY, "scene");
  WEFT__TRY(check_plane_def(&world->def, scene));
  WEFT__TRY(check_rods(&world->def, scene));
  WEFT__TRY(weft__scene_check_environments(scene));
  WEFT__TRY(check_members(&world->def.pair_force, scene->particle_count));
  weft_world former = *world;
  *world = (weft_world){0};
  weft_world_def def = former.def;
  def.worker_cpus = former.worker_cpus;
  const weft_result result = build_world(world, &def, scene);
  const bool good = result.error == WEFT_OK;
  empty_world(good ? &former : world);
  if (!good) *world = former;
  return result;
}

weft_result weft_world_reset(weft_world* world, const weft_scene* scene) {
  WEFT__RETURN_COMPUTED(reset_world, world, scene);
}

void weft_world_destroy(weft_world** world) {
  if (world == NULL || *world == NULL) return;
  empty_world(*world);
  weft__free(*world);
  *world = NULL;
}

void weft__wake_range(weft_world* world, uint32_t first, uint32_t count) {
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  if (world->stepper.settings.sleep_speed == 0.0f) return;
  for (uint32_t n = 0; n < count; ++n) weft__wake(&world->stepper.stages, solver_of[n]);
}

void weft__disturb_range(weft_world* world, uint32_t first, uint32_t count) {
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  if (world->stepper.settings.sleep_speed == 0.0f) return;
  for (uint32_t n = 0; n < count; ++n) weft__disturb(&world->stepper.stages, solver_of[n]);
}

void weft_world_step(weft_world* world, uint32_t count) {
  if (world == NULL) return;
  weft__stepper_run(&world->stepper, count);
  world->step_count += count;
  world->changes += count;
}
