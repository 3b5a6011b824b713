/* Narrow phase of spheres: against the quadratic equation of the time of impact, and one
 * instruction set against the others, bit for bit. */
#include "kernels/kernels.h"
#include "modules/spheres/kernels.h"
#include "support/test.h"

enum { PAIRS = WEFT__SPHERE_PAIRS, BODIES = 2 * PAIRS, CASES = ROUNDS(200, 40) };

static const double step_rate = 240.0;

// pairs of bodies 2 k and 2 k + 1
typedef struct bench {
  weft__body_path paths[BODIES];
  weft__particle_contact contacts[PAIRS];
  weft__sphere_pairs pairs;
} bench;

static void place(bench* b, uint32_t pair, random_source* random, float reach) {
  for (int end = 0; end < 2; ++end) {
    weft__body_path* path = &b->paths[2 * pair + (uint32_t)end];
    *path = (weft__body_path){.inv_mass = random_float(random, 0.5f, 2.0f)};
    for (int axis = 0; axis < 3; ++axis) {
      path->from[axis] = random_float(random, -1.0f, 1.0f);
      path->to[axis] = path->from[axis] + random_float(random, -reach, reach);
    }
  }
}

static void make_bench(bench* b, random_source* random, float reach) {
  memset(b, 0, sizeof(*b));
  b->pairs = (weft__sphere_pairs){.paths = b->paths,
                                  .contacts = b->contacts,
                                  .rate = step_rate,
                                  .max_displacement = 2.0 * (double)reach,
                                  .slop_share = 0.001f,
                                  .count = PAIRS};
  for (uint32_t k = 0; k < PAIRS; ++k) {
    place(b, k, random, reach);
    b->pairs.contact[k] = PAIRS - 1 - k;
    b->pairs.first[k] = 2 * k;
    b->pairs.second[k] = 2 * k + 1;
    b->pairs.radii[k] = (double)random_float(random, 0.1f, 0.5f);
    b->pairs.size[k] = 0.5 * b->pairs.radii[k];
    b->pairs.restitution[k] = 0.5;
    b->pairs.static_friction[k] = random_float(random, 0.0f, 1.0f);
    b->pairs.dynamic_friction[k] = 0.5f * b->pairs.static_friction[k];
    b->contacts[k].bounce = -1.0f;
  }
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Offset of a pair at the begin, and its displacement.
static void motion_of(const bench* b, uint32_t pair, double offset[3], double displacement[3]) {
  const weft__body_path* of = &b->paths[2 * pair];
  for (int axis = 0; axis < 3; ++axis) {
    offset[axis] = (double)of[1].from[axis] - (double)of[0].from[axis];
    displacement[axis] = (double)of[1].to[axis] - (double)of[0].to[axis] - offset[axis];
  }
}

// Smaller root of |offset + t displacement| = radii; NaN if there is none in (0, 1), or the paths
// graze.
static double time_of_impact(const bench* b, uint32_t pair) {
  double offset[3], displacement[3];
  motion_of(b, pair, offset, displacement);
  const double radii = b->pairs.radii[pair];
  const double square = dot(displacement, displacement), half = dot(offset, displacement);
  const double root = half * half - square * (dot(offset, offset) - radii * radii);
  if (!(root > 1e-3 * square) || half > 0.0) return (double)NAN;
  const double t = (-half - sqrt(root)) / square;
  return t > 0.0 && t < 1.0 ? t : (double)NAN;
}

// The second body of each pair moves to where the first one was, or near it.
static void aim(bench* b, random_source* random) {
  for (uint32_t k = 0; k < PAIRS; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      b->paths[2 * k + 1].to[axis] = b->paths[2 * k].from[axis] + random_float(random, -0.3f, 0.3f);
    }
  }
}

