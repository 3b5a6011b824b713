/* Mass, momentum, energies and strain. Sums are in double precision, by one thread, over particles
 * in the caller's order and links in the solver's, so that they do not depend on the number of
 * workers. */
#include <math.h>

#include "base/float_mode.h"
#include "base/min_max.h"
#include "world/world.h"

// ---- particles ----

static void widen_box(weft_measures* measures, const float position[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (position[axis] < measures->lower[axis]) measures->lower[axis] = position[axis];
    if (position[axis] > measures->upper[axis]) measures->upper[axis] = position[axis];
  }
}

static void add_particle(weft_measures* measures, double mass, const float position[3],
                         const float velocity[3], const float gravity[3]) {
  measures->mass += mass;
  for (int axis = 0; axis < 3; ++axis) {
    const double x = (double)position[axis];
    const double v = (double)velocity[axis];
    measures->center[axis] += mass * x;
    measures->momentum[axis] += mass * v;
    measures->kinetic += 0.5 * mass * v * v;
    measures->gravitational -= mass * (double)gravity[axis] * x;
    const int b = (axis + 1) % 3;
    const int c = (axis + 2) % 3;
    measures->angular_momentum[axis] += mass * ((double)position[b] * (double)velocity[c] -
                                                (double)position[c] * (double)velocity[b]);
  }
}

static void add_rotation(weft_measures* measures, const weft__particles* p, uint32_t i,
                         float inv_mass) {
  const double radius = (double)p->roll_radius[i];
  const double inertia = radius * radius / ((double)inv_mass * (double)p->roll_factor[i]);
  const double spin[3] = {(double)p->spin_x[i], (double)p->spin_y[i], (double)p->spin_z[i]};
  for (int axis = 0; axis < 3; ++axis) {
    measures->angular_momentum[axis] += inertia * spin[axis];
    measures->kinetic += 0.5 * inertia * spin[axis] * spin[axis];
  }
}

static void measure_particles(const weft_world* world, weft_measures* measures) {
  const weft__particles* p = &world->stepper.particles;
  const float rate = (float)(1.0 / weft__last_substep(world));
  for (int axis = 0; axis < 3; ++axis) {
    measures->lower[axis] = INFINITY;
    measures->upper[axis] = -INFINITY;
  }
  for (uint32_t user = 0; user < p->count; ++user) {
    const uint32_t i = world->stepper.schedule.solver_of[user];
    if (weft__particles_is_removed(p, i)) continue;
    const float position[3] = {p->pos_x[i], p->pos_y[i], p->pos_z[i]};
    widen_box(measures, position);
    const float inv_mass = weft__inverse_mass_of(world, i);
    if (inv_mass == 0.0f) continue;
    float velocity[3];
    weft__particles_velocity(p, i, rate, velocity);
    const weft__stepper* stepper = &world->stepper;
    const uint32_t e = weft__environment_of(&stepper->schedule, i);
    add_particle(measures, 1.0 / (double)inv_mass, position, velocity,
                 stepper->environments[e].gravity);
    if (weft__particle_turns(p, i)) add_rotation(measures, p, i, inv_mass);
  }
  for (int axis = 0; axis < 3 && measures->mass > 0.0; ++axis) {
    measures->center[axis] /= measures->mass;
  }
}

// ---- links ----

// Running sums over links and bend elements.
typedef struct link_sums {
  const weft__stepper* stepper;
  const uint32_t* locals; /* particle of each record of the patch */
  double elastic, strain, max_strain;
  uint64_t structural_count;
} link_sums;

// Lists the particles of the records of segments [segment, end): searching the segments for each
// record would dominate the run time. It uses the first worker's records, which are free between
// steps.
static const uint32_t* list_locals(const weft__stepper* stepper, const weft__segment* segment,
                                   const weft__segment* end) {
  uint32_t* locals = (uint32_t*)(void*)stepper->records;
  for (uint32_t local = 0; segment < end; ++segment) {
    for (uint32_t k = 0; k < segment->count; ++k) locals[local++] = segment->first + k;
  }
  return locals;
}

