/* Rows of the core's attributes, in a file per topic, and functions that their calls share. */
#ifndef WEFT_WORLD_ATTRIBUTES_H
#define WEFT_WORLD_ATTRIBUTES_H

#include "step/attribute.h"
#include "world/world.h"

extern const weft__attribute weft__position_attribute, weft__velocity_attribute,
    weft__target_attribute, weft__inverse_mass_attribute, weft__force_attribute; /* motion.c */
extern const weft__attribute weft__normal_attribute, weft__tangent_attribute;    /* vertices.c */
extern const weft__attribute weft__reaction_attribute, weft__link_tension_attribute; /* loads.c */
extern const weft__attribute weft__bounds_contact_attribute;                         /* bounds.c */
extern const weft__attribute weft__patch_attribute, weft__level_attribute;           /* read.c */
extern const weft__attribute weft__link_rest_length_attribute,
    weft__link_compliance_attribute; /* link_values.c */
extern const weft__attribute weft__link_enabled_attribute, weft__link_torn_attribute; /* links.c */
extern const weft__attribute weft__environment_gravity_attribute,
    weft__environment_damping_attribute, weft__environment_paused_attribute,
    weft__environment_step_count_attribute; /* environments.c */

/* The row of an attribute: WEFT_ERROR_RANGE for no attribute, WEFT_ERROR_UNSUPPORTED for one of a
 * module that this build lacks, at `field`. */
weft_result weft__find_attribute(weft_attribute attribute, const char* field,
                                 const weft__attribute** row);

/* Checks a selection of elements of a world, and completes it. */
weft_result weft__check_selected(const weft_world* world, weft__owner of,
                                 const weft_selection* selection, weft__selection* at);

/* Checks that a list has no number twice, by a bit for each unless they ascend. */
weft_result weft__check_unique(const weft__selection* at);

/* True for 0, and for a multiple of the size of a number that is at least an element. */
bool weft__is_attribute_stride(const weft__attribute* row, size_t stride);

/* Reading of the present state. */
weft__attribute_read weft__attribute_read_of(const weft_world* world);

/* Reads arrays of a selection, which are checked. Fails only out of memory. */
weft_result weft__read_arrays(const weft__attribute_read* read, const weft__selection* at,
                              const weft_attribute_array* arrays, uint32_t array_count);

/* Position of a particle in solver order, between the last two steps. */
void weft__read_interpolated(const weft__attribute_read* read, uint32_t i, float position[3]);

/* Error at a particle or link of a call itself, not at its value. */
weft_result weft__fail_at_selected(const weft__attribute_write* write, weft_error error,
                                   uint32_t n);

/* Calls task(write, items, worker) for the elements: on the caller, and on the workers of `pool`,
 * which may be NULL, if they are many. Between steps only. */
void weft__for_selected(weft__worker_pool* pool, weft__attribute_write* write,
                        weft__range_task* task);

/* Wakes the particles, or disturbs them: see weft__wake_range(). */
typedef void weft__rouse(weft_world* world, uint32_t first, uint32_t count);
void weft__rouse_selected(weft_world* world, const weft__selection* at, weft__rouse* rouse);

#endif
