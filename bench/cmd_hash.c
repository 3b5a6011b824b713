/* weft-bench hash: the state hash of every instruction set and number of threads. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "common/interrupt.h"
#include "plan.h"
#include "scaling.h"

typedef struct hash_settings {
  bench_plan plan;
  tool_count_list ranks; /* empty: threads of this process */
  const char* launcher;
  uint32_t steps;
} hash_settings;

#define AT(member) offsetof(hash_settings, member)
static const tool_option options[] = {
    BENCH_SCENES_OPTIONS(1, "sheet, a hanging square cloth (default)"),
    TOOL_HEADING("Runs:"),
    BENCH_THREADS_OPTION("(default 1 and all cores)"),
    BENCH_ISAS_OPTION("NAME[,NAME...]",
                      "auto, scalar, sse2, avx2, avx512, neon, simd128, or all of these (default); "
                      "those that cannot run here are skipped"),
    BENCH_ITERATIONS_OPTION("sweeps over all links a step (default 10)"),
    BENCH_SOLVER_OPTIONS,
    TOOL_RANGE(COUNT, "steps", "S", AT(steps), 0, 1000000,
               "steps before the hash is taken (default 60)"),
    TOOL_RANGE(
        COUNTS, "ranks", "N[,N...]", AT(ranks), 1, WEFT_MAX_RANKS,
        "processes under mpirun, 1 to 65536, of --threads each, which compute the scene together; "
        "needs a build with WEFT_BUILD_MPI"),
    TOOL_OPTION(WORD, "mpirun", "COMMAND", AT(launcher),
                "that starts ranks, with its options (default mpirun)"),
    TOOL_OPTIONS_END,
};

static const char* const notes[] = {
    "Exit status: 0 all hashes are equal, 1 they are not, 2 error, 130 Ctrl-C.",
    NULL,
};

/* Every instruction set that can run here. */
static tool_isa_list supported_isas(void) {
  tool_isa_list isas = {.count = 0};
  for (int isa = WEFT_ISA_SCALAR; isa <= WEFT_ISA_SIMD128; ++isa) {
    if (weft_isa_supported((weft_isa)isa)) isas.items[isas.count++] = (weft_isa)isa;
  }
  return isas;
}

static bool complete(hash_settings* settings, tool_message* why) {
  const bench_machine machine = bench_describe_machine();
  const tool_count_list threads = bench_default_threads(&machine);
  const tool_isa_list isas = supported_isas();
  if (!bench_plan_complete(&settings->plan, &threads, &isas, why)) return false;
  if (!bench_plan_has_one_scene(&settings->plan, "hash", why)) return false;
  if (settings->ranks.count > 0 && settings->steps == 0) {
    return tool_because(why, "--steps: 0 with --ranks");
  }
  const bench_scene_request* scene = &settings->plan.scenes[0];
  if (settings->ranks.count > 0 && (scene->count != 1 || scene->pin.kind != BENCH_PIN_DEFAULT)) {
    return tool_because(why, "--ranks: not with --count or --pin");
  }
  return bench_plan_fits(&settings->plan, BENCH_WORLD_PARTICLE_BYTES, &machine, why);
}

/* Sets the instruction set that `auto` stands for, and the threads at work. */
static bool hash_world(const hash_settings* settings, const weft_scene* scene, uint32_t* threads,
                       weft_isa* isa, uint64_t* hash, tool_message* why) {
  weft_world* world = NULL;
  weft_world_def def = weft_plain_world_def();
  bench_plan_set_solver(&settings->plan, &def);
  def.worker_count = *threads;
  def.isa = *isa;
  if (!bench_make_world(&def, scene, &world, why)) return false;
  const weft_world_stats stats = bench_stats_of(world);
  for (uint32_t i = 0; i < settings->steps && !tool_interrupted(); ++i) weft_world_step(world, 1);
  *isa = stats.isa;
  *threads = stats.worker_count;
  *hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return true;
}