static double length_of(const link_sums* t, uint32_t patch, const weft__run* run, uint32_t group,
                        uint32_t lane) {
  const weft__schedule* schedule = &t->stepper->schedule;
  uint32_t a = 0;
  uint32_t b = 0;
  if (run->kind == WEFT__RUN_FAN) {
    const uint32_t offset = (group - run->first_group) * WEFT__LANES + lane;
    a = t->locals[schedule->index_local[run->a + offset] / 2];
    b = t->locals[schedule->index_local[run->index + offset] / 2];
  } else {
    weft__schedule_ends(schedule, patch, run, group, lane, &a, &b);
  }
  const weft__particles* p = &t->stepper->particles;
  const double x = (double)p->pos_x[b] - (double)p->pos_x[a];
  const double y = (double)p->pos_y[b] - (double)p->pos_y[a];
  const double z = (double)p->pos_z[b] - (double)p->pos_z[a];
  return sqrt(x * x + y * y + z * z);
}

// Part of a length error that the link resists.
static double beyond_slack(const weft__schedule* schedule, const weft__run* run, uint32_t g,
                           uint32_t lane, double error) {
  if (!weft__run_has_slack(run)) return error;
  const double below =
      (double)schedule->slack_below[run->slack_below + (size_t)g * run->slack_below_stride + lane];
  const double above =
      (double)schedule->slack_above[run->slack_above + (size_t)g * run->slack_above_stride + lane];
  return weft__max(error - above, 0.0) + weft__min(error + below, 0.0);
}

static void measure_link(link_sums* t, uint32_t patch, const weft__run* run, uint32_t group,
                         uint32_t lane) {
  const weft__schedule* schedule = &t->stepper->schedule;
  const uint32_t g = group - run->first_group;
  const double rest =
      (double)schedule->rest_length[run->rest + (size_t)g * run->rest_stride + lane];
  const double error = length_of(t, patch, run, group, lane) - rest;
  const double over = beyond_slack(schedule, run, g, lane, error);
  if (weft__run_is_compliant(run) && !run->is_idle) {
    const double compliance =
        (double)schedule->compliance[run->compliance + (size_t)g * run->compliance_stride + lane];
    if (compliance > 0.0) t->elastic += 0.5 * over * over / compliance;
  }
  if (((uint32_t)schedule->structural[group] >> lane & 1u) == 0) return;
  const double strain = fabs(over) / rest;
  t->strain += strain;
  if (strain > t->max_strain) t->max_strain = strain;
  ++t->structural_count;
}

static void measure_patch(link_sums* t, uint32_t patch) {
  const weft__schedule* schedule = &t->stepper->schedule;
  t->locals = list_locals(t->stepper, schedule->segments + schedule->patch_first_segment[patch],
                          schedule->segments + schedule->patch_first_segment[patch + 1]);
  const uint32_t end_run = weft__patch_end_run(schedule, patch);
  for (uint32_t r = weft__patch_first_run(schedule, patch); r < end_run; ++r) {
    const weft__run* run = &schedule->runs[r];
    for (uint32_t g = run->first_group; g < run->first_group + run->group_count; ++g) {
      for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
        // torn links are not in the mask
        const bool is_active = ((uint32_t)schedule->lane_mask[g] >> lane & 1u) != 0;
        if (is_active) measure_link(t, patch, run, g, lane);
      }
    }
  }
}

// ---- bend elements ----

/* (|d| - r)^2 / (2 compliance), d = the sum of coefficients times positions: see tables/hinges.h.
 * Positions are relative to the first particle's, so that precision does not depend on the cloth's
 * position. Particles of coefficient 0 are undefined. */
static double hinge_energy(const weft__particles* p, const uint32_t particle[4],
                           const float coefficient[4], float rest_length, float compliance) {
  const uint32_t first = particle[0];
  double d[3] = {0.0, 0.0, 0.0};
  for (int k = 1; k < 4; ++k) {
    if (coefficient[k] == 0.0f) continue;
    const uint32_t i = particle[k];
    d[0] += (double)coefficient[k] * ((double)p->pos_x[i] - (double)p->pos_x[first]);
    d[1] += (double)coefficient[k] * ((double)p->pos_y[i] - (double)p->pos_y[first]);
    d[2] += (double)coefficient[k] * ((double)p->pos_z[i] - (double)p->pos_z[first]);
  }
  const double error = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - (double)rest_length;
  return 0.5 * error * error / (double)compliance;
}

