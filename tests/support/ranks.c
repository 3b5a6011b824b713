#include "support/ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "support/suite.h"

typedef struct message {
  struct message* next;
  uint32_t from;
  uint32_t delay; /* failed looks before it arrives */
  size_t size;
  unsigned char bytes[];
} message;

typedef struct mailbox {
  pthread_mutex_t mutex;
  message* first;
  random_source random;
} mailbox;

typedef struct hub hub;

typedef struct rank_thread {
  hub* hub;
  uint32_t rank;
  pthread_t thread;
} rank_thread;

struct hub {
  mailbox boxes[MAX_TEST_RANKS];
  rank_thread ranks[MAX_TEST_RANKS];
  uint32_t count;
  bool shuffles;
  rank_main* run;
  void* context;
};

static void send_message(void* context, uint32_t to, const void* bytes, size_t size) {
  const rank_thread* own = context;
  mailbox* box = &own->hub->boxes[to];
  message* sent = malloc(sizeof(*sent) + size);
  sent->from = own->rank;
  sent->size = size;
  memcpy(sent->bytes, bytes, size);
  pthread_mutex_lock(&box->mutex);
  message** at = &box->first;
  uint32_t before = UINT32_MAX;
  sent->delay = 0;
  if (own->hub->shuffles) {
    before = random_below(&box->random, 4);
    sent->delay = random_below(&box->random, 4);
  }
  while (*at != NULL && before-- > 0) at = &(*at)->next;
  sent->next = *at;
  *at = sent;
  pthread_mutex_unlock(&box->mutex);
}

static size_t receive_message(void* context, void* memory, uint32_t* from) {
  const rank_thread* own = context;
  mailbox* box = &own->hub->boxes[own->rank];
  size_t size = 0;
  pthread_mutex_lock(&box->mutex);
  message* taken = NULL;
  for (message** at = &box->first; *at != NULL && taken == NULL; at = &(*at)->next) {
    if ((*at)->delay > 0) {
      --(*at)->delay;
      continue;
    }
    taken = *at;
    *at = taken->next;
    break;
  }
  pthread_mutex_unlock(&box->mutex);
  if (taken == NULL) return 0;
  *from = taken->from;
  size = taken->size;
  memcpy(memory, taken->bytes, size);
  free(taken);
  return size;
}

static void* run_rank(void* context) {
  rank_thread* own = context;
  const weft_transport transport = {.context = own,
                                    .rank = own->rank,
                                    .rank_count = own->hub->count,
                                    .send = send_message,
                                    .receive = receive_message};
  own->hub->run(own->hub->context, &transport);
  return NULL;
}

// ends programs without Check, too
static void expect(bool condition, const char* text) {
  if (condition) return;
  fprintf(stderr, "ranks: not so: %s\n", text);
  abort();
}

void run_ranks(uint32_t count, bool shuffles, rank_main* run, void* context) {
  hub h = {.count = count, .shuffles = shuffles, .run = run, .context = context};
  for (uint32_t r = 0; r < count; ++r) {
    pthread_mutex_init(&h.boxes[r].mutex, NULL);
    h.boxes[r].random = (random_source){r + 1};
    h.ranks[r] = (rank_thread){.hub = &h, .rank = r};
  }
  for (uint32_t r = 0; r < count; ++r) {
    const int error = pthread_create(&h.ranks[r].thread, NULL, run_rank, &h.ranks[r]);
    expect(error == 0, "a thread starts");
  }
  for (uint32_t r = 0; r < count; ++r) pthread_join(h.ranks[r].thread, NULL);
  for (uint32_t r = 0; r < count; ++r) {
    expect(h.boxes[r].first == NULL, "all messages are taken");
    pthread_mutex_destroy(&h.boxes[r].mutex);
  }
}

static const rank_run runs[] = {
    {3, 2, WEFT_ISA_AUTO, true, true},     {8, 2, WEFT_ISA_AUTO, false, true},
    {2, 1, WEFT_ISA_SCALAR, false, false}, {4, 1, WEFT_ISA_AUTO, true, true},
    {1, 2, WEFT_ISA_AUTO, false, true},    {8, 1, WEFT_ISA_AUTO, true, false},
    {3, 1, WEFT_ISA_AUTO, false, false},   {4, 2, WEFT_ISA_SCALAR, false, false},
    {2, 2, WEFT_ISA_AUTO, true, false},
};

const rank_run* next_rank_run(const rank_run* run, uint32_t c, uint32_t others) {
  enum { OTHERS = sizeof(runs) / sizeof(*runs) - 1 };
  if (run == NULL) return runs;
  for (++run; run <= runs + ROUNDS(OTHERS, 0); ++run) {
    const uint32_t turn = (uint32_t)(run - runs) - 1 + OTHERS - others * c % OTHERS;
    if (turn % OTHERS < others) return run;
  }
  return NULL;
}

weft_result step_and_move(weft_cluster* cluster, uint32_t count) {
  weft_result result = {.field = ""};
  for (uint32_t step = 0; step < count && result.error == WEFT_OK; ++step) {
    weft_cluster_stats stats;
    result = weft_cluster_get_stats(cluster, &stats);
    if (result.error != WEFT_OK) break;
    random_source random = {stats.steps * MAX_TEST_RANKS + stats.rank};
    const float share = random_chance(&random, 4) ? 1e-3f : random_float(&random, 0.1f, 1.0f);
    result = weft_cluster_redistribute(cluster, share);
    if (result.error == WEFT_OK) result = weft_cluster_step(cluster, 1);
  }
  return result;
}
