/* Settings of the solver beside its sweeps: options of commands that compare hashes. */
#ifndef BENCH_SOLVER_H
#define BENCH_SOLVER_H

#include "common/command_line.h"
#include "weft/weft.h"

typedef struct bench_solver {
  uint32_t coarse_iterations, substeps, attachments;
} bench_solver;

enum {
  BENCH_SOLVER_COARSE = TOOL_OPTION_SOLVER,
  BENCH_SOLVER_SUBSTEPS,
  BENCH_SOLVER_ATTACHMENTS,
};

/* clang-format off */
#define BENCH_SOLVER_OPTIONS                                \
  {"coarse", required_argument, NULL, BENCH_SOLVER_COARSE},     \
  {"substeps", required_argument, NULL, BENCH_SOLVER_SUBSTEPS}, \
  {"attachments", required_argument, NULL, BENCH_SOLVER_ATTACHMENTS}
/* clang-format on */

/* The part of a --help about them. */
extern const char bench_solver_help[];

/* Takes one of BENCH_SOLVER_OPTIONS. */
bool bench_solver_take(bench_solver* solver, int option, const char* value, tool_message* why);

void bench_solver_set(const bench_solver* solver, weft_world_def* def);

#endif
