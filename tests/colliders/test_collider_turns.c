/* Colliders that turn far in a step sweep the volume of their motion, and nothing else.
 *
 * The oracle places each shape at many poses between the first and the last, by a slerp of its own,
 * and computes by a closed form how near it has come to a particle. */
#include "support/collided.h"
#include "support/test.h"

#define POINTS 160u
#define POSES 1500
#define RADIUS 0.005
/* metres: tolerance of the engine's sweep, which takes chords for arcs */
#define MARGIN 0.003

// ---- shapes ----

/* Metres from a shape in its own frame: exact outside of it. */
typedef double distance_function(const double p[3]);

static double from_box(const double p[3], double x, double y, double z) {
  const double a = fmax(fabs(p[0]) - x, 0.0);
  const double b = fmax(fabs(p[1]) - y, 0.0);
  const double c = fmax(fabs(p[2]) - z, 0.0);
  return sqrt(a * a + b * b + c * c);
}

static double from_sphere(const double p[3]) {
  return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 0.2;
}

static double from_capsule(const double p[3]) {
  const double y = fmax(fabs(p[1]) - 0.4, 0.0);
  return sqrt(p[0] * p[0] + y * y + p[2] * p[2]) - 0.1;
}

static double from_plate(const double p[3]) {
  return from_box(p, 0.6, 0.05, 0.3);
}

static double from_slab(const double p[3]) {
  // 0.4 x 0.4 and 1000 deep, from its corner on
  const double middle[3] = {p[0] - 0.2, p[1] + 500.0, p[2] - 0.2};
  return from_box(middle, 0.2, 500.1, 0.2);
}

static double from_grid(const double p[3]) {
  const double x = p[0] - 0.5;
  const double y = p[1] - 0.3;
  const double z = p[2] - 0.3;
  return sqrt(x * x + y * y + z * z) - 0.15;
}

static const float corners[8][3] = {
    {-0.6f, -0.05f, -0.3f}, {0.6f, -0.05f, -0.3f}, {-0.6f, 0.05f, -0.3f}, {0.6f, 0.05f, -0.3f},
    {-0.6f, -0.05f, 0.3f},  {0.6f, -0.05f, 0.3f},  {-0.6f, 0.05f, 0.3f},  {0.6f, 0.05f, 0.3f}};
static const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                      {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                      {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static const float heights[4] = {0.1f, 0.1f, 0.1f, 0.1f};
static float samples[21 * 13 * 13];

static void fill_samples(void) {
  for (int k = 0; k < 13; ++k) {
    for (int j = 0; j < 13; ++j) {
      for (int i = 0; i < 21; ++i) {
        const double p[3] = {0.05 * i, 0.05 * j, 0.05 * k};
        samples[(k * 13 + j) * 21 + i] = (float)from_grid(p);
      }
    }
  }
}

typedef struct turned_shape {
  weft_collider_shape shape;
  distance_function* distance;
} turned_shape;

static const turned_shape shapes[] = {
    {WEFT_COLLIDER_SHAPE_SPHERE, from_sphere},     {WEFT_COLLIDER_SHAPE_CAPSULE, from_capsule},
    {WEFT_COLLIDER_SHAPE_BOX, from_plate},         {WEFT_COLLIDER_SHAPE_HULL, from_plate},
    {WEFT_COLLIDER_SHAPE_MESH, from_plate},        {WEFT_COLLIDER_SHAPE_HEIGHTFIELD, from_slab},
    {WEFT_COLLIDER_SHAPE_DISTANCE_GRID, from_grid}};

static weft_collider_def def_of(const turned_shape* turned) {
  weft_collider_def def = collider_of_shape(turned->shape);
  const bool is_capsule = turned->shape == WEFT_COLLIDER_SHAPE_CAPSULE;
  const bool is_grid = turned->shape == WEFT_COLLIDER_SHAPE_DISTANCE_GRID;
  def.radius = is_capsule ? 0.1f : 0.2f;
  def.half_size[0] = 0.6f;
  def.half_size[1] = is_capsule ? 0.4f : 0.05f;
  def.half_size[2] = 0.3f;
  def.points = &corners[0][0];
  def.point_count = 8;
  def.triangles = &sides[0][0];
  def.triangle_count = 12;
  def.samples = is_grid ? samples : heights;
  def.size[0] = is_grid ? 21 : 2;
  def.size[1] = is_grid ? 13 : 0;
  def.size[2] = is_grid ? 13 : 2;
  def.spacing = is_grid ? 0.05f : 0.4f;
  return def;
}

// ---- the oracle ----

typedef struct turn {
  double axis[3]; /* unit vector */
  double angle;   /* radians, at most half a turn */
  double way[3];  /* metres */
} turn;

// point in the frame of the shape, at a share of the motion
static void see(const turn* t, double share, const double world[3], double seen[3]) {
  const double* n = t->axis;
  double p[3];
  for (int k = 0; k < 3; ++k) p[k] = world[k] - share * t->way[k];
  const double c = cos(-share * t->angle);
  const double s = sin(-share * t->angle);
  const double along = (1.0 - c) * (n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3;
    const int b = (k + 2) % 3;
    seen[k] = c * p[k] + s * (n[a] * p[b] - n[b] * p[a]) + along * n[k];
  }
}

static double distance_at(const turned_shape* shape, const turn* t, double share,
                          const double world[3]) {
  double seen[3];
  see(t, share, world, seen);
  return shape->distance(seen);
}

static double least_distance(const turned_shape* shape, const turn* t, const double world[3]) {
  double lower = INFINITY;
  for (int k = 0; k <= POSES; ++k) {
    lower = fmin(lower, distance_at(shape, t, (double)k / POSES, world));
  }
  return lower;
}

// ---- the engine ----

static void quaternion_of(const turn* t, float sign, float rotation[4]) {
  for (int k = 0; k < 3; ++k) rotation[k] = sign * (float)(t->axis[k] * sin(0.5 * t->angle));
  rotation[3] = sign * (float)cos(0.5 * t->angle);
}

static void send(const turned_shape* shape, const turn* t, float sign, uint32_t substeps,
                 const float* start, float* end) {
  weft_world_def def = def_at(60);
  def.solver.substeps = substeps;
  def.gravity[1] = 0.0f;
  weft_world* world = new_points(&def, start, POINTS);
  const weft_particle_shape_def contact = shape_def(.radius = (float)RADIUS);
  touch_all(world, &contact);
  const weft_collider_def collider = def_of(shape);
  const weft_collider handle = add_collider(world, &collider);
  const float place[3] = {(float)t->way[0], (float)t->way[1], (float)t->way[2]};
  float rotation[4];
  quaternion_of(t, sign, rotation);
  expect_ok(weft_world_move_collider(world, handle, place, rotation));
  weft_world_step(world, 1);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, POINTS, end);
}

static turn random_turn(random_source* random, double angle) {
  turn t = {.angle = angle};
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    t.axis[k] = (double)random_float(random, -1.0f, 1.0f);
    t.way[k] = (double)random_float(random, -0.2f, 0.2f);
    sum += t.axis[k] * t.axis[k];
  }
  for (int k = 0; k < 3; ++k) t.axis[k] /= sqrt(sum);
  return t;
}

