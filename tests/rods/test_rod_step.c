/* A substep of a rod against the same implicit step by an oracle: in reduced coordinates, dense,
 * with rotation matrices, libm, and derivatives by differences. */
#include "support/test.h"

enum { SEGMENTS = 6, POINTS = SEGMENTS + 1, UNKNOWNS = 3 * SEGMENTS + 3 };
// three inertial terms a point, one of spin a segment, three strains an element
enum { TERMS = 3 * POINTS + SEGMENTS + 3 * POINTS };

static const double spacing = 0.05, mass_per_metre = 0.2, radius = 0.02, h = 1.0 / 120.0;

typedef struct matrix {
  double a[3][3]; /* columns are axes */
} matrix;

// ---- rotations ----

static matrix multiply(matrix a, matrix b) {
  matrix c = {0};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) c.a[i][j] += a.a[i][k] * b.a[k][j];
    }
  }
  return c;
}

static matrix transpose(matrix a) {
  matrix c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) c.a[i][j] = a.a[j][i];
  }
  return c;
}

// Rodrigues' formula.
static matrix rotation_by(const double v[3]) {
  const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double s = angle > 0.0 ? sin(angle) / angle : 1.0;
  const double c = angle > 0.0 ? (1.0 - cos(angle)) / (angle * angle) : 0.5;
  const matrix k = {{{0.0, -v[2], v[1]}, {v[2], 0.0, -v[0]}, {-v[1], v[0], 0.0}}};
  const matrix kk = multiply(k, k);
  matrix r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) r.a[i][j] = (i == j) + s * k.a[i][j] + c * kk.a[i][j];
  }
  return r;
}

// Rotation vector between two frames, in their own axes, below half a turn.
static void strain_between(matrix from, matrix to, double v[3]) {
  const matrix m = multiply(transpose(from), to);
  const double part[3] = {m.a[2][1] - m.a[1][2], m.a[0][2] - m.a[2][0], m.a[1][0] - m.a[0][1]};
  const double twice_sine = sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
  const double angle = atan2(twice_sine, m.a[0][0] + m.a[1][1] + m.a[2][2] - 1.0);
  for (int i = 0; i < 3; ++i) v[i] = twice_sine > 0.0 ? part[i] * angle / twice_sine : 0.0;
}

