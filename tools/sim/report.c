#include "sim/report.h"

#include <inttypes.h>
#include <math.h>

#include "common/json_file.h"
#include "common/must.h"
#include "common/number.h"

static void print_triple(FILE* out, const char* label, const double* values, const char* unit) {
  fprintf(out, "%-14s %.6g %.6g %.6g %s\n", label, values[0], values[1], values[2], unit);
}

static void print_measures(FILE* out, const weft_measures* measures) {
  fprintf(out, "%-14s kinetic %.6g, gravitational %.6g, elastic %.6g J\n", "energies",
          measures->kinetic, measures->gravitational, measures->elastic);
  print_triple(out, "centre of mass", measures->center, "m");
  fprintf(out, "%-14s %.6g %.6g %.6g to %.6g %.6g %.6g m\n", "bounds", (double)measures->lower[0],
          (double)measures->lower[1], (double)measures->lower[2], (double)measures->upper[0],
          (double)measures->upper[1], (double)measures->upper[2]);
  fprintf(out, "%-14s mean %.3g %%, max %.3g %%\n", "strain", 100.0 * measures->mean_strain,
          100.0 * measures->max_strain);
}

/* Zeros are left out. */
static void print_count(FILE* out, uint64_t count, const char* noun, const char* rest,
                        const char** before) {
  if (count == 0) return;
  fprintf(out, "%s%" PRIu64 " %s%s%s", *before, count, noun, *noun ? tool_plural(count) : "", rest);
  *before = ", ";
}

static void print_met(FILE* out, const weft_contact_stats* met) {
  const char* before = "met            ";
  print_count(out, met->collider_contacts, "particle", " held by colliders", &before);
  print_count(out, met->self_pairs, "pair", " of cloth", &before);
  print_count(out, met->particle_pairs, "pair", " of bodies", &before);
  print_count(out, met->ccd_pairs, "CCD pair", "", &before);
  print_count(out, met->ccd_hits, "CCD hit", "", &before);
  print_count(out, met->ccd_rollbacks, "roll back", "", &before);
  print_count(out, met->ccd_stuck, "particle", " stuck", &before);
  const uint64_t lost =
      met->lost_pairs + met->lost_ccd_pairs + met->lost_touches + met->lost_events;
  print_count(out, lost, "", "lost", &before);
  if (before[0] == ',') fputc('\n', out);
}

void sim_print_summary(FILE* out, const sim_run* run, const sim_facts* facts) {
  const weft_world_stats* stats = &facts->stats;
  const sim_moment moment = sim_run_moment(run);
  const sim_results results = sim_run_results(run);
  fprintf(out, "%s: %u particle%s, %u link%s, %u broken\n", sim_run_name(run),
          stats->particle_count, tool_plural(stats->particle_count), stats->link_count,
          tool_plural(stats->link_count), stats->torn_count);
  fprintf(out, "%-14s %" PRIu64 " of %.6g ms: %.6g s; ", "steps", moment.step, 1e3 * moment.h,
          moment.time);
  if (facts->restored_steps > 0) {
    fprintf(out, "%" PRIu64 " of a snapshot; ", facts->restored_steps);
  }
  fprintf(out, "%.4g ms a step, ", facts->ms_per_step);
  if (sim_run_ranks(run) > 1) fprintf(out, "%u ranks of ", sim_run_ranks(run));
  fprintf(out, "%u thread%s, %s\n", stats->worker_count, tool_plural(stats->worker_count),
          weft_isa_name(stats->isa));
  if (facts->elapsed != moment.time) {
    fprintf(out, "%-14s %.6g s, by the time scale\n", "elapsed", facts->elapsed);
  }
  if (facts->cluster.redistributions > 0) {
    fprintf(out, "%-14s %u time%s; imbalance at the last %.4g before, %.4g after\n",
            "redistributed", facts->cluster.redistributions,
            tool_plural(facts->cluster.redistributions), facts->cluster.imbalance_before,
            facts->cluster.imbalance_after);
  }
  print_measures(out, &facts->measures);
  fprintf(out, "%-14s %u particle%s at the bounds\n", "contacts", facts->contacts,
          tool_plural(facts->contacts));
  print_met(out, &facts->met);
  if (facts->sleep.component_count > 0) {
    fprintf(out, "%-14s %u particle%s in %u of %u components; %" PRIu64 " steps left out\n",
            "asleep", facts->sleep.sleeping_particles, tool_plural(facts->sleep.sleeping_particles),
            facts->sleep.sleeping_components, facts->sleep.component_count,
            facts->sleep.skipped_steps);
  }
  for (size_t i = 0; i < results.count; ++i) {
    const double value = results.items[i].value;
    fprintf(out, isfinite(value) ? "%-14s %.6g\n" : "%-14s -\n", results.items[i].name, value);
  }
  fprintf(out, "%-14s %016" PRIx64 "\n", "state hash", facts->hash);
}

