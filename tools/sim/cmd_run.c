/* weft-sim run: a scene from its first step to its last, and its report. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/command_line.h"
#include "common/interrupt.h"
#include "common/must.h"
#include "common/options.h"
#include "common/progress.h"
#include "common/trace_file.h"
#include "sim/cache/cache.h"
#include "sim/cloth.h"
#include "sim/commands.h"
#include "sim/report.h"
#include "sim/snapshot.h"

enum { MOST_SETS = 64 };

typedef struct run_settings {
  const char* name;
  sim_settings sim;
  const char* sets[MOST_SETS];
  char fabric[64]; /* set by --fabric */
  const char* json_path;
  const char* measures_path;
  const char* trace_path;
  const char* table_path;
  const char* cache_path;
  const char* mesh_path;
  const char* save_path;
  const char* restore_path;
  double save_at; /* seconds; below 0 = at the end */
  double fps;     /* frames of the cache a second */
  uint32_t measures_every;
  uint32_t trace_from, trace_steps; /* first step that is written, and how many */
  bool real_time;
  bool quiet;
  bool no_summary; /* quiet, or a file takes standard output */
} run_settings;

enum {
  OPTION_SECONDS = TOOL_OPTION_OWN,
  OPTION_RATE,
  OPTION_THREADS,
  OPTION_ISA,
  OPTION_ITERATIONS,
  OPTION_SUBSTEPS,
  OPTION_SLEEP,
  OPTION_AVERAGING_TIME,
  OPTION_TIME_SCALE,
  OPTION_REAL_TIME,
  OPTION_SET,
  OPTION_FABRIC,
  OPTION_JSON,
  OPTION_MEASURES,
  OPTION_MEASURES_EVERY,
  OPTION_TRACE,
  OPTION_TRACE_FROM,
  OPTION_TRACE_STEPS,
  OPTION_TABLE,
  OPTION_CACHE,
  OPTION_FPS,
  OPTION_MESH,
  OPTION_SAVE,
  OPTION_SAVE_AT,
  OPTION_RESTORE,
  OPTION_QUIET,
};

static const struct option options[] = {
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"isa", required_argument, NULL, OPTION_ISA},
    {"iterations", required_argument, NULL, OPTION_ITERATIONS},
    {"substeps", required_argument, NULL, OPTION_SUBSTEPS},
    {"sleep", required_argument, NULL, OPTION_SLEEP},
    {"averaging-time", required_argument, NULL, OPTION_AVERAGING_TIME},
    {"time-scale", required_argument, NULL, OPTION_TIME_SCALE},
    {"real-time", no_argument, NULL, OPTION_REAL_TIME},
    {"set", required_argument, NULL, OPTION_SET},
    {"fabric", required_argument, NULL, OPTION_FABRIC},
    {"json", required_argument, NULL, OPTION_JSON},
    {"measures", required_argument, NULL, OPTION_MEASURES},
    {"measures-every", required_argument, NULL, OPTION_MEASURES_EVERY},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"trace-from", required_argument, NULL, OPTION_TRACE_FROM},
    {"trace-steps", required_argument, NULL, OPTION_TRACE_STEPS},
    {"table", required_argument, NULL, OPTION_TABLE},
    {"cache", required_argument, NULL, OPTION_CACHE},
    {"fps", required_argument, NULL, OPTION_FPS},
    {"mesh", required_argument, NULL, OPTION_MESH},
    {"save", required_argument, NULL, OPTION_SAVE},
    {"save-at", required_argument, NULL, OPTION_SAVE_AT},
    {"restore", required_argument, NULL, OPTION_RESTORE},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    TOOL_COMMON_OPTIONS,
};

