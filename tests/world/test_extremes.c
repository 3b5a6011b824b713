/* Stiffnesses, masses, steps and lengths at the ends of their ranges: the world stays finite. */
#include "support/collided.h"
#include "support/finite.h"
#include "support/test.h"

typedef struct end_case {
  float compliance, spring_damping;
  float inverse_mass;
  int64_t step_ns;
} end_case;

static const float ends_of_compliance[] = {1e-45f, 1e-12f, 1.0f, 1e12f};
static const float ends_of_damping[] = {0.0f, 1e12f};
static const float ends_of_mass[] = {WEFT_MIN_INVERSE_MASS, 1.0f, WEFT_MAX_INVERSE_MASS};
static const int64_t ends_of_step[] = {1000, 16666667, 1000000000};

static end_case end_case_of(int number) {
  end_case c = {.compliance = ends_of_compliance[number % 4]};
  number /= 4;
  c.spring_damping = ends_of_damping[number % 2];
  number /= 2;
  c.inverse_mass = ends_of_mass[number % 3];
  c.step_ns = ends_of_step[number / 3];
  return c;
}
enum { END_CASES = 4 * 2 * 3 * 3 };

// deformed chain; one of its masses is that of the case
static weft_world* new_chain(const end_case* c, weft_integrator integrator, bool springs) {
  const float positions[12] = {0.0f, 0.0f, 0.0f, 1.1f, 0.0f, 0.0f,
                               2.0f, 0.5f, 0.0f, 3.0f, 0.5f, 0.3f};
  const float inverse_masses[4] = {0.0f, 1.0f, c->inverse_mass, 1.0f};
  weft_scene* scene = new_points_scene(positions, inverse_masses, 4);
  for (uint32_t i = 0; i < 3; ++i) {
    const weft_link_def link = {.a = i,
                                .b = i + 1,
                                .rest_length = 1.0f,
                                .relaxation = 1.0f,
                                .compliance = c->compliance,
                                .spring_damping = c->spring_damping};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return new_plain_world(scene, .step_ns = c->step_ns, .integrator = integrator,
                         .springs = springs);
}

LOOP_TEST(links_of_any_stiffness_and_mass_step_on_finite_numbers, 0, END_CASES) {
  const end_case c = end_case_of(_i);
  for (int integrator = WEFT_INTEGRATOR_POSITION_VERLET;
       integrator <= WEFT_INTEGRATOR_RUNGE_KUTTA_4; ++integrator) {
    for (int springs = 0; springs < 2; ++springs) {
      weft_world* world = new_chain(&c, (weft_integrator)integrator, springs == 1);
      for (int step = 0; step < 20; ++step) {
        weft_world_step(world, 1);
        char name[128];
        snprintf(name, sizeof(name),
                 "integrator %d, springs %d, step %d, %lld ns, damping %g, %g/kg", integrator,
                 springs, step, (long long)c.step_ns, (double)c.spring_damping,
                 (double)c.inverse_mass);
        expect_finite(world, name, c.compliance);
      }
    }
  }
}

LOOP_TEST(shapes_without_end_that_spin_throw_particles_to_finite_places, 0, 6) {
  static const float spins[] = {3.0f, 400.0f, 1e6f};
  const weft_collider_shape shape =
      _i % 2 == 0 ? WEFT_COLLIDER_SHAPE_PLANE : WEFT_COLLIDER_SHAPE_HALF_SPACE;
  const float positions[6] = {0.0f, -0.1f, 0.3f, 0.2f, -1.0f, -0.9f};
  const weft_link_def link = {.a = 0, .b = 1, .rest_length = 0.7f, .relaxation = 0.5f};
  weft_scene* scene = new_scene();
  const float inverse_masses[2] = {1.0f, 2.0f};
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_world(&def, scene);
  weft_particle_shape_def contact = sphere_contact(0.02f);
  contact.surface.restitution = 1.0f;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2), &contact));
  weft_collider_def collider = collider_of_shape(shape);
  collider.spin[0] = spins[_i / 2];
  (void)add_collider(world, &collider);
  for (int step = 0; step < 200; ++step) {
    weft_world_step(world, 1);
    expect_finite(world, "spin", collider.spin[0]);
  }
}

// particles in one point, links of the largest length, any mass: a quotient by the length
// overflowed
LOOP_TEST(coincident_ends_of_long_links_stay_at_finite_places, 0, 6) {
  static const float inverse_masses[] = {WEFT_MIN_INVERSE_MASS, 1.0f, WEFT_MAX_INVERSE_MASS};
  const float inverse_mass = inverse_masses[_i / 2];
  enum { ENDS = 40 };
  float positions[3 * ENDS] = {0}, masses[ENDS];
  weft_link_def links[ENDS - 1];
  for (uint32_t i = 0; i < ENDS; ++i) masses[i] = i % 7 == 0 ? 1.0f : inverse_mass;
  for (uint32_t i = 0; i + 1 < ENDS; ++i) {
    links[i] = weft_default_link_def();
    links[i].a = i;
    links[i].b = i + 1;
    links[i].rest_length = WEFT_MAX_MAGNITUDE;
    links[i].compliance = _i % 2 == 0 ? 0.0f : 1e-9f;
  }
  weft_scene* scene = new_points_scene(positions, masses, ENDS);
  expect_ok(weft_scene_add_links(scene, links, ENDS - 1, NULL));
  weft_world_def def = weft_plain_world_def();
  def.solver.direct_iterations = 0;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 3);
  expect_finite(world, "inverse mass", inverse_mass);
}
