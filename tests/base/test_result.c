#include "base/result.h"

#include "support/test.h"

TEST(version_is_what_the_header_says) {
  char expected[32];
  snprintf(expected, sizeof(expected), "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR,
           WEFT_VERSION_PATCH);
  ck_assert_str_eq(weft_version(), expected);
}

TEST(each_error_has_a_text_of_its_own) {
  for (int e = WEFT_OK; e <= WEFT_ERROR_IN_USE; ++e) {
    ck_assert_uint_gt(strlen(weft_error_text((weft_error)e)), 0);
    for (int f = WEFT_OK; f < e; ++f) {
      ck_assert_str_ne(weft_error_text((weft_error)e), weft_error_text((weft_error)f));
    }
  }
}

TEST(an_error_that_does_not_exist_still_has_a_text) {
  ck_assert_ptr_nonnull(weft_error_text((weft_error)1000));
}