static const char* const help[] = {
    "Usage: weft-sim run SCENE|FILE.json|MESH [OPTION...]\n"
    "\n"
    "Runs a scene, by name ('weft-sim list') or from a file, and prints its results. The defaults\n"
    "of all settings are those of the scene. A mesh (.obj, .ply, .gltf, .glb) hangs as a cloth.\n"
    "\n"
    "  --seconds S          scene time, 0.000001 to 1000000 seconds\n"
    "  --rate HZ            steps a second, 1 to 1000000\n"
    "  --threads N          1 to 256; the result is the same for any number\n"
    "  --isa NAME           auto, scalar, sse2, avx2, avx512, neon, simd128; the result is the\n"
    "                       same for any\n"
    "  --iterations N       iterations a substep, 0 to 10000\n"
    "  --substeps N         substeps a step, 1 to 1000\n"
    "  --sleep V            islands slower than V metres a second for half a second fall asleep;\n"
    "                       0 to 1e9, 0 = none do\n"
    "  --averaging-time S   averages the forces of constraints over S seconds, 0 to 10, 0 = not;\n"
    "                       0.0167 suits most scenes\n"
    "  --time-scale X       0.001 to 1000; below 1 is slow motion; the result is the same for any\n"
    "  --real-time          each step when its time has come by the clock; the result is the same\n"
    "  --set NAME=VALUE     a parameter of the scene; may be repeated\n"
    "  --fabric NAME        a measured fabric for the cloth of flag, curtain or a mesh, the same "
    "as\n"
    "                       --set fabric=NAME: blanket, denim, interlock, jet_set, polycotton,\n"
    "                       ponte, rib_knit, sweater, swimsuit, tablecloth\n"
    "  --json FILE          write a report as JSON\n"
    "  --measures FILE      write energies, strain and hash of each step as CSV\n"
    "  --measures-every N   of every N-th step only\n"
    "  --trace FILE         write what each worker does, as JSON for ui.perfetto.dev\n"
    "  --trace-from N       the first step of the trace (default 0)\n"
    "  --trace-steps N      steps of the trace (default 100)\n"
    "  --table FILE         write the table of the scene as CSV; few scenes have one\n"
    "  --cache FILE         write positions over time, by the extension:\n"
    "                         .pc2          point cache of Blender, with the mesh as .obj beside "
    "it\n"
    "                         .gltf, .glb   glTF 2.0, morph targets\n"
    "                         .h5, .xdmf    HDF5 for h5py, and XDMF for ParaView, both\n"
    "                         .obj, .ply    a mesh each frame: NAME_0000.obj, NAME_0001.obj ..\n"
    "  --fps F              frames of the cache a second, 0.001 to 1000000 (default 30)\n"
    "  --mesh FILE          write the final mesh: .obj, .ply, .gltf, .glb, .h5, .xdmf\n"
    "  --save FILE          write a snapshot, from which --restore goes on\n"
    "  --save-at S          at this second of the scene (default: at its end)\n"
    "  --restore FILE       go on from a snapshot of the same scene and settings; threads and isa\n"
    "                       may be others, the result is the same. Extremes and counts of the\n"
    "                       scene's report begin anew.\n"
    "  --quiet              no progress bar, no summary\n"
    "A FILE of - is standard output, without the summary; caches and meshes need a name.\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 success, 1 failure, 2 invalid command line, 130 Ctrl-C; then no file is\n"
    "written but the trace and the cache, of the steps so far.\n",
    NULL,
};

static bool parse_integer(const char* option, const char* value, tool_range range, int64_t* number,
                          tool_message* why) {
  uint32_t count = 0;
  if (!tool_parse_count(option, value, range, &count, why)) return false;
  *number = count;
  return true;
}

static bool parse_isa(const char* value, weft_isa* isa, tool_message* why) {
  for (int i = WEFT_ISA_AUTO; i <= WEFT_ISA_SIMD128; ++i) {
    if (strcmp(value, weft_isa_name((weft_isa)i)) != 0) continue;
    *isa = (weft_isa)i;
    return weft_isa_supported(*isa) ||
           tool_because(why, "--isa: this machine or this build does not have %s", value);
  }
  return tool_because(
      why, "--isa: '%s' is not one of auto, scalar, sse2, avx2, avx512, neon, simd128", value);
}

static bool add_set(run_settings* settings, const char* value, tool_message* why) {
  if (settings->sim.set_count == MOST_SETS) {
    return tool_because(why, "--set: more than %d", MOST_SETS);
  }
  settings->sets[settings->sim.set_count++] = value;
  return true;
}

