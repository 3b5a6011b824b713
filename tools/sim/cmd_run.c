/* weft-sim run: a scene from its first step to its last, and its report. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "common/clock.h"
#include "common/command_line.h"
#include "common/interrupt.h"
#include "common/must.h"
#include "common/progress.h"
#include "common/trace_file.h"
#include "sim/body_settings.h"
#include "sim/cache/cache.h"
#include "sim/commands.h"
#include "sim/ranks/ranks.h"
#include "sim/report.h"
#include "sim/run_options.h"
#include "sim/snapshot.h"

static bool check_paths(const sim_run_options* settings, bool* misused, tool_message* why) {
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

/* Files that grow with the run. */
typedef struct step_files {
  sim_measures measures;
  tool_trace trace;
  sim_cache* cache;
  bool has_measures, has_trace;
  bool is_shared; /* cache to which each rank writes its own particles */
} step_files;

static bool open_trace(const sim_run_options* settings, const sim_run* run, tool_trace* trace,
                       tool_message* why) {
  weft_world_stats stats;
  if (!tool_trace_open(settings->trace_path, trace, why)) return false;
  tool_must(weft_world_get_stats(sim_run_world(run), &stats));
  tool_trace_begin_world(trace, sim_run_name(run), stats.worker_count);
  return true;
}

/* Opens the first rank's own files. */
static bool open_own_files(const sim_run_options* settings, const sim_run* run, step_files* files,
                           tool_message* why) {
  if (!sim_ranks_is_first()) return true;
  if (settings->trace_path) {
    files->has_trace = open_trace(settings, run, &files->trace, why);
    if (!files->has_trace) return false;
  }
  if (settings->measures_path) {
    files->has_measures = sim_measures_open(settings->measures_path, settings->measures_every, run,
                                            &files->measures, why);
    if (!files->has_measures) return false;
  }
  return !settings->cache_path || files->is_shared ||
         sim_cache_open(settings->cache_path, settings->fps, run, &files->cache, why);
}

/* Opens the requested files. After a failure close_files() closes the open ones. */
static bool open_files(const sim_run_options* settings, const sim_run* run, step_files* files,
                       tool_message* why) {
  *files = (step_files){.cache = NULL};
  files->is_shared = settings->cache_path && sim_cache_is_shared(settings->cache_path, run);
  const bool ok = open_own_files(settings, run, files, why);
  if (!files->is_shared) return ok;
  return sim_ranks_agree(ok, why) &&
         sim_cache_open(settings->cache_path, settings->fps, run, &files->cache, why);
}

/* Writes the files due after a step. Files of states need all ranks. */
static bool write_step(const sim_run_options* settings, step_files* files, sim_run* run,
                       tool_message* why) {
  const bool needs_all = settings->measures_path || (settings->cache_path && !files->is_shared);
  if (needs_all && !sim_run_synchronize(run, why)) return false;
  if (files->has_measures && !sim_measures_step(&files->measures, run, why)) return false;
  if (files->cache && !sim_cache_step(files->cache, run, why)) return false;
  const uint64_t step = sim_run_moment(run).step - 1;
  if (!files->has_trace || step < settings->trace_from) return true;
  if (step - settings->trace_from >= settings->trace_steps) return true;
  return tool_trace_add_step(&files->trace, sim_run_world(run), why);
}

/* Redistributes if due; ranks then write other particles. */
static bool redistribute(step_files* files, sim_run* run, tool_message* why) {
  bool moved;
  if (!sim_run_redistribute(run, &moved, why)) return false;
  return !moved || !files->is_shared || sim_cache_redistribute(files->cache, run, why);
}

/* After Ctrl-C trace and cache keep the steps so far; a file of measures is removed. */
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

/* Sleeps until a time, or an interrupt. */
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
static uint64_t save_step(const sim_run_options* settings, const sim_run* run) {
  if (settings->save_at < 0.0) return sim_run_length(run);
  return (uint64_t)llround(settings->save_at / sim_run_moment(run).h);
}

