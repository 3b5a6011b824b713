#include "sim/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/clock.h"
#include "common/lanes.h"
#include "common/must.h"
#include "common/number.h"
#include "sim/file/mesh_scene.h"
#include "sim/file/scene_file.h"

struct sim_run {
  const char* name;
  sim_scene scene; /* the name of a file's scene is its path */
  void* state;     /* state of the scene */
  sim_values values;
  sim_settings settings; /* all but the sets */
  weft_scene* description;
  weft_world_def def;
  weft_cluster* cluster;   /* NULL: a single world */
  weft_world* world;       /* the cluster's, if there is one */
  bool is_synchronized;    /* all ranks have the state of the whole world */
  sim_topology* topology;  /* NULL unless sim_settings.keeps_cells */
  uint64_t length;         /* steps in all */
  uint64_t step_count;     /* taken */
  uint64_t restored_steps; /* taken by the run that was saved */
  double busy_ns;
  int64_t frame_ns;   /* time of a frame, where the time scale is not 1 */
  int64_t elapsed_ns; /* so far */
};

sim_settings sim_default_settings(void) {
  return (sim_settings){.iterations = -1,
                        .substeps = -1,
                        .later_substeps = -1,
                        .sleep = -1.0,
                        .time_scale = 1.0,
                        .isa = WEFT_ISA_AUTO,
                        .most_particles = SIM_MOST_PARTICLES};
}

// ---- choosing the scene ----

static bool ends_in(const char* name, const char* extension) {
  const size_t length = strlen(name), size = strlen(extension);
  return length >= size && strcasecmp(name + length - size, extension) == 0;
}

static bool is_mesh(const char* name) {
  return ends_in(name, ".obj") || ends_in(name, ".ply") || ends_in(name, ".gltf") ||
         ends_in(name, ".glb");
}

static sim_outcome choose_scene(sim_run* run, const char* name, tool_message* why) {
  if (is_mesh(name)) {
    return sim_mesh_open(name, &run->scene, &run->state, why) ? SIM_OK : SIM_FAILED;
  }
  if (sim_is_file_name(name)) {
    return sim_file_open(name, &run->scene, &run->state, why) ? SIM_OK : SIM_FAILED;
  }
  return sim_open_scene(name, &run->scene, &run->state, why) ? SIM_OK : SIM_MISUSED;
}

static bool set_values(sim_run* run, const sim_settings* settings, tool_message* why) {
  run->values = sim_usual_values(run->scene.params);
  for (size_t i = 0; i < settings->saved_count; ++i) {
    if (!sim_set_value(&run->values, settings->saved[i], why)) return false;
  }
  const sim_values saved = run->values;
  for (size_t i = 0; i < settings->set_count; ++i) {
    if (!sim_set_value(&run->values, settings->sets[i], why)) return false;
  }
  if (settings->saved && !sim_check_values(&run->values, &saved, why)) return false;
  sim_apply_preset(&run->values, run->scene.presets);
  return true;
}

// ---- making the world ----

/* Options override the scene. */
static void impose_settings(const sim_settings* settings, weft_world_def* def) {
  if (settings->rate > 0.0) def->step_ns = llround(1e9 / settings->rate);
  if (settings->iterations >= 0) def->solver.iterations = (uint32_t)settings->iterations;
  if (settings->substeps >= 0) def->solver.substeps = (uint32_t)settings->substeps;
  if (settings->sleep >= 0.0) def->sleep_speed = (float)settings->sleep;
  if (settings->threads > 0) def->worker_count = settings->threads;
  def->isa = settings->isa;
  if (settings->is_profiled) def->profile = true;
  if (settings->is_recorded) def->span_capacity = tool_span_capacity(def->worker_count);
}

/* Checks that no rank has failed; the message is the first failing rank's. */
static bool agree(const sim_run* run, bool ok, tool_message* why) {
  return run->settings.agree ? run->settings.agree(ok, why) : ok;
}

static bool describe(sim_run* run, tool_message* why) {
  if (!sim_check(weft_scene_create(&run->description), why)) return false;
  run->def = weft_default_world_def();
  run->def.step_ns = llround(1e9 / run->scene.rate);
  if (run->settings.usual_threads > 0) run->def.worker_count = run->settings.usual_threads;
  impose_settings(&run->settings, &run->def);
  if (!run->scene.build(&run->values, run->description, &run->def, &run->state, why)) return false;
  impose_settings(&run->settings, &run->def);
  const uint32_t count = weft_scene_particle_count(run->description);
  const uint32_t upper = run->settings.most_particles;
  return count <= upper ||
         tool_because(why, "the scene has %u particles, and %u are the most", count, upper);
}

