/* Runs with a time scale: slow motion and fast motion. */
#include <unistd.h>

#include "support/sim_runs.h"
#include "support/test.h"

LOOP_TEST(every_scene_is_the_same_in_slow_motion_and_in_fast, 0, (int)sim_scene_count) {
  static const double scales[] = {1.0, 0.3, 3.3, 1000.0};
  const sim_scene* scene = sim_scene_at((size_t)_i);
  uint64_t first = 0;
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
    sim_settings settings = sim_default_settings();
    const char* sets[MOST_SETS];
    settings.seconds = 0.1;
    settings.time_scale = scales[i];
    make_small(scene->name, &settings, sets);
    sim_run* run = new_run(scene->name, &settings);
    run_to_the_end(run);
    const sim_facts facts = facts_of(run);
    if (i == 0) first = facts.hash;
    ck_assert_uint_eq(facts.hash, first);
    ck_assert_uint_eq(facts.stats.step_count, sim_run_length(run));
    // tolerance of one frame, as its last step may begin early in the frame
    const double frame = fmin(1.0, 1.0 / scales[i]) * sim_run_moment(run).h;
    ck_assert_double_eq_tol(facts.elapsed, sim_run_moment(run).time / scales[i], 1.01 * frame);
  }
}

TEST(steps_that_depend_on_the_frames_have_no_time_scale) {
  static const char path[] = "test_sim_pace_scene.json";
  FILE* file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(
      "{\"world\": {\"remainder\": \"step\"},\n"
      " \"bodies\": [{\"type\": \"particles\", \"name\": \"p\", \"positions\": [[0, 0, 0]]}]}",
      file);
  fclose(file);
  sim_run* run = new_run_of(path, 60.0, 1.0, SETS(NULL));
  sim_settings settings = sim_default_settings();
  tool_message why;
  settings.time_scale = 0.5;
  ck_assert_int_eq(sim_run_create(path, &settings, &run, &why), SIM_FAILED);
  ck_assert_str_eq(why.text, "--time-scale: the scene has steps that depend on the frames");
  unlink(path);
}
