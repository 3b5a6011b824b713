/* Sums are in double precision, by one thread, over particles in the caller's order and links in
 * the solver's: the number of workers does not show. */
#include <math.h>

#include "base/float_mode.h"
#include "base/min_max.h"
#include "world/hinge_visit.h"
#include "world/world.h"

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
  for (int axis = 0; axis < 3; ++axis) {
    const double spin = (double)p->spin[axis][i];
    measures->angular_momentum[axis] += inertia * spin;
    measures->kinetic += 0.5 * inertia * spin * spin;
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
    float position[3];
    weft__load3(p->pos, i, position);
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

typedef struct link_sums {
  const weft__stepper* stepper;
  const uint32_t* locals; /* particle of each record of the patch */
  double strain, max_strain;
  uint64_t structural_count;
  weft__measure sums;
} link_sums;

static void find_ends(const link_sums* t, uint32_t patch, const weft__run* run, uint32_t group,
                      uint32_t lane, uint32_t ends[2]) {
  const weft__schedule* schedule = &t->stepper->schedule;
  if (run->kind == WEFT__RUN_FAN) {
    const uint32_t offset = (group - run->first_group) * WEFT__LANES + lane;
    ends[0] = t->locals[schedule->index_local[run->a + offset] / 2];
    ends[1] = t->locals[schedule->index_local[run->index + offset] / 2];
  } else {
    weft__schedule_ends(schedule, patch, run, group, lane, &ends[0], &ends[1]);
  }
}

static double distance_of(const weft__particles* p, uint32_t a, uint32_t b) {
  return weft__length(weft__minus(weft__vec3_at(p->pos, b), weft__vec3_at(p->pos, a)));
}

// Part of a length error that the link resists.
static double beyond_slack(const weft__link_schedule* links, const weft__run* run, uint32_t g,
                           uint32_t lane, double error) {
  if (!weft__run_has_slack(run)) return error;
  const double below =
      (double)links->slack_below[run->slack_below + (size_t)g * run->slack_below_stride + lane];
  const double above =
      (double)links->slack_above[run->slack_above + (size_t)g * run->slack_above_stride + lane];
  return weft__max(error - above, 0.0) + weft__min(error + below, 0.0);
}

// Residual C + a u of a swept link, where its multiplier pulls with the opposite sign: C loses the
// slack before its own pull (kernels/links.inl). Links of other solvers have no relaxation.
static void measure_residual(link_sums* t, uint32_t patch, const weft__run* run, uint32_t group,
                             uint32_t lane, const uint32_t ends[2], double error) {
  const weft__schedule* schedule = &t->stepper->schedule;
  const weft__particles* p = &t->stepper->particles;
  const uint32_t g = group - run->first_group;
  const double masses = (double)weft__particles_own_inverse_mass(p, ends[0]) +
                        (double)weft__particles_own_inverse_mass(p, ends[1]);
  const bool is_swept =
      schedule->links.relaxation[run->relaxation + (size_t)g * run->relaxation_stride + lane] >
      0.0f;
  if (!is_swept || masses == 0.0) return;
  if (!weft__run_is_compliant(run)) {
    weft__measure_residual(&t->sums, beyond_slack(&schedule->links, run, g, lane, error));
    return;
  }
  const double compliance =
      (double)
          schedule->links.compliance[run->compliance + (size_t)g * run->compliance_stride + lane] *
      weft__measure_rate(&t->sums, patch);
  const double pull = (double)schedule->links.multiplier[(size_t)group * WEFT__LANES + lane];
  const double before = beyond_slack(&schedule->links, run, g, lane, error + masses * pull);
  weft__measure_residual(&t->sums, before - (masses + compliance) * pull);
}

static void measure_link(link_sums* t, uint32_t patch, const weft__run* run, uint32_t group,
                         uint32_t lane) {
  const weft__schedule* schedule = &t->stepper->schedule;
  const uint32_t g = group - run->first_group;
  const double rest = weft__schedule_rest_length(schedule, run, group, lane);
  uint32_t ends[2];
  find_ends(t, patch, run, group, lane, ends);
  const double error = distance_of(&t->stepper->particles, ends[0], ends[1]) - rest;
  if (!run->is_idle) measure_residual(t, patch, run, group, lane, ends, error);
  const double over = beyond_slack(&schedule->links, run, g, lane, error);
  if (weft__run_is_compliant(run) && !run->is_idle) {
    const double compliance =
        (double)
            schedule->links.compliance[run->compliance + (size_t)g * run->compliance_stride + lane];
    if (compliance > 0.0) t->sums.elastic += 0.5 * over * over / compliance;
  }
  if (((uint32_t)schedule->links.structural[group] >> lane & 1u) == 0) return;
  const double strain = fabs(over) / rest;
  t->strain += strain;
  if (strain > t->max_strain) t->max_strain = strain;
  ++t->structural_count;
}

static void measure_patch(link_sums* t, uint32_t patch) {
  const weft__schedule* schedule = &t->stepper->schedule;
  t->locals = weft__list_locals(t->stepper->relaxation.records,
                                schedule->segments + schedule->patch_first_segment[patch],
                                schedule->segments + schedule->patch_first_segment[patch + 1]);
  const uint32_t end_run = weft__patch_end_run(schedule, patch);
  for (uint32_t r = weft__patch_first_run(schedule, patch); r < end_run; ++r) {
    const weft__run* run = &schedule->runs[r];
    for (uint32_t g = run->first_group; g < run->first_group + run->group_count; ++g) {
      for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
        // torn links are not in the mask
        const bool is_active = ((uint32_t)schedule->links.lane_mask[g] >> lane & 1u) != 0;
        if (is_active) measure_link(t, patch, run, g, lane);
      }
    }
  }
}

