#include "machine_limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/interrupt.h"

enum { SHEET_STEP = 32, MAX_LABEL = 64 };

/* Steps of milliseconds, shorter than a time slice. */
static const uint32_t ceiling_iterations[BENCH_CACHES] = {1000, 200};

/* x y z and inverse mass. */
static const uint64_t swept_particle_bytes = 16;

/* Half of each cache of unknown size. */
static const uint64_t usual_half[BENCH_CACHES] = {16 << 10, 256 << 10};

static const char* cache_name(bench_cache cache) {
  return cache == BENCH_L1D ? "L1d" : "L2";
}

static uint64_t half_of(bench_cache cache, const bench_machine* machine) {
  return (cache == BENCH_L1D ? machine->l1d_bytes : machine->l2_bytes) / 2;
}

static bool measure_memory(const bench_plan* plan, const bench_machine* machine, bool quiet,
                           bench_limits* limits, tool_message* why) {
  limits->memory[limits->memory_count++].threads = 1;
  for (uint32_t i = 0; i < plan->threads.count; ++i) {
    const uint32_t threads = plan->threads.items[i];
    if (threads > 1) limits->memory[limits->memory_count++].threads = threads;
  }
  limits->array_bytes = bench_array_bytes(machine);
  return bench_measure_memory(limits->array_bytes, quiet, limits->memory, limits->memory_count,
                              why);
}

static bool measure_cache(bench_cache cache, const bench_machine* machine, bool quiet,
                          bench_limits* limits) {
  bench_cache_read* read = &limits->caches[cache];
  char label[MAX_LABEL];
  snprintf(label, sizeof label, "%s reads", cache_name(cache));
  snprintf(read->cache, sizeof read->cache, "%s", cache_name(cache));
  read->block_bytes = half_of(cache, machine);
  read->gb_per_s = bench_measure_block_read(read->block_bytes, label, quiet);
  return !tool_interrupted();
}

/* The largest sheet that fits half the cache and whose rows are whole lane groups, even once their
 * links have been dealt out by turns. */
static bench_scene_request ceiling_scene(bench_cache cache, const bench_machine* machine) {
  const uint64_t known = half_of(cache, machine);
  const uint64_t bytes = known > 0 ? known : usual_half[cache];
  uint32_t size = SHEET_STEP;
  for (uint32_t next = size; next <= BENCH_SHEET_LARGEST; next += SHEET_STEP) {
    if (swept_particle_bytes * next * next <= bytes) size = next;
  }
  return (bench_scene_request){.sheet_size = size, .count = 1};
}

static void fill_ceiling(const bench_scene* scene, const bench_pace* pace, bench_ceiling* ceiling) {
  snprintf(ceiling->resident, sizeof ceiling->resident, "%s", cache_name(ceiling->cache));
  snprintf(ceiling->isa, sizeof ceiling->isa, "%s", weft_isa_name(pace->isa));
  snprintf(ceiling->scene, sizeof ceiling->scene, "sheet");
  ceiling->size = scene->size;
  ceiling->particles = scene->particle_count;
  ceiling->links = scene->link_count;
  ceiling->iterations = ceiling_iterations[ceiling->cache];
  ceiling->bytes_per_link = (double)pace->bytes / (double)scene->link_count;
}

static bool measure_ceiling(const bench_scene* scene, weft_isa isa, bool quiet,
                            bench_ceiling* ceiling, double* ns_per_link, tool_message* why) {
  const uint32_t iterations = ceiling_iterations[ceiling->cache];
  const uint32_t steps = bench_pace_steps(scene->link_count, iterations);
  const bench_pace_request request = {isa, 1, iterations, steps};
  tool_progress progress = tool_progress_start(steps, quiet);
  bench_pace pace;
  char label[MAX_LABEL];
  snprintf(label, sizeof label, "%s ceiling: %s", cache_name(ceiling->cache), weft_isa_name(isa));
  const bool ok = bench_measure_pace(&request, scene, label, &progress, &pace, why);
  tool_progress_end(&progress);
  if (!ok) return false;
  fill_ceiling(scene, &pace, ceiling);
  *ns_per_link = pace.ns_per_link;
  return true;
}

