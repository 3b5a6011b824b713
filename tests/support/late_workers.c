#include "support/late_workers.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "parallel/barrier.h"
#include "support/random.h"

// longer than the other workers need from one barrier to the next in a small scene
#define DELAY_NS 20000

delay_schedule delays;

// a thread belongs to one pool, so its locals are those of one worker
static _Thread_local uint32_t barriers_passed;
static _Thread_local int own_index = -1;

uint32_t __real_weft__barrier_wait(weft__barrier* barrier, weft__completion* completion,
                                   void* context, const char* place);
uint32_t __wrap_weft__barrier_wait(weft__barrier* barrier, weft__completion* completion,
                                   void* context, const char* place);

// pool threads are named weft-INDEX; the caller is worker 0
static uint32_t worker_index(void) {
  if (own_index >= 0) return (uint32_t)own_index;
  char name[16];
  unsigned index = 0;
  if (pthread_getname_np(pthread_self(), name, sizeof(name)) == 0) {
    (void)sscanf(name, "weft-%u", &index);
  }
  own_index = (int)index;
  return index;
}

static bool is_late(void) {
  if (delays.period == 0 || worker_index() != delays.worker) return false;
  const uint32_t barrier = barriers_passed++;
  if (!delays.is_random) return barrier % delays.period == delays.first;
  random_source random = {(uint64_t)delays.first << 32 | barrier};
  return random_chance(&random, delays.period);
}

uint32_t __wrap_weft__barrier_wait(weft__barrier* barrier, weft__completion* completion,
                                   void* context, const char* place) {
  const bool late = is_late();
  const struct timespec delay = {.tv_nsec = DELAY_NS};
  if (late && !delays.is_late_reader) (void)nanosleep(&delay, NULL);
  const uint32_t result = __real_weft__barrier_wait(barrier, completion, context, place);
  if (late && delays.is_late_reader) (void)nanosleep(&delay, NULL);
  return result;
}