// Energy (|d| - r)^2 / (2 compliance); d from positions relative to the first one's, for precision.
static void measure_hinge(void* context, const weft__hinge_element* hinge) {
  link_sums* t = context;
  const weft__particles* p = &t->stepper->particles;
  const uint32_t first = hinge->particle[0];
  double d[3] = {0.0, 0.0, 0.0};
  for (int k = 1; k < 4; ++k) {
    const double coefficient = (double)hinge->coefficient[k];
    if (coefficient == 0.0) continue;
    const uint32_t i = hinge->particle[k];
    for (int axis = 0; axis < 3; ++axis)
      d[axis] += coefficient * ((double)p->pos[axis][i] - (double)p->pos[axis][first]);
  }
  const double error = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - (double)hinge->rest_length;
  t->sums.elastic += 0.5 * error * error / (double)hinge->compliance;
}

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
  double a[3], b[3];
  for (int axis = 0; axis < 3; ++axis) {
    const float* x = p->pos[axis];
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
    const uint32_t* locals = weft__list_locals(t->stepper->relaxation.records, segments,
                                               segments + piece->segment_count);
    for (uint32_t k = 0; k < piece->group_count * WEFT__LANES; ++k) {
      const weft__membrane_lanes* lanes = &membranes->lanes[piece->first_lanes + k / WEFT__LANES];
      if (weft__membrane_is_empty(lanes, k % WEFT__LANES)) continue;
      t->sums.elastic += membrane_energy(&t->stepper->particles, lanes, k % WEFT__LANES, locals);
    }
  }
}

static bool measure_links(const weft_world* world, weft_measures* measures) {
  const double h = weft__last_substep(world);
  link_sums t = {.stepper = &world->stepper,
                 .sums = {.particles = &world->stepper.particles,
                          .schedule = &world->stepper.schedule,
                          .inv_step_sq = weft__inv_square(h),
                          .strides = world->stepper.strides}};
  for (uint32_t p = 0; p < world->stepper.schedule.patch_count; ++p) {
    measure_patch(&t, p);
    weft__visit_hinges(&world->stepper.schedule.hinges, p, world->stepper.relaxation.records,
                       measure_hinge, &t);
    measure_membranes(&t, p);
  }
  weft__stages_visit_hinges(&world->stepper.stages, measure_hinge, &t);
  if (!weft__stages_measure(&world->stepper.stages, &t.sums)) return false;
  measures->pair = t.sums.pair;
  measures->elastic = t.sums.elastic;
  measures->max_strain = t.max_strain;
  measures->max_residual = t.sums.max_residual;
  if (t.sums.residual_count > 0)
    measures->residual = sqrt(t.sums.residual_sq / (double)t.sums.residual_count);
  if (t.structural_count > 0) measures->mean_strain = t.strain / (double)t.structural_count;
  return true;
}

static weft_result measure(const weft_world* world, weft_measures* measures) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(measures == NULL, WEFT_ERROR_NULL, "measures");
  weft_measures read = {0};
  measure_particles(world, &read);
  WEFT__FAIL_IF(!measure_links(world, &read), WEFT_ERROR_OUT_OF_MEMORY, "world");
  *measures = read;
  return weft__ok();
}

weft_result weft_world_measure(const weft_world* world, weft_measures* measures) {
  WEFT__RETURN_COMPUTED(measure, world, measures);
}
