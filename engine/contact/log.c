#include "contact/log.h"

bool weft__contact_log_prepare(weft__contact_log* log, const weft_contact_limits* limits,
                               uint32_t particle_count, uint32_t worker_count) {
  (void)log;
  (void)limits;
  (void)particle_count;
  (void)worker_count;
  return true;
}

void weft__contact_log_destroy(weft__contact_log* log) {
  *log = (weft__contact_log){0};
}

void weft__contact_log_note(weft__contact_log* log, uint32_t worker,
                            const weft__contact_note* note) {
  (void)log;
  (void)worker;
  (void)note;
}

void weft__contact_log_end_step(weft__contact_log* log, uint32_t substeps, weft__worker_pool* pool,
                                uint32_t worker) {
  (void)log;
  (void)substeps;
  (void)pool;
  (void)worker;
}

void weft__contact_log_forget_collider(weft__contact_log* log, uint32_t collider) {
  (void)log;
  (void)collider;
}

uint32_t weft__contact_log_take(weft__contact_log* log, uint32_t capacity,
                                weft_contact_event* events) {
  (void)log;
  (void)capacity;
  (void)events;
  return 0;
}