static void measure_hinge_run(link_sums* t, const weft__run* run) {
  static const float coefficient[4] = {1.0f, -2.0f, 1.0f, 0.0f};
  const weft__hinge_schedule* hinges = &t->stepper->schedule.hinges;
  for (uint32_t lane = 0; lane < run->group_count * WEFT__LANES; ++lane) {
    const uint32_t g = lane / WEFT__LANES;
    const uint32_t l = lane % WEFT__LANES;
    if (((uint32_t)hinges->lane_mask[run->first_group + g] >> l & 1u) == 0) continue;
    uint32_t particle[4];
    weft__hinge_run_lane(run, lane, particle);
    const float compliance =
        hinges->compliance[run->compliance + (size_t)g * run->compliance_stride + l];
    t->elastic += hinge_energy(&t->stepper->particles, particle, coefficient, 0.0f, compliance);
  }
}

static void measure_hinge_piece(link_sums* t, const weft__piece* piece) {
  const weft__hinge_schedule* hinges = &t->stepper->schedule.hinges;
  const weft__segment* segments = hinges->segments + piece->first_segment;
  const uint32_t* locals = list_locals(t->stepper, segments, segments + piece->segment_count);
  for (uint32_t g = 0; g < piece->group_count; ++g) {
    const weft__hinge_lanes* lanes = &hinges->lanes[piece->first_lanes + g];
    for (uint32_t l = 0; l < WEFT__LANES; ++l) {
      // empty or torn lane
      if (lanes->coefficient[0][l] == 0.0f) continue;
      uint32_t particle[4];
      float coefficient[4];
      for (int k = 0; k < 4; ++k) {
        coefficient[k] = lanes->coefficient[k][l];
        particle[k] = coefficient[k] == 0.0f ? WEFT__NONE : locals[lanes->index[k][l] / 2];
      }
      t->elastic += hinge_energy(&t->stepper->particles, particle, coefficient,
                                 lanes->rest_length[l], lanes->compliance[l]);
    }
  }
}

static void measure_hinges(link_sums* t, uint32_t patch) {
  const weft__hinge_schedule* hinges = &t->stepper->schedule.hinges;
  if (hinges->hinge_count == 0) return;
  for (uint32_t r = hinges->patch_first_run[patch]; r < hinges->patch_first_run[patch + 1]; ++r) {
    measure_hinge_run(t, &hinges->runs[r]);
  }
  const uint32_t end = hinges->patch_first_piece[patch + 1];
  for (uint32_t i = hinges->patch_first_piece[patch]; i < end; ++i) {
    measure_hinge_piece(t, &hinges->pieces[i]);
  }
}

// ---- membrane elements ----

// Inverse of the compliance matrix applied to a strain, times it: twice the energy in joules.
static double energy_of_strain(const weft__membrane_lanes* lanes, uint32_t l, const double e[3]) {
  const double warp = (double)lanes->compliance[WEFT__WARP][l];
  const double weft = (double)lanes->compliance[WEFT__WEFT][l];
  const double poisson = (double)lanes->compliance[WEFT__POISSON][l];
  const double shear = (double)lanes->compliance[WEFT__SHEAR][l];
  const double determinant = warp * weft - poisson * poisson;
  double twice = shear > 0.0 ? e[2] * e[2] / shear : 0.0;
  if (determinant > 0.0) {
    twice += (weft * e[0] * e[0] - 2.0 * poisson * e[0] * e[1] + warp * e[1] * e[1]) / determinant;
  } else if (warp > 0.0) {
    twice += e[0] * e[0] / warp;
  } else if (weft > 0.0) {
    twice += e[1] * e[1] / weft;
  }
  return 0.5 * twice;
}

