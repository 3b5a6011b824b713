#include "sim/run_options.h"

#include <stdio.h>
#include <string.h>

#include "common/command_line.h"
#include "common/options.h"
#include "common/output_file.h"
#include "common/trace_file.h"
#include "sim/cloth.h"

enum {
  OPTION_SECONDS = TOOL_OPTION_OWN,
  OPTION_RATE,
  OPTION_THREADS,
  OPTION_REDISTRIBUTE,
  OPTION_ISA,
  OPTION_ITERATIONS,
  OPTION_SUBSTEPS,
  OPTION_SLEEP,
  OPTION_TIME_SCALE,
  OPTION_REAL_TIME,
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
  OPTION_SET = TOOL_OPTION_REPEATED,
};

static const struct option options[] = {
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"rate", required_argument, NULL, OPTION_RATE},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"redistribute", required_argument, NULL, OPTION_REDISTRIBUTE},
    {"isa", required_argument, NULL, OPTION_ISA},
    {"iterations", required_argument, NULL, OPTION_ITERATIONS},
    {"substeps", required_argument, NULL, OPTION_SUBSTEPS},
    {"sleep", required_argument, NULL, OPTION_SLEEP},
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
    "  --seconds S          scene time at the end, 0.000001 to 1000000 seconds\n"
    "  --rate HZ            steps a second, 1 to 1000000\n"
    "  --threads N          1 to 256 (default all CPUs), of which no more work than there are\n"
    "                       CPUs and a small scene keeps busy; the result is the same for any\n"
    "                       number\n"
    "  --redistribute N     of several ranks: divides the work anew before each N-th step, 0 to\n"
    "                       1000000000, 0 = never (default 0); the result is the same\n"
    "  --isa NAME           auto, scalar, sse2, avx2, avx512, neon, simd128; the result is the\n"
    "                       same for any\n"
    "  --iterations N       iterations a substep, 0 to 10000\n"
    "  --substeps N         substeps a step, 1 to 1000\n"
    "  --sleep V            islands slower than V metres a second for half a second fall asleep;\n"
    "                       0 to 1e9, 0 = none do\n"
    "  --time-scale X       0.001 to 1000; below 1 is slow motion; the result is the same for any\n"
    "  --real-time          each step when its time has come by the clock; the result is the same\n"
    "  --set NAME=VALUE     a parameter of the scene; may be repeated\n"
    "  --fabric NAME        a measured fabric for the cloth of flag, curtain, twist or a mesh,\n"
    "                       the same as --set fabric=NAME: blanket, denim, interlock, jet_set,\n"
    "                       polycotton, ponte, rib_knit, sweater, swimsuit, tablecloth\n"
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
    "  --restore FILE       go on from a snapshot of the same scene, with its parameters and\n"
    "                       settings. --substeps may change, and threads, isa and files; other\n"
    "                       changes are refused. Extremes and counts of the scene's report begin\n"
    "                       anew.\n"
    "  --quiet              no progress bar, no summary\n"
    "A FILE of - is standard output, without the summary; caches and meshes need a name.\n"
    "  --help, --version\n"
    "\n"
    "Under mpirun, in a build with WEFT_BUILD_MPI, the ranks compute the scene together, each "
    "with\n"
    "--threads threads (default 1); the result is the same for any number. The first rank writes\n"
    "all files; the trace is of its threads. --sleep and --time-scale are for one process.\n"
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

static bool add_set(sim_run_options* settings, const char* value, tool_message* why) {
  return tool_add_set(value, SIM_MOST_SETS, settings->sets, &settings->sim.set_count, why);
}

