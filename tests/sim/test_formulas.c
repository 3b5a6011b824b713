/* Computed values of scene files: formulas, parameters, repeated and conditional objects, results.
 */
#include <unistd.h>

#include "sim/file/formula.h"
#include "support/scene_files.h"
#include "support/sim_runs.h"
#include "support/test.h"

static const char path[] = "test_formulas.json";

// ---- formulas ----

static const char* const words[] = {"edge", "corner", NULL};

static bool evaluate(const char* text, double* value, bool* is_flag, tool_message* why) {
  const tool_tree root = {.kind = TOOL_TREE_OBJECT, .line = 1};
  const tool_tree item = {.kind = TOOL_TREE_TEXT, .text = text};
  static sim_scope scope;
  sim_formula formula;
  scope.count = 0;
  ck_assert(sim_scope_add(&scope, (sim_name){"size", false, NULL}, 5.0));
  ck_assert(sim_scope_add(&scope, (sim_name){"yes", true, NULL}, 1.0));
  ck_assert(sim_scope_add(&scope, (sim_name){"hold", false, words}, 1.0));
  const sim_source source = {.name = "f", .root = &root, .why = why, .scope = &scope};
  if (!sim_read_formula(&source, NULL, &item, &scope, &formula)) return false;
  *value = sim_formula_value(&formula, &scope, NULL);
  *is_flag = formula.is_flag;
  return true;
}

TEST(a_formula_has_the_value_of_the_same_expression_in_c) {
  static const struct {
    const char* text;
    double value;
    bool is_flag;
  } cases[] = {
      {"1", 1.0, false},
      {"2 + 3 * 4 - 6 / 4 / 2", 2.0 + 3.0 * 4.0 - 6.0 / 4.0 / 2.0, false},
      {"(2 + 3) * -size", -25.0, false},
      {"10 - 3 - 2", 5.0, false},
      {"-7 % 3", 2.0, false},
      {"0.1 * 0.1", 0.1 * 0.1, false},
      {"single(0.1) * single(0.1)", (double)0.1f * (double)0.1f, false},
      {"size > 4 and not (size >= 6) or yes", 1.0, true},
      {"size == 5", 1.0, true},
      {"size != 5 or size < 5 or size <= 4", 0.0, true},
      {"yes", 1.0, true},
      {"yes ? 1 : 2", 1.0, false},
      {"size < 5 ? 1 : size < 6 ? 2 : 3", 2.0, false},
      {"hold is corner", 1.0, true},
      {"not (hold is edge)", 1.0, true},
      {"min(max(1, 2), 3) + abs(-1) + floor(1.5) + ceil(1.5) + round(2.5)", 9.0, false},
      {"length(2, 3, 6)", 7.0, false},
      {"sine(0.25) + cosine(0.5)", 0.0, false},
      {"sqrt(16) + cbrt(27) + sign(-2)", 6.0, false},
      // the first number of SplitMix64 for a seed of 0 is 0xE220A8397B1DCDAF
      {"random(0, 1)", 0.8833108082136426, false},
      {"substeps(1 / 60, 1 / 240)", 4.0, false},
      {"wave(0.25) + wave(0.75)", 0.0, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    double value = (double)NAN;
    bool is_flag = false;
    tool_message why = {""};
    if (!evaluate(cases[i].text, &value, &is_flag, &why)) ck_abort_msg("%s", why.text);
    ck_assert_msg(value == cases[i].value && is_flag == cases[i].is_flag, "%s: %.17g",
                  cases[i].text, value);
  }
}

TEST(a_text_that_is_no_formula_is_refused_with_a_reason) {
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"", "f:1: the formula ends too soon"},
      {"1 +", "f:1: the formula ends too soon"},
      {"1 2", "f:1: the formula has an unexpected '2'"},
      {"(1", "f:1: the formula ends too soon"},
      {"1 ? 2", "f:1: the formula ends too soon"},
      {"sise", "f:1: 'sise' is no name (did you mean size?)"},
      {"sqr(1)", "f:1: 'sqr' is no function"},
      {"min(1)", "f:1: the formula has an unexpected ')'"},
      {"hold is top", "f:1: 'top' is no choice of hold"},
      {"size is edge", "f:1: 'edge' is no choice of size"},
      {"3x", "f:1: the formula has an unexpected '3x'"},
      {"((((((((((((((((((((((((1))))))))))))))))))))))))", "f:1: the formula is too deep"},
      {"------------------------1", "f:1: the formula is too deep"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    double value;
    bool is_flag;
    tool_message why = {""};
    ck_assert_msg(!evaluate(cases[i].text, &value, &is_flag, &why), "%s", cases[i].text);
    ck_assert_str_eq(why.text, cases[i].expected);
  }
}