static bool save_if_due(const sim_run_options* settings, sim_run* run, tool_message* why) {
  if (!settings->save_path || sim_run_moment(run).step != save_step(settings, run)) return true;
  if (!sim_run_synchronize(run, why)) return false;
  return !sim_ranks_is_first() || sim_run_save(run, settings->save_path, why);
}

/* Ctrl-C may reach one rank: all stop after the same step. */
static bool is_interrupted(void) {
  const bool goes_on = sim_ranks_agree(!tool_interrupted(), NULL);
  if (!goes_on) tool_interrupt();
  return !goes_on;
}

/* True, but early, when interrupted. */
static bool take_steps(const sim_run_options* settings, sim_run* run, step_files* files,
                       tool_message* why) {
  const uint64_t length = sim_run_length(run);
  const sim_moment first = sim_run_moment(run);
  const bool quiet = settings->quiet || !sim_ranks_is_first();
  tool_progress progress = tool_progress_start(length - first.step, quiet);
  const double clock_ns = 1e9 / settings->sim.time_scale;  // nanoseconds a scene second
  const double start_ns = tool_clock_ns() - first.time * clock_ns;
  bool ok = sim_ranks_agree(save_if_due(settings, run, why), why);
  for (uint64_t i = first.step; ok && i < length && !is_interrupted(); ++i) {
    ok = redistribute(files, run, why) && sim_run_step(run, why) &&
         write_step(settings, files, run, why) && save_if_due(settings, run, why);
    ok = sim_ranks_agree(ok, why);
    if (settings->real_time) sleep_until(start_ns + sim_run_moment(run).time * clock_ns);
    tool_progress_step(&progress, sim_run_name(run));
  }
  tool_progress_end(&progress);
  return ok;
}

static bool run_steps(const sim_run_options* settings, sim_run* run, tool_message* why) {
  step_files files;
  const bool ok = sim_ranks_agree(open_files(settings, run, &files, why), why) &&
                  take_steps(settings, run, &files, why) && sim_run_synchronize(run, why);
  return close_files(&files, ok, why);
}

static bool report(const sim_run_options* settings, const sim_run* run, tool_message* why) {
  sim_facts facts;
  if (!sim_ranks_is_first()) return true;
  if (!sim_run_facts(run, &facts, why)) return false;
  if (settings->json_path && !sim_write_json(settings->json_path, run, &facts, why)) return false;
  if (settings->table_path && !sim_write_table(settings->table_path, run, why)) return false;
  if (settings->mesh_path && !sim_mesh_write(settings->mesh_path, run, why)) return false;
  if (settings->no_summary) return true;
  sim_print_summary(stdout, run, &facts);
  return true;
}

static bool check_table(const sim_run_options* settings, const sim_run* run, tool_message* why) {
  return !settings->table_path || sim_run_has_table(run) ||
         tool_because(why, "--table: %s makes no table", sim_run_name(run));
}

static bool check_save(const sim_run_options* settings, const sim_run* run, tool_message* why) {
  if (settings->save_at < 0.0) return true;
  const uint64_t step = save_step(settings, run);
  if (step > sim_run_length(run)) {
    return tool_because(why, "--save-at: the run ends before %g seconds", settings->save_at);
  }
  return step >= sim_run_moment(run).step ||
         tool_because(why, "--save-at: the snapshot restored is later than %g seconds",
                      settings->save_at);
}

/* Ends with all ranks' error. */
static int fail(sim_run** run, int status, const tool_message* why) {
  sim_run_destroy(run);
  if (sim_ranks_is_first()) tool_print_error(why);
  return status;
}

static void print_interrupt(const sim_run_options* settings) {
  fprintf(stderr, "weft-sim: interrupted, no file was written%s%s%s\n",
          settings->trace_path || settings->cache_path ? " but" : "",
          settings->trace_path ? " the trace" : "",
          settings->cache_path ? settings->trace_path ? " and the cache" : " the cache" : "");
}

