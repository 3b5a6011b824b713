#include "rank_replay.h"

#include <math.h>
#include <stdlib.h>

#include "event_queue.h"

const char* const bench_rank_order_names[BENCH_ORDERS] = {"shares", "borders"};

#define NONE UINT32_MAX

typedef struct rank_state {
  bench_event_queue ready; /* patches, their key in the place of a time */
  uint32_t idle;           /* workers without a patch, the first aside */
  bool is_caller_idle;     /* first worker */
  uint32_t first_out;      /* entries to be sent, in order: NONE = none */
  uint32_t last_out;
  uint32_t first_in;      /* packets that have arrived, NONE = none */
  double network_free_ns; /* time from which the network takes the next message */
  double particles;       /* own ones */
} rank_state;

// Messages sent as one. Its entries, a message and a phase each, are linked by simulation.next.
typedef struct packet {
  uint32_t first_entry;
  uint32_t to;
  uint32_t next; /* that has arrived at the same rank */
} packet;

typedef struct simulation {
  const bench_rank_request* request;
  const bench_rank_graph* graph;
  rank_state* ranks; /* [rank_count] */
  uint32_t* phases;  /* completed by each patch [patch_count] */
  bool* is_taken;    /* queued or held by a worker [patch_count] */
  uint32_t* arrived; /* phases of each message [message_count] */
  uint32_t* next;    /* entry behind each one: message x phase_count + phase */
  packet* packets;   /* [packet_count] */
  uint32_t packet_count;
  double integration; /* cost of a particle */
  double now;
  bench_event_queue events;
  bool is_short; /* of memory */
  bench_rank_replay* replay;
} simulation;

// Kinds of events; the rest of an event's number is a patch, a rank, or a packet.
enum { HELPER_DONE, CALLER_DONE, MESSAGES_DONE, PACKET_ARRIVES, KINDS };

static void schedule(simulation* s, double time, uint32_t kind, uint32_t number) {
  s->is_short |=
      !bench_event_queue_push(&s->events, (bench_event){time, (uint64_t)number * KINDS + kind});
}

// ---- patches ----

static bool is_ready(const simulation* s, uint32_t patch) {
  const bench_rank_graph* g = s->graph;
  const uint32_t phase = s->phases[patch];
  if (phase == s->request->phase_count) return false;
  for (uint32_t e = g->first_edge[patch]; e < g->first_edge[patch + 1]; ++e) {
    const bench_rank_edge* edge = &g->edges[e];
    const bool goes_first = phase > 0 && g->color[edge->patch] < g->color[patch];
    const uint32_t seen =
        edge->message == BENCH_NO_MESSAGE ? s->phases[edge->patch] : s->arrived[edge->message];
    if (seen < phase + (goes_first ? 1u : 0u)) return false;
  }
  return true;
}

// Distance of a patch from the end of its share that its worker begins at, every second share and
// rank at the upper one, or from the nearer end of its rank.
static uint32_t key_of(const simulation* s, uint32_t patch) {
  const uint32_t count = s->graph->own_count[s->graph->owner[patch]];
  const uint32_t position = s->graph->position[patch];
  if (s->request->order == BENCH_ORDER_BORDERS) {
    return position < count - 1 - position ? position : count - 1 - position;
  }
  const uint32_t workers = s->request->workers, rank = s->graph->owner[patch];
  const uint32_t share = (uint32_t)((uint64_t)position * workers / count);
  const uint32_t first = (uint32_t)(((uint64_t)share * count + workers - 1) / workers);
  const uint32_t end = (uint32_t)(((uint64_t)(share + 1) * count + workers - 1) / workers);
  return (share + (workers % 2) * rank) % 2 == 1 ? end - 1 - position : position - first;
}

static void queue_if_ready(simulation* s, uint32_t patch) {
  if (s->is_taken[patch] || !is_ready(s, patch)) return;
  s->is_taken[patch] = true;
  bench_event_queue* ready = &s->ranks[s->graph->owner[patch]].ready;
  s->is_short |= !bench_event_queue_push(ready, (bench_event){key_of(s, patch), patch});
}

static void begin_phase(simulation* s, uint32_t patch, uint32_t kind) {
  const double particles = s->graph->particles[patch];
  const double cost = s->phases[patch] == 0 ? s->integration : s->request->costs.sweep;
  s->replay->work_ns += particles * cost;
  schedule(s, s->now + particles * cost, kind, patch);
}

// ---- messages ----

static uint32_t entry_bytes(const simulation* s, uint32_t entry) {
  const weft__patch_message* message = &s->graph->messages[entry / s->request->phase_count];
  const bool is_integration = entry % s->request->phase_count == 0;
  // after integration the start of the substep too
  const uint32_t vectors = is_integration ? 2 * message->own_particles : message->particles;
  return BENCH_PATCH_HEADER + BENCH_PARTICLE_BYTES * vectors;
}