static bool set_fabric(run_settings* settings, const char* value, tool_message* why) {
  weft_fabric fabric;
  char all[512] = "";
  for (size_t i = 1; sim_fabrics[i]; ++i) {
    const size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s", i > 1 ? ", " : "", sim_fabrics[i]);
  }
  if (weft_find_fabric(value, &fabric).error != WEFT_OK) {
    return tool_because(why, "--fabric: '%s' is not a fabric: %s", value, all);
  }
  snprintf(settings->fabric, sizeof settings->fabric, "fabric=%s", value);
  return add_set(settings, settings->fabric, why);
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  run_settings* settings = target;
  sim_settings* sim = &settings->sim;
  switch (option) {
    case OPTION_SECONDS:
      return tool_parse_number("--seconds", value, 1e-6, 1e6, &sim->seconds, why);
    case OPTION_RATE:
      return tool_parse_number("--rate", value, 1.0, 1e6, &sim->rate, why);
    case OPTION_THREADS:
      return tool_parse_count("--threads", value, (tool_range){1, WEFT_MAX_WORKERS}, &sim->threads,
                              why);
    case OPTION_ISA:
      return parse_isa(value, &sim->isa, why);
    case OPTION_ITERATIONS:
      return parse_integer("--iterations", value, (tool_range){0, 10000}, &sim->iterations, why);
    case OPTION_SUBSTEPS:
      return parse_integer("--substeps", value, (tool_range){1, 1000}, &sim->substeps, why);
    case OPTION_SLEEP:
      return tool_parse_number("--sleep", value, 0.0, 1e9, &sim->sleep, why);
    case OPTION_AVERAGING_TIME:
      return tool_parse_number("--averaging-time", value, 0.0, 10.0, &sim->averaging_time, why);
    case OPTION_TIME_SCALE:
      return tool_parse_number("--time-scale", value, 1e-3, 1e3, &sim->time_scale, why);
    case OPTION_REAL_TIME:
      return settings->real_time = true;
    case OPTION_SET:
      return add_set(settings, value, why);
    case OPTION_FABRIC:
      return set_fabric(settings, value, why);
    case OPTION_JSON:
      return settings->json_path = value, true;
    case OPTION_MEASURES:
      return settings->measures_path = value, true;
    case OPTION_MEASURES_EVERY:
      return tool_parse_count("--measures-every", value, (tool_range){1, 1000000000},
                              &settings->measures_every, why);
    case OPTION_TRACE:
      sim->is_recorded = true;
      return settings->trace_path = value, true;
    case OPTION_TRACE_FROM:
      return tool_parse_count("--trace-from", value, (tool_range){0, 1000000000},
                              &settings->trace_from, why);
    case OPTION_TRACE_STEPS:
      return tool_parse_count("--trace-steps", value, (tool_range){1, 1000000},
                              &settings->trace_steps, why);
    case OPTION_TABLE:
      return settings->table_path = value, true;
    case OPTION_CACHE:
      sim->keeps_cells = true;
      return settings->cache_path = value, true;
    case OPTION_FPS:
      return tool_parse_number("--fps", value, 1e-3, 1e6, &settings->fps, why);
    case OPTION_MESH:
      sim->keeps_cells = true;
      return settings->mesh_path = value, true;
    case OPTION_SAVE:
      return settings->save_path = value, true;
    case OPTION_SAVE_AT:
      return tool_parse_number("--save-at", value, 0.0, 1e6, &settings->save_at, why);
    case OPTION_RESTORE:
      return settings->restore_path = value, true;
    default:
      return settings->quiet = true;
  }
}

static bool take_word(void* target, const char* word, tool_message* why) {
  run_settings* settings = target;
  if (settings->name) return tool_because(why, "unexpected argument '%s'", word);
  settings->name = word;
  return true;
}

/* Paths are checked before the run. */
static bool check_paths(const run_settings* settings, bool* misused, tool_message* why) {
  *misused = false;
  return (!settings->json_path || tool_can_write(settings->json_path, why)) &&
         (!settings->measures_path || tool_can_write(settings->measures_path, why)) &&
         (!settings->trace_path || tool_can_write(settings->trace_path, why)) &&
         (!settings->table_path || tool_can_write(settings->table_path, why)) &&
         (!settings->save_path || tool_can_write(settings->save_path, why)) &&
         (!settings->cache_path ||
          sim_cache_check("--cache", settings->cache_path, false, misused, why)) &&
         (!settings->mesh_path ||
          sim_cache_check("--mesh", settings->mesh_path, true, misused, why));
}

