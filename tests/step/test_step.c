#include "step/step.h"

#include "schedule/freeze.h"
#include "support/float_mode.h"
#include "support/rig.h"
#include "support/test.h"

// stepper with exactly this number of workers, where a world might use fewer; on the heap, as
// stages keep its address
static weft__stepper* new_stepper(const weft_scene* scene, weft_isa isa, uint32_t worker_count) {
  weft__stepper* stepper = test_alloc(sizeof(*stepper));
  *stepper = (weft__stepper){
      .physics = {.gravity = {0.5f, -9.81f, 0.25f},
                  .damping = 0.5f,
                  .max_speed = {INFINITY, INFINITY, INFINITY},
                  .h = 16666667e-9},
      .settings.substeps = 1,
      .settings.iterations = 4,
      .kernels = weft__kernels_select(isa),
  };
  ck_assert(weft__stepper_create(stepper, scene));
  ck_assert(weft__stepper_start(stepper, worker_count, NULL));
  return stepper;
}

// ---- against double precision ----

typedef struct slow_particle {
  double position[3], previous[3], inverse_mass;
} slow_particle;

static slow_particle* copy_slowly(const weft__particles* p) {
  slow_particle* slow = test_alloc(p->count * sizeof(*slow));
  for (uint32_t i = 0; i < p->count; ++i) {
    slow[i] = (slow_particle){
        .position = {(double)p->pos_x[i], (double)p->pos_y[i], (double)p->pos_z[i]},
        .previous = {(double)p->prev_x[i], (double)p->prev_y[i], (double)p->prev_z[i]},
        .inverse_mass = (double)p->inv_mass[i]};
  }
  return slow;
}

static void integrate_slowly(slow_particle* p, uint32_t count, const weft__motion* motion) {
  for (uint32_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const double here = p[i].position[axis];
      const double moved = here + (here - p[i].previous[axis]) * (double)motion->kept +
                           (double)motion->displacement[axis];
      p[i].previous[axis] = here;
      if (p[i].inverse_mass > 0.0) p[i].position[axis] = moved;
    }
  }
}

static void solve_slowly(slow_particle* a, slow_particle* b, weft_link_def link) {
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    squared += (b->position[axis] - a->position[axis]) * (b->position[axis] - a->position[axis]);
  }
  const double length = sqrt(squared);
  const double weight = length * (a->inverse_mass + b->inverse_mass);
  if (weight == 0.0) return;
  const double scale = (double)link.relaxation * (length - (double)link.rest_length) / weight;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = b->position[axis] - a->position[axis];
    a->position[axis] += a->inverse_mass * scale * d;
    b->position[axis] -= b->inverse_mass * scale * d;
  }
}

static uint32_t list_links_of_patch(const weft__schedule* s, uint32_t patch,
                                    const uint32_t* link_of_slot, uint32_t* order, uint32_t next) {
  for (uint32_t r = weft__patch_first_run(s, patch); r < weft__patch_end_run(s, patch); ++r) {
    const uint32_t first = s->runs[r].first_group * WEFT__LANES;
    for (uint32_t lane = 0; lane < s->runs[r].group_count * WEFT__LANES; ++lane) {
      const uint32_t link = link_of_slot[first + lane];
      if (link != UINT32_MAX) order[next++] = link;
    }
  }
  return next;
}

// all links in the order of the schedule
static uint32_t* list_links_in_order(const weft__schedule* s) {
  uint32_t* link_of_slot = test_alloc(sizeof(uint32_t) * WEFT__LANES * (s->links.group_count + 1));
  memset(link_of_slot, 0xff, sizeof(uint32_t) * WEFT__LANES * (s->links.group_count + 1));
  for (uint32_t i = 0; i < s->links.link_count; ++i) link_of_slot[s->links.slot_of_link[i]] = i;
  uint32_t* order = test_alloc(sizeof(uint32_t) * (s->links.link_count + 1));
  uint32_t next = 0;
  for (uint32_t color = 0; color < s->color_count; ++color) {
    for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
      if (s->patch_color[patch] != color) continue;
      next = list_links_of_patch(s, patch, link_of_slot, order, next);
    }
  }
  ck_assert_uint_eq(next, s->links.link_count);
  return order;
}

static void step_slowly(const weft__stepper* stepper, const weft_scene* scene, slow_particle* p) {
  const weft__schedule* s = &stepper->schedule;
  uint32_t* order = list_links_in_order(s);
  integrate_slowly(p, s->particle_count, &stepper->motion);
  for (uint32_t iteration = 0; iteration < stepper->settings.iterations; ++iteration) {
    for (uint32_t i = 0; i < s->links.link_count; ++i) {
      weft_link_def link;
      expect_ok(weft_scene_get_links(scene, order[i], 1, &link));
      solve_slowly(&p[s->solver_of[link.a]], &p[s->solver_of[link.b]], link);
    }
  }
}