static bool measure_ceilings(bench_cache cache, bool again, const bench_plan* plan,
                             const bench_machine* machine, bool quiet, bench_limits* limits,
                             tool_message* why) {
  const bench_scene_request request = ceiling_scene(cache, machine);
  bench_scene scene;
  if (!bench_scene_make(&request, &scene, why)) return false;
  bool ok = true;
  for (uint32_t i = 0; ok && i < plan->isas.count; ++i) {
    bench_ceiling* ceiling = &limits->ceilings[(uint32_t)cache * plan->isas.count + i];
    ceiling->cache = cache;
    ok = measure_ceiling(&scene, plan->isas.items[i], quiet, ceiling,
                         again ? &ceiling->ns_per_link_after : &ceiling->ns_per_link_before, why);
    if (!again) ceiling->ns_per_link_after = (double)NAN;
    ceiling->ns_per_link = fmin(ceiling->ns_per_link_before, ceiling->ns_per_link_after);
  }
  bench_scene_free(&scene);
  return ok;
}

bool bench_measure_limits(const bench_plan* plan, const bench_machine* machine, bool quiet,
                          bench_limits* limits, tool_message* why) {
  *limits = (bench_limits){.ceiling_count = BENCH_CACHES * plan->isas.count};
  const uint32_t size = ceiling_scene(BENCH_L1D, machine).sheet_size;
  if (!bench_speed_probe_create(size, &limits->probe, why)) return false;
  bench_speed_probe_take(&limits->probe);
  if (!measure_memory(plan, machine, quiet, limits, why)) return false;
  bench_speed_probe_take(&limits->probe);
  const bool ok = measure_cache(BENCH_L1D, machine, quiet, limits) &&
                  measure_cache(BENCH_L2, machine, quiet, limits) &&
                  measure_ceilings(BENCH_L1D, false, plan, machine, quiet, limits, why) &&
                  measure_ceilings(BENCH_L2, false, plan, machine, quiet, limits, why);
  bench_speed_probe_take(&limits->probe);
  return ok;
}

bool bench_measure_ceilings_again(const bench_plan* plan, const bench_machine* machine, bool quiet,
                                  bench_limits* limits, tool_message* why) {
  const bool ok = measure_ceilings(BENCH_L1D, true, plan, machine, quiet, limits, why) &&
                  measure_ceilings(BENCH_L2, true, plan, machine, quiet, limits, why);
  bench_speed_probe_take(&limits->probe);
  return ok;
}

void bench_finish_limits(bench_limits* limits) {
  limits->speed = bench_speed_modes_of(&limits->probe.samples);
  bench_speed_probe_free(&limits->probe);
}

double bench_l2_ceiling_ns(const bench_limits* limits, const char* isa) {
  for (uint32_t i = 0; i < limits->ceiling_count; ++i) {
    const bench_ceiling* ceiling = &limits->ceilings[i];
    if (ceiling->cache != BENCH_L2) continue;
    if (strcmp(ceiling->isa, isa) == 0) return ceiling->ns_per_link;
  }
  return (double)NAN;
}

double bench_memory_gb_per_s(const bench_limits* limits, uint32_t threads) {
  const bench_bandwidth* nearest = NULL;
  for (uint32_t i = 0; i < limits->memory_count; ++i) {
    const bench_bandwidth* memory = &limits->memory[i];
    if (memory->threads < threads) continue;
    if (!nearest || memory->threads < nearest->threads) nearest = memory;
  }
  return nearest ? fmax(nearest->read_gb_per_s, nearest->triad_gb_per_s) : (double)NAN;
}
