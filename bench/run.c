#include "run.h"

#include "common/command_line.h"
#include "common/interrupt.h"
#include "report.h"
#include "round_trip.h"

/* Times of a build with assertions would be taken for the library's. */
bool bench_check_build(const char* option, tool_message* why) {
#ifndef NDEBUG
  if (option) {
    return tool_because(why, "this is a debug build: it writes no results (%s)", option);
  }
#endif
  (void)option;
  (void)why;
  return true;
}

void bench_begin_run(FILE* out, bench_machine* machine) {
  tool_catch_interrupt();
  machine->round_trip_ns = bench_round_trip_ns();
  bench_print_machine(out, machine);
  fflush(out);
}

int bench_end_interrupted(void) {
  fputs("weft-bench: interrupted, no file was written\n", stderr);
  return TOOL_EXIT_INTERRUPTED;
}
