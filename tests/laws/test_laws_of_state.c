#include "laws/suite_of_laws.h"

START_TEST(each_case_holds_or_is_known) {
  expect_law(&cases.items[_i]);
}

SUITE(laws_of_state) {
  keep_cases_of("laws_of_state");
  tcase_add_loop_test(tests, each_case_holds_or_is_known, 0, (int)cases.count);
}
