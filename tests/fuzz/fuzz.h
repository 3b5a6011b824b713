/* What libFuzzer calls, with one input after the other; it never returns but 0. A finding is a
 * report of a sanitizer, or abort(). */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#endif
