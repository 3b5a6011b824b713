#include "sim/cloth_watch.h"

#include <math.h>

#include "common/must.h"
#include "sim/observe.h"

static uint64_t steps_of(const weft_world* world) {
  weft_world_stats stats = {.step_count = 0};
  tool_must(weft_world_get_stats(world, &stats));
  return stats.step_count;
}

/* The larger one; NaN is the largest of all. */
static double larger(double a, double b) {
  return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

bool sim_watch_cloth(sim_cloth_watch* watch, const weft_world* world, uint64_t step) {
  weft_world_stats stats = {.particle_count = 0};
  weft_measures measures = {.mean_strain = NAN, .max_strain = NAN};
  if (step < watch->noted) return false;
  watch->noted = step + 1;
  tool_must(weft_world_get_stats(world, &stats));
  tool_must(weft_world_measure(world, &measures));
  const double fastest = sim_fastest(world, 0, stats.particle_count);
  watch->mean_strain = measures.mean_strain;
  watch->strain = measures.max_strain;
  watch->fastest = larger(watch->fastest, fastest);
  watch->most_strain = larger(watch->most_strain, watch->strain);
  return true;
}

void sim_report_cloth(sim_cloth_watch* watch, const weft_world* world, sim_results* results) {
  (void)sim_watch_cloth(watch, world, steps_of(world));
  sim_add_result(results, "fastest", watch->fastest);
  sim_add_result(results, "mean_strain", watch->mean_strain);
  sim_add_result(results, "strain", watch->strain);
  sim_add_result(results, "most_strain", watch->most_strain);
}

void sim_report_lost(const weft_world* world, sim_results* results) {
  weft_contact_stats stats = {.lost_pairs = 0};
  tool_must(weft_world_get_contact_stats(world, &stats));
  sim_add_result(results, "met_lost",
                 (double)(stats.lost_pairs + stats.lost_ccd_pairs + stats.lost_touches));
}
