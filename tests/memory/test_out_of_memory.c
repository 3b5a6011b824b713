/* Every allocation and every start of a thread may fail while a scene grows or a world is made: the
 * call then returns an error and changes nothing. */
#include "parallel/worker_pool.h"
#include "support/bend_scenes.h"
#include "support/shortage.h"
#include "support/snapshot.h"
#include "support/test.h"

// ---- scenes ----

TEST(a_scene_that_cannot_be_made_says_so) {
  weft_scene* scene = NULL;
  ck_assert(fails_after(0, weft_scene_create(&scene)));
  ck_assert_ptr_null(scene);
}

// ---- worlds ----

// Sheets, graphs, meshes and mixed scenes of one patch and of several: each allocation makes all
// before it once more.
static const int scene_cases[] = {0, 1, 26, 39, 4, 5, 34, 7};
enum { SCENE_CASES = sizeof(scene_cases) / sizeof(*scene_cases) };

LOOP_TEST(a_world_that_finds_no_memory_says_so_wherever_it_runs_out, 0, SCENE_CASES) {
  weft_scene* scene = new_scene_case(scene_cases[_i]);
  const weft_world_def def = held_def(0);
  make_world_of_what_there_is(&def, scene);
}

TEST(a_world_with_coarse_levels_that_finds_no_memory_says_so) {
  weft_scene* scene = new_soft_scene();
  const weft_world_def def = held_def(3);
  make_world_of_what_there_is(&def, scene);
}

// ---- threads ----

TEST(a_world_that_finds_no_threads_says_so_and_ends_those_that_it_started) {
  weft_scene* scene = new_scene();
  const weft_world_def def = held_def(0);
  (void)add_sheet(scene, 100, 100, ALL_FAMILIES);
  for (int n = 0; n < 3; ++n) {
    threads_left = n;
    ck_assert(!try_world(&def, scene));
  }
  ck_assert(try_world(&def, scene));
}

TEST(a_pool_that_finds_no_threads_ends_those_that_it_started) {
  for (uint32_t worker_count = 2; worker_count <= 16; ++worker_count) {
    for (int n = 0; n < (int)worker_count - 1; ++n) {
      threads_left = n;
      ck_assert_ptr_null(weft__worker_pool_create(worker_count, NULL));
    }
  }
  threads_left = -1;
}