// points clear of the shape at its first pose
static void scatter(random_source* random, const turned_shape* shape, const turn* t,
                    float start[POINTS][3]) {
  for (uint32_t i = 0; i < POINTS;) {
    double at[3];
    for (int k = 0; k < 3; ++k) {
      start[i][k] = random_float(random, -0.9f, 0.9f);
      at[k] = (double)start[i][k];
    }
    if (distance_at(shape, t, 0.0, at) > RADIUS + MARGIN) ++i;
  }
}

LOOP_TEST(a_turn_sweeps_what_its_motion_sweeps_and_nothing_else, 0,
          sizeof(shapes) / sizeof(shapes[0])) {
  const double angles[] = {0.05, 0.4, 1.6, 3.1};
  const turned_shape* shape = &shapes[_i];
  random_source random = {(uint64_t)_i + 7};
  fill_samples();
  for (int k = 0; k < 8; ++k) {
    const turn t = random_turn(&random, angles[k / 2]);
    const uint32_t substeps = k % 2 == 0 ? 1 : 4;
    float start[POINTS][3];
    float end[POINTS][3];
    scatter(&random, shape, &t, start);
    send(shape, &t, k / 2 % 2 == 0 ? 1.0f : -1.0f, substeps, &start[0][0], &end[0][0]);
    for (uint32_t i = 0; i < POINTS; ++i) {
      const double was[3] = {(double)start[i][0], (double)start[i][1], (double)start[i][2]};
      const double is[3] = {(double)end[i][0], (double)end[i][1], (double)end[i][2]};
      const double nearest = least_distance(shape, &t, was);
      const bool stays = memcmp(start[i], end[i], sizeof(start[i])) == 0;
      if (nearest > RADIUS + MARGIN && !stays) {
        ck_abort_msg("turn %d: %u is moved, %g m away", k, (unsigned)i, nearest);
      }
      if (nearest < RADIUS - MARGIN && stays) {
        ck_abort_msg("turn %d: %u is not swept along", k, (unsigned)i);
      }
      if (distance_at(shape, &t, 1.0, is) < RADIUS - MARGIN) {
        ck_abort_msg("turn %d: %u is left inside", k, (unsigned)i);
      }
    }
  }
}

/* A bead on a smooth rod that spins at w moves outwards: r = r0 cosh(w t), and leaves no faster. */
TEST(what_a_fast_turn_takes_along_slides_outwards_as_a_bead_on_a_rod) {
  // slices of 1/16 and of 1/64 radian; first order, like the substep
  const struct {
    uint32_t substeps;
    double slack;
  } cases[2] = {{1, 0.16}, {128, 0.04}};
  for (int k = 0; k < 2; ++k) {
    weft_world_def def = def_at(60);
    def.gravity[1] = 0.0f;
    def.solver.substeps = cases[k].substeps;
    const float start[3] = {0.3f, 0.0101f, 0.0f};
    weft_world* world = new_points(&def, start, 1);
    const weft_particle_shape_def contact = weft_default_particle_shape_def();
    touch_all(world, &contact);
    weft_collider_def rod = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
    rod.half_size[0] = 3.0f;
    rod.half_size[1] = 0.01f;
    rod.spin[2] = 120.0f;
    (void)add_collider(world, &rod);
    weft_world_step(world, 1);
    double position[3];
    double velocity[3];
    read_particle(world, 0, position, velocity);
    const double out = 0.3 * cosh(2.0);
    const double speed = 120.0 * hypot(out, 0.3 * sinh(2.0));
    ck_assert_double_eq_tol(hypot(position[0], position[1]), out, cases[k].slack * out);
    ck_assert_double_eq_tol(atan2(position[1], position[0]), 2.0, 0.05);
    ck_assert_double_eq_tol(hypot(velocity[0], velocity[1]), speed, cases[k].slack * speed);
  }
}