LOOP_TEST(a_step_moves_the_particles_and_then_solves_the_links_in_the_order_of_the_schedule, 0,
          ROUNDS(24, 16)) {
  // sheets and meshes alone: in a random graph rounding errors grow too fast to compare
  weft_scene* scene = new_scene_case(2 * _i);
  weft__stepper* stepper = new_stepper(scene, WEFT_ISA_AUTO, 2);
  slow_particle* slow = copy_slowly(&stepper->particles);
  for (int step = 0; step < 2; ++step) {
    step_slowly(stepper, scene, slow);
    weft__stepper_run(stepper, 1);
  }
  double worst = 0.0;
  for (uint32_t i = 0; i < stepper->particles.count; ++i) {
    worst = fmax(worst, fabs(slow[i].position[0] - (double)stepper->particles.pos_x[i]));
    worst = fmax(worst, fabs(slow[i].position[1] - (double)stepper->particles.pos_y[i]));
    worst = fmax(worst, fabs(slow[i].position[2] - (double)stepper->particles.pos_z[i]));
  }
  // sheets are up to 150 metres long, where a float resolves 1e-5 metres
  ck_assert_double_lt(worst, 1e-3);
  weft__stepper_destroy(stepper);
}

// ---- motion ----

RANDOM_TEST(motion_is_what_gravity_and_damping_do_in_one_step, 50) {
  weft__physics physics = {
      .gravity = {random_float(&random, -20.0f, 20.0f), 0.0f, random_float(&random, -20.0f, 20.0f)},
      .damping = random_float(&random, 0.0f, 50.0f),
      .max_speed = {random_float(&random, 0.1f, 100.0f), INFINITY, 1e-3f},
  };
  const int64_t step_ns = 1000 + (int64_t)(random_bits(&random) % 999999000u);
  const double h = (double)step_ns * 1e-9;
  physics.h = h;
  const weft__motion motion = weft__step_size_motion(&physics);
  ck_assert_double_eq_tol((double)motion.kept, exp(-(double)physics.damping * h), 3e-4);
  ck_assert_double_eq_tol((double)motion.step_squared, h * h, 1e-7 * h * h);
  for (int axis = 0; axis < 3; ++axis) {
    const float reach = (float)((double)physics.max_speed[axis] * h);
    ck_assert_float_eq(motion.reach[axis], reach);
    const double displacement = (double)physics.gravity[axis] * h * h;
    ck_assert_double_le(fabs((double)motion.displacement[axis] - displacement),
                        1e-6 * fabs(displacement));
  }
}

TEST(no_damping_keeps_all_velocity_and_none_reverses_it) {
  weft__physics physics = {.h = 1.0};
  ck_assert_float_eq(weft__step_size_motion(&physics).kept, 1.0f);
  const float strong[] = {1.0f, 1e3f, 1e10f, 3e38f};
  for (int i = 0; i < 4; ++i) {
    physics.damping = strong[i];
    const float kept = weft__step_size_motion(&physics).kept;
    ck_assert(kept >= 0.0f && kept < 1.0f);
  }
}

// ---- the caller's floating-point unit ----

// scene that is sensitive to rounding mode and denormal numbers
static weft_scene* new_delicate_scene(void) {
  random_source random = {11};
  weft_scene* scene = new_sheet_scene(30, 30, ALL_FAMILIES);
  const float positions[6] = {1e-40f, -3e-41f, 0.0f, 2e-39f, 1e-45f, 1e-38f};
  expect_ok(weft_scene_add_particles(scene, positions, (const float[2]){0.0f, 1.0f}, 2, NULL));
  add_random_graph(scene, &random, 300);
  return scene;
}

LOOP_TEST(a_caller_that_rounds_otherwise_or_flushes_denormals_gets_the_same_bits, 0,
          FLOAT_MODE_COUNT) {
  weft_scene* scene = new_delicate_scene();
  weft__stepper* expected = new_stepper(scene, WEFT_ISA_AUTO, 1);
  weft__stepper_run(expected, 5);
  for (uint32_t worker_count = 1; worker_count <= 3; ++worker_count) {
    weft__stepper* stepper = new_stepper(scene, WEFT_ISA_AUTO, worker_count);
    set_float_mode(_i);
    const unsigned before = get_float_mode();
    weft__stepper_run(stepper, 5);
    const unsigned after = get_float_mode();
    reset_float_mode();
    ck_assert_uint_eq(after, before);
    ck_assert(same_particles(&stepper->particles, &expected->particles));
    weft__stepper_destroy(stepper);
  }
  weft__stepper_destroy(expected);
}
