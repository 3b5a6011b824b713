/* Snapshots of runs: every scene goes on from a file as if it had never stopped. */
#include <unistd.h>

#include "sim/snapshot.h"
#include "support/sim_runs.h"
#include "support/test.h"

enum { SAVE_AT = ROUNDS(36, 6), END = ROUNDS(42, 10) };

static const char path[] = "sim_snapshot.weft";

static sim_settings settings_of(const char* name, const char** sets) {
  sim_settings settings = sim_default_settings();
  settings.seconds = 100.0;
  settings.threads = 1;
  make_small(name, &settings, sets);
  return settings;
}

// The last of the supported instruction sets but the one of the straight run.
static weft_isa other_isa(weft_isa isa) {
  return isa == WEFT_ISA_SCALAR ? WEFT_ISA_AUTO : WEFT_ISA_SCALAR;
}

static void save(sim_run* run, const char* file) {
  tool_message why;
  if (!sim_run_save(run, file, &why)) ck_abort_msg("%s", why.text);
}

static void expect_refused(sim_run* run, const char* file, const char* part) {
  tool_message why = {""};
  ck_assert(!sim_run_restore(run, file, &why));
  ck_assert_msg(strstr(why.text, part) != NULL, "%s, not %s", why.text, part);
}

LOOP_TEST(every_scene_goes_on_from_a_file_as_if_it_had_never_stopped, 0, (int)sim_scene_count) {
  const char* name = sim_scene_name((size_t)_i);
  const char* sets[MOST_SETS];
  char file[64];
  tool_message why;
  snprintf(file, sizeof file, "%s.%s", path, name);
  sim_settings settings = settings_of(name, sets);
  sim_run* run = new_run(name, &settings);
  take_steps(run, SAVE_AT);
  save(run, file);
  settings.threads = 3;
  settings.isa = other_isa(sim_run_def(run)->isa);
  sim_run* other = new_run(name, &settings);
  if (!sim_run_restore(other, file, &why)) ck_abort_msg("%s: %s", name, why.text);
  (void)unlink(file);
  for (int step = SAVE_AT; step < END; ++step) {
    ck_assert_uint_eq(sim_run_moment(other).step, (uint64_t)step);
    if (weft_world_hash(sim_run_world(run)) != weft_world_hash(sim_run_world(other))) {
      ck_abort_msg("%s: another hash at step %d", name, step);
    }
    take_steps(run, 1);
    take_steps(other, 1);
  }
  sim_facts facts, same;
  ck_assert(sim_run_facts(run, &facts, &why) && sim_run_facts(other, &same, &why));
  ck_assert_uint_eq(facts.hash, same.hash);
  ck_assert_uint_eq(facts.contacts, same.contacts);
  ck_assert_mem_eq(&facts.measures, &same.measures, sizeof same.measures);
  // a restored world may have to fill caches again, which is work
  ck_assert_mem_eq(&facts.met, &same.met, offsetof(weft_contact_stats, work));
}

static void write_altered(const char* from, const char* to, long at, long length) {
  FILE* in = fopen(from, "rb");
  FILE* out = fopen(to, "wb");
  for (long k = 0; length < 0 || k < length; ++k) {
    const int byte = fgetc(in);
    if (byte == EOF) break;
    fputc(k == at ? byte ^ 1 : byte, out);
  }
  fclose(in);
  fclose(out);
}

TEST(files_that_are_not_of_the_run_are_refused_by_name) {
  static const char altered[] = "sim_snapshot_altered.weft";
  const char* sets[MOST_SETS];
  sim_settings settings = settings_of("curtain", sets);
  sim_run* run = new_run("curtain", &settings);
  sim_run* flag = new_run("flag", &settings);
  save(run, path);
  write_altered(path, altered, 0, -1);
  expect_refused(run, altered, "not a snapshot of weft-sim");
  write_altered(path, altered, 8, -1);
  expect_refused(run, altered, "version 2 of snapshots");
  write_altered(path, altered, 60, -1);
  expect_refused(run, altered, "altered since it was saved");
  write_altered(path, altered, 4000, -1);
  expect_refused(run, altered, "snapshot: not a snapshot, or an altered one");
  write_altered(path, altered, -1, 30);
  expect_refused(run, altered, "truncated");
  write_altered(path, altered, -1, 5000);
  expect_refused(run, altered, "truncated");
  expect_refused(flag, path, "of the scene curtain, not flag");
  settings.iterations = 7;
  sim_run* other = new_run("curtain", &settings);
  expect_refused(other, path, "weft_solver_def.iterations: of another scene or other settings");
  (void)unlink(path);
  (void)unlink(altered);
  expect_refused(run, path, "No such file");
}
