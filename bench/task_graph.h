/* Task graph of a step: what one worker has recorded, in the order of the caller.
 *
 *     serial       the caller alone, between jobs
 *     loop         pieces, independent of each other
 *     wavefront    phases of patches, ordered as engine/parallel/wavefront.h says:
 *                  phase 0 at once; phase k of a patch after phase k - 1 of itself and of all its
 *                  neighbours, and after phase k of its neighbours of lower colour */
#ifndef BENCH_TASK_GRAPH_H
#define BENCH_TASK_GRAPH_H

#include "common/message.h"
#include "weft/weft.h"

typedef enum bench_task_kind {
  BENCH_TASK_SERIAL,
  BENCH_TASK_LOOP,
  BENCH_TASK_WAVEFRONT
} bench_task_kind;

/* Patches of a level. */
typedef struct bench_patch_graph {
  uint32_t count;
  uint32_t* color;          /* [count] */
  uint32_t* first_neighbor; /* [count + 1] */
  uint32_t* neighbors;      /* [first_neighbor[count]] */
} bench_patch_graph;

typedef struct bench_task {
  bench_task_kind kind;
  weft_stage stage;
  const char* name;     /* static: function of a loop or wavefront, or the stage */
  size_t first_cost;    /* in bench_task_graph.costs */
  uint32_t count;       /* pieces, patches, or 1 */
  uint32_t phase_count; /* of a wavefront; else 1 */
  uint32_t level;       /* of a wavefront: see weft_span */
  double work_ns;       /* sum of its costs */
} bench_task;

/* Levels that a graph has at most: the particles, and coarse ones. */
enum { BENCH_TASK_LEVELS = 16 };

typedef struct bench_task_graph {
  bench_task* tasks;
  size_t task_count, task_capacity;
  double* costs; /* nanoseconds: of pieces, or patch by patch of its phases */
  size_t cost_count, cost_capacity;
  bench_patch_graph patches[BENCH_TASK_LEVELS];
} bench_task_graph;

void bench_task_graph_free(bench_task_graph* graph);

/* Removes the tasks; patches stay. */
void bench_task_graph_clear(bench_task_graph* graph);

/* Appends a task; its costs are zero. NULL if memory cannot be had. */
bench_task* bench_task_graph_append(bench_task_graph* graph, const bench_task* task);

/* Costs of a task, [count * phase_count]. */
double* bench_task_costs(const bench_task_graph* graph, const bench_task* task);

/* Once the costs are set: their sum. */
void bench_task_sum(const bench_task_graph* graph, bench_task* task);

/* Graph of the last step of a world with one worker and a span capacity. Time that a job spends
 * between its spans is shared out to them. Fails where spans were lost. */
bool bench_task_graph_read(const weft_world* world, bench_task_graph* graph, tool_message* why);

/* Caps costs by the median of the same piece, phase or serial part in graphs of consecutive steps,
 * so that none contains a time in which the thread had no core: the n-th task of a name is the same
 * in all graphs that have it, and pieces are matched by their relative place. False if memory
 * cannot be had. */
bool bench_task_graphs_smooth(bench_task_graph* graphs, size_t count);

/* Longest path through a task, nanoseconds: of a loop the longest piece. Negative if memory cannot
 * be had. */
double bench_task_longest_path(const bench_task_graph* graph, const bench_task* task);

#endif