static weft_result create_world(sim_run* run) {
  const weft_transport* transport = run->settings.transport;
  if (!transport) return weft_world_create(&run->def, run->description, &run->world);
  const weft_result result =
      weft_cluster_create(transport, &run->def, run->description, &run->cluster);
  run->world = weft_cluster_world(run->cluster);
  run->is_synchronized = true;
  return result;
}

/* Creates the world, or resets the present one. */
static bool make_world(sim_run* run, tool_message* why) {
  const weft_result result =
      run->world ? weft_world_reset(run->world, run->description) : create_world(run);
  if (result.error != WEFT_OK && run->scene.explain) {
    run->scene.explain(run->state, result, why);
    return false;
  }
  return sim_check(result, why);
}

/* Frames as long as a step. At a faster pace a frame has several steps, and events may precede
 * each: it is divided into parts safely below a step. */
static bool scale_time(sim_run* run, tool_message* why) {
  const float scale = (float)run->settings.time_scale;
  if (run->settings.time_scale == 1.0) return true;
  if (run->cluster) return tool_because(why, "--time-scale: not with several ranks");
  if (run->def.remainder != WEFT_REMAINDER_CARRY) {
    return tool_because(why, "--time-scale: the scene has steps that depend on the frames");
  }
  const double part = (double)run->def.step_ns / fmax((double)scale, 1.0);
  run->frame_ns = scale <= 1.0f ? run->def.step_ns : (int64_t)fmax(part * (1.0 - 1e-9), 1.0);
  return sim_check(weft_world_set_time_scale(run->world, scale), why);
}

/* Makes the world of a description, with its cluster and topology. */
static bool fill_run(sim_run* run, tool_message* why) {
  if (!make_world(run, why)) return false;
  tool_must(weft_world_get_def(run->world, &run->def));  // settings in the place of WEFT_AUTO
  if (!scale_time(run, why)) return false;
  if (run->settings.keeps_cells &&
      !sim_topology_create(run->description, run->world, &run->topology, why)) {
    return false;
  }
  const double seconds = run->settings.seconds > 0.0 ? run->settings.seconds : run->scene.seconds;
  const int64_t steps = llround(seconds * 1e9 / (double)run->def.step_ns);
  run->length = steps > 1 ? (uint64_t)steps : 1;
  return !run->scene.start || run->scene.start(run->world, &run->def, run->state, why);
}

/* Chooses the scene and sets its parameters. *run is NULL without memory. */
static sim_outcome begin(const char* name, const sim_settings* settings, sim_run** run,
                         tool_message* why) {
  sim_run* made = *run = calloc(1, sizeof *made);
  if (!made) return tool_because(why, "no memory for a run"), SIM_FAILED;
  made->settings = *settings;
  made->settings.sets = made->settings.saved = NULL;
  made->name = name;
  const sim_outcome outcome = choose_scene(made, name, why);
  return outcome == SIM_OK && !set_values(made, settings, why) ? SIM_MISUSED : outcome;
}

sim_outcome sim_run_check(const char* name, const sim_settings* settings, tool_message* why) {
  sim_run* run;
  const sim_outcome outcome = begin(name, settings, &run, why);
  sim_run_destroy(&run);
  return outcome;
}

sim_outcome sim_run_create(const char* name, const sim_settings* settings, sim_run** run,
                           tool_message* why) {
  *run = NULL;
  sim_run* made;
  sim_outcome outcome = begin(name, settings, &made, why);
  if (!made) return outcome;
  if (outcome == SIM_OK && !describe(made, why)) outcome = SIM_FAILED;
  const bool described = agree(made, outcome == SIM_OK, why);
  if (outcome == SIM_OK && !(described && agree(made, fill_run(made, why), why))) {
    outcome = SIM_FAILED;
  }
  if (outcome != SIM_OK) {
    sim_run_destroy(&made);
    return outcome;
  }
  *run = made;
  return SIM_OK;
}

static void free_state(sim_run* run) {
  sim_topology_destroy(&run->topology);
  weft_scene_destroy(&run->description);
  if (run->scene.free && run->state) run->scene.free(run->state);
  free(run->state);
  run->state = NULL;
}

