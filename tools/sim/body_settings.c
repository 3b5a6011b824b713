#include "sim/body_settings.h"

#include <stdlib.h>

#include "common/must.h"

static bool are_alike(const weft_body_settings* a, const weft_body_settings* b) {
  return a->particle_count == b->particle_count && a->substeps == b->substeps &&
         a->iterations == b->iterations && a->coarse_iterations == b->coarse_iterations &&
         a->attachments == b->attachments && a->bend_count == b->bend_count &&
         a->reason == b->reason;
}

sim_settings_row* sim_list_settings(const weft_world* world, uint32_t* count) {
  uint32_t body_count = 0;
  tool_must(weft_world_explain(world, 0, NULL, &body_count));
  weft_body_settings* bodies = calloc((size_t)body_count + 1, sizeof *bodies);
  sim_settings_row* rows = calloc((size_t)body_count + 1, sizeof *rows);
  *count = 0;
  if (bodies && rows) {
    tool_must(weft_world_explain(world, body_count, bodies, &body_count));
    for (uint32_t b = 0; b < body_count; ++b) {
      const bool is_new = b == 0 || !are_alike(&bodies[b - 1], &bodies[b]);
      if (is_new) rows[(*count)++].settings = bodies[b];
      ++rows[*count - 1].bodies;
    }
  } else {
    free(rows);
    rows = NULL;
  }
  free(bodies);
  return rows;
}

bool sim_print_settings(FILE* out, const weft_world* world, tool_message* why) {
  uint32_t count = 0;
  sim_settings_row* rows = sim_list_settings(world, &count);
  if (!rows) return tool_because(why, "--explain: out of memory");
  fprintf(out, "%8s %10s %9s %7s %7s %12s %9s %7s  %s\n", "bodies", "particles", "substeps",
          "sweeps", "levels", "attachments", "bends", "sag", "why");
  for (uint32_t i = 0; i < count; ++i) {
    const weft_body_settings* body = &rows[i].settings;
    fprintf(out, "%8u %10u %9u %7u %7u %12u %9u %5.2g %%  %s\n", rows[i].bodies,
            body->particle_count, body->substeps, body->iterations, body->coarse_iterations,
            body->attachments, body->bend_count, 100.0 * (double)body->sag,
            weft_settings_reason_text(body->reason));
  }
  free(rows);
  return true;
}
