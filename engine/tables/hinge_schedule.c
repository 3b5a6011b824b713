#include "tables/hinge_schedule.h"

#include <stdlib.h>
#include <string.h>

// measured: 16 hinges take as long as three groups of links, those of runs compared with runs, those of
// pieces with fans
#define GROUPS_A_GROUP 3u

uint32_t weft__hinge_cost(const weft__hinge_schedule* hinges, uint32_t patch) {
  if (hinges->hinge_count == 0) return 0;
  const uint32_t* group = hinges->patch_first_group + patch;
  const uint32_t* lanes = hinges->patch_first_lanes + patch;
  return GROUPS_A_GROUP * (group[1] - group[0] + lanes[1] - lanes[0]);
}

void weft__hinges_start(const weft__hinge_schedule* hinges, uint32_t patch) {
  if (hinges->hinge_count == 0) return;
  const uint32_t* group = hinges->patch_first_group + patch;
  const uint32_t* lanes = hinges->patch_first_lanes + patch;
  weft__hinge_pull* pulls = hinges->pulls;
  memset(pulls + group[0], 0, (group[1] - group[0]) * sizeof(*pulls));
  memset(pulls + hinges->group_count + lanes[0], 0, (lanes[1] - lanes[0]) * sizeof(*pulls));
}

void weft__hinge_schedule_destroy(weft__hinge_schedule* hinges) {
  free(hinges->patch_first_run);
  free(hinges->patch_first_piece);
  free(hinges->patch_first_group);
  free(hinges->patch_first_lanes);
  free(hinges->runs);
  free(hinges->lane_mask);
  free(hinges->compliance);
  free(hinges->pieces);
  free(hinges->segments);
  free(hinges->lanes);
  free(hinges->pulls);
  *hinges = (weft__hinge_schedule){0};
}