/* Opens the scene anew, with its values. */
static bool reopen(sim_run* run, tool_message* why) {
  char* sets[SIM_MOST_PARAMS] = {NULL};
  char text[SIM_TEXT_SIZE];
  tool_message unused;
  bool ok = true;
  for (size_t i = 0; run->values.params && run->values.params[i].name; ++i) {
    sim_format_value(&run->values, i, text);
    ok = asprintf(&sets[i], "%s=%s", run->values.params[i].name, text) >= 0 && ok;
  }
  free_state(run);
  ok = (ok || tool_because(why, "no memory for a run")) &&
       choose_scene(run, run->name, why) == SIM_OK;
  run->values = sim_usual_values(ok ? run->scene.params : NULL);
  for (size_t i = 0; i < SIM_MOST_PARAMS; ++i) {
    // a changed file may have lost it
    if (ok && sets[i]) (void)sim_set_value(&run->values, sets[i], &unused);
    free(sets[i]);
  }
  return ok;
}

bool sim_run_reset(sim_run* run, tool_message* why) {
  run->step_count = run->restored_steps = 0;
  run->elapsed_ns = 0;
  run->busy_ns = 0.0;
  return reopen(run, why) && describe(run, why) && fill_run(run, why);
}

void sim_run_keep(sim_run* run, sim_keep* keep) {
  SIM_KEEP(keep, run->step_count);
  SIM_KEEP(keep, run->elapsed_ns);
  if (run->scene.keep) run->scene.keep(run->state, keep);
}

bool sim_run_resume(sim_run* run, tool_message* why) {
  weft_world_def now;
  const int64_t substeps = run->settings.later_substeps;
  run->restored_steps = run->step_count;
  if (substeps > 0 && !sim_check(weft_world_set_substeps(run->world, (uint32_t)substeps), why)) {
    return false;
  }
  tool_must(weft_world_get_def(run->world, &now));
  if (now.step_ns != run->def.step_ns) {
    return tool_because(why, "the snapshot has %.9g steps a second, and not %.9g",
                        1e9 / (double)now.step_ns, sim_run_rate(run));
  }
  run->def.solver.substeps = now.solver.substeps;
  return scale_time(run, why);
}

void sim_run_destroy(sim_run** run) {
  sim_run* gone = *run;
  if (!gone) return;
  if (gone->cluster) {
    weft_cluster_destroy(&gone->cluster);
  } else {
    weft_world_destroy(&gone->world);
  }
  free_state(gone);
  free(gone);
  *run = NULL;
}

// ---- running ----

bool sim_run_synchronize(sim_run* run, tool_message* why) {
  if (!run->cluster || run->is_synchronized) return true;
  run->is_synchronized = true;
  return sim_check(weft_cluster_synchronize(run->cluster), why);
}

bool sim_run_redistribute(sim_run* run, bool* moved, tool_message* why) {
  const uint32_t every = run->settings.redistribute_every;
  weft_cluster_stats before, after;
  *moved = false;
  if (!run->cluster || every == 0 || run->step_count == 0 || run->step_count % every != 0) {
    return true;
  }
  if (!sim_check(weft_cluster_get_stats(run->cluster, &before), why) ||
      !sim_check(weft_cluster_redistribute(run->cluster, 1.0f), why) ||
      !sim_check(weft_cluster_get_stats(run->cluster, &after), why)) {
    return false;
  }
  *moved = after.redistributions > before.redistributions;
  return true;
}

static bool take_step(sim_run* run, tool_message* why) {
  weft_advance taken = {.steps = 1};
  if (run->settings.time_scale == 1.0) {
    run->elapsed_ns += run->def.step_ns;
    run->is_synchronized = false;
    if (run->cluster) return sim_check(weft_cluster_step(run->cluster, 1), why);
    weft_world_step(run->world, 1);
    return true;
  }
  do {
    tool_must(weft_world_advance(run->world, run->frame_ns, &taken));
    run->elapsed_ns += run->frame_ns;
  } while (taken.steps == 0);
  return true;
}

/* Scenes read the world before a step: all ranks then have all of it. */
static bool prepare_step(sim_run* run, tool_message* why) {
  const sim_moment moment = sim_run_moment(run);
  const sim_scene* scene = &run->scene;
  if (!scene->before_step) return true;
  const bool ok =
      sim_run_synchronize(run, why) && scene->before_step(run->world, &moment, run->state, why);
  return agree(run, ok, why);
}

bool sim_run_step(sim_run* run, tool_message* why) {
  if (!prepare_step(run, why)) return false;
  const double start_ns = tool_clock_ns();
  if (!take_step(run, why)) return false;
  run->busy_ns += tool_clock_ns() - start_ns;
  ++run->step_count;
  return true;
}