static bool set_fabric(sim_run_options* settings, const char* value, tool_message* why) {
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

/* Takes an option of a file. */
static bool take_file(sim_run_options* settings, int option, const char* value, tool_message* why) {
  sim_settings* sim = &settings->sim;
  switch (option) {
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
      sim->keeps_faces = true;
      return settings->save_path = value, true;
    case OPTION_SAVE_AT:
      return tool_parse_number("--save-at", value, 0.0, 1e6, &settings->save_at, why);
    default:
      sim->keeps_faces = true;
      return settings->restore_path = value, true;
  }
}

static bool take(void* target, int option, const char* value, tool_message* why) {
  sim_run_options* settings = target;
  sim_settings* sim = &settings->sim;
  switch (option) {
    case OPTION_SECONDS:
      return tool_parse_number("--seconds", value, 1e-6, 1e6, &sim->seconds, why);
    case OPTION_RATE:
      return tool_parse_number("--rate", value, 1.0, 1e6, &sim->rate, why);
    case OPTION_THREADS:
      return tool_parse_count("--threads", value, (tool_range){1, WEFT_MAX_WORKERS}, &sim->threads,
                              why);
    case OPTION_REDISTRIBUTE:
      return tool_parse_count("--redistribute", value, (tool_range){0, 1000000000},
                              &sim->redistribute_every, why);
    case OPTION_ISA:
      return parse_isa(value, &sim->isa, why);
    case OPTION_ITERATIONS:
      return parse_integer("--iterations", value, (tool_range){0, 10000}, &sim->iterations, why);
    case OPTION_SUBSTEPS:
      return parse_integer("--substeps", value, (tool_range){1, 1000}, &sim->substeps, why);
    case OPTION_SLEEP:
      return tool_parse_number("--sleep", value, 0.0, 1e9, &sim->sleep, why);
    case OPTION_TIME_SCALE:
      return tool_parse_number("--time-scale", value, 1e-3, 1e3, &sim->time_scale, why);
    case OPTION_REAL_TIME:
      return settings->real_time = true;
    case OPTION_SET:
      return add_set(settings, value, why);
    case OPTION_FABRIC:
      return set_fabric(settings, value, why);
    case OPTION_QUIET:
      return settings->quiet = true;
    default:
      return take_file(settings, option, value, why);
  }
}

static bool take_word(void* target, const char* word, tool_message* why) {
  sim_run_options* settings = target;
  if (settings->name && strchr(word, '=')) {
    return tool_because(why, "unexpected argument '%s' (did you mean --set %s?)", word, word);
  }
  if (settings->name) return tool_because(why, "unexpected argument '%s'", word);
  settings->name = word;
  return true;
}

/* False too where two files are one. */
static bool takes_standard_output(const sim_run_options* settings, bool* taken, tool_message* why) {
  static const char* const names[] = {"--json",  "--measures", "--trace", "--table",
                                      "--cache", "--mesh",     "--save"};
  const char* const paths[] = {settings->json_path,  settings->measures_path, settings->trace_path,
                               settings->table_path, settings->cache_path,    settings->mesh_path,
                               settings->save_path};
  *taken = tool_table_stream(paths, 7) != stdout;
  return tool_paths_differ(names, paths, 7, why);
}

static bool is_option(const char* name) {
  for (const struct option* o = options; o->name; ++o) {
    if (strncmp(o->name, name, strlen(name)) == 0) return true;
  }
  return false;
}

static bool is_parameter(const char* name) {
  for (size_t i = 0; i < sim_scene_count; ++i) {
    for (const sim_param* param = sim_scene_at(i)->params; param && param->name; ++param) {
      if (strcmp(param->name, name) == 0) return true;
    }
  }
  return false;
}

/* False where a parameter of a scene is given as an option. */
static bool knows_options(int argc, char** argv, tool_message* why) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
    char name[64];
    if (strncmp(argv[i], "--", 2) != 0) continue;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i] + 2, "="), argv[i] + 2);
    if (is_option(name) || !is_parameter(name)) continue;
    return tool_because(why, "--%s: a parameter of a scene is set by --set %s=VALUE", name, name);
  }
  return true;
}

int sim_read_run_options(int argc, char** argv, sim_run_options* settings) {
  const tool_syntax syntax = {"run", help, options, take, take_word};
  tool_message why;
  bool taken;
  *settings = (sim_run_options){.sim = sim_default_settings(),
                                .fps = 30.0,
                                .save_at = -1.0,
                                .measures_every = 1,
                                .trace_steps = TOOL_TRACE_STEPS};
  if (!knows_options(argc, argv, &why)) return tool_fail(&why);
  const int outcome = tool_read_command_line(&syntax, argc, argv, settings);
  if (outcome != TOOL_GO_ON) return outcome;
  if (!settings->name) {
    tool_because(&why, "no scene: 'weft-sim list' names those there are");
    return tool_fail(&why);
  }
  settings->sim.sets = settings->sets;
  if (!takes_standard_output(settings, &taken, &why)) return tool_fail(&why);
  settings->no_summary = settings->quiet || taken;
  return TOOL_GO_ON;
}