static json_t* triple_json(double x, double y, double z) {
  json_t* list = json_array();
  json_array_append_new(list, tool_json_number(x));
  json_array_append_new(list, tool_json_number(y));
  json_array_append_new(list, tool_json_number(z));
  return list;
}

static json_t* floats_json(const float* values) {
  return triple_json(tool_widen(values[0]), tool_widen(values[1]), tool_widen(values[2]));
}

static json_t* results_json(const sim_run* run) {
  const sim_results results = sim_run_results(run);
  json_t* object = json_object();
  for (size_t i = 0; i < results.count; ++i) {
    json_object_set_new(object, results.items[i].name, tool_json_number(results.items[i].value));
  }
  return object;
}

static json_t* measures_json(const weft_measures* m) {
  json_t* energies =
      json_pack("{so so so}", "kinetic", tool_json_number(m->kinetic), "gravitational",
                tool_json_number(m->gravitational), "elastic", tool_json_number(m->elastic));
  json_t* bounds =
      json_pack("{so so}", "lower", floats_json(m->lower), "upper", floats_json(m->upper));
  json_t* strain = json_pack("{so so}", "mean", tool_json_number(m->mean_strain), "max",
                             tool_json_number(m->max_strain));
  return json_pack("{so so so so so so}", "mass", tool_json_number(m->mass), "energies", energies,
                   "centre_of_mass", triple_json(m->center[0], m->center[1], m->center[2]),
                   "momentum", triple_json(m->momentum[0], m->momentum[1], m->momentum[2]),
                   "bounds", bounds, "strain", strain);
}

static json_t* met_json(const weft_contact_stats* met) {
  return json_pack(
      "{sI sI sI sI sI sI sI sI sI sI sI sI sI}", "colliders", (json_int_t)met->collider_count,
      "collider_contacts", (json_int_t)met->collider_contacts, "self_pairs",
      (json_int_t)met->self_pairs, "particle_pairs", (json_int_t)met->particle_pairs,
      "particle_colors", (json_int_t)met->particle_colors, "ccd_pairs", (json_int_t)met->ccd_pairs,
      "ccd_hits", (json_int_t)met->ccd_hits, "ccd_rollbacks", (json_int_t)met->ccd_rollbacks,
      "ccd_stuck", (json_int_t)met->ccd_stuck, "lost_pairs", (json_int_t)met->lost_pairs,
      "lost_ccd_pairs", (json_int_t)met->lost_ccd_pairs, "lost_touches",
      (json_int_t)met->lost_touches, "lost_events", (json_int_t)met->lost_events);
}

/* All values are 0 in a run of one process. */
static json_t* redistribution_json(const weft_cluster_stats* cluster) {
  return json_pack("{sI so so}", "count", (json_int_t)cluster->redistributions, "imbalance_before",
                   tool_json_number(cluster->imbalance_before), "imbalance_after",
                   tool_json_number(cluster->imbalance_after));
}

