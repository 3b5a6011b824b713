#include "contact/log.h"

bool weft__contact_log_prepare(weft__contact_log* log, const weft_contact_limits* limits,
                               uint32_t worker_count) {
  (void)log;
  (void)limits;
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

void weft__contact_log_end_step(weft__contact_log* log) {
  (void)log;
}
