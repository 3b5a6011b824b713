/* Extremes of cloth during a run: speed, strain, and if all positions were finite. */
#ifndef TOOLS_SIM_CLOTH_WATCH_H
#define TOOLS_SIM_CLOTH_WATCH_H

#include "sim/scene.h"

typedef struct sim_cloth_watch {
  uint64_t noted;     /* states */
  double fastest;     /* metres per second, of any particle, after any step */
  double mean_strain; /* after the last step */
  double strain;      /* the largest of any structural link, after the last step */
  double most_strain; /* and after any */
} sim_cloth_watch;

/* Notes the state before a step, once. True where it was not noted yet. */
bool sim_watch_cloth(sim_cloth_watch* watch, const weft_world* world, uint64_t step);

/* The same at the end; then tells "fastest", "mean_strain", "strain" and "most_strain", in this
 * order, which are not finite where a particle ever was nowhere. */
void sim_report_cloth(sim_cloth_watch* watch, const weft_world* world, sim_results* results);

/* "met_lost": pairs, exact ones and touches that there was no room for. */
void sim_report_lost(const weft_world* world, sim_results* results);

#endif