TEST(impacts_are_where_the_quadratic_equation_has_them) {
  const weft__kernels* kernels = weft__kernels_select(WEFT_ISA_SCALAR);
  random_source random = {1};
  int impacts = 0;
  for (int round = 0; round < CASES; ++round) {
    bench b;
    make_bench(&b, &random, 0.3f);
    b.pairs.max_displacement = 4.0;
    aim(&b, &random);
    weft__body_kernels_of(kernels)->make_sphere_contacts(&b.pairs);
    for (uint32_t k = 0; k < PAIRS; ++k) {
      const double t = time_of_impact(&b, k);
      if (!(t < 1.0)) continue;
      ++impacts;
      double offset[3], displacement[3], approach = 0.0;
      motion_of(&b, k, offset, displacement);
      const weft__particle_contact* c = &b.contacts[PAIRS - 1 - k];
      ck_assert(c->mass > 0.0f);
      for (int axis = 0; axis < 3; ++axis) {
        const double normal = (offset[axis] + t * displacement[axis]) / b.pairs.radii[k];
        ck_assert_double_eq_tol((double)c->normal[axis], normal, 1e-4);
        approach -= normal * displacement[axis];
      }
      ck_assert_double_eq_tol((double)c->gap, t * approach, 1e-4);
      // half of the speed of the impact, without gravity
      ck_assert_double_eq_tol((double)c->bounce, 0.5 * approach * step_rate, 0.05);
      ck_assert_double_eq_tol((double)c->min_separation_speed, -t * approach * step_rate, 0.05);
    }
  }
  ck_assert_int_gt(impacts, 2 * CASES);
}

// Pairs that few bodies make.
static void spoil(bench* b, random_source* random) {
  // centres in one place, at rest; one that is no number; two pinned; a contact that bounced
  b->paths[1] = b->paths[0];
  memcpy(b->paths[0].to, b->paths[0].from, sizeof(b->paths[0].to));
  memcpy(b->paths[1].to, b->paths[1].from, sizeof(b->paths[1].to));
  b->paths[3].to[1] = NAN;
  b->paths[4].inv_mass = b->paths[5].inv_mass = 0.0f;
  b->paths[7].inv_mass = 0.0f;
  for (uint32_t k = 0; k < PAIRS; ++k) {
    b->pairs.rest_speed[k] = (double)random_float(random, 0.0f, 50.0f);
    for (int axis = 0; axis < 3; ++axis) {
      b->pairs.gravity[axis][k] = (double)random_float(random, -20.0f, 20.0f);
    }
    b->contacts[k].impulse = (weft__impulse){1.0f, {2.0f, 3.0f, 4.0f}};
    if (k % 3 == 0) b->contacts[k].bounce = 1.0f;
  }
  b->pairs.count = random_below(random, PAIRS) + 1;
}

TEST(all_instruction_sets_have_the_same_bits) {
  random_source random = {2};
  for (int round = 0; round < CASES; ++round) {
    bench scalar;
    make_bench(&scalar, &random, round % 2 == 0 ? 0.02f : 1.0f);
    spoil(&scalar, &random);
    bench start = scalar;
    weft__body_kernels_of(weft__kernels_select(WEFT_ISA_SCALAR))
        ->make_sphere_contacts(&scalar.pairs);
    for (int isa = next_isa(WEFT_ISA_SCALAR); isa < ISA_END; isa = next_isa(isa)) {
      bench other = start;
      other.pairs.paths = other.paths;
      other.pairs.contacts = other.contacts;
      weft__body_kernels_of(weft__kernels_select((weft_isa)isa))
          ->make_sphere_contacts(&other.pairs);
      ck_assert_mem_eq(other.contacts, scalar.contacts, sizeof(other.contacts));
    }
  }
}

TEST(odd_pairs_are_told_apart) {
  random_source random = {3};
  bench b;
  make_bench(&b, &random, 0.02f);
  spoil(&b, &random);
  b.pairs.count = PAIRS;
  weft__body_kernels_of(weft__kernels_select(WEFT_ISA_SCALAR))->make_sphere_contacts(&b.pairs);
  const weft__particle_contact* c = &b.contacts[PAIRS - 1];
  ck_assert(c->mass > 0.0f && c->normal[1] == 1.0f);
  ck_assert_double_eq_tol((double)c->gap, -b.pairs.radii[0], 1e-6);
  for (uint32_t k = 1; k < 3; ++k) {
    ck_assert(b.contacts[PAIRS - 1 - k].mass == 0.0f);
    ck_assert(b.contacts[PAIRS - 1 - k].impulse.normal == 0.0f);
  }
}
