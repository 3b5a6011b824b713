/* A rubber band: a rope that only resists stretch. Its head follows a target, or both ends are held
 * and drawn together or apart; drawn together, it goes slack. */
#include <math.h>
#include <stdlib.h>

#include "sim/strand.h"

static const sim_param params[] = {
    {"links", "links of the rope", SIM_COUNT, 24, 1, 100000, NULL},
    {"length", "metres at rest", SIM_NUMBER, 2, 0.001, 100000, NULL},
    {"load", "kilograms at its free end, with ends=one", SIM_NUMBER, 0.5, 0, 1e6, NULL},
    {"give", "strain per newton, 1/newtons", SIM_NUMBER, 0.05, 1e-9, 1e6, NULL},
    {"gravity", "metres per second squared, downwards", SIM_NUMBER, 9.81, 0, 1000, NULL},
    {"ends", "number of held ends", SIM_CHOICE, SIM_ENDS_ONE, 0, 0, sim_strand_ends},
    {"span", "distance to which the ends are moved, as a share of the length", SIM_NUMBER, 0.6,
     0.01, 10, NULL},
    {"draw", "seconds that it takes to move them there", SIM_NUMBER, 1, 0.001, 1e6, NULL},
    SIM_STRAND_PARAMS,
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

typedef struct band {
  sim_strand strand; /* first, so that it is the state of both */
  double give;
  double gravity;
  double span; /* share of the length */
  double draw; /* seconds */
} band;

/* Links are springs, without sweeps: a substep is at most half the limit of stability. */
static bool choose_substeps(const band* self, weft_world_def* def, tool_message* why) {
  const sim_strand* strand = &self->strand;
  const double links = (double)strand->link_count;
  const double fastest = 2.0 * links / sqrt(self->give * strand->length * strand->mass);
  const double substeps = fmax(ceil(fastest * (double)def->step_ns * 1e-9), 1.0);
  if (substeps > 1000.0) {
    return tool_because(why,
                        "the rope is so stiff that it needs %.0f substeps a step, and 1000 are the "
                        "most: it may have more give, mass or length, fewer links, a higher rate",
                        substeps);
  }
  def->solver.springs = true;
  def->solver.integrator = WEFT_INTEGRATOR_VELOCITY_VERLET;
  def->solver.substeps = (uint32_t)substeps;
  return true;
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  band* self = calloc(1, sizeof *self);
  if (!self) return tool_because(why, "no memory for a rope");
  *state = self;
  sim_strand* strand = &self->strand;
  self->give = sim_number(values, "give");
  self->gravity = sim_number(values, "gravity");
  self->span = sim_number(values, "span");
  self->draw = sim_number(values, "draw");
  def->gravity[1] = (float)-self->gravity;
  if (!sim_strand_read(values, strand, def, why)) return false;
  const double rest = strand->length / (double)strand->link_count;
  strand->compliance = self->give * rest;
  strand->mode = WEFT_LINK_MODE_STRETCH;
  if (!choose_substeps(self, def, why)) return false;
  for (uint32_t i = 0; i <= strand->link_count; ++i) {
    strand->positions[3 * (size_t)i] = (float)(rest * (double)i);
  }
  return sim_strand_add(strand, scene, why);
}

static bool draw_ends(weft_world* world, double time, const band* self, tool_message* why) {
  const sim_strand* strand = &self->strand;
  const double share = fmin(time / self->draw, 1.0);
  const double way = 0.5 * (1.0 - self->span) * strand->length * share;
  const float head[3] = {(float)way, 0.0f, 0.0f};
  const float last[3] = {(float)(strand->length - way), 0.0f, 0.0f};
  if (!sim_set(world, WEFT_ATTRIBUTE_TARGET, strand->link_count, 1, last, 0, why)) return false;
  return strand->is_released || sim_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, head, 0, why);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  band* self = state;
  if (!sim_strand_before_step(world, moment, &self->strand, why)) return false;
  return !self->strand.both || draw_ends(world, moment->time + moment->h, self, why);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  band* self = state;
  sim_strand* strand = &self->strand;
  tool_message unused;
  (void)sim_strand_look(world, strand, &unused);
  sim_strand_report(strand, results);
  const double rest = strand->length / (double)strand->link_count;
  double energy = 0.0;
  uint32_t slack = 0;
  for (uint32_t i = 0; i < strand->link_count; ++i) {
    const double longer = sim_strand_link_length(strand, i) - rest;
    slack += longer < 0.0;
    if (longer > 0.0) energy += 0.5 * longer * longer / strand->compliance;
  }
  const double strain = sim_strand_link_length(strand, 0) / rest - 1.0;
  sim_add_result(results, "strain", sim_strand_length(strand) / strand->length - 1.0);
  sim_add_result(results, "slack_share", (double)slack / (double)strand->link_count);
  sim_add_result(results, "head_pull", fmax(strain, 0.0) / self->give);
  sim_add_result(results, "stretch_energy", energy);
  // Hooke: it bears the whole load, and on average half of its weight
  const double weight = self->gravity * (strand->load + 0.5 * strand->mass);
  if (!strand->both) {
    sim_add_result(results, "length_hanging", strand->length * (1.0 + self->give * weight));
  }
}

static void free_state(void* state) {
  sim_strand_free(&((band*)state)->strand);
}

const sim_scene sim_scene_rope_elastic = {
    .name = "rope-elastic",
    .summary = "a rope that only resists stretching, and goes slack",
    .params = params,
    .seconds = 12.0,
    .rate = 60.0,
    .build = build,
    .before_step = before_step,
    .keep = sim_strand_keep,
    .report = report,
    .input = sim_strand_input,
    .has_point = true,
    .free = free_state,
};
