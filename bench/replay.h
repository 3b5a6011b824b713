/* Replay of a task graph on simulated workers, by the rules of engine/parallel/: a discrete-event
 * simulation.
 *
 *     job          the caller opens it; workers that spin join a handoff later, and those that have
 *                  parked are woken by the caller one after another
 *     loop         each worker takes the pieces of its share, then those that others have left
 *     wavefront    each worker passes over its share of the patches, upwards or downwards by turns,
 *                  advances each as far as its neighbours allow, then those just behind it; one
 *                  without a ready patch takes one of another share
 *     end          the caller waits for all that have joined, and looks at every worker
 *
 * Costs are those of one worker. Beside the time of the step it accounts for all that is lost on
 * the way: workers x time of the step = work + losses. */
#ifndef BENCH_REPLAY_H
#define BENCH_REPLAY_H

#include "task_graph.h"

/* Times in nanoseconds. */
typedef struct bench_replay_costs {
  double handoff;  /* of a cache line from core to core: half a round trip */
  double look;     /* at the line of one worker, at the end of a loop and of a job */
  double claim;    /* of a piece or a patch */
  double steal;    /* until a worker without a ready patch looks at other shares */
  double wake;     /* the caller's, for each parked worker */
  double wake_up;  /* until a woken worker runs */
  double spin;     /* of a worker without a job until it parks */
  double slowdown; /* of the work: cores that n workers use, over what they do together, >= 1 */
  double memory_gb_per_s;         /* shared by all workers; infinite = no ceiling */
  double bytes[WEFT_STAGE_COUNT]; /* that a stage moves from and to memory; 0 = unknown or none */
} bench_replay_costs;

typedef enum bench_loss_cause {
  BENCH_LOSS_SERIAL,   /* the caller alone */
  BENCH_LOSS_OPENING,  /* jobs are opened, workers woken and looked at */
  BENCH_LOSS_PATH,     /* the longest path through a job is longer than its share of the work */
  BENCH_LOSS_WAITING,  /* the rest: handoffs, an uneven end, patches that are not ready */
  BENCH_LOSS_MEMORY,   /* the ceiling of the memory */
  BENCH_LOSS_SLOWDOWN, /* cores that are slower together */
  BENCH_LOSS_CAUSES,
} bench_loss_cause;

/* "serial", "job opening" .. */
const char* bench_loss_name(bench_loss_cause cause);

/* Loss of workers x time by a cause, in jobs of one name. */
typedef struct bench_loss {
  bench_loss_cause cause;
  const char* name;
  double ns;
} bench_loss;

enum { BENCH_MAX_LOSSES = 160 };

typedef struct bench_replay {
  double ns;                           /* of the step */
  double work_ns;                      /* that one worker takes */
  double path_ns;                      /* longest path: the serial parts, and that of each job */
  bench_loss losses[BENCH_MAX_LOSSES]; /* the largest first; in all workers * ns - work_ns */
  size_t loss_count;
} bench_replay;

/* Replays on 1 to WEFT_MAX_WORKERS workers. False if memory cannot be had. */
bool bench_replay_run(const bench_task_graph* graph, uint32_t workers,
                      const bench_replay_costs* costs, bench_replay* replay);

#endif
