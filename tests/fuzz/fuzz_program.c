/* Random programs of API calls: see program.h. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "fuzz/program.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const program_options options = {.scale = 1};
  program_report report;
  if (!program_run(data, size, &options, &report)) {
    fprintf(stderr, "fuzz: %s\n", report.violation);
    abort();
  }
  return 0;
}
