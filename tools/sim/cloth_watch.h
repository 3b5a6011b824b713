/* Extremes of cloth during a run: speed, strain, finite positions. */
#ifndef TOOLS_SIM_CLOTH_WATCH_H
#define TOOLS_SIM_CLOTH_WATCH_H

#include "sim/scene.h"

typedef struct sim_cloth_watch {
  uint64_t noted;     /* states */
  double fastest;     /* metres per second, of any particle after any step */
  double mean_strain; /* after the last step */
  double strain;      /* largest of structural links, after the last step */
  double most_strain; /* largest after any step */
} sim_cloth_watch;

/* Notes the state before a step, once. True where it was not noted yet. */
bool sim_watch_cloth(sim_cloth_watch* watch, const weft_world* world, uint64_t step);

/* Notes the last state, then reports "fastest", "mean_strain", "strain" and "most_strain", in this
 * order, not finite if a particle ever was not. */
void sim_report_cloth(sim_cloth_watch* watch, const weft_world* world, sim_results* results);

/* "met_lost": pairs, exact ones and touches without room. */
void sim_report_lost(const weft_world* world, sim_results* results);

#endif
