/* Implicit Euler: one step against a dense solve. */
#include "support/test.h"

// ---- dense reference ----

enum { MOST = 24, MOST_ROWS = 3 * MOST };

typedef struct net {
  uint32_t count;
  double inverse_masses[MOST];
  weft_link_def links[4 * MOST];
  uint32_t link_count;
} net;

static bool is_linked(const net* n, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < n->link_count; ++i) {
    const weft_link_def* link = &n->links[i];
    if ((link->a == a && link->b == b) || (link->a == b && link->b == a)) return true;
  }
  return false;
}

static weft_scene* new_net_scene(random_source* random, net* n) {
  weft_scene* scene = new_scene();
  *n = (net){.count = random_from(random, 2, MOST)};
  (void)add_cloud(scene, random, n->count, 1.0f);
  for (uint32_t i = 0; i < n->count; ++i) {
    float inverse_mass = 0.0f;
    expect_ok(weft_scene_get_particles(scene, i, 1, NULL, &inverse_mass));
    n->inverse_masses[i] = (double)inverse_mass;
  }
  const uint32_t wanted = random_from(random, 1, 4 * n->count);
  for (uint32_t i = 0; i < wanted; ++i) {
    const weft_link_def link = {.a = random_below(random, n->count),
                                .b = random_below(random, n->count),
                                .rest_length = random_float(random, 0.1f, 1.0f),
                                .relaxation = 1.0f,
                                .compliance = random_float(random, 1e-4f, 1e-1f),
                                .spring_damping = random_float(random, 0.0f, 1.0f)};
    if (link.a == link.b || is_linked(n, link.a, link.b)) continue;
    n->links[n->link_count++] = link;
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return scene;
}

typedef struct dense {
  double matrix[MOST_ROWS][MOST_ROWS];
  double side[MOST_ROWS];
} dense;

// adds a link to the system (M - h D - h^2 K) dv = h (f + h K v)
static void add_link(dense* d, const weft_link_def* link, const double* pos, const double* vel,
                     double h) {
  const uint32_t a = 3 * link->a;
  const uint32_t b = 3 * link->b;
  double u[3];
  double square = 0.0;
  for (uint32_t k = 0; k < 3; ++k) {
    u[k] = pos[b + k] - pos[a + k];
    square += u[k] * u[k];
  }
  const double length = sqrt(square);
  double growth = 0.0;
  for (uint32_t k = 0; k < 3; ++k) {
    u[k] /= length;
    growth += u[k] * (vel[b + k] - vel[a + k]);
  }
  const double stiffness = 1.0 / (double)link->compliance;
  const double excess = length - (double)link->rest_length;
  const double tension = stiffness * excess + (double)link->spring_damping * growth;
  for (uint32_t r = 0; r < 3; ++r) {
    d->side[a + r] += h * tension * u[r];
    d->side[b + r] -= h * tension * u[r];
    for (uint32_t c = 0; c < 3; ++c) {
      const double across = excess > 0.0 ? stiffness * excess / length : 0.0;
      const double minus_k =
          stiffness * u[r] * u[c] + across * ((r == c ? 1.0 : 0.0) - u[r] * u[c]);
      const double minus_d = (double)link->spring_damping * u[r] * u[c];
      const double block = h * h * minus_k + h * minus_d;
      d->matrix[a + r][a + c] += block;
      d->matrix[b + r][b + c] += block;
      d->matrix[a + r][b + c] -= block;
      d->matrix[b + r][a + c] -= block;
      d->side[a + r] += h * h * minus_k * (vel[b + c] - vel[a + c]);
      d->side[b + r] -= h * h * minus_k * (vel[b + c] - vel[a + c]);
    }
  }
}

static void pin_row(dense* d, uint32_t row, uint32_t rows) {
  for (uint32_t i = 0; i < rows; ++i) d->matrix[row][i] = d->matrix[i][row] = 0.0;
  d->matrix[row][row] = 1.0;
  d->side[row] = 0.0;
}

// Gaussian elimination without pivots, as the matrix is positive definite; the right-hand side
// becomes the solution.
static void eliminate(dense* d, uint32_t rows) {
  for (uint32_t p = 0; p < rows; ++p) {
    for (uint32_t r = p + 1; r < rows; ++r) {
      const double share = d->matrix[r][p] / d->matrix[p][p];
      for (uint32_t c = p; c < rows; ++c) d->matrix[r][c] -= share * d->matrix[p][c];
      d->side[r] -= share * d->side[p];
    }
  }
  for (uint32_t p = rows; p-- > 0;) {
    for (uint32_t c = p + 1; c < rows; ++c) d->side[p] -= d->matrix[p][c] * d->side[c];
    d->side[p] /= d->matrix[p][p];
  }
}

// adds the velocity changes of one step to vel
static void step_densely(const net* n, const double* pos, double* vel, double h) {
  static dense d;
  d = (dense){0};
  const uint32_t rows = 3 * n->count;
  for (uint32_t i = 0; i < n->link_count; ++i) add_link(&d, &n->links[i], pos, vel, h);
  for (uint32_t i = 0; i < n->count; ++i) {
    for (uint32_t k = 0; k < 3; ++k) {
      if (n->inverse_masses[i] == 0.0) {
        pin_row(&d, 3 * i + k, rows);
        continue;
      }
      d.matrix[3 * i + k][3 * i + k] += 1.0 / n->inverse_masses[i];
      if (k == 1) d.side[3 * i + k] += h / n->inverse_masses[i] * -9.81;
    }
  }
  eliminate(&d, rows);
  for (uint32_t r = 0; r < rows; ++r) vel[r] += d.side[r];
}

RANDOM_TEST(a_step_is_what_a_dense_solve_makes_of_it, ROUNDS(100, 20)) {
  net n;
  weft_scene* scene = new_net_scene(&random, &n);
  const weft_world_def def =
      plain_def(.integrator = WEFT_INTEGRATOR_IMPLICIT_EULER, .springs = true, .undamped = true,
                .step_ns = random_chance(&random, 2) ? 16000000 : 1000000);
  weft_world* world = new_world(&def, scene);
  double pos[MOST_ROWS];
  double vel[MOST_ROWS] = {0.0};
  for (uint32_t i = 0; i < n.count; ++i) {
    float place[3];
    float velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, place);
    for (int k = 0; k < 3; ++k) {
      velocity[k] = n.inverse_masses[i] > 0.0 ? random_float(&random, -1.0f, 1.0f) : 0.0f;
      pos[3 * i + (uint32_t)k] = (double)place[k];
      vel[3 * i + (uint32_t)k] = (double)velocity[k];
    }
    place_particle(world, i, place, velocity);
  }
  step_densely(&n, pos, vel, (double)def.step_ns * 1e-9);
  weft_world_step(world, 1);
  double fastest = 1.0;
  for (uint32_t r = 0; r < 3 * n.count; ++r) fastest = fmax(fastest, fabs(vel[r]));
  for (uint32_t i = 0; i < n.count; ++i) {
    float velocity[3];
    float place[3];
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity);
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, place);
    for (uint32_t k = 0; k < 3; ++k) {
      const double expected = vel[3 * i + k];
      require(fabs((double)velocity[k] - expected) <= 2e-5 * fastest);
      const double moved = expected * (double)def.step_ns * 1e-9;
      require(fabs((double)place[k] - pos[3 * i + k] - moved) <= 1e-6 * fastest);
    }
  }
}
