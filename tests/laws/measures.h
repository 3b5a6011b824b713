/* Measures of the laws: see laws.c. */
#ifndef TESTS_LAWS_MEASURES_H
#define TESTS_LAWS_MEASURES_H

#include "laws/laws.h"

double measure_poke(const law_case* c);
double measure_energy(const law_case* c);
double measure_momentum(const law_case* c);
double measure_angular_momentum(const law_case* c);
double measure_rest(const law_case* c);

double measure_loads(const law_case* c);
double measure_events(const law_case* c);
double measure_holds(const law_case* c);
double measure_slides(const law_case* c);
double measure_grips(const law_case* c);
double measure_passes(const law_case* c);
double measure_way_out(const law_case* c);
double measure_stretch(const law_case* c);

double measure_steps(const law_case* c);
double measure_order(const law_case* c);
double measure_place(const law_case* c);
double measure_company(const law_case* c);
double measure_company_cost(const law_case* c);
double measure_state(const law_case* c);
double measure_clones(const law_case* c);
double measure_ranks(const law_case* c);
double measure_asleep(const law_case* c);
double measure_teleport(const law_case* c);

#endif
