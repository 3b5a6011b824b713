
#include "support/frozen.h"
#include "support/test.h"

LOOP_TEST(particles_without_links_make_a_schedule_without_groups, 0, 5) {
  random_source random = {3};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, 1 + 700 * (uint32_t)_i, 1.0f);
  frozen f = freeze(scene);
  ck_assert_uint_eq(f.schedule.links.group_count, 0);
  ck_assert_uint_eq(f.schedule.run_count, 0);
  ck_assert_uint_ge(f.schedule.color_count, 1);
}
