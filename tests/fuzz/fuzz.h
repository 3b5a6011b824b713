/* Entry point for libFuzzer, called once per input; it always returns 0. Findings are reports of a
 * sanitizer, or abort(). */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#endif
