#include "sim/strand.h"
#include "sim/particle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const sim_strand_ends[] = {"one", "both", NULL};

bool sim_strand_read(const sim_values* values, sim_strand* strand, weft_world_def* def,
                     tool_message* why) {
  strand->link_count = sim_count(values, "links");
  strand->length = sim_number(values, "length");
  strand->mass = sim_number(values, "mass");
  strand->both = sim_choice(values, "ends") == SIM_ENDS_BOTH;
  strand->load = strand->both ? 0.0 : sim_number(values, "load");
  strand->release = sim_number(values, "release");
  strand->path.kind = strand->both ? SIM_PATH_STILL : (sim_path_kind)sim_choice(values, "target");
  strand->path.radius = sim_number(values, "radius");
  strand->path.period = sim_number(values, "period");
  def->damping = (float)sim_number(values, "damping");
  if (strand->both && strand->link_count < 2) {
    return tool_because(why, "--set links: a rope of one link has nothing free with ends=both");
  }
  strand->positions = calloc((size_t)strand->link_count + 1, sizeof(float[3]));
  if (!strand->positions) return tool_because(why, "no memory for a rope");
  return sim_path_read("--set path", sim_text(values, "path"), &strand->path, why);
}

static double mass_of(const sim_strand* strand, uint32_t particle) {
  const double whole = strand->mass / (double)strand->link_count;
  const bool is_last = particle == strand->link_count;
  return particle == 0 || is_last ? 0.5 * whole + (is_last ? strand->load : 0.0) : whole;
}

static bool is_held(const sim_strand* strand, uint32_t particle) {
  return particle == 0 || (strand->both && particle == strand->link_count);
}

static bool add_node(const sim_strand* strand, weft_scene* scene, uint32_t i, tool_message* why) {
  const float inverse = is_held(strand, i) ? 0.0f : (float)(1.0 / mass_of(strand, i));
  return sim_check(
      weft_scene_add_particles(scene, strand->positions + (size_t)3 * i, &inverse, 1, NULL), why);
}

bool sim_strand_add(sim_strand* strand, weft_scene* scene, tool_message* why) {
  memcpy(strand->start, strand->positions, sizeof strand->start);
  strand->lowest = INFINITY;
  if (!add_node(strand, scene, 0, why)) return false;
  for (uint32_t i = 1; i <= strand->link_count; ++i) {
    const weft_link_def link = {.a = i - 1,
                                .b = i,
                                .rest_length = (float)(strand->length / (double)strand->link_count),
                                .relaxation = 1.0f,
                                .compliance = (float)strand->compliance,
                                .mode = strand->mode};
    if (!add_node(strand, scene, i, why) ||
        !sim_check(weft_scene_add_links(scene, &link, 1, NULL), why)) {
      return false;
    }
  }
  return true;
}

void sim_strand_free(sim_strand* strand) {
  sim_path_free(&strand->path);
  free(strand->positions);
  strand->positions = NULL;
}

static double distance(const float* a, const float* b) {
  const double x = (double)b[0] - (double)a[0];
  const double y = (double)b[1] - (double)a[1];
  const double z = (double)b[2] - (double)a[2];
  return sqrt(x * x + y * y + z * z);
}

double sim_strand_link_length(const sim_strand* strand, uint32_t link) {
  const float* at = strand->positions + (size_t)3 * link;
  return distance(at, at + 3);
}

double sim_strand_length(const sim_strand* strand) {
  double length = 0.0;
  for (uint32_t i = 0; i < strand->link_count; ++i) length += sim_strand_link_length(strand, i);
  return length;
}

bool sim_strand_look(const weft_world* world, sim_strand* strand, tool_message* why) {
  const uint32_t count = strand->link_count + 1;
  const double rest = strand->length / (double)strand->link_count;
  if (!sim_get(world, WEFT_ATTRIBUTE_POSITION, 0, count, strand->positions, why)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    strand->lowest = fmin(strand->lowest, (double)strand->positions[3 * (size_t)i + 1]);
    if (i + 1 == count) break;
    const double change = sim_strand_link_length(strand, i) / rest - 1.0;
    const double strain = strand->mode == WEFT_LINK_MODE_STRETCH ? fmax(change, 0.0) : fabs(change);
    // not fmax(), which would skip NaN
    if (!(strain <= strand->most_strain)) strand->most_strain = strain;
  }
  if (!strand->is_led) return true;
  strand->head_error = fmax(strand->head_error, distance(strand->positions, strand->target));
  return true;
}

static bool release(weft_world* world, sim_strand* strand, tool_message* why) {
  strand->is_released = true;
  strand->is_led = false;
  return sim_check(sim_set_inverse_mass(world, 0, (float)(1.0 / mass_of(strand, 0))), why);
}

bool sim_strand_before_step(weft_world* world, const sim_moment* moment, sim_strand* strand,
                            tool_message* why) {
  double offset[3];
  if (!sim_strand_look(world, strand, why)) return false;
  if (strand->is_released) return true;
  if (strand->release > 0.0 && moment->time >= strand->release) return release(world, strand, why);
  if (strand->path.kind == SIM_PATH_STILL && !strand->is_pointed) return true;
  sim_path_at(&strand->path, moment->time + moment->h, offset);
  for (int axis = 0; axis < 3 && !strand->is_pointed; ++axis) {
    strand->target[axis] = (float)((double)strand->start[axis] + offset[axis]);
  }
  strand->is_led = true;
  return sim_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, strand->target, 0, why);
}

bool sim_strand_input(weft_world* world, void* state, const sim_input* input, tool_message* why) {
  sim_strand* strand = state;
  (void)world;
  if (input->key) return tool_because(why, "'%s' is not a key of a rope", input->key);
  memcpy(strand->target, input->point, sizeof strand->target);
  strand->is_pointed = true;
  return true;
}

void sim_strand_report(const sim_strand* strand, sim_results* results) {
  const float* last = strand->positions + (size_t)3 * strand->link_count;
  const double length = sim_strand_length(strand);
  sim_add_result(results, "length", length);
  sim_add_result(results, "rest_length", strand->length);
  sim_add_result(results, "length_error", length / strand->length - 1.0);
  sim_add_result(results, "greatest_strain", strand->most_strain);
  sim_add_result(results, "head_error", strand->head_error);
  sim_add_result(results, "span", distance(strand->positions, last));
  sim_add_result(results, "lowest", strand->lowest);
}

void sim_strand_keep(void* state, sim_keep* keep) {
  sim_strand* strand = state;
  SIM_KEEP(keep, strand->start);
  SIM_KEEP(keep, strand->is_led);
  SIM_KEEP(keep, strand->is_released);
  SIM_KEEP(keep, strand->is_pointed);
  SIM_KEEP(keep, strand->target);
}