static matrix matrix_of(const float q[4]) {
  const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
  return (matrix){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                   {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                   {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

// ---- the oracle ----

typedef struct oracle {
  bool is_held; /* first point and its frame */
  matrix before[SEGMENTS], clamp;
  double start[POINTS][3]; /* metres: by velocity and gravity alone */
  double origin[3];
  double rest[POINTS][3];
  double stiffness[3];
} oracle;

static double mass_of(int k) {
  return mass_per_metre * spacing * (k == 0 || k == SEGMENTS ? 0.5 : 1.0);
}

static void points_of(const oracle* o, const double u[UNKNOWNS], matrix frames[SEGMENTS],
                      double points[POINTS][3]) {
  for (int i = 0; i < 3; ++i)
    points[0][i] = o->origin[i] + (o->is_held ? 0.0 : u[3 * SEGMENTS + i]);
  for (int s = 0; s < SEGMENTS; ++s) {
    frames[s] = multiply(rotation_by(&u[3 * s]), o->before[s]);
    for (int i = 0; i < 3; ++i) points[s + 1][i] = points[s][i] + spacing * frames[s].a[i][2];
  }
}

// The step minimizes half the sum of the squares of these terms.
static void terms_of(const oracle* o, const double u[UNKNOWNS], double terms[TERMS]) {
  matrix frames[SEGMENTS];
  double points[POINTS][3];
  points_of(o, u, frames, points);
  double* term = terms;
  for (int k = 0; k < POINTS; ++k) {
    const bool is_pinned = o->is_held && k == 0;
    for (int i = 0; i < 3; ++i)
      *term++ = is_pinned ? 0.0 : sqrt(mass_of(k)) * (points[k][i] - o->start[k][i]);
  }
  for (int s = 0; s < SEGMENTS; ++s) {
    double turn[3];
    strain_between(o->before[s], frames[s], turn);
    *term++ = sqrt(0.5 * mass_per_metre * spacing * radius * radius) * turn[2];
  }
  for (int k = 0; k < POINTS; ++k) {
    double strain[3] = {0.0, 0.0, 0.0};
    const double length = k == 0 ? 0.5 * spacing : spacing;
    const bool is_element = k == 0 ? o->is_held : k < SEGMENTS;
    if (is_element) strain_between(k == 0 ? o->clamp : frames[k - 1], frames[k], strain);
    for (int i = 0; i < 3; ++i) {
      const double excess = is_element ? strain[i] - o->rest[k][i] : 0.0;
      *term++ = h * sqrt(o->stiffness[i] / length) * excess;
    }
  }
}

// Gaussian elimination with pivots; the system has a positive diagonal.
static void solve_dense(int n, double a[UNKNOWNS][UNKNOWNS], double b[UNKNOWNS]) {
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      const double f = a[i][k] / a[k][k];
      for (int j = k; j < n; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = n; k-- > 0;) {
    for (int j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

// Gauss and Newton.
static void take_oracle_step(const oracle* o, double u[UNKNOWNS]) {
  static double slope[UNKNOWNS][TERMS];
  const int n = o->is_held ? 3 * SEGMENTS : UNKNOWNS;
  const double d = 1e-6;
  for (int round = 0; round < 60; ++round) {
    double a[UNKNOWNS][UNKNOWNS] = {{0}}, b[UNKNOWNS] = {0}, terms[TERMS], more[TERMS];
    terms_of(o, u, terms);
    for (int j = 0; j < n; ++j) {
      const double former = u[j];
      u[j] = former + d;
      terms_of(o, u, slope[j]);
      u[j] = former - d;
      terms_of(o, u, more);
      u[j] = former;
      for (int t = 0; t < TERMS; ++t) slope[j][t] = (slope[j][t] - more[t]) / (2.0 * d);
    }
    for (int j = 0; j < n; ++j) {
      for (int t = 0; t < TERMS; ++t) b[j] -= slope[j][t] * terms[t];
      for (int k = 0; k < n; ++k) {
        for (int t = 0; t < TERMS; ++t) a[j][k] += slope[j][t] * slope[k][t];
      }
    }
    solve_dense(n, a, b);
    for (int j = 0; j < n; ++j) u[j] += b[j];
  }
}

// ---- the test ----

// An arc with a bend at rest of another radius, two bend stiffnesses and a twist.
static weft_rod_def bent_rod(bool is_held, float* points) {
  weft_rod_def def = bare_rod_def();
  for (int k = 0; k < POINTS; ++k) {
    points[3 * k] = (float)(0.2 * sin(0.25 * k));
    points[3 * k + 1] = (float)(0.2 * cos(0.25 * k));
    points[3 * k + 2] = (float)(0.01 * k);
  }
  def.rope.points = points;
  def.rope.point_count = POINTS;
  def.rope.mass_per_metre = (float)mass_per_metre;
  def.rope.pin_origin = def.clamp_origin = is_held;
  def.radius = (float)radius;
  def.bend_stiffness = 2e-3f;
  def.bend_stiffness_2 = 8e-3f;
  def.twist_stiffness = 3e-3f;
  def.normal[2] = 1.0f;
  def.twist = 1.5f;
  def.keeps_shape = false;
  def.rest_strain[0] = 2.0f;
  def.rest_strain[1] = -3.0f;
  def.rest_strain[2] = -1.0f;
  return def;
}

static void set_oracle(oracle* o, const weft_world* world, const weft_rod_def* def) {
  float frames[SEGMENTS][4], origin[3];
  weft_rod_end end;
  expect_ok(weft_world_get_rod_frames(world, 0, SEGMENTS, frames[0]));
  expect_ok(weft_world_get_rod_end(world, 0, &end));
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, origin);
  for (int s = 0; s < SEGMENTS; ++s) o->before[s] = matrix_of(frames[s]);
  o->clamp = matrix_of(end.frame);
  o->stiffness[0] = (double)def->bend_stiffness;
  o->stiffness[1] = (double)def->bend_stiffness_2;
  o->stiffness[2] = (double)def->twist_stiffness;
  for (int i = 0; i < 3; ++i) {
    o->origin[i] = (double)origin[i];
    for (int k = 0; k < POINTS; ++k)
      o->rest[k][i] = (double)def->rest_strain[i] * spacing * (k == 0 ? 0.5 : 1.0);
  }
}

// Points at the distance that the rod has at rest: the oracle starts there.
static void straighten(float* points) {
  for (int k = 1; k < POINTS; ++k) {
    float edge[3];
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      edge[i] = (float)(0.25 * sin(1.3 * k + i)) + (i == 0 ? 1.0f : 0.0f);
      sum += (double)edge[i] * (double)edge[i];
    }
    for (int i = 0; i < 3; ++i)
      points[3 * k + i] = points[3 * (k - 1) + i] + (float)(spacing / sqrt(sum)) * edge[i];
  }
}

LOOP_TEST(a_substep_is_the_implicit_step_of_a_dense_oracle, 0, 6) {
  const bool is_held = _i % 2 == 0;
  float points[3 * POINTS], velocities[3 * POINTS], after[3 * POINTS];
  weft_rod_def def = bent_rod(is_held, points);
  straighten(points);
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_rod(scene, &def, NULL));
  weft_world* world = new_plain_world(scene, .step_ns = (int64_t)llround(1e9 * h), .undamped = true,
                                      .direct_iterations = 60);
  oracle o = {.is_held = is_held};
  set_oracle(&o, world, &def);
  for (int k = 0; k < POINTS; ++k) {
    for (int i = 0; i < 3; ++i) {
      const bool moves = !(is_held && k == 0);
      velocities[3 * k + i] = moves ? (float)(2.0 * sin(2.0 * k + 3.0 * i + _i)) : 0.0f;
      o.start[k][i] = (double)points[3 * k + i] + h * (double)velocities[3 * k + i] -
                      (i == 1 ? 9.81 * h * h : 0.0);
    }
  }
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, POINTS, velocities, 0);
  weft_world_step(world, 1);
  double u[UNKNOWNS] = {0};
  take_oracle_step(&o, u);
  matrix frames[SEGMENTS];
  double expected[POINTS][3];
  points_of(&o, u, frames, expected);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, POINTS, after);
  for (int k = 0; k < POINTS; ++k) {
    for (int i = 0; i < 3; ++i)
      ck_assert_double_eq_tol((double)after[3 * k + i], expected[k][i], 6e-6);
  }
  float made[SEGMENTS][4];
  expect_ok(weft_world_get_rod_frames(world, 0, SEGMENTS, made[0]));
  for (int s = 0; s < SEGMENTS; ++s) {
    double error[3];
    strain_between(matrix_of(made[s]), frames[s], error);
    for (int i = 0; i < 3; ++i) ck_assert_double_eq_tol(error[i], 0.0, 1e-3);
  }
}