weft_world* sim_run_world(const sim_run* run) {
  return run->world;
}

const weft_cluster* sim_run_cluster(const sim_run* run) {
  return run->cluster;
}

const weft_world_def* sim_run_def(const sim_run* run) {
  return &run->def;
}

sim_topology* sim_run_topology(const sim_run* run) {
  return run->topology;
}

const char* sim_run_name(const sim_run* run) {
  return run->scene.name;
}

uint32_t sim_run_ranks(const sim_run* run) {
  return run->settings.transport ? run->settings.transport->rank_count : 1;
}

uint32_t sim_run_redistribute_every(const sim_run* run) {
  return run->settings.redistribute_every;
}

double sim_run_step_ms(const sim_run* run) {
  return 1e-6 * run->busy_ns;
}

uint64_t sim_run_length(const sim_run* run) {
  return run->length;
}

/* Shortest number with steps of as many nanoseconds: 60, not 59.9999988. */
double sim_run_rate(const sim_run* run) {
  const double exact = 1e9 / (double)run->def.step_ns;
  char text[TOOL_NUMBER_SIZE];
  for (int precision = 1; precision <= 17; ++precision) {
    snprintf(text, sizeof text, "%.*g", precision, exact);
    if (llround(1e9 / strtod(text, NULL)) == run->def.step_ns) break;
  }
  return strtod(text, NULL);
}

double sim_run_time_scale(const sim_run* run) {
  return run->settings.time_scale;
}

sim_moment sim_run_moment(const sim_run* run) {
  const double h = (double)run->def.step_ns * 1e-9;
  return (sim_moment){run->step_count, (double)run->step_count * h, h};
}

// ---- telling ----

static bool count_contacts(const weft_world* world, uint32_t* contacts, tool_message* why) {
  weft_world_stats stats;
  if (!sim_check(weft_world_get_stats(world, &stats), why)) return false;
  *contacts = 0;
  for (uint32_t i = 0; i < stats.particle_count; ++i) {
    int8_t touch[3];
    if (!sim_get(world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, i, 1, touch, why)) return false;
    *contacts += touch[0] != 0 || touch[1] != 0 || touch[2] != 0;
  }
  return true;
}

bool sim_run_facts(const sim_run* run, sim_facts* facts, tool_message* why) {
  if (!sim_check(weft_world_get_stats(run->world, &facts->stats), why)) return false;
  facts->hash = weft_world_hash(run->world);
  facts->cluster = (weft_cluster_stats){.rank_count = 1};
  if (run->cluster && !sim_check(weft_cluster_get_stats(run->cluster, &facts->cluster), why)) {
    return false;
  }
  facts->elapsed =
      run->settings.time_scale == 1.0 ? sim_run_moment(run).time : (double)run->elapsed_ns * 1e-9;
  facts->restored_steps = run->restored_steps;
  const uint64_t taken = run->step_count - run->restored_steps;
  facts->ms_per_step = taken > 0 ? run->busy_ns * 1e-6 / (double)taken : 0.0;
  return sim_check(weft_world_measure(run->world, &facts->measures), why) &&
         sim_check(weft_world_get_contact_stats(run->world, &facts->met), why) &&
         sim_check(weft_world_get_sleep_stats(run->world, &facts->sleep), why) &&
         count_contacts(run->world, &facts->contacts, why);
}

sim_results sim_run_results(const sim_run* run) {
  sim_results results = {.count = 0};
  if (run->scene.report) run->scene.report(run->world, run->state, &results);
  return results;
}

bool sim_run_has_table(const sim_run* run) {
  return run->scene.columns != NULL;
}

bool sim_run_write_table(const sim_run* run, FILE* out) {
  if (!sim_run_has_table(run)) return false;
  fprintf(out, "%s\n", run->scene.columns);
  run->scene.write_rows(run->state, out);
  return true;
}

const weft_scene* sim_run_description(const sim_run* run) {
  return run->description;
}

const sim_settings* sim_run_asked(const sim_run* run) {
  return &run->settings;
}

const sim_values* sim_run_values(const sim_run* run) {
  return &run->values;
}

// ---- showing ----

bool sim_run_input(sim_run* run, const sim_input* input, tool_message* why) {
  if (!run->scene.input) return tool_because(why, "%s takes no input", run->scene.name);
  return run->scene.input(run->world, run->state, input, why);
}

uint32_t sim_run_show(const sim_run* run, sim_shown shown[SIM_MOST_SHOWN]) {
  return run->scene.show ? run->scene.show(run->world, run->state, shown) : 0;
}
