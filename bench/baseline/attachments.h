/* Long-range attachments for the serial loop, so that a comparison at equal strain can tell the
 * method from the engine that runs it.
 *
 * A free particle may be no further from a pinned one than along the cloth, and is put back onto
 * that distance before the sweeps (Kim, Chentanez, Mueller 2012, "Long Range Attachments").
 * Pinned particles joined by links are one island; a particle is attached to the nearest particle
 * of each of the nearest islands. As all of the baseline it shares no file with the engine. */
#ifndef BASELINE_ATTACHMENTS_H
#define BASELINE_ATTACHMENTS_H

#include <stdbool.h>

#include "baseline/serial.h"

/* Finds attachments to at most `islands` islands for each free particle, from the positions at
 * rest and the links of the cloth. False when out of memory. The caller frees them either way. */
bool baseline_attach(baseline_cloth* cloth, uint32_t islands);

#endif
