#include "support/frozen.h"

#include <stdlib.h>

#include "schedule/freeze.h"
#include "support/suite.h"

// assigns a run to its groups, which must begin at the end of the previous run
static uint32_t list_run(frozen* f, const weft__run* run, uint32_t next, uint32_t batch,
                         uint32_t patch) {
  require(run->first_group == next && run->group_count > 0);
  const uint32_t first_segment = f->schedule.patch_first_segment[patch];
  const bool on_records = first_segment < f->schedule.patch_first_segment[patch + 1];
  require(on_records == (run->kind == WEFT__RUN_FAN));
  for (uint32_t g = 0; g < run->group_count; ++g, ++next) {
    require(next < f->schedule.links.group_count);
    f->run_of[next] = run;
    f->batch_of[next] = batch;
    f->patch_of[next] = patch;
  }
  return next;
}

// walks patches, batches and runs in order
static void list_groups(frozen* f) {
  const weft__schedule* s = &f->schedule;
  uint32_t next_group = 0;
  uint32_t next_batch = 0;
  uint32_t next_run = 0;
  for (uint32_t patch = 0; patch < s->patch_count; ++patch) {
    require(s->patch_first_batch[patch] == next_batch);
    require(weft__patch_first_run(s, patch) == next_run);
    for (; next_batch < s->patch_first_batch[patch + 1]; ++next_batch) {
      require(s->batch_first_run[next_batch] == next_run);
      require(s->batch_first_run[next_batch + 1] > next_run);
      for (; next_run < s->batch_first_run[next_batch + 1]; ++next_run) {
        next_group = list_run(f, &s->runs[next_run], next_group, next_batch, patch);
      }
    }
    require(weft__patch_end_run(s, patch) == next_run);
  }
  require(next_run == s->run_count);
  require(next_group == s->links.group_count);
}

static void destroy_schedule(void* schedule) {
  weft__schedule_destroy(schedule);
}

frozen freeze(weft_scene* scene) {
  frozen f = {.scene = scene};
  ck_assert(weft__freeze(&f.schedule, scene, NULL));
  const uint32_t links = weft_scene_link_count(scene);
  ck_assert_uint_eq(f.schedule.links.link_count, links);
  ck_assert_uint_eq(f.schedule.particle_count, weft_scene_particle_count(scene));
  f.links = test_alloc((links + 1) * sizeof(*f.links));
  expect_ok(weft_scene_get_links(scene, 0, links, f.links));
  const size_t groups = (size_t)f.schedule.links.group_count + 1;
  f.run_of = test_alloc(groups * sizeof(*f.run_of));
  f.batch_of = test_alloc(groups * sizeof(*f.batch_of));
  f.patch_of = test_alloc(groups * sizeof(*f.patch_of));
  list_groups(&f);
  weft__schedule* kept = test_alloc(sizeof(*kept));
  *kept = f.schedule;
  destroy_at_end(destroy_schedule, kept);
  return f;
}
