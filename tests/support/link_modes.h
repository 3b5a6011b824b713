/* One-sided links and range links. */
#ifndef TESTS_SUPPORT_LINK_MODES_H
#define TESTS_SUPPORT_LINK_MODES_H

#include "support/random.h"
#include "weft/weft.h"

/* Gives the links of a scene random modes, one by one or in stretches, and compliances if `soft`:
 * parameters along runs then vary or are constant. */
void give_modes(weft_scene* scene, random_source* random, bool soft);

#endif