/* False too where two files are one. */
static bool takes_standard_output(const run_settings* settings, bool* taken, tool_message* why) {
  static const char* const names[] = {"--json",  "--measures", "--trace", "--table",
                                      "--cache", "--mesh",     "--save"};
  const char* const paths[] = {settings->json_path,  settings->measures_path, settings->trace_path,
                               settings->table_path, settings->cache_path,    settings->mesh_path,
                               settings->save_path};
  *taken = tool_table_stream(paths, 7) != stdout;
  return tool_paths_differ(names, paths, 7, why);
}

/* Files that grow with the run. */
typedef struct step_files {
  sim_measures measures;
  tool_trace trace;
  sim_cache* cache;
  bool has_measures, has_trace;
} step_files;

static bool open_trace(const run_settings* settings, const sim_run* run, tool_trace* trace,
                       tool_message* why) {
  weft_world_stats stats;
  if (!tool_trace_open(settings->trace_path, trace, why)) return false;
  tool_must(weft_world_get_stats(sim_run_world(run), &stats));
  tool_trace_begin_world(trace, sim_run_name(run), stats.worker_count);
  return true;
}

/* Opens the files that are asked for. After a failure close_files() closes those that are open. */
static bool open_files(const run_settings* settings, const sim_run* run, step_files* files,
                       tool_message* why) {
  *files = (step_files){.cache = NULL};
  if (settings->trace_path) {
    files->has_trace = open_trace(settings, run, &files->trace, why);
    if (!files->has_trace) return false;
  }
  if (settings->measures_path) {
    files->has_measures = sim_measures_open(settings->measures_path, settings->measures_every, run,
                                            &files->measures, why);
    if (!files->has_measures) return false;
  }
  return !settings->cache_path ||
         sim_cache_open(settings->cache_path, settings->fps, run, &files->cache, why);
}

static bool write_step(const run_settings* settings, step_files* files, const sim_run* run,
                       tool_message* why) {
  if (files->has_measures && !sim_measures_step(&files->measures, run, why)) return false;
  if (files->cache && !sim_cache_step(files->cache, run, why)) return false;
  const uint64_t step = sim_run_moment(run).step - 1;
  if (!files->has_trace || step < settings->trace_from) return true;
  if (step - settings->trace_from >= settings->trace_steps) return true;
  return tool_trace_add_step(&files->trace, sim_run_world(run), why);
}

/* After Ctrl-C the trace and the cache have the steps so far, and there is no file of measures. */
static bool close_files(step_files* files, bool ok, tool_message* why) {
  tool_message unused;
  const bool whole = ok && !tool_interrupted();
  if (files->cache) ok = sim_cache_close(&files->cache, ok, ok ? why : &unused) && ok;
  if (files->has_measures) {
    const bool closed = sim_measures_close(&files->measures, whole, whole && ok ? why : &unused);
    ok = ok && (closed || !whole);
  }
  if (files->has_trace) ok = tool_trace_close(&files->trace, ok, ok ? why : &unused) && ok;
  return ok;
}

/* Sleeps until the clock has come to a time, or until an interrupt. */
static void sleep_until(double due_ns) {
  for (;;) {
    const double left_ns = due_ns - tool_clock_ns();
    if (left_ns <= 0.0 || tool_interrupted()) return;
    const double seconds = floor(left_ns * 1e-9);
    const struct timespec left = {(time_t)seconds, (long)(left_ns - seconds * 1e9)};
    (void)nanosleep(&left, NULL);
  }
}

/* The step after which the snapshot is taken. */
static uint64_t save_step(const run_settings* settings, const sim_run* run) {
  if (settings->save_at < 0.0) return sim_run_length(run);
  return (uint64_t)llround(settings->save_at / sim_run_moment(run).h);
}

static bool save_if_due(const run_settings* settings, sim_run* run, tool_message* why) {
  if (!settings->save_path || sim_run_moment(run).step != save_step(settings, run)) return true;
  return sim_run_save(run, settings->save_path, why);
}

