/* Links that act one way only, or beyond a range. */
#ifndef TESTS_SUPPORT_LINK_MODES_H
#define TESTS_SUPPORT_LINK_MODES_H

#include "support/random.h"
#include "weft/weft.h"

/* Gives the links of a scene modes, to all or to stretches of them, and compliances if they are
 * soft: both where parameters change along runs and where they do not. */
void give_modes(weft_scene* scene, random_source* random, bool soft);

#endif
