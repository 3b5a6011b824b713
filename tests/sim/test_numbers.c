/* Formatting of numbers and times by the programs. */
#include <float.h>

#include "common/number.h"
#include "common/progress.h"
#include "support/test.h"

TEST(numbers_are_as_short_as_reads_back_the_same) {
  static const struct {
    double value;
    const char* text;
  } cases[] = {{0.1, "0.1"},
               {1.0 / 3.0, "0.3333333333333333"},
               {9.81, "9.81"},
               {0.1 + 0.2, "0.30000000000000004"},
               {-0.0, "-0"},
               {1e300, "1e+300"},
               {1e6, "1000000"},
               {DBL_MIN, "2.2250738585072014e-308"},
               {DBL_TRUE_MIN, "4.94065645841247e-324"}};
  char text[TOOL_NUMBER_SIZE];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ck_assert_str_eq(tool_shortest(cases[i].value, text), cases[i].text);
    ck_assert(strtod(text, NULL) == cases[i].value);
  }
}

TEST(a_float_is_widened_to_the_number_that_it_was_written_as) {
  ck_assert(tool_widen(0.1f) == 0.1);
  ck_assert(tool_widen(-39.99999f) == -39.99999);
  ck_assert(tool_widen(16777216.0f) == 16777216.0);
  ck_assert(isinf(tool_widen(INFINITY)));
  ck_assert(isnan(tool_widen(NAN)));
  for (float value = FLT_MIN; value < 1e30f; value *= 1.7f) {
    ck_assert((float)tool_widen(value) == value);
  }
}

TEST(one_has_no_plural) {
  ck_assert_str_eq(tool_plural(0), "s");
  ck_assert_str_eq(tool_plural(1), "");
  ck_assert_str_eq(tool_plural(2), "s");
}

TEST(the_time_left_follows_from_the_work_done) {
  static const struct {
    uint64_t done, total;
    double elapsed_ns;
    const char* text;
  } cases[] = {{1, 2, 0.5e9, ""},
               {0, 2, 5e9, ""},
               {1, 4, 2e9, ", 6 s left"},
               {10, 110, 60e9, ", 10 min left"},
               {1, 101, 3600e9, ", 100 h left"},
               {4, 4, 9e9, ", 0 s left"},
               {5, 4, 9e9, ", 0 s left"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[TOOL_TIME_LEFT_SIZE];
    tool_format_time_left(cases[i].done, cases[i].total, cases[i].elapsed_ns, text);
    ck_assert_str_eq(text, cases[i].text);
  }
}
