/* Sweeps by strain: sheets that stretch take more, until they do not. */
#include "support/isas.h"
#include "support/saved.h"
#include "support/test.h"

enum { SIDE = 48, SECOND = 60, ALL = 16 };

// A sheet that is thrown down from the horizontal, held by two corners.
static weft_world* new_sheet(weft_world_def def) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = 2.0f / SIDE);
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  expect_ok(weft_scene_pin(scene, weft_range(SIDE - 1, 1)));
  weft_world* world = new_world(&def, scene);
  const float down[3] = {0.0f, -8.0f, 0.0f};
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, SIDE, SIDE * (SIDE - 1), down, WEFT_SAME);
  return world;
}

typedef struct fall {
  uint32_t most_sweeps, last_sweeps;
  double strain; /* the largest mean of a step */
} fall;

static fall fall_of(weft_world_def def, int steps) {
  weft_world* world = new_sheet(def);
  fall f = {0};
  for (int step = 0; step < steps; ++step) {
    weft_world_step(world, 1);
    f.last_sweeps = stats_of(world).sweeps;
    if (f.last_sweeps > f.most_sweeps) f.most_sweeps = f.last_sweeps;
    f.strain = fmax(f.strain, measures_of(world).mean_strain);
  }
  return f;
}

TEST(a_sheet_that_stretches_takes_more_sweeps_until_it_rests) {
  weft_world_def def = weft_default_world_def();
  def.damping = 2.0f;
  const fall f = fall_of(def, 6 * SECOND);
  def.solver.iterations = 2;
  const fall fixed = fall_of(def, SECOND);
  ck_assert_msg(f.strain < 0.6 * fixed.strain, "strain %g, %g of two sweeps", f.strain,
                fixed.strain);
  ck_assert_uint_ge(f.most_sweeps, 2 * ALL);
  ck_assert_uint_le(f.most_sweeps, 4 * ALL);
  ck_assert_uint_eq(f.last_sweeps, ALL);
  ck_assert_uint_eq(fixed.most_sweeps, fixed.last_sweeps);
}

TEST(sweeps_adapt_with_given_substeps_and_in_every_quality) {
  for (int quality = WEFT_QUALITY_FINE; quality <= WEFT_QUALITY_EXACT; ++quality) {
    for (uint32_t substeps = 0; substeps <= 4; substeps += 4) {
      weft_world_def def = weft_default_world_def();
      def.solver.quality = (weft_quality)quality;
      def.solver.substeps = substeps > 0 ? substeps : WEFT_AUTO;
      const fall f = fall_of(def, SECOND);
      const uint32_t all = substeps > 0 ? 2 * substeps : quality == WEFT_QUALITY_DRAFT ? 8 : ALL;
      ck_assert_msg(f.most_sweeps > all, "quality %d, %u substeps: %u sweeps", quality, substeps,
                    f.most_sweeps);
    }
  }
}

// A tolerance ends sweeps by itself; strain of other bodies is no error of theirs.
TEST(given_sweeps_and_bodies_that_may_stretch_keep_their_number) {
  const weft_material_def cotton = material_def(.bend_stiffness = 0.0f);
  for (int kind = 0; kind < 4; ++kind) {
    weft_world_def def = weft_default_world_def();
    weft_scene* scene = new_scene();
    weft_sheet_def sheet = sheet_def(.side = 16, .spacing = 0.1f);
    if (kind == 0) sheet.material = &cotton;
    if (kind == 1) sheet.tear_ratio = 3.0f;
    if (kind == 2) def.solver.iterations = 2;
    if (kind == 3) def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
    expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
    weft_world* world = new_world(&def, scene);
    const float push[3] = {0.0f, 0.0f, 20.0f};
    expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 200, 50, push, WEFT_SAME);
    weft_world_step(world, 1);
    const uint32_t sweeps = stats_of(world).sweeps;
    for (int step = 0; step < 20; ++step) {
      weft_world_step(world, 1);
      ck_assert_msg(stats_of(world).sweeps == sweeps, "kind %d: %u sweeps, %u before", kind,
                    stats_of(world).sweeps, sweeps);
    }
  }
}

TEST(more_sweeps_have_the_same_bits_for_any_isa_workers_and_from_a_snapshot) {
  uint64_t expected = 0;
  for (int isa = next_isa(WEFT_ISA_AUTO); isa != ISA_END; isa = next_isa(isa)) {
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
      weft_world_def def = weft_default_world_def();
      def.isa = (weft_isa)isa;
      def.worker_count = workers;
      weft_world* world = new_sheet(def);
      weft_world_step(world, 40);
      ck_assert_uint_gt(stats_of(world).sweeps, ALL);
      const saved_world saved = save_world(world);
      weft_world_step(world, 20);
      const uint64_t hash = weft_world_hash(world);
      weft_world* fresh = new_sheet(def);
      restore_world(fresh, &saved);
      weft_world_step(fresh, 20);
      ck_assert_uint_eq(weft_world_hash(fresh), hash);
      if (expected == 0) expected = hash;
      ck_assert_uint_eq(hash, expected);
    }
  }
}