/* True if the restored run goes on. At its end there is only a report. */
static bool check_end(const sim_run_options* settings, const sim_run* run, tool_message* why) {
  const sim_moment now = sim_run_moment(run);
  if (!settings->restore_path || now.step < sim_run_length(run)) return true;
  if (now.step > sim_run_length(run)) {
    return tool_because(why, "--seconds: the run ends at %.6g seconds, the snapshot is of %.6g",
                        (double)sim_run_length(run) * now.h, now.time);
  }
  if (settings->quiet || !sim_ranks_is_first()) return true;
  fprintf(stderr,
          "weft-sim: the run ends at %.6g seconds, where the snapshot is: --seconds S goes on\n",
          now.time);
  return true;
}

/* Creates the run, with settings and parameters of its snapshot, if any. */
static sim_outcome create_run(const sim_run_options* options, sim_run** run, tool_message* why) {
  sim_settings settings = options->sim;
  sim_origin origin = {.texts = NULL};
  sim_outcome outcome = SIM_OK;
  if (options->restore_path) {
    outcome = sim_origin_read(options->restore_path, options->name, &settings, &origin, why);
  }
  if (!sim_ranks_agree(outcome == SIM_OK, why) && outcome == SIM_OK) outcome = SIM_FAILED;
  tool_begin_indivisible();
  if (outcome == SIM_OK) outcome = sim_run_create(options->name, &settings, run, why);
  tool_end_indivisible();
  sim_origin_free(&origin);
  return outcome;
}

static int run_scene(const sim_run_options* settings) {
  tool_message why;
  sim_run* run = NULL;
  bool misused = false;
  const bool writable = !sim_ranks_is_first() || check_paths(settings, &misused, &why);
  if (!sim_ranks_agree(writable, &why)) {
    return fail(&run, misused ? TOOL_EXIT_ERROR : SIM_EXIT_FAILED, &why);
  }
  tool_catch_interrupt();
  const bool quiet = settings->quiet || !sim_ranks_is_first();
  tool_progress_note("building the scene ..", quiet);
  const sim_outcome outcome = create_run(settings, &run, &why);
  tool_progress_note("", quiet);
  if (outcome == SIM_MISUSED) return fail(&run, TOOL_EXIT_ERROR, &why);
  if (outcome != SIM_OK) return fail(&run, SIM_EXIT_FAILED, &why);
  const bool restored =
      !settings->restore_path || sim_run_restore(run, settings->restore_path, &why);
  if (!sim_ranks_agree(restored, &why)) return fail(&run, SIM_EXIT_FAILED, &why);
  if (!check_table(settings, run, &why) || !check_save(settings, run, &why) ||
      !check_end(settings, run, &why)) {
    return fail(&run, TOOL_EXIT_ERROR, &why);
  }
  if (settings->explain) {
    const bool printed =
        !sim_ranks_is_first() || sim_print_settings(stdout, sim_run_world(run), &why);
    if (!printed) return fail(&run, SIM_EXIT_FAILED, &why);
    sim_run_destroy(&run);
    return TOOL_EXIT_OK;
  }
  bool ok = run_steps(settings, run, &why);
  if (ok && !tool_interrupted()) ok = report(settings, run, &why);
  if (!sim_ranks_agree(ok, &why)) return fail(&run, SIM_EXIT_FAILED, &why);
  sim_run_destroy(&run);
  if (!tool_interrupted()) return TOOL_EXIT_OK;
  if (sim_ranks_is_first()) print_interrupt(settings);
  return TOOL_EXIT_INTERRUPTED;
}

static int run_command(int argc, char** argv) {
  sim_run_options settings;
  const int outcome = sim_read_run_options(argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  settings.sim.transport = sim_ranks_transport();
  settings.sim.agree = sim_ranks_agree;
  // ranks of one machine would share its CPUs
  if (!settings.sim.transport) settings.sim.usual_threads = weft_available_cpus();
  sim_ranks_hear();
  return run_scene(&settings);
}

int command_run(int argc, char** argv) {
  sim_ranks_join(&argc, &argv);
  const int status = run_command(argc, argv);
  sim_ranks_leave();
  return status;
}
