/* One hash of a case for any number of workers and instruction set, with enough copies of the body
 * for several patches. */
#include "laws/trial.h"
#include "support/isas.h"
#include "support/suite.h"

enum { CASES = ROUNDS(108, 26), COPIES = 6, STEPS = 8 };

// rows that go together: each body, path and setting in several cases
static law_case case_of(uint32_t n) {
  law_case c = {.law = law_find_name("state", laws, law_count, sizeof(laws[0])),
                .body = n % law_body_count,
                .setting = (n + n / law_setting_count) % law_setting_count};
  for (uint32_t k = 0; k < law_path_count; ++k) {
    c.path = (5 * n + n / law_body_count + k) % law_path_count;
    if (law_applies(&c)) return c;
  }
  c.setting = 0;
  return c;
}

static uint64_t hash_of(const law_case* c, weft_isa isa, uint32_t workers) {
  trial_def def = default_trial();
  def.friction = 0.5f, def.copies = COPIES, def.isa = isa, def.workers = workers;
  law_trial* trial = trial_open(c, &def);
  trial_push(trial, 0.3f, 5);
  trial_step(trial, STEPS);
  const uint64_t hash = weft_world_hash(trial->world);
  trial_close(trial);
  return hash;
}

LOOP_TEST(workers_and_instruction_sets_change_no_bit_of_a_case, 0, CASES) {
  const law_case c = case_of((uint32_t)_i);
  char name[LAW_CASE_SIZE];
  law_format_case(&c, name);
  int isa = WEFT_ISA_SCALAR;
  for (int k = 0; k <= _i % 4 && next_isa(isa) < ISA_END; ++k) isa = next_isa(isa);
  const uint64_t expected = hash_of(&c, WEFT_ISA_SCALAR, 1);
  ck_assert_msg(hash_of(&c, (weft_isa)isa, 2 + (uint32_t)_i % 3) == expected, "%s", name);
}