/* Ends early, with true, where it is interrupted. */
static bool take_steps(const run_settings* settings, sim_run* run, step_files* files,
                       tool_message* why) {
  const uint64_t length = sim_run_length(run);
  tool_progress progress = tool_progress_start(length, settings->quiet);
  const double start_ns = tool_clock_ns();
  const double clock_ns = 1e9 / settings->sim.time_scale;  // of a second of the scene
  bool ok = save_if_due(settings, run, why);
  for (uint64_t i = sim_run_moment(run).step; ok && i < length && !tool_interrupted(); ++i) {
    ok = sim_run_step(run, why) && write_step(settings, files, run, why) &&
         save_if_due(settings, run, why);
    if (settings->real_time) sleep_until(start_ns + sim_run_moment(run).time * clock_ns);
    tool_progress_step(&progress, sim_run_name(run));
  }
  tool_progress_end(&progress);
  return ok;
}

static bool run_steps(const run_settings* settings, sim_run* run, tool_message* why) {
  step_files files;
  const bool ok = open_files(settings, run, &files, why) && take_steps(settings, run, &files, why);
  return close_files(&files, ok, why);
}

static bool report(const run_settings* settings, const sim_run* run, tool_message* why) {
  sim_facts facts;
  if (!sim_run_facts(run, &facts, why)) return false;
  if (settings->json_path && !sim_write_json(settings->json_path, run, &facts, why)) return false;
  if (settings->table_path && !sim_write_table(settings->table_path, run, why)) return false;
  if (settings->mesh_path && !sim_mesh_write(settings->mesh_path, run, why)) return false;
  if (settings->no_summary) return true;
  sim_print_summary(stdout, run, &facts);
  return true;
}

static bool check_table(const run_settings* settings, const sim_run* run, tool_message* why) {
  return !settings->table_path || sim_run_has_table(run) ||
         tool_because(why, "--table: %s makes no table", sim_run_name(run));
}

static bool check_save(const run_settings* settings, const sim_run* run, tool_message* why) {
  if (settings->save_at < 0.0) return true;
  if (!settings->save_path) return tool_because(why, "--save-at: no --save FILE");
  const uint64_t step = save_step(settings, run);
  if (step > sim_run_length(run)) {
    return tool_because(why, "--save-at: the run ends before %g seconds", settings->save_at);
  }
  return step >= sim_run_moment(run).step ||
         tool_because(why, "--save-at: the snapshot restored is later than %g seconds",
                      settings->save_at);
}

static int fail(const tool_message* why) {
  tool_print_error(why);
  return SIM_EXIT_FAILED;
}

static int run_scene(const run_settings* settings) {
  tool_message why;
  sim_run* run = NULL;
  bool misused;
  if (!check_paths(settings, &misused, &why)) return misused ? tool_fail(&why) : fail(&why);
  tool_catch_interrupt();
  const sim_outcome outcome = sim_run_create(settings->name, &settings->sim, &run, &why);
  if (outcome == SIM_MISUSED) return tool_fail(&why);
  if (outcome != SIM_OK) return fail(&why);
  if (settings->restore_path && !sim_run_restore(run, settings->restore_path, &why)) {
    sim_run_destroy(&run);
    return fail(&why);
  }
  if (!check_table(settings, run, &why) || !check_save(settings, run, &why)) {
    sim_run_destroy(&run);
    return tool_fail(&why);
  }
  bool ok = run_steps(settings, run, &why);
  if (ok && !tool_interrupted()) ok = report(settings, run, &why);
  sim_run_destroy(&run);
  if (!ok) return fail(&why);
  if (!tool_interrupted()) return TOOL_EXIT_OK;
  fprintf(stderr, "weft-sim: interrupted, no file was written%s%s%s\n",
          settings->trace_path || settings->cache_path ? " but" : "",
          settings->trace_path ? " the trace" : "",
          settings->cache_path ? settings->trace_path ? " and the cache" : " the cache" : "");
  return TOOL_EXIT_INTERRUPTED;
}

int command_run(int argc, char** argv) {
  const tool_syntax syntax = {"run", help, options, take, take_word};
  run_settings settings = {.sim = sim_default_settings(),
                           .fps = 30.0,
                           .save_at = -1.0,
                           .measures_every = 1,
                           .trace_steps = TOOL_TRACE_STEPS};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  if (!settings.name) {
    tool_because(&why, "no scene: 'weft-sim list' names those there are");
    return tool_fail(&why);
  }
  settings.sim.sets = settings.sets;
  bool taken;
  if (!takes_standard_output(&settings, &taken, &why)) return tool_fail(&why);
  settings.no_summary = settings.quiet || taken;
  return run_scene(&settings);
}