static uint32_t entry_rank(const simulation* s, uint32_t entry) {
  return s->graph->messages[entry / s->request->phase_count].rank;
}

// Appends the messages of a patch's last phase to those that its rank sends next.
static void post_messages(simulation* s, uint32_t patch) {
  const bench_rank_graph* g = s->graph;
  rank_state* rank = &s->ranks[g->owner[patch]];
  for (uint32_t m = g->first_message[patch]; m < g->first_message[patch + 1]; ++m) {
    const uint32_t entry = m * s->request->phase_count + s->phases[patch] - 1;
    s->next[entry] = NONE;
    if (rank->first_out == NONE)
      rank->first_out = entry;
    else
      s->next[rank->last_out] = entry;
    rank->last_out = entry;
    ++s->replay->patch_messages;
  }
}

// Sends one packet: the first entry and those behind it to the same rank. Returns the rest.
static uint32_t send_packet(simulation* s, rank_state* rank, uint32_t first, double time) {
  const bench_network* network = &s->request->network;
  const uint32_t to = entry_rank(s, first);
  uint32_t bytes = BENCH_MESSAGE_HEADER + entry_bytes(s, first), end = first, rest = NONE,
           rest_end = NONE;
  for (uint32_t entry = s->next[first], next = NONE; entry != NONE; entry = next) {
    next = s->next[entry];
    const bool fits =
        entry_rank(s, entry) == to && bytes + entry_bytes(s, entry) <= BENCH_LARGEST_MESSAGE;
    if (fits) bytes += entry_bytes(s, entry);
    if (fits || rest != NONE) s->next[fits ? end : rest_end] = entry;
    if (!fits && rest == NONE) rest = entry;
    *(fits ? &end : &rest_end) = entry;
  }
  s->next[end] = NONE;
  if (rest_end != NONE) s->next[rest_end] = NONE;
  const double wire = bytes / network->gb_per_s;
  const double begin = fmax(time, rank->network_free_ns);
  rank->network_free_ns = begin + fmax(wire, network->gap_ns);
  s->packets[s->packet_count] = (packet){first, to, NONE};
  schedule(s, begin + network->latency_ns + wire, PACKET_ARRIVES, s->packet_count++);
  ++s->replay->messages;
  s->replay->bytes += bytes;
  return rest;
}

// Phases of a packet become visible to the patches of its rank.
static void apply_packet(simulation* s, const packet* p) {
  const bench_rank_graph* g = s->graph;
  for (uint32_t entry = p->first_entry; entry != NONE; entry = s->next[entry]) {
    const uint32_t message = entry / s->request->phase_count;
    ++s->arrived[message];
  }
  for (uint32_t entry = p->first_entry; entry != NONE; entry = s->next[entry]) {
    const uint32_t patch = g->messages[entry / s->request->phase_count].patch;
    for (uint32_t e = g->first_edge[patch]; e < g->first_edge[patch + 1]; ++e) {
      if (g->owner[g->edges[e].patch] == p->to) queue_if_ready(s, g->edges[e].patch);
    }
  }
}

// The first worker takes what has arrived, and sends what is to be sent.
static bool handle_messages(simulation* s, uint32_t number) {
  rank_state* rank = &s->ranks[number];
  const double overhead = s->request->network.overhead_ns;
  if (rank->first_in == NONE && rank->first_out == NONE) return false;
  double time = s->now;
  for (; rank->first_in != NONE; rank->first_in = s->packets[rank->first_in].next) {
    time += overhead;
    apply_packet(s, &s->packets[rank->first_in]);
  }
  while (rank->first_out != NONE) {
    time += overhead;
    rank->first_out = send_packet(s, rank, rank->first_out, time);
  }
  s->replay->message_ns += time - s->now;
  rank->is_caller_idle = false;
  schedule(s, time, MESSAGES_DONE, number);
  return true;
}

// ---- workers ----

// Idle workers of a rank take messages and ready patches.
static void employ(simulation* s, uint32_t number) {
  rank_state* rank = &s->ranks[number];
  if (rank->is_caller_idle) handle_messages(s, number);
  while (rank->ready.count > 0 && (rank->idle > 0 || rank->is_caller_idle)) {
    const uint32_t patch = (uint32_t)bench_event_queue_pop(&rank->ready).number;
    if (rank->is_caller_idle) {
      rank->is_caller_idle = false;
      begin_phase(s, patch, CALLER_DONE);
    } else {
      --rank->idle;
      begin_phase(s, patch, HELPER_DONE);
    }
  }
}

