/* What touches what: told by the stages of contacts in each substep, made into events at the end of the step. */
#ifndef WEFT_CONTACT_LOG_H
#define WEFT_CONTACT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "weft/weft.h"

/* One contact in one substep. */
typedef struct weft__contact_note {
  uint32_t particle; /* by the caller's number */
  uint32_t other;    /* a collider, or a particle with a higher number */
  bool is_collider;
  uint32_t substep;
  float impulse;   /* newton seconds along the normal */
  float normal[3]; /* from `other` to the particle */
} weft__contact_note;

typedef struct weft__contact_log {
  bool on; /* events are wanted: else there is nothing to note */
  size_t bytes;
} weft__contact_log;

/* Makes room as the limits say; events that wait are kept, the oldest that fit. On where limits.max_events > 0.
 * False when memory cannot be had; then all is as before. */
bool weft__contact_log_prepare(weft__contact_log* log, const weft_contact_limits* limits,
                               uint32_t worker_count);

void weft__contact_log_destroy(weft__contact_log* log);

/* Notes a contact; called by any worker, for its own list, in any order. Of several notes of a substep about the
 * same two the impulses are added, in an order that shall not depend on the workers: a stage notes each once. */
void weft__contact_log_note(weft__contact_log* log, uint32_t worker,
                            const weft__contact_note* note);

/* Makes events of what was noted in the step. Called by one worker. */
void weft__contact_log_end_step(weft__contact_log* log);

#endif