// ---- files ----

static const char text[] =
    "{\"parameters\": {\n"
    "  \"count\": {\"default\": 3, \"count\": [1, 9], \"about\": \"sheets\"},\n"
    "  \"kind\": {\"default\": \"plain\", \"one_of\": [\"plain\", \"held\"], \"about\": "
    "\"kind\"},\n"
    "  \"falls\": {\"default\": true, \"about\": \"gravity\"}},\n"
    " \"require\": [{\"that\": \"=count != 8\", \"or\": \"8 is one too many\"}],\n"
    " \"let\": {\"width\": \"2 * count\"},\n"
    " \"state\": {\"sum\": [\"0\", \"sum + 1\"]},\n"
    " \"world\": {\"substeps\": 1, \"gravity\": [0, \"=falls ? -10 : 0\", 0], \"damping\": 0,\n"
    "   \"step_ns\": 100000000},\n"
    " \"bodies\": [\n"
    "  {\"repeat\": {\"k\": \"count\"}, \"let\": {\"x\": \"10 * k\"}, \"type\": \"sheet\",\n"
    "   \"columns\": \"=k + 2\", \"rows\": 2, \"origin\": [\"=x\", \"=width\", 0],\n"
    "   \"pin\": {\"if\": \"kind is held\", \"then\": \"all\", \"else\": []}},\n"
    "  {\"if\": \"kind is held\", \"type\": \"particles\", \"positions\": [[0, 0, 0]]}],\n"
    " \"results\": [\n"
    "  {\"name\": \"rows\", \"each\": \"row == 1\", \"take\": \"sum\"},\n"
    "  {\"name\": \"far\", \"each\": \"x\", \"take\": \"max\"},\n"
    "  {\"name\": \"fall\", \"each\": \"y0 - y\", \"take\": \"max\", \"over\": \"max\"},\n"
    "  {\"name\": \"_half\", \"is\": \"t / 2\"},\n"
    "  {\"name\": \"twice\", \"is\": \"4 * _half\"},\n"
    "  {\"name\": \"mean\", \"is\": \"t\", \"over\": \"mean\"},\n"
    "  {\"name\": \"steps\", \"is\": \"sum\"}]}\n";

TEST(parameters_choose_what_a_file_describes) {
  static const struct {
    const char* sets[2];
    uint32_t particles;
    double rows, fall;
  } cases[] = {
      {{"count=3", "kind=plain"}, 18, 9, 0.6},
      {{"count=1", "kind=plain"}, 4, 2, 0.6},
      {{"count=2", "kind=held"}, 11, 5, 0.6},
      {{"falls=false", "count=2"}, 10, 5, 0.0},
  };
  write_bytes(path, text, sizeof text - 1);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sim_settings settings = sim_default_settings();
    tool_message why;
    settings.sets = cases[i].sets;
    settings.set_count = 2;
    sim_run* run = new_run(path, &settings);
    for (int again = 0; again < 2; ++again) {
      take_steps(run, 3);
      ck_assert_uint_eq(stats_of(sim_run_world(run)).particle_count, cases[i].particles);
      ck_assert_double_eq(result_of(run, "rows"), cases[i].rows);
      ck_assert_double_eq_tol(result_of(run, "fall"), cases[i].fall, 1e-5);
      ck_assert_double_eq_tol(result_of(run, "twice"), 0.6, 1e-12);
      ck_assert_double_eq_tol(result_of(run, "mean"), 0.15, 1e-12);
      ck_assert_double_eq(result_of(run, "steps"), 3.0);
      double value;
      const sim_results results = sim_run_results(run);
      ck_assert(!sim_find_result(&results, "_half", &value));
      // the parameters stay
      ck_assert(sim_run_reset(run, &why));
    }
  }
  unlink(path);
}

TEST(what_a_file_refuses_of_its_parameters_is_said_in_its_words) {
  static const struct {
    const char *set, *expected;
    sim_outcome outcome;
  } cases[] = {
      {"count=8", "8 is one too many", SIM_FAILED},
      {"count=10", "--set count: '10' is not a whole number from 1 to 9", SIM_MISUSED},
      {"kind=other", "--set kind: 'other' is not one of plain, held", SIM_MISUSED},
      {"size=3", "--set: 'size' is not a parameter: 'weft-sim list SCENE' names them", SIM_MISUSED},
  };
  write_bytes(path, text, sizeof text - 1);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sim_settings settings = sim_default_settings();
    sim_run* run = NULL;
    tool_message why;
    settings.sets = &cases[i].set;
    settings.set_count = 1;
    ck_assert_int_eq(sim_run_create(path, &settings, &run, &why), cases[i].outcome);
    ck_assert_str_eq(why.text, cases[i].expected);
  }
  unlink(path);
}
