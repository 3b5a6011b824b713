#include "kernels/kernels.h"
#include "solvers/multigrid/coarsen.h"
#include "support/blends.h"
#include "support/rig.h"
#include "support/test.h"

// Hand-made blends of any length, with gaps and any weights. Blends of real levels are tested in
// test_levels.c.

enum { MOST_BLENDS = 1000 };

typedef struct blend_rig {
  weft__particles particles, parents; /* positions of the parents are the corrections */
  weft__prolongation blends[MOST_BLENDS];
  uint32_t patch_first_blend[2];
  weft__coarse_corrections corrections;
  float follows[MOST_BLENDS + WEFT__PARTICLE_PADDING];
} blend_rig;

static void draw_blend(blend_rig* r, random_source* random, uint32_t first, uint32_t count) {
  weft__prolongation* b = &r->blends[r->patch_first_blend[1]++];
  *b = (weft__prolongation){.first = first, .count = count};
  for (uint32_t j = 0; j < 4; ++j) {
    b->of[j] = random_below(random, r->parents.count - count + 1);
    b->weight[j] = random_chance(random, 3) ? 0.0f : random_float(random, 0.0f, 0.25f);
  }
}

static blend_rig* new_blend_rig(int number) {
  random_source random = {(uint64_t)number};
  const rig_style style = (rig_style)(number % RIG_STYLE_COUNT);
  blend_rig* r = test_alloc(1 * sizeof(*r));
  ck_assert(weft__particles_create(&r->particles, random_from(&random, 1, MOST_BLENDS)));
  ck_assert(weft__particles_create(&r->parents, random_from(&random, 100, 400)));
  fill_particles(&r->particles, &random, style);
  fill_particles(&r->parents, &random, style);
  const uint32_t longest = random_from(&random, 1, 100);
  for (uint32_t first = random_below(&random, 3), count = 0; first < r->particles.count;
       first += count + random_below(&random, 3)) {
    count = random_from(&random, 1, longest);
    if (count > r->particles.count - first) count = r->particles.count - first;
    draw_blend(r, &random, first, count);
  }
  r->corrections = (weft__coarse_corrections){.x = r->parents.pos_x,
                                              .y = r->parents.pos_y,
                                              .z = r->parents.pos_z,
                                              .blends = r->blends,
                                              .patch_first_blend = r->patch_first_blend};
  return r;
}

static void free_blend_rig(blend_rig* r) {
  weft__particles_destroy(&r->particles);
  weft__particles_destroy(&r->parents);
}

// Particles with torn links to their parents, and coordinates of -0, which adding +0 would change.
static void draw_torn(blend_rig* r, random_source* random) {
  for (uint32_t i = 0; i < r->particles.count; ++i) {
    r->follows[i] = random_chance(random, 3) ? 0.0f : 1.0f;
    if (random_chance(random, 4)) r->particles.pos_y[i] = -0.0f;
  }
  r->corrections.follows = r->follows;
}

LOOP_TEST(every_isa_blends_runs_of_any_length_like_scalar_bit_for_bit, 0, ROUNDS(180, 60)) {
  blend_rig* r = new_blend_rig(_i);
  random_source random = {(uint64_t)_i};
  if (_i % 2 == 0) draw_torn(r, &random);
  weft__particles expected = copy_particles(&r->particles);
  weft__kernels_scalar.prolongate(&expected, &r->corrections, 0);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    weft__particles particles = copy_particles(&r->particles);
    weft__kernels_select((weft_isa)isa)->prolongate(&particles, &r->corrections, 0);
    ck_assert_msg(same_particles(&particles, &expected), "%s", weft_isa_name((weft_isa)isa));
  }
  free_blend_rig(r);
}

LOOP_TEST(a_run_of_any_length_follows_its_parents_as_the_formula_says_in_double_precision, 0,
          ROUNDS(40, 10)) {
  blend_rig* r = new_blend_rig(_i * RIG_STYLE_COUNT + RIG_PLAIN);
  weft__particles before = copy_particles(&r->particles);
  weft__particles* p = &r->particles;
  weft__kernels_select(WEFT_ISA_AUTO)->prolongate(p, &r->corrections, 0);
  uint32_t next = 0;
  for (uint32_t b = 0; b < r->patch_first_blend[1]; ++b) {
    const weft__prolongation* blend = &r->blends[b];
    for (; next < blend->first; ++next) require(p->pos_x[next] == before.pos_x[next]);
    for (uint32_t k = 0; k < blend->count; ++k, ++next) {
      weft__parents parents;
      for (uint32_t j = 0; j < WEFT__PARENTS; ++j) {
        parents.of[j] = blend->of[j] + k;
        parents.weight[j] = blend->weight[j];
      }
      const float inv_mass = p->inv_mass[next];
      require(is_blended(&parents, r->corrections.x, inv_mass, before.pos_x[next], p->pos_x[next]));
      require(is_blended(&parents, r->corrections.y, inv_mass, before.pos_y[next], p->pos_y[next]));
      require(is_blended(&parents, r->corrections.z, inv_mass, before.pos_z[next], p->pos_z[next]));
    }
  }
  free_blend_rig(r);
}