static json_t* report_json(const sim_run* run, const sim_facts* facts) {
  const sim_moment moment = sim_run_moment(run);
  json_t* report = json_pack(
      "{si so so sI sI sI}", "schema", 1, "scene", tool_json_text(sim_run_name(run)), "settings",
      sim_run_settings(run), "particles", (json_int_t)facts->stats.particle_count, "links",
      (json_int_t)facts->stats.link_count, "broken_links", (json_int_t)facts->stats.torn_count);
  json_t* measures = measures_json(&facts->measures);
  json_t* rest = json_pack(
      "{sI sI so so so sI sI so so so so}", "contacts", (json_int_t)facts->contacts, "asleep",
      (json_int_t)facts->sleep.sleeping_particles, "met", met_json(&facts->met), "redistribution",
      redistribution_json(&facts->cluster), "state_hash", json_sprintf("%016" PRIx64, facts->hash),
      "steps", (json_int_t)moment.step, "restored_steps", (json_int_t)facts->restored_steps,
      "seconds", tool_json_number(sim_seconds(moment.time)), "elapsed",
      tool_json_number(sim_seconds(facts->elapsed)), "ms_per_step",
      tool_json_number(facts->ms_per_step), "results", results_json(run));
  const bool ok =
      report && json_object_update(report, measures) == 0 && json_object_update(report, rest) == 0;
  json_decref(measures);
  json_decref(rest);
  if (ok) return report;
  json_decref(report);
  return NULL;
}

bool sim_write_json(const char* path, const sim_run* run, const sim_facts* facts,
                    tool_message* why) {
  return tool_json_write(path, report_json(run, facts), why);
}

bool sim_write_table(const char* path, const sim_run* run, tool_message* why) {
  tool_output output;
  if (!tool_output_open(path, &output, why)) return false;
  const bool written = sim_run_write_table(run, output.stream);
  return tool_output_close(&output, written, why);
}

static const char measures_head[] =
    "step,time,kinetic,gravitational,elastic,centre_x,centre_y,centre_z,"
    "momentum_x,momentum_y,momentum_z,mean_strain,max_strain,broken,hash\n";

static bool write_row(sim_measures* to, const sim_run* run, tool_message* why) {
  sim_facts facts;
  if (!sim_run_facts(run, &facts, why)) return false;
  const sim_moment moment = sim_run_moment(run);
  const weft_measures* m = &facts.measures;
  const double numbers[] = {m->kinetic,     m->gravitational, m->elastic,     m->center[0],
                            m->center[1],   m->center[2],     m->momentum[0], m->momentum[1],
                            m->momentum[2], m->mean_strain,   m->max_strain};
  FILE* out = to->output.stream;
  char text[TOOL_NUMBER_SIZE];
  fprintf(out, "%" PRIu64 ",%s", moment.step, tool_shortest(sim_seconds(moment.time), text));
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    fprintf(out, ",%s", isfinite(numbers[i]) ? tool_shortest(numbers[i], text) : "");
  }
  fprintf(out, ",%u,%016" PRIx64 "\n", facts.stats.torn_count, facts.hash);
  return true;
}

bool sim_measures_open(const char* path, uint64_t every, const sim_run* run, sim_measures* to,
                       tool_message* why) {
  to->every = every;
  if (!tool_output_open(path, &to->output, why)) return false;
  fputs(measures_head, to->output.stream);
  if (write_row(to, run, why)) return true;
  tool_message unused;
  (void)sim_measures_close(to, false, &unused);
  return false;
}

bool sim_measures_step(sim_measures* to, const sim_run* run, tool_message* why) {
  const uint64_t step = sim_run_moment(run).step;
  if (step % to->every != 0 && step != sim_run_length(run)) return true;
  return write_row(to, run, why);
}

bool sim_measures_close(sim_measures* to, bool whole, tool_message* why) {
  return tool_output_close(&to->output, whole, why);
}
