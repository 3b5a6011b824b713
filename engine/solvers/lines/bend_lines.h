/* Direct solver of bend lines: see tables/bend_lines.h.
 *
 * Rows of a sheet are solved in parallel, then columns, then cells between even and odd pairs of
 * columns: exact along each line, once a substep, after integration. Errors that later lines and
 * links cause in earlier ones are left to the next substep. */
#ifndef WEFT_SOLVERS_LINES_BEND_LINES_H
#define WEFT_SOLVERS_LINES_BEND_LINES_H

#include "kernels/kernels.h"
#include "parallel/step_context.h"

/* Blocks that `solves` marks, NULL: all. scratch: weft__line_floats() a worker, `stride` floats
 * apart */
void weft__bend_lines_solve(const weft__bend_lines* lines, uint32_t color, const uint8_t* solves,
                            const weft__step_context* step, float* scratch, size_t stride);

#endif