static bool hash_ranks(const hash_settings* settings, uint32_t ranks, uint32_t threads,
                       weft_isa isa, uint64_t* hash, tool_message* why) {
  const bench_scene_request* scene = &settings->plan.scenes[0];
  char name[1024], arguments[2048];
  const char* text;
  json_t* answer = NULL;
  if (scene->mesh_path != NULL) snprintf(name, sizeof name, "--mesh '%s'", scene->mesh_path);
  if (scene->mesh_path == NULL) snprintf(name, sizeof name, "--size %u", scene->sheet_size);
  snprintf(arguments, sizeof arguments,
           "steps %s --threads %u --isa %s --iterations %u --coarse %u --substeps %u "
           "--attachments %u --steps %u --warmup 0",
           name, threads, weft_isa_name(isa), settings->plan.iterations,
           settings->plan.solver.coarse_iterations, settings->plan.solver.substeps,
           settings->plan.solver.attachments, settings->steps);
  if (!bench_mpirun(settings->launcher, ranks, arguments, &answer, why)) return false;
  const bool ok = json_unpack(answer, "{s:s}", "state_hash", &text) == 0;
  if (ok) *hash = strtoull(text, NULL, 16);
  json_decref(answer);
  return ok || tool_because(why, "weft-bench-mpi has not printed a hash");
}

/* Prints a line for each instruction set and number of ranks or threads; `differ` tells if hashes
 * are unequal. */
static bool hash_all(const hash_settings* settings, const weft_scene* scene, bool* differ,
                     tool_message* why) {
  const bench_plan* plan = &settings->plan;
  const bool has_ranks = settings->ranks.count > 0;
  const uint32_t rank_counts = has_ranks ? settings->ranks.count : 1;
  const uint32_t runs = plan->isas.count * rank_counts * plan->threads.count;
  uint64_t first = 0, hash = 0;
  *differ = false;
  for (uint32_t i = 0; i < runs && !tool_interrupted(); ++i) {
    weft_isa isa = plan->isas.items[i / (rank_counts * plan->threads.count)];
    const uint32_t ranks = settings->ranks.items[i / plan->threads.count % rank_counts];
    uint32_t threads = plan->threads.items[i % plan->threads.count];
    if (has_ranks ? !hash_ranks(settings, ranks, threads, isa, &hash, why)
                  : !hash_world(settings, scene, &threads, &isa, &hash, why)) {
      return false;
    }
    if (tool_interrupted()) return true;
    printf("%-6s ", weft_isa_name(isa));
    if (has_ranks) printf("%3u ", ranks);
    printf("%3u %016" PRIx64 "\n", threads, hash);
    fflush(stdout);
    if (i == 0) first = hash;
    if (hash != first) *differ = true;
  }
  return true;
}

int command_hash(int argc, char** argv) {
  static const tool_syntax syntax = {
      "hash",
      "Usage: weft-bench hash [--size N] [OPTION...]\n"
      "       weft-bench hash --mesh FILE [OPTION...]\n",
      "Steps one scene with each instruction set and number of threads, and prints a line for "
      "each: instruction set, threads at work, hash of all positions and previous positions. The "
      "default scene is a sheet of 257 x 257. With --ranks the number of ranks comes before the "
      "threads.",
      options,
      notes,
      NULL};
  hash_settings settings = {.plan = bench_default_plan("257"), .steps = 60};
  tool_message why;
  const int outcome = tool_read_command_line(&syntax, argc, argv, &settings);
  if (outcome != TOOL_GO_ON) return outcome;
  bench_scene scene;
  if (!complete(&settings, &why)) return tool_fail(&why);
  tool_catch_interrupt();
  if (!bench_scene_make(&settings.plan.scenes[0], &scene, &why)) return tool_fail(&why);
  bool differ;
  const bool ok = hash_all(&settings, scene.description, &differ, &why);
  bench_scene_free(&scene);
  if (!ok) return tool_fail(&why);
  if (tool_interrupted()) return tool_end_interrupted();
  return differ ? BENCH_EXIT_DIFFER : TOOL_EXIT_OK;
}