static double membrane_energy(const weft__particles* p, const weft__membrane_lanes* lanes,
                              uint32_t l, const uint32_t* locals) {
  uint32_t i[3];
  for (int k = 0; k < 3; ++k) i[k] = locals[lanes->index[k][l] / 2];
  const float* columns[3] = {p->pos_x, p->pos_y, p->pos_z};
  double a[3], b[3];
  for (int axis = 0; axis < 3; ++axis) {
    const float* x = columns[axis];
    const double to_1 = (double)x[i[1]] - (double)x[i[0]];
    const double to_2 = (double)x[i[2]] - (double)x[i[0]];
    a[axis] = (double)lanes->gradient_u[0][l] * to_1 + (double)lanes->gradient_u[1][l] * to_2;
    b[axis] = (double)lanes->gradient_v[0][l] * to_1 + (double)lanes->gradient_v[1][l] * to_2;
  }
  const double aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  const double bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
  const double ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const double area = sqrt(weft__max(aa * bb - ab * ab, 0.0));
  const double trace = sqrt(aa + bb + 2.0 * area);
  if (trace == 0.0) return energy_of_strain(lanes, l, (const double[3]){-1.0, -1.0, 0.0});
  const double strain[3] = {(aa + area) / trace - 1.0, (bb + area) / trace - 1.0, 2.0 * ab / trace};
  return energy_of_strain(lanes, l, strain);
}

static void measure_membranes(link_sums* t, uint32_t patch) {
  const weft__membrane_schedule* membranes = &t->stepper->schedule.membranes;
  if (membranes->membrane_count == 0) return;
  const uint32_t end = membranes->patch_first_piece[patch + 1];
  for (uint32_t i = membranes->patch_first_piece[patch]; i < end; ++i) {
    const weft__piece* piece = &membranes->pieces[i];
    const weft__segment* segments = membranes->segments + piece->first_segment;
    const uint32_t* locals = list_locals(t->stepper, segments, segments + piece->segment_count);
    for (uint32_t k = 0; k < piece->group_count * WEFT__LANES; ++k) {
      const weft__membrane_lanes* lanes = &membranes->lanes[piece->first_lanes + k / WEFT__LANES];
      if (weft__membrane_is_empty(lanes, k % WEFT__LANES)) continue;
      t->elastic += membrane_energy(&t->stepper->particles, lanes, k % WEFT__LANES, locals);
    }
  }
}

// Springs are listed at both ends, with their compliance in their own table.
static void measure_springs(link_sums* t) {
  const weft__springs* springs = &t->stepper->integrators.springs;
  const weft__particles* p = &t->stepper->particles;
  for (uint32_t i = 0; i < p->count && springs->count > 0; ++i) {
    for (uint32_t e = springs->first[i]; e < springs->first[i + 1]; ++e) {
      const weft__spring* spring = &springs->ends[e];
      if (spring->other < i) continue;
      const weft__spring_state state = weft__spring_measure(springs, p, i, spring);
      if (state.length == 0.0) continue;
      t->elastic += weft__spring_load_of(springs, spring, state.excess).energy;
    }
  }
}

static void measure_links(const weft_world* world, weft_measures* measures) {
  link_sums t = {.stepper = &world->stepper};
  for (uint32_t p = 0; p < world->stepper.schedule.patch_count; ++p) {
    measure_patch(&t, p);
    measure_hinges(&t, p);
    measure_membranes(&t, p);
  }
  measure_springs(&t);
  measures->elastic = t.elastic;
  measures->max_strain = t.max_strain;
  if (t.structural_count > 0) measures->mean_strain = t.strain / (double)t.structural_count;
}

static weft_result measure(const weft_world* world, weft_measures* measures) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(measures == NULL, WEFT_ERROR_NULL, "measures");
  weft_measures read = {0};
  const weft__stepper* stepper = &world->stepper;
  const weft__pair_forces* pair_forces = &stepper->integrators.pair_forces;
  WEFT__FAIL_IF(weft__pair_forces_act(pair_forces) &&
                    !weft__pair_forces_energy(pair_forces, &stepper->particles, &stepper->schedule,
                                              &read.pair),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  measure_particles(world, &read);
  measure_links(world, &read);
  *measures = read;
  return weft__ok();
}

weft_result weft_world_measure(const weft_world* world, weft_measures* measures) {
  WEFT__RETURN_COMPUTED(measure, world, measures);
}
