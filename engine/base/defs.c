/* Ranges and defaults of all fields of the public defs, which the headers state in words:
 * tests/check_defs.py compares. Rows have the order of members; a new def also stands in
 * WEFT__FIELDS_OF_DEFS. */
#include <float.h>
#include <math.h>

#include "base/fields.h"
#include "base/limits.h"

// Numbers by kind. Floats are rounded by the compiler: the same in any floating-point mode.
#define AS_FLOAT(number) ((double)(float)(number))
#define AS_UNIT AS_FLOAT
#define AS_COUNT(number) ((double)(number))
#define AS_WHOLE AS_COUNT
#define AS_INT AS_COUNT
#define AS_LONG AS_COUNT
#define AS_SIZE AS_COUNT
#define AS_FLAG AS_COUNT
#define AS_POINTER AS_COUNT
#define FOUR(as, a, b, c, d, ...) \
  { as(a), as(b), as(c), as(d) }

#define ROW(def, member, kind, flags, lower, upper, ...)                              \
  {                                                                                   \
    "weft_" #def "_def." #member, NULL, AS_##kind(lower), AS_##kind(upper),           \
        FOUR(AS_##kind, __VA_ARGS__, 0, 0, 0, 0), offsetof(weft_##def##_def, member), \
        sizeof(((weft_##def##_def*)0)->member), WEFT__FIELD_##kind, flags             \
  }

#define INNER(def, inner, flags)                                                                   \
  {                                                                                                \
    "weft_" #def "_def." #inner, &weft__##inner##_fields, 0, 0, {0},                               \
        offsetof(weft_##def##_def, inner), sizeof(((weft_##def##_def*)0)->inner), WEFT__FIELD_DEF, \
        flags                                                                                      \
  }

// short names of flags
enum {
  ABOVE = WEFT__FIELD_ABOVE,
  OR_ZERO = WEFT__FIELD_OR_ZERO,
  OR_AUTO = WEFT__FIELD_OR_AUTO,
  CONDITIONAL = WEFT__FIELD_CONDITIONAL,
};

// rows by kind; the last arguments are the default, by element
#define FLOAT(def, member, lower, upper, ...) ROW(def, member, FLOAT, 0, lower, upper, __VA_ARGS__)
#define POSITIVE(def, member, upper, ...) ROW(def, member, FLOAT, ABOVE, 0, upper, __VA_ARGS__)
#define COUNT(def, member, lower, upper, initial) ROW(def, member, COUNT, 0, lower, upper, initial)
#define WHOLE(def, member, lower, upper, initial) ROW(def, member, WHOLE, 0, lower, upper, initial)
#define CHOSEN(def, member, lower, upper, initial) \
  ROW(def, member, WHOLE, OR_AUTO, lower, upper, initial)
#define ENUM(def, member, last, initial) ROW(def, member, INT, 0, 0, last, initial)
#define LONG(def, member, lower, upper, initial) ROW(def, member, LONG, 0, lower, upper, initial)
#define FLAG(def, member, initial) ROW(def, member, FLAG, 0, 0, 1, initial)
#define UNIT(def, member, ...) ROW(def, member, UNIT, 0, -1, 1, __VA_ARGS__)
#define POINTER(def, member) ROW(def, member, POINTER, 0, 0, 0, 0)
#define ARRAY(def, member) ROW(def, member, POINTER, WEFT__FIELD_REQUIRED, 0, 0, 0)

// fields that many defs have
#define BODY_CONTACT(def)                                                                \
  ROW(def, thickness, FLOAT, OR_ZERO, 1e-6, 1e3, 0), FLOAT(def, friction, 0, 1000, 0.3), \
      ENUM(def, collision, WEFT_COLLISION_EXACT, WEFT_COLLISION_EXACT)
#define VECTOR(def, member, ...) \
  FLOAT(def, member, -WEFT_MAX_MAGNITUDE, WEFT_MAX_MAGNITUDE, __VA_ARGS__)
#define NUMBER(def, member, initial) WHOLE(def, member, 0, UINT32_MAX, initial)
#define RELAXATION(def, member, initial) FLOAT(def, member, 1e-6, 1, initial)
#define COMPLIANCE(def, member, initial) FLOAT(def, member, 0, WEFT__MAX_COMPLIANCE, initial)
#define TEAR_RATIO(def) ROW(def, tear_ratio, FLOAT, ABOVE | OR_ZERO, 1, FLT_MAX, 0)
#define LINKS(def) RELAXATION(def, relaxation, 1), COMPLIANCE(def, compliance, 0), TEAR_RATIO(def)
#define PLANE(def)                                    \
  VECTOR(def, origin, 0), UNIT(def, across, 1, 0, 0), \
      ROW(def, up, UNIT, WEFT__FIELD_ORTHOGONAL, -1, 1, 0, 1, 0)

// ---- scene ----

static const weft__field surface_rows[] = {
    FLOAT(surface, restitution, 0, 1, 0),
    FLOAT(surface, static_friction, 0, 1000, 0),
    ROW(surface, dynamic_friction, FLOAT, WEFT__FIELD_AT_MOST, 0, 1000, 0),
};

static const weft__field link_rows[] = {
    NUMBER(link, a, 0),
    NUMBER(link, b, 0),
    POSITIVE(link, rest_length, WEFT_MAX_MAGNITUDE, 0),
    RELAXATION(link, relaxation, 1),
    TEAR_RATIO(link),
    ENUM(link, kind, WEFT_LINK_SUPPORT, WEFT_LINK_STRUCTURAL),
    COMPLIANCE(link, compliance, 0),
    ENUM(link, mode, WEFT_LINK_MODE_RANGE, WEFT_LINK_MODE_BOTH),
    FLOAT(link, max_length, 0, WEFT_MAX_MAGNITUDE, 0),
    FLOAT(link, spring_damping, 0, 1e12, 0),
    NUMBER(link, force_curve, 0),
};

static const weft__field material_rows[] = {
    FLOAT(material, density, 1e-6, 1e6, 0.2),
    FLOAT(material, stretch_stiffness, 1e-6, INFINITY, 2000),
    FLOAT(material, shear_stiffness, 1e-6, INFINITY, 200),
    // infinite bend stiffness would be a board: no number of iterations gets there
    FLOAT(material, bend_stiffness, 0, FLT_MAX, 0),
    FLAG(material, membrane, false),
    ROW(material, weft_stiffness, FLOAT, OR_ZERO, 1e-6, INFINITY, 0),
    FLOAT(material, poisson_ratio, -0.99, 10, 0),
    ROW(material, max_stretch, FLOAT, OR_ZERO, 1, 1e6, 0),
    FLOAT(material, crease_angle, 0, WEFT__MAX_ANGLE, 0),
    FLOAT(material, max_crease, 0, WEFT__MAX_ANGLE, WEFT__MAX_ANGLE),
};

static const weft__field sheet_rows[] = {
    COUNT(sheet, columns, 1, 65535, 32),
    COUNT(sheet, rows, 1, 65535, 32),
    FLOAT(sheet, spacing, 1e-6, 1e6, 0.05),
    VECTOR(sheet, origin, 0),
    UNIT(sheet, across, 1, 0, 0),
    UNIT(sheet, down, 0, -1, 0),
    FLOAT(sheet, particle_mass, 1e-12, 1e12, 0.001),
    POINTER(sheet, material),
    FLAG(sheet, structural, true),
    FLAG(sheet, shear, true),
    FLAG(sheet, bend, false),
    RELAXATION(sheet, relaxation, 1),
    RELAXATION(sheet, shear_relaxation, 1),
    RELAXATION(sheet, bend_relaxation, 0.2),
    TEAR_RATIO(sheet),
};

static const weft__field mesh_rows[] = {
    ARRAY(mesh, positions),
    COUNT(mesh, vertex_count, 1, WEFT_MAX_PARTICLES, 0),
    ARRAY(mesh, triangles),
    COUNT(mesh, triangle_count, 1, WEFT_MAX_LINKS / 3, 0),
    FLOAT(mesh, particle_mass, 1e-12, 1e12, 0.001),
    POINTER(mesh, material),
    POINTER(mesh, uvs),
    VECTOR(mesh, warp, 0),
    POINTER(mesh, pleats),
    COUNT(mesh, pleat_count, 0, WEFT_MAX_LINKS, 0),
    RELAXATION(mesh, relaxation, 1),
    FLOAT(mesh, bend_relaxation, 0, 1, 0.2),
    TEAR_RATIO(mesh),
};

static const weft__field force_curve_rows[] = {
    POINTER(force_curve, strains),
    POINTER(force_curve, forces),
    WHOLE(force_curve, count, 2, 4096, 0),
    FLAG(force_curve, is_monotone, false),
};

// ---- world ----

static const weft__field pair_force_rows[] = {
    ENUM(pair_force, kind, WEFT_PAIR_FORCE_SPRING, WEFT_PAIR_FORCE_NONE),
    FLOAT(pair_force, strength, 1e-12, 1e12, 1),
    ROW(pair_force, size, FLOAT, CONDITIONAL, 1e-6, 1e6, 1),
    FLOAT(pair_force, cutoff, 1e-6, 1e6, 2.5),
    WHOLE(pair_force, max_neighbors, 1, 4096, 128),
    NUMBER(pair_force, first, 0),
    NUMBER(pair_force, count, 0),
};

static const weft__field solver_rows[] = {
    CHOSEN(solver, iterations, 0, 10000, WEFT_AUTO),
    FLOAT(solver, tolerance, 0, 1e6, 0),
    CHOSEN(solver, coarse_iterations, 0, 10000, WEFT_AUTO),
    WHOLE(solver, coarse_every, 1, WEFT__MAX_SUBSTEPS, 1),
    WHOLE(solver, direct_iterations, 0, 100, 6),
    CHOSEN(solver, substeps, 1, WEFT__MAX_SUBSTEPS, WEFT_AUTO),
    CHOSEN(solver, max_substeps, 1, WEFT__MAX_SUBSTEPS, WEFT_AUTO),
    CHOSEN(solver, attachments, 0, WEFT__MAX_ATTACHMENTS, WEFT_AUTO),
    ENUM(solver, quality, WEFT_QUALITY_EXACT, WEFT_QUALITY_FINE),
    // 80 MB for one mesh
    NUMBER(solver, direct_bends, 20000),
    ENUM(solver, integrator, WEFT_INTEGRATOR_RUNGE_KUTTA_4, WEFT_INTEGRATOR_POSITION_VERLET),
    ENUM(solver, sweeps, WEFT_SWEEPS_TEXTBOOK, WEFT_SWEEPS_SYMMETRIC),
    FLAG(solver, springs, false),
};

static const weft__field world_rows[] = {
    VECTOR(world, gravity, 0, -9.81, 0),
    FLOAT(world, damping, 0, FLT_MAX, 0.1),
    INNER(world, solver, 0),
    INNER(world, pair_force, CONDITIONAL),
    POSITIVE(world, max_speed, INFINITY, INFINITY, INFINITY, INFINITY),
    ENUM(world, friction_rule, WEFT_FRICTION_RULE_TABLE, WEFT_FRICTION_RULE_ROOT_SUM_SQUARES),
    FLAG(world, plane, false),
    FLAG(world, loads, false),
    FLOAT(world, sleep_speed, 0, WEFT_MAX_MAGNITUDE, 0),
    FLOAT(world, sleep_seconds, 1e-6, 1e6, 0.5),
    WHOLE(world, max_joints, 0, 1000000, 64),
    WHOLE(world, max_events, 0, 1 << 30, 4096),
    LONG(world, step_ns, WEFT__MIN_STEP_NS, 1000000000, 16666667),
    WHOLE(world, max_steps, 1, UINT32_MAX, 8),
    LONG(world, max_elapsed_ns, 0, 0x1p63, 0),
    LONG(world, min_elapsed_ns, 0, 1000000000, 0),
    FLAG(world, smooth_elapsed, false),
    ENUM(world, remainder, WEFT_REMAINDER_STEP, WEFT_REMAINDER_CARRY),
    FLAG(world, profile, false),
    WHOLE(world, span_capacity, 0, 1 << 22, 0),
    COUNT(world, worker_count, 1, WEFT_MAX_WORKERS, 1),
    POINTER(world, threads),
    POINTER(world, task_system),
    POINTER(world, worker_cpus),
    POINTER(world, user_data),
    ROW(world, isa, INT, CONDITIONAL, 0, WEFT_ISA_SIMD128, WEFT_ISA_AUTO),
};

static const weft__field threads_rows[] = {
    COUNT(threads, count, 1, WEFT_MAX_WORKERS - 1, 1),
    POINTER(threads, cpus),
    ROW(threads, nice, INT, 0, -40, 39, 0),
    ARRAY(threads, name),
    ROW(threads, stack_bytes, SIZE, OR_ZERO, 1 << 17, 1 << 30, 0),
};

static const weft__field host_rows[] = {
    POINTER(host, context), POINTER(host, allocate),      POINTER(host, release),
    POINTER(host, log),     POINTER(host, assert_failed),
};

// ---- bodies ----

static const weft__field rope_rows[] = {
    ROW(rope, origin, FLOAT, CONDITIONAL, -WEFT_MAX_MAGNITUDE, WEFT_MAX_MAGNITUDE, 0),
    ROW(rope, end, FLOAT, CONDITIONAL, -WEFT_MAX_MAGNITUDE, WEFT_MAX_MAGNITUDE, 0, -1, 0),
    ROW(rope, segments, COUNT, CONDITIONAL, 1, 1000000, 16),
    POINTER(rope, points),
    ROW(rope, point_count, COUNT, CONDITIONAL, 2, 1000001, 0),
    FLOAT(rope, slack, -0.9, 100, 0),
    FLOAT(rope, mass_per_metre, 1e-9, 1e9, 0.1),
    FLAG(rope, pin_origin, false),
    FLAG(rope, pin_end, false),
    ENUM(rope, mode, WEFT_LINK_MODE_STRETCH, WEFT_LINK_MODE_BOTH),
    RELAXATION(rope, relaxation, 1),
    FLOAT(rope, compliance, 0, 1e6, 0),
    TEAR_RATIO(rope),
    BODY_CONTACT(rope),
    FLAG(rope, in_air, true),
};

static const weft__field rod_rows[] = {
    INNER(rod, rope, CONDITIONAL),
    FLOAT(rod, bend_stiffness, 0, 1e12, 1e-3),
    FLOAT(rod, bend_stiffness_2, -1e12, 1e12, -1),
    FLOAT(rod, twist_stiffness, 0, 1e12, 1e-3),
    FLOAT(rod, radius, 1e-6, 1e3, 0.005),
    VECTOR(rod, normal, 0),
    FLOAT(rod, twist, -1e6, 1e6, 0),
    FLAG(rod, keeps_shape, true),
    FLOAT(rod, rest_strain, -1e6, 1e6, 0),
    FLAG(rod, clamp_origin, false),
    FLAG(rod, clamp_end, false),
};

static const weft__field circle_rows[] = {
    PLANE(circle),
    FLOAT(circle, radius, 1e-6, 1e6, 0.5),
    COUNT(circle, count, 3, 1000000, 16),
    FLAG(circle, hub, false),
    FLOAT(circle, mass, 1e-9, 1e9, 1),
    LINKS(circle),
};

static const weft__field box_rows[] = {
    PLANE(box),
    FLOAT(box, width, 1e-6, 1e6, 1),
    FLOAT(box, height, 1e-6, 1e6, 1),
    COUNT(box, columns, 2, 1000, 2),
    COUNT(box, rows, 2, 1000, 2),
    FLOAT(box, mass, 1e-9, 1e9, 1),
    LINKS(box),
};

static const weft__field triangle_rows[] = {
    PLANE(triangle),
    FLOAT(triangle, width, 1e-6, 1e6, 1),
    FLOAT(triangle, height, 1e-6, 1e6, 0.8660254),
    FLOAT(triangle, mass, 1e-9, 1e9, 1),
    LINKS(triangle),
};

static const weft__field tire_rows[] = {
    PLANE(tire),
    FLOAT(tire, radius, 1e-6, 1e6, 0.5),
    // with fewer, the next particle but one is also the previous but one
    COUNT(tire, count, 5, 1000000, 24),
    FLOAT(tire, mass, 1e-9, 1e9, 5),
    RELAXATION(tire, tread_relaxation, 1),
    COMPLIANCE(tire, tread_compliance, 1e-6),
    RELAXATION(tire, spoke_relaxation, 1),
    COMPLIANCE(tire, spoke_compliance, 1e-4),
    TEAR_RATIO(tire),
};

static const weft__field composite_rows[] = {
    PLANE(composite),
    FLOAT(composite, scale, 1e-6, 1e6, 1),
    ARRAY(composite, positions),
    ARRAY(composite, inverse_masses),
    COUNT(composite, particle_count, 1, WEFT_MAX_PARTICLES, 0),
    POINTER(composite, links),
    COUNT(composite, link_count, 0, WEFT_MAX_LINKS, 0),
};

static const weft__field ragdoll_rows[] = {
    PLANE(ragdoll),
    FLOAT(ragdoll, height, 1e-3, 1e3, 1.75),
    FLOAT(ragdoll, mass, 1e-6, 1e6, 75),
    FLAG(ragdoll, flat, true),
    POINTER(ragdoll, joints),
    TEAR_RATIO(ragdoll),
};

static const weft__field tree_rows[] = {
    PLANE(tree),
    COUNT(tree, depth, 0, 16, 5),
    COUNT(tree, branches, 2, 16, 2),
    FLOAT(tree, length, 1e-6, 1e6, 1),
    FLOAT(tree, length_ratio, 0.1, 2, 0.75),
    FLOAT(tree, spread, 0.01, 1.5, 0.5),
    FLOAT(tree, irregularity, 0, 0.9, 0.3),
    NUMBER(tree, seed, 1),
    FLAG(tree, flat, true),
    FLOAT(tree, mass, 1e-9, 1e9, 20),
    FLOAT(tree, bend_compliance, 0, 1e6, 1e-6),
    FLOAT(tree, softening, 1, 100, 2),
    TEAR_RATIO(tree),
};

static const weft__field web_rows[] = {
    PLANE(web),
    FLOAT(web, radius, 1e-6, 1e6, 1),
    COUNT(web, radials, 3, 10000, 16),
    COUNT(web, rings, 1, 10000, 8),
    FLAG(web, spiral, true),
    FLOAT(web, tension, 0, 0.9, 0.02),
    FLOAT(web, mass_per_metre, 1e-9, 1e9, 0.001),
    FLOAT(web, compliance, 0, 1e6, 0.02),
    TEAR_RATIO(web),
};

static const weft__field double_pendulum_rows[] = {
    PLANE(double_pendulum),
    FLOAT(double_pendulum, lengths, 1e-6, 1e6, 1, 1),
    FLOAT(double_pendulum, angles, -100, 100, 2, 2.5),
    FLOAT(double_pendulum, masses, 1e-12, 1e12, 1, 1),
    COMPLIANCE(double_pendulum, compliance, 0),
    TEAR_RATIO(double_pendulum),
};

static const weft__field cloth_rows[] = {
    VECTOR(cloth, origin, 0),
    UNIT(cloth, across, 1, 0, 0),
    UNIT(cloth, down, 0, -1, 0),
    FLOAT(cloth, width, 1e-3, 1e5, 1),
    FLOAT(cloth, height, 1e-3, 1e5, 1),
    COUNT(cloth, columns, 2, 65535, 65),
    POINTER(cloth, positions),
    COUNT(cloth, vertex_count, 0, WEFT_MAX_PARTICLES, 0),
    POINTER(cloth, triangles),
    COUNT(cloth, triangle_count, 0, WEFT_MAX_LINKS / 3, 0),
    NUMBER(cloth, hooks, 0),
    POINTER(cloth, material),
    BODY_CONTACT(cloth),
    FLOAT(cloth, ripple, 0, 0.1, 1e-5),
    NUMBER(cloth, seed, 1),
    FLAG(cloth, in_air, true),
    TEAR_RATIO(cloth),
};

static const weft__field ball_rows[] = {
    VECTOR(ball, origin, 0),
    FLOAT(ball, radius, 1e-4, 1e4, 0.5),
    COUNT(ball, level, 0, 5, 2),
    FLOAT(ball, mass, 1e-6, 1e6, 2),
    FLOAT(ball, stretch_stiffness, 1e-6, INFINITY, 5000),
    FLOAT(ball, bend_stiffness, 0, FLT_MAX, 0),
    FLOAT(ball, pressure, 0, 1e12, 0),
    TEAR_RATIO(ball),
    BODY_CONTACT(ball),
    FLAG(ball, in_air, true),
};

// ---- contacts ----

static const weft__field particle_shape_rows[] = {
    ENUM(particle_shape, shape, WEFT_PARTICLE_SHAPE_ELLIPSOID, WEFT_PARTICLE_SHAPE_POINT),
    ENUM(particle_shape, collision, WEFT_COLLISION_EXACT, WEFT_COLLISION_SOFT),
    ROW(particle_shape, half_size, FLOAT, CONDITIONAL, 0, 1e6, 0),
    INNER(particle_shape, surface, 0),
    NUMBER(particle_shape, category, 1),
    NUMBER(particle_shape, mask, UINT32_MAX),
    WHOLE(particle_shape, material, 0, WEFT_MAX_MATERIALS - 1, 0),
    FLAG(particle_shape, turns, false),
};

static const weft__field particle_rows[] = {
    VECTOR(particle, position, 0),
    VECTOR(particle, velocity, 0),
    ROW(particle, inverse_mass, FLOAT, OR_ZERO, WEFT_MIN_INVERSE_MASS, WEFT_MAX_INVERSE_MASS, 1),
    POINTER(particle, shape),
};

static const weft__field collider_rows[] = {
    ENUM(collider, shape, WEFT_COLLIDER_SHAPE_SUPPORT, WEFT_COLLIDER_SHAPE_SPHERE),
    VECTOR(collider, position, 0),
    UNIT(collider, rotation, 0, 0, 0, 1),
    ROW(collider, radius, FLOAT, CONDITIONAL, 1e-6, 1e9, 1),
    ROW(collider, half_size, FLOAT, CONDITIONAL, 1e-6, 1e9, 0.5, 0.5, 0.5),
    POINTER(collider, points),
    ROW(collider, point_count, COUNT, CONDITIONAL, 1, 1 << 24, 0),
    POINTER(collider, triangles),
    ROW(collider, triangle_count, COUNT, CONDITIONAL, 1, 1 << 25, 0),
    POINTER(collider, samples),
    ROW(collider, size, WHOLE, CONDITIONAL, 2, 65536, 0),
    ROW(collider, spacing, FLOAT, CONDITIONAL, 1e-6, 1e6, 1),
    POINTER(collider, support),
    POINTER(collider, support_context),
    ROW(collider, support_level, WHOLE, CONDITIONAL, 1, 127, 32),
    FLAG(collider, deforms, false),
    FLAG(collider, one_sided, false),
    VECTOR(collider, velocity, 0),
    FLOAT(collider, spin, -1e6, 1e6, 0),
    INNER(collider, surface, 0),
    NUMBER(collider, category, 1),
    NUMBER(collider, mask, UINT32_MAX),
    WHOLE(collider, material, 0, WEFT_MAX_MATERIALS - 1, 0),
    POINTER(collider, user_data),
    NUMBER(collider, environment, WEFT_ALL_ENVIRONMENTS),
};

static const weft__field contact_limits_rows[] = {
    WHOLE(contact_limits, max_pairs, 0, 1 << 30, 0),
    WHOLE(contact_limits, max_ccd_pairs, 0, 1 << 30, 0),
    WHOLE(contact_limits, max_touches, 0, 1 << 30, 0),
    WHOLE(contact_limits, max_events, 0, 1 << 30, 0),
    FLAG(contact_limits, with_stays, false),
};

// ---- changes, vertices, queries ----

static const weft__field wind_rows[] = {
    VECTOR(wind, velocity, 0),
    FLOAT(wind, density, 0, FLT_MAX, 1.2),
    FLOAT(wind, drag, 0, FLT_MAX, 1),
    FLOAT(wind, unsteady_speed, 0, FLT_MAX, 0.5),
    FLOAT(wind, gust, 0, 10, 0),
    POSITIVE(wind, gust_period, FLT_MAX, 1),
    POSITIVE(wind, gust_size, FLT_MAX, 5),
    NUMBER(wind, seed, 1),
};

static const weft__field bounds_rows[] = {
    FLOAT(bounds, lower, -INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY),
    FLOAT(bounds, upper, -INFINITY, INFINITY, INFINITY, INFINITY, INFINITY),
    INNER(bounds, surface, 0),
};

static const weft__field joint_rows[] = {
    NUMBER(joint, particle, 0),
    NUMBER(joint, to, 0),
    FLOAT(joint, weights, 0, 1, 1, 0, 0),
    FLOAT(joint, rest_length, 0, WEFT_MAX_MAGNITUDE, 0),
    COMPLIANCE(joint, compliance, 0),
    FLOAT(joint, break_force, 0, FLT_MAX, 0),
    ENUM(joint, mode, WEFT_LINK_MODE_COMPRESS, WEFT_LINK_MODE_BOTH),
    FLOAT(joint, closing_time, 0, 1e6, 0),
    POINTER(joint, user_data),
};

static const weft__field seam_rows[] = {
    ARRAY(seam, pairs),
    COUNT(seam, count, 1, UINT32_MAX, 0),
    FLOAT(seam, closing_time, 0, 1e6, 1),
    COMPLIANCE(seam, compliance, 0),
    FLOAT(seam, break_force, 0, FLT_MAX, 0),
};

static const weft__field vertices_rows[] = {
    POINTER(vertices, selection),     POINTER(vertices, arrays),
    NUMBER(vertices, array_count, 0), ROW(vertices, interpolation, FLOAT, CONDITIONAL, 0, 1, 1),
    POINTER(vertices, uvs),           ROW(vertices, uv_stride, SIZE, 0, 0, INFINITY, 0),
};

static const weft__field query_rows[] = {
    ENUM(query, kind, WEFT_QUERY_NEAREST, WEFT_QUERY_RAY),
    VECTOR(query, point, 0),
    VECTOR(query, to, 0),
    FLOAT(query, radius, 0, FLT_MAX, 0),
    FLOAT(query, length, 0, INFINITY, INFINITY),
    FLAG(query, particles, true),
    FLAG(query, links, true),
    FLAG(query, faces, true),
    FLAG(query, colliders, true),
    NUMBER(query, mask, UINT32_MAX),
};

// ---- defs ----

#define FIELDS(def, cookie, offset)                                                    \
  const weft__fields weft__##def##_fields = {"weft_" #def "_def",                      \
                                             cookie,                                   \
                                             offset,                                   \
                                             sizeof(weft_##def##_def),                 \
                                             sizeof(def##_rows) / sizeof(*def##_rows), \
                                             def##_rows};
#define DEFAULT(def)                                  \
  weft_##def##_def weft_default_##def##_def(void) {   \
    weft_##def##_def made;                            \
    weft__set_defaults(&weft__##def##_fields, &made); \
    return made;                                      \
  }
#define DEF(def, number) FIELDS(def, number, offsetof(weft_##def##_def, cookie)) DEFAULT(def)

FIELDS(force_curve, 0, 0)
FIELDS(pair_force, 0, 0)
FIELDS(solver, 0, 0)
FIELDS(surface, 0, 0)
FIELDS(link, 0, 0)
DEFAULT(link)
// its default counts CPUs: parallel/threads.c
FIELDS(threads, 0x7412eadeu, offsetof(weft_threads_def, cookie))
WEFT__DEFS(DEF)

#define POINTER_TO(def, cookie) &weft__##def##_fields,
const weft__fields* const weft__fields_of_defs[] = {WEFT__FIELDS_OF_DEFS(POINTER_TO) NULL};