static void end_phase(simulation* s, uint32_t patch) {
  const bench_rank_graph* g = s->graph;
  ++s->phases[patch];
  s->is_taken[patch] = false;
  post_messages(s, patch);
  queue_if_ready(s, patch);
  for (uint32_t e = g->first_edge[patch]; e < g->first_edge[patch + 1]; ++e) {
    if (g->edges[e].message == BENCH_NO_MESSAGE) queue_if_ready(s, g->edges[e].patch);
  }
}

static void take_event(simulation* s, uint32_t kind, uint32_t number) {
  uint32_t rank = number;
  if (kind == HELPER_DONE || kind == CALLER_DONE) {
    rank = s->graph->owner[number];
    if (kind == HELPER_DONE) ++s->ranks[rank].idle;
    if (kind == CALLER_DONE) s->ranks[rank].is_caller_idle = true;
    end_phase(s, number);
  } else if (kind == MESSAGES_DONE) {
    s->ranks[rank].is_caller_idle = true;
  } else {
    rank = s->packets[number].to;
    // in order of arrival does not matter: each phase of a message follows the last
    s->packets[number].next = s->ranks[rank].first_in;
    s->ranks[rank].first_in = number;
  }
  employ(s, rank);
}

// ---- the step ----

static bool create(simulation* s) {
  const bench_rank_graph* g = s->graph;
  const size_t entries = (size_t)g->message_count * s->request->phase_count;
  s->ranks = calloc(g->rank_count, sizeof *s->ranks);
  s->phases = calloc((size_t)g->patch_count + 1, sizeof *s->phases);
  s->is_taken = calloc((size_t)g->patch_count + 1, sizeof *s->is_taken);
  s->arrived = calloc((size_t)g->message_count + 1, sizeof *s->arrived);
  s->next = malloc((entries + 1) * sizeof *s->next);
  s->packets = malloc((entries + 1) * sizeof *s->packets);
  for (uint32_t r = 0; s->ranks != NULL && r < g->rank_count; ++r) {
    s->ranks[r] = (rank_state){.idle = s->request->workers - 1,
                               .is_caller_idle = true,
                               .first_out = NONE,
                               .first_in = NONE};
  }
  for (uint32_t p = 0; s->ranks != NULL && p < g->patch_count; ++p) {
    s->ranks[g->owner[p]].particles += g->particles[p];
  }
  return s->ranks != NULL && s->phases != NULL && s->is_taken != NULL && s->arrived != NULL &&
         s->next != NULL && s->packets != NULL;
}

static void destroy(simulation* s) {
  for (uint32_t r = 0; s->ranks != NULL && r < s->graph->rank_count; ++r) {
    bench_event_queue_free(&s->ranks[r].ready);
  }
  bench_event_queue_free(&s->events);
  free(s->ranks);
  free(s->phases);
  free(s->is_taken);
  free(s->arrived);
  free(s->next);
  free(s->packets);
}

// Takes all patches through all phases.
static bool run_phases(simulation* s) {
  for (uint32_t p = 0; p < s->graph->patch_count; ++p) queue_if_ready(s, p);
  for (uint32_t r = 0; r < s->graph->rank_count; ++r) employ(s, r);
  while (s->events.count > 0 && !s->is_short) {
    const bench_event event = bench_event_queue_pop(&s->events);
    s->now = event.time;
    take_event(s, (uint32_t)(event.number % KINDS), (uint32_t)(event.number / KINDS));
  }
  return !s->is_short;
}

// Time of the step outside the phases: loops of the largest rank, serial parts, and a reduction by
// a binary tree, up and down.
static double rest_of_step(const simulation* s, double* work_ns) {
  const bench_rank_request* request = s->request;
  const double hop = request->network.latency_ns + 2.0 * request->network.overhead_ns;
  double largest = 0.0, all = 0.0;
  for (uint32_t r = 0; r < s->graph->rank_count; ++r) {
    all += s->ranks[r].particles;
    largest = fmax(largest, s->ranks[r].particles);
  }
  *work_ns += all * request->costs.rest + request->costs.serial;
  return largest * request->costs.rest / request->workers + request->costs.serial +
         2.0 * ceil(log2(s->graph->rank_count)) * hop;
}

bool bench_rank_replay_run(const bench_rank_request* request, bench_rank_replay* replay) {
  *replay = (bench_rank_replay){.ns = 0.0};
  simulation s = {.request = request, .graph = request->graph, .replay = replay};
  // all workers of a rank write 52 bytes a particle: see stage_model.h
  s.integration =
      fmax(request->costs.integration, 52.0 * request->workers / request->costs.memory_gb_per_s);
  const bool done = create(&s) && run_phases(&s);
  if (done) replay->ns = s.now;
  if (done && !request->is_coarse) replay->ns += rest_of_step(&s, &replay->work_ns);
  destroy(&s);
  return done;
}
