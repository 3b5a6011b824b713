/* An inextensible rope. Its head follows a target, or both ends are held, and it comes to hang in a
 * catenary. It is a tree, which the library solves directly under any load. */
#include <math.h>
#include <stdlib.h>

#include "sim/catenary.h"
#include "sim/strand.h"

static const sim_param params[] = {
    {"links", "links of the rope", SIM_COUNT, 100, 1, 10000, NULL},
    {"length", "metres", SIM_NUMBER, 2, 0.001, 100000, NULL},
    {"load", "kilograms at its free end, with ends=one", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"compliance", "metres per newton of each link", SIM_NUMBER, 0, 0, 1e6, NULL},
    {"ends", "number of held ends", SIM_CHOICE, SIM_ENDS_ONE, 0, 0, sim_strand_ends},
    {"span", "share of the length between the two ends", SIM_NUMBER, 0.7, 0.01, 1, NULL},
    {"rise", "height of the second end above the first, as a share of span", SIM_NUMBER, 0, -1, 1,
     NULL},
    SIM_STRAND_PARAMS,
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

static void place(sim_strand* strand, uint32_t i, double x, double y) {
  strand->positions[3 * (size_t)i] = (float)x;
  strand->positions[3 * (size_t)i + 1] = (float)y;
}

/* Straight and level. */
static void lay_out(sim_strand* strand) {
  const double rest = strand->length / (double)strand->link_count;
  for (uint32_t i = 0; i <= strand->link_count; ++i) place(strand, i, rest * (double)i, 0.0);
}

/* Between two ends, drawn down to a point: with an odd number of links the middle one lies along
 * the span. All links have their length, so that nothing jumps. */
static void hang(sim_strand* strand, double span, double rise) {
  const double across = span * sqrt(1.0 - rise * rise), up = span * rise;
  const uint32_t count = strand->link_count, half = count / 2;
  const double rest = strand->length / (double)count;
  const double flat = count % 2 == 1 ? rest : 0.0;
  const double leg = rest * (double)half;
  const double along = 0.5 * (span - flat), away = sqrt(fmax(leg * leg - along * along, 0.0));
  // p is along the span, q perpendicular to it and downwards
  const double cosine = across / span, sine = up / span;
  for (uint32_t i = 0; i <= count; ++i) {
    const bool is_first = i <= half;
    const double share = (double)(is_first ? i : count - i) / (double)half;
    const double p = is_first ? share * along : span - share * along;
    const double q = share * away;
    place(strand, i, p * cosine + q * sine, p * sine - q * cosine);
  }
}

static bool build(const sim_values* values, weft_scene* scene, weft_world_def* def, void** state,
                  tool_message* why) {
  sim_strand* strand = calloc(1, sizeof *strand);
  if (!strand) return tool_because(why, "no memory for a rope");
  *state = strand;
  if (!sim_strand_read(values, strand, def, why)) return false;
  strand->compliance = sim_number(values, "compliance");
  // substeps keep the rotation of links small; long ropes whip faster
  const double substeps_a_second = fmax(240.0, 0.06 * (double)strand->link_count);
  def->solver.substeps =
      (uint32_t)fmax(1.0, ceil(substeps_a_second * (double)def->step_ns * 1e-9 - 1e-6));
  strand->mode = WEFT_LINK_MODE_BOTH;
  if (strand->both) {
    hang(strand, sim_number(values, "span") * strand->length, sim_number(values, "rise"));
  } else {
    lay_out(strand);
  }
  return sim_strand_add(strand, scene, why);
}

static bool before_step(weft_world* world, const sim_moment* moment, void* state,
                        tool_message* why) {
  return sim_strand_before_step(world, moment, state, why);
}

/* Largest distance of a particle from the catenary, over the span. */
static double catenary_error(const sim_strand* strand) {
  const float* last = strand->positions + (size_t)3 * strand->link_count;
  double ends[2][3], error = 0.0, span = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    ends[0][axis] = (double)strand->positions[axis];
    ends[1][axis] = (double)last[axis];
    span += (ends[1][axis] - ends[0][axis]) * (ends[1][axis] - ends[0][axis]);
  }
  const sim_catenary catenary = sim_catenary_between(ends[0], ends[1], strand->length);
  for (uint32_t i = 0; i <= strand->link_count; ++i) {
    double at[3], square = 0.0;
    const float* here = strand->positions + (size_t)3 * i;
    sim_catenary_at(&catenary, strand->length * (double)i / (double)strand->link_count, at);
    for (int axis = 0; axis < 3; ++axis) {
      const double away = (double)here[axis] - at[axis];
      square += away * away;
    }
    error = fmax(error, square);
  }
  return sqrt(error / span);
}

static void report(const weft_world* world, void* state, sim_results* results) {
  sim_strand* strand = state;
  tool_message unused;
  (void)sim_strand_look(world, strand, &unused);
  sim_strand_report(strand, results);
  if (strand->both && !strand->is_released) {
    sim_add_result(results, "catenary_error", catenary_error(strand));
  }
}

static void free_state(void* state) {
  sim_strand_free(state);
}

const sim_scene sim_scene_rope = {
    .name = "rope",
    .summary = "a rope whose head follows a target, or that hangs between two ends",
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
