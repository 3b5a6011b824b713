/* The yardstick's second rung: the same links, sorted so that neighbours in the list do not wait
 * for each other.
 *
 * In natural order each link needs what the link before it has just written, and the loop runs at
 * the latency of that chain, several times slower than the processor could. A greedy colouring
 * breaks the chain without a thread or a vector instruction: links of one colour share no particle.
 * Whatever the engine gains beyond this rung, it gains by its own means. */
#ifndef BASELINE_COLORING_H
#define BASELINE_COLORING_H

#include "baseline/serial.h"

/* Writes the links to `sorted` colour by colour, natural order within a colour. Returns the number
 * of colours, or 0 when memory cannot be had. */
uint32_t baseline_sort_by_color(const baseline_link* links, uint32_t link_count,
                                uint32_t particle_count, baseline_link* sorted);

#endif
