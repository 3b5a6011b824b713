#include "sim/run_options.h"

#include <string.h>

#include "common/command_line.h"
#include "common/output_file.h"
#include "common/trace_file.h"
#include "sim/cloth.h"

static bool add_set(void* target, const char* value, tool_message* why) {
  sim_run_options* settings = target;
  return tool_add_set(value, SIM_MOST_SETS, settings->sets, &settings->sim.set_count, why);
}

#define AT(member) offsetof(sim_run_options, member)
static const tool_option options[] = {
    TOOL_RANGE(REAL, "seconds", "S", AT(sim.seconds), 1e-6, 1e6,
               "scene time at the end, 0.000001 to 1000000 seconds"),
    TOOL_RANGE(REAL, "rate", "HZ", AT(sim.rate), 1, 1e6, "steps a second, 1 to 1000000"),
    TOOL_RANGE(COUNT, "threads", "N", AT(sim.threads), 1, WEFT_MAX_WORKERS,
               "1 to 256 (default all CPUs), of which no more work than there are CPUs and a small "
               "scene keeps busy; the result is the same for any number"),
    TOOL_RANGE(COUNT, "redistribute", "N", AT(sim.redistribute_every), 0, 1000000000,
               "of several ranks: divides the work anew before each N-th step, 0 to 1000000000, "
               "0 = never (default 0); the result is the same"),
    TOOL_CHOICE(NAME, "isa", "NAME", AT(sim.isa), TOOL_ISAS, tool_isa_names,
                "auto, scalar, sse2, avx2, avx512, neon, simd128; the result is the same for any"),
    TOOL_RANGE(WHOLE, "iterations", "N", AT(sim.iterations), 0, 10000,
               "iterations a substep, 0 to 10000"),
    TOOL_RANGE(WHOLE, "substeps", "N", AT(sim.substeps), 1, 1000,
               "substeps a step, 1 to 1000; up to four times as many while cloth and a "
               "collider near it are fast"),
    TOOL_RANGE(REAL, "sleep", "V", AT(sim.sleep), 0, 1e9,
               "islands slower than V metres a second for half a second fall asleep; 0 to 1e9, "
               "0 = none do"),
    TOOL_RANGE(REAL, "time-scale", "X", AT(sim.time_scale), 1e-3, 1e3,
               "0.001 to 1000; below 1 is slow motion; the result is the same for any"),
    TOOL_OPTION(FLAG, "real-time", NULL, AT(real_time),
                "each step when its time has come by the clock; the result is the same"),
    TOOL_REPEATED_OPTION("set", "NAME=VALUE", 0, add_set,
                         "a parameter of the scene; may be repeated"),
    TOOL_OPTION(WORD, "fabric", "NAME", AT(fabric),
                "a measured fabric for the cloth of flag, curtain, twist or a mesh, the same as "
                "--set fabric=NAME: blanket, denim, interlock, jet_set, polycotton, ponte, "
                "rib_knit, sweater, swimsuit, tablecloth"),
    TOOL_OPTION(FLAG, "explain", NULL, AT(explain),
                "print the solver's settings of each body, and why it has them, and run nothing"),
    TOOL_OPTION(WORD, "json", "FILE", AT(json_path), "write a report as JSON"),
    TOOL_OPTION(WORD, "measures", "FILE", AT(measures_path),
                "write energies, strain and hash of each step as CSV"),
    TOOL_RANGE(COUNT, "measures-every", "N", AT(measures_every), 1, 1000000000,
               "of every N-th step only"),
    TOOL_OPTION(WORD, "trace", "FILE", AT(trace_path),
                "write what each worker does, as JSON for ui.perfetto.dev"),
    TOOL_RANGE(COUNT, "trace-from", "N", AT(trace_from), 0, 1000000000,
               "the first step of the trace (default 0)"),
    TOOL_RANGE(COUNT, "trace-steps", "N", AT(trace_steps), 1, 1000000,
               "steps of the trace (default 100)"),
    TOOL_OPTION(WORD, "table", "FILE", AT(table_path),
                "write the table of the scene as CSV; few scenes have one"),
    TOOL_OPTION(WORD, "cache", "FILE", AT(cache_path),
                "write positions over time, by the extension:\n"
                ".pc2, point cache of Blender, with the mesh as .obj beside it\n"
                ".gltf, .glb, glTF 2.0, morph targets\n"
                ".h5, .xdmf, HDF5 for h5py, and XDMF for ParaView, both\n"
                ".obj, .ply, a mesh each frame: NAME_0000.obj, NAME_0001.obj .."),
    TOOL_RANGE(REAL, "fps", "F", AT(fps), 1e-3, 1e6,
               "frames of the cache a second, 0.001 to 1000000 (default 30)"),
    TOOL_OPTION(WORD, "mesh", "FILE", AT(mesh_path),
                "write the final mesh: .obj, .ply, .gltf, .glb, .h5, .xdmf"),
    TOOL_OPTION(WORD, "save", "FILE", AT(save_path),
                "write a snapshot, from which --restore goes on"),
    TOOL_RANGE(REAL, "save-at", "S", AT(save_at), 0, 1e6,
               "at this second of the scene (default: at its end)"),
    TOOL_OPTION(WORD, "restore", "FILE", AT(restore_path),
                "go on from a snapshot of the same scene, with its parameters and settings. "
                "--substeps may change, and threads, isa and files; other changes are refused. "
                "Extremes and counts of the scene's report begin anew."),
    TOOL_OPTION(FLAG, "quiet", NULL, AT(quiet), "no progress bar, no summary"),
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "A FILE of - is standard output, without the summary; caches and meshes need a name.",
    "Under mpirun, in a build with WEFT_BUILD_MPI, the ranks compute the scene together, each with "
    "--threads threads (default 1); the result is the same for any number. The first rank writes "
    "all files; the trace is of its threads. --sleep and --time-scale are for one process.",
    "Exit status: 0 success, 1 failure, 2 invalid command line, 130 Ctrl-C; then no file is "
    "written but the trace and the cache, of the steps so far.",
    NULL,
};

