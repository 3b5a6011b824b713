#include "contact_rows.h"

#include <math.h>
#include <stdio.h>

#include "scenes.h"

#define COLUMN(name, kind) \
  { #name, BENCH_COLUMN_##kind, offsetof(bench_contact_row, name) }
#define STAGE(name, stage) \
  { #name "_ms", BENCH_COLUMN_REAL, offsetof(bench_contact_row, stage_ms[WEFT_STAGE_##stage]) }

static const bench_column columns[] = {
    COLUMN(scene, TEXT),
    COLUMN(size, COUNT),
    COLUMN(particles, COUNT),
    COLUMN(links, COUNT),
    COLUMN(contacts, TEXT),
    COLUMN(isa, TEXT),
    COLUMN(threads, COUNT),
    COLUMN(substeps, COUNT),
    COLUMN(iterations, COUNT),
    COLUMN(first_step, LARGE),
    COLUMN(last_step, LARGE),
    COLUMN(step_ms_min, REAL),
    COLUMN(step_ms_median, REAL),
    COLUMN(contact_ms_min, REAL),
    COLUMN(contact_ms_median, REAL),
    COLUMN(ratio_to_without, REAL),
    COLUMN(growth, REAL),
    STAGE(forces, FORCES),
    STAGE(links, LINKS),
    STAGE(direct, DIRECT),
    STAGE(broad_phase, BROAD_PHASE),
    STAGE(self_collision, SELF_COLLISION),
    STAGE(particle_contacts, PARTICLE_CONTACTS),
    STAGE(colliders, COLLIDERS),
    STAGE(ccd, CCD),
    STAGE(bounds, BOUNDS),
    STAGE(tears, TEARS),
    STAGE(events, EVENTS),
    COLUMN(collider_contacts, COUNT),
    COLUMN(self_pairs, COUNT),
    COLUMN(particle_pairs, COUNT),
    COLUMN(particle_colors, COUNT),
    COLUMN(ccd_pairs, COUNT),
    COLUMN(ccd_hits, COUNT),
    COLUMN(lost, LARGE),
    COLUMN(bytes, LARGE),
    COLUMN(state_hash, HASH),
    COLUMN(step_ms_max, REAL),
    COLUMN(threads_asked, COUNT),
    COLUMN(step_ms_q1, REAL),
    COLUMN(step_ms_q3, REAL),
    COLUMN(ns_per_particle, REAL),
    COLUMN(times, COUNT),
    COLUMN(cpu_ms_median, REAL),
};

const bench_row_type bench_contact_type = BENCH_ROW_TYPE(bench_contact_row, columns);

static bool fill_world(const bench_contact_run* run, bench_contact_row* row, tool_message* why) {
  weft_world_stats stats;
  weft_contact_stats contacts;
  if (!bench_check_weft(why, "weft_world_get_stats", weft_world_get_stats(run->world, &stats)) ||
      !bench_check_weft(why, "weft_world_get_contact_stats",
                        weft_world_get_contact_stats(run->world, &contacts))) {
    return false;
  }
  snprintf(row->isa, sizeof row->isa, "%s", weft_isa_name(stats.isa));
  row->particles = stats.particle_count;
  row->links = stats.link_count;
  row->threads = stats.worker_count;
  row->last_step = stats.step_count;
  row->bytes = stats.bytes;
  row->collider_contacts = contacts.collider_contacts;
  row->self_pairs = contacts.self_pairs;
  row->particle_pairs = contacts.particle_pairs;
  row->particle_colors = contacts.particle_colors;
  row->ccd_pairs = contacts.ccd_pairs;
  row->ccd_hits = contacts.ccd_hits;
  row->lost = contacts.lost_pairs + contacts.lost_ccd_pairs;
  row->state_hash = weft_world_hash(run->world);
  row->ns_per_particle = 1e6 * row->step_ms_median / stats.particle_count;
  return true;
}

static void fill_times(bench_contact_run* run, bench_contact_row* row) {
  const double step_count = (double)run->step_ms.count;
  row->step_ms_min = bench_samples_min(&run->step_ms);
  row->step_ms_median = bench_samples_median(&run->step_ms);
  row->step_ms_max = bench_samples_quantile(&run->step_ms, 1.0);
  row->step_ms_q1 = bench_samples_quantile(&run->step_ms, 0.25);
  row->step_ms_q3 = bench_samples_quantile(&run->step_ms, 0.75);
  row->contact_ms_min = bench_samples_min(&run->contact_ms);
  row->contact_ms_median = bench_samples_median(&run->contact_ms);
  row->cpu_ms_median = bench_samples_median(&run->cpu_ms);
  row->ratio_to_without = row->growth = (double)NAN;
  for (int stage = 0; stage < WEFT_STAGE_COUNT; ++stage) {
    row->stage_ms[stage] = 1e3 * run->seconds[stage] / step_count;
  }
}

bool bench_contact_fill(bench_contact_run* run, bench_contact_row* row, tool_message* why) {
  const bench_contact_request* request = &run->request;
  *row = (bench_contact_row){.size = request->scene.size,
                             .times = request->scene.times,
                             .threads_asked = request->threads,
                             .substeps = run->substeps,
                             .iterations = run->iterations,
                             .first_step = run->warmup + 1,
                             .build_ms = run->build_ms};
  snprintf(row->scene, sizeof row->scene, "%s", tool_contact_name(request->scene.kind));
  snprintf(row->contacts, sizeof row->contacts, request->with_contacts ? "with" : "without");
  fill_times(run, row);
  return fill_world(run, row, why);
}
