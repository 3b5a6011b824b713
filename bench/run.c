#include "run.h"

#include <stdio.h>

#include "command_line.h"
#include "interrupt.h"
#include "report.h"
#include "round_trip.h"

void bench_begin_run(bench_machine* machine) {
  bench_catch_interrupt();
  machine->round_trip_ns = bench_round_trip_ns();
  bench_print_machine(stdout, machine);
  fflush(stdout);
}

int bench_end_interrupted(void) {
  fputs("weft-bench: interrupted, no file was written\n", stderr);
  return BENCH_EXIT_INTERRUPTED;
}