static bool set_fabric(sim_run_options* settings, tool_message* why) {
  weft_fabric fabric;
  char all[512] = "";
  if (!settings->fabric) return true;
  for (size_t i = 1; sim_fabrics[i]; ++i) {
    const size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s", i > 1 ? ", " : "", sim_fabrics[i]);
  }
  if (weft_find_fabric(settings->fabric, &fabric).error != WEFT_OK) {
    return tool_because(why, "--fabric: '%s' is not a fabric: %s", settings->fabric, all);
  }
  snprintf(settings->fabric_set, sizeof settings->fabric_set, "fabric=%s", settings->fabric);
  return add_set(settings, settings->fabric_set, why);
}

static bool take_word(void* target, const char* word, tool_message* why) {
  sim_run_options* settings = target;
  if (settings->name && strchr(word, '=')) {
    return tool_because(why, "unexpected argument '%s' (did you mean --set %s?)", word, word);
  }
  return tool_take_word(&settings->name, word, why);
}

/* False also if two files are one. */
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
  for (const tool_option* o = options; o->kind; ++o) {
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

/* False if a parameter of a scene is given as an option. */
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

static const double default_fps = 30.0;

/* Settings of a file that is not written would be ignored. */
static bool has_files(const sim_run_options* settings, tool_message* why) {
  const struct {
    bool is_set;
    const char *path, *option, *file;
  } rules[] = {
      {settings->measures_every != 1, settings->measures_path, "measures-every", "measures"},
      {settings->trace_from != 0, settings->trace_path, "trace-from", "trace"},
      {settings->trace_steps != TOOL_TRACE_STEPS, settings->trace_path, "trace-steps", "trace"},
      {settings->fps != default_fps, settings->cache_path, "fps", "cache"},
      {settings->save_at >= 0.0, settings->save_path, "save-at", "save"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
    if (!rules[i].is_set || rules[i].path) continue;
    return tool_because(why, "--%s: no --%s FILE", rules[i].option, rules[i].file);
  }
  return true;
}

/* Rules between options. */
static bool complete(sim_run_options* settings, tool_message* why) {
  sim_settings* sim = &settings->sim;
  bool taken;
  if (!settings->name) {
    return tool_because(why, "no scene: 'weft-sim list' names those there are");
  }
  if (!weft_isa_supported(sim->isa)) {
    return tool_because(why, "--isa: this machine or this build does not have %s",
                        weft_isa_name(sim->isa));
  }
  sim->sets = settings->sets;
  sim->is_recorded = settings->trace_path != NULL;
  sim->keeps_cells = settings->cache_path || settings->mesh_path;
  if (!has_files(settings, why) || !set_fabric(settings, why) ||
      !takes_standard_output(settings, &taken, why))
    return false;
  settings->no_summary = settings->quiet || taken;
  return true;
}

int sim_read_run_options(int argc, char** argv, sim_run_options* settings) {
  static const tool_syntax syntax = {
      "run",
      "Usage: weft-sim run SCENE|FILE.json|MESH [OPTION...]\n",
      "Runs a scene, by name ('weft-sim list') or from a file, and prints its results. The "
      "defaults of all settings are those of the scene. A mesh (.obj, .ply, .gltf, .glb) hangs as "
      "a cloth.",
      options,
      notes,
      take_word};
  tool_message why;
  *settings = (sim_run_options){.sim = sim_default_settings(),
                                .fps = default_fps,
                                .save_at = -1.0,
                                .measures_every = 1,
                                .trace_steps = TOOL_TRACE_STEPS};
  if (!knows_options(argc, argv, &why)) return tool_fail(&why);
  const int outcome = tool_read_command_line(&syntax, argc, argv, settings);
  if (outcome != TOOL_GO_ON) return outcome;
  return complete(settings, &why) ? TOOL_GO_ON : tool_fail(&why);
}
