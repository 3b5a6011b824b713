#include "solver.h"

#include "common/options.h"

const char bench_solver_help[] =
    "  --coarse K           sweeps over each coarse level a step (default 0)\n"
    "  --substeps N         substeps a step (default 1)\n"
    "  --attachments N      long-range attachments of a particle (default 0)\n";

bool bench_solver_take(bench_solver* solver, int option, const char* value, tool_message* why) {
  switch (option) {
    case BENCH_SOLVER_COARSE:
      return tool_parse_count("--coarse", value, (tool_range){0, 10000}, &solver->coarse_iterations,
                              why);
    case BENCH_SOLVER_SUBSTEPS:
      return tool_parse_count("--substeps", value, (tool_range){1, 1000}, &solver->substeps, why);
    default:
      return tool_parse_count("--attachments", value, (tool_range){0, 4}, &solver->attachments,
                              why);
  }
}

void bench_solver_set(const bench_solver* solver, weft_world_def* def) {
  def->coarse_iterations = solver->coarse_iterations;
  def->substeps = solver->substeps;
  def->attachments = solver->attachments;
}
