#include "task_graph.h"

#include <math.h>
#include <stdlib.h>

#include "common/must.h"

static void free_patches(bench_patch_graph* patches) {
  free(patches->color);
  free(patches->first_neighbor);
  free(patches->neighbors);
  *patches = (bench_patch_graph){.count = 0};
}

void bench_task_graph_free(bench_task_graph* graph) {
  for (int level = 0; level < BENCH_TASK_LEVELS; ++level) free_patches(&graph->patches[level]);
  free(graph->tasks);
  free(graph->costs);
  *graph = (bench_task_graph){.tasks = NULL};
}

void bench_task_graph_clear(bench_task_graph* graph) {
  graph->task_count = graph->cost_count = 0;
}

// Room for `count` items of some size; false if memory cannot be had.
static bool reserve(void** items, size_t* capacity, size_t count, size_t bytes) {
  if (count <= *capacity) return true;
  const size_t wanted = count + count / 2 + 64;
  void* grown = realloc(*items, wanted * bytes);
  if (grown == NULL) return false;
  *items = grown;
  *capacity = wanted;
  return true;
}

bench_task* bench_task_graph_append(bench_task_graph* graph, const bench_task* task) {
  const size_t costs = (size_t)task->count * task->phase_count;
  if (!reserve((void**)&graph->tasks, &graph->task_capacity, graph->task_count + 1,
               sizeof *graph->tasks) ||
      !reserve((void**)&graph->costs, &graph->cost_capacity, graph->cost_count + costs,
               sizeof *graph->costs)) {
    return NULL;
  }
  bench_task* appended = &graph->tasks[graph->task_count++];
  *appended = *task;
  appended->first_cost = graph->cost_count;
  for (size_t i = 0; i < costs; ++i) graph->costs[graph->cost_count++] = 0.0;
  return appended;
}

double* bench_task_costs(const bench_task_graph* graph, const bench_task* task) {
  return &graph->costs[task->first_cost];
}

void bench_task_sum(const bench_task_graph* graph, bench_task* task) {
  const double* costs = bench_task_costs(graph, task);
  task->work_ns = 0.0;
  for (size_t i = 0; i < (size_t)task->count * task->phase_count; ++i) task->work_ns += costs[i];
}

// ---- patches ----

static bool allocate_patches(const weft_world* world, uint32_t level, uint32_t count,
                             bench_patch_graph* patches) {
  patches->color = calloc(count, sizeof *patches->color);
  patches->first_neighbor = calloc((size_t)count + 1, sizeof *patches->first_neighbor);
  if (patches->color == NULL || patches->first_neighbor == NULL) return false;
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t neighbors = 0;
    tool_must(weft_world_get_patch_neighbors(world, level, p, 0, NULL, &neighbors));
    patches->first_neighbor[p + 1] = patches->first_neighbor[p] + neighbors;
  }
  const size_t all = patches->first_neighbor[count];
  patches->neighbors = calloc(all + 1, sizeof *patches->neighbors);
  return patches->neighbors != NULL;
}

// Neighbours of the patches of a level, once a graph.
static bool read_patches(const weft_world* world, uint32_t level, uint32_t count,
                         bench_patch_graph* patches, tool_message* why) {
  if (patches->count == count) return true;
  free_patches(patches);
  if (!allocate_patches(world, level, count, patches)) {
    return tool_because(why, "no memory for %u patches", count);
  }
  patches->count = count;
  for (uint32_t p = 0; p < count; ++p) {
    const uint32_t first = patches->first_neighbor[p];
    uint32_t neighbors = 0;
    tool_must(weft_world_get_patch_neighbors(world, level, p,
                                             patches->first_neighbor[p + 1] - first,
                                             &patches->neighbors[first], &neighbors));
  }
  return true;
}

// ---- spans ----

typedef struct reader {
  const weft_world* world;
  const weft_spans* spans;
  bench_task_graph* graph;
  int64_t time;     /* end of the last task */
  weft_stage stage; /* of the time after it */
} reader;

// The caller alone until `end_ns`.
static bool add_serial(reader* r, int64_t end_ns) {
  if (end_ns <= r->time) return true;
  const bench_task serial = {.kind = BENCH_TASK_SERIAL,
                             .stage = r->stage,
                             .name = weft_stage_name(r->stage),
                             .count = 1,
                             .phase_count = 1,
                             .work_ns = (double)(end_ns - r->time)};
  const bench_task* added = bench_task_graph_append(r->graph, &serial);
  if (added == NULL) return false;
  *bench_task_costs(r->graph, added) = serial.work_ns;
  r->time = end_ns;
  return true;
}

// Pieces of a span have the same cost.
static void add_pieces(const weft_span* job, const weft_span* span, double* costs) {
  const uint32_t grain = job->grain > 0 ? job->grain : 1;
  const uint32_t first = span->item / grain;
  const uint32_t count = (span->item_count + grain - 1) / grain;
  for (uint32_t i = first; i < first + count; ++i) {
    costs[i] += (double)(span->end_ns - span->begin_ns) / count;
  }
}

static void add_phase(const reader* r, const bench_task* task, const weft_span* span,
                      double* costs) {
  costs[(size_t)span->patch * task->phase_count + span->phase] +=
      (double)(span->end_ns - span->begin_ns);
  r->graph->patches[task->level].color[span->patch] = span->color;
}

// Costs so far become as long as the job in all.
static void fill_gaps(const reader* r, bench_task* task, double job_ns) {
  double* costs = bench_task_costs(r->graph, task);
  bench_task_sum(r->graph, task);
  const double scale = task->work_ns > 0.0 ? job_ns / task->work_ns : 1.0;
  for (size_t i = 0; i < (size_t)task->count * task->phase_count; ++i) costs[i] *= scale;
  task->work_ns *= scale;
}

static bench_task task_of(const weft_span* job) {
  const bool is_loop = job->kind == WEFT_SPAN_LOOP;
  const uint32_t grain = job->grain > 0 ? job->grain : 1;
  return (bench_task){
      .kind = is_loop ? BENCH_TASK_LOOP : BENCH_TASK_WAVEFRONT,
      .stage = job->stage,
      .name = job->name,
      .count = is_loop ? (job->item_count + grain - 1) / grain : job->item_count,
      .phase_count = is_loop ? 1 : job->phase,
      .level = job->level,
  };
}

// Reads the i-th span, a job, and those within it.
static bool add_job(reader* r, uint32_t i, tool_message* why) {
  const weft_span* job = &r->spans->items[i];
  const bench_task described = task_of(job);
  if (job->level >= BENCH_TASK_LEVELS) return tool_because(why, "level %u is too deep", job->level);
  if (described.kind == BENCH_TASK_WAVEFRONT &&
      !read_patches(r->world, job->level, job->item_count, &r->graph->patches[job->level], why)) {
    return false;
  }
  bench_task* task = bench_task_graph_append(r->graph, &described);
  if (task == NULL) return tool_because(why, "no memory for a task graph");
  double* costs = bench_task_costs(r->graph, task);
  while (++i < r->spans->count && r->spans->items[i].kind >= WEFT_SPAN_PIECE) {
    const weft_span* span = &r->spans->items[i];
    if (span->kind == WEFT_SPAN_PIECE) add_pieces(job, span, costs);
    if (span->kind == WEFT_SPAN_PHASE) add_phase(r, task, span, costs);
  }
  fill_gaps(r, task, (double)(job->end_ns - job->begin_ns));
  r->time = job->end_ns;
  return true;
}

static bool add_span(reader* r, uint32_t i, int64_t* end_ns, tool_message* why) {
  const weft_span* span = &r->spans->items[i];
  if (span->kind >= WEFT_SPAN_PIECE) return true;
  if (!add_serial(r, span->begin_ns)) return tool_because(why, "no memory for a task graph");
  r->stage = span->stage;
  if (span->kind == WEFT_SPAN_STAGE) {
    *end_ns = span->end_ns;
    return true;
  }
  return add_job(r, i, why);
}

bool bench_task_graph_read(const weft_world* world, bench_task_graph* graph, tool_message* why) {
  weft_spans spans;
  tool_must(weft_world_get_spans(world, 0, &spans));
  bench_task_graph_clear(graph);
  if (spans.lost > 0) return tool_because(why, "a step has %u spans too many", spans.lost);
  if (spans.count == 0) return true;
  reader r = {world, &spans, graph, spans.items[0].begin_ns, spans.items[0].stage};
  int64_t end_ns = r.time;
  for (uint32_t i = 0; i < spans.count; ++i) {
    if (!add_span(&r, i, &end_ns, why)) return false;
  }
  return add_serial(&r, end_ns) || tool_because(why, "no memory for a task graph");
}

// ---- medians over steps ----

// The n-th task of a name and kind; NULL if there is none. Tries the i-th task first: names are
// static, so that equal ones of a world have one address.
static const bench_task* find_task(const bench_task_graph* graph, const uint32_t* ordinals,
                                   const bench_task* like, size_t i, uint32_t ordinal) {
  for (size_t k = 0; k < graph->task_count; ++k) {
    const size_t at = (i + k) % graph->task_count;
    const bench_task* task = &graph->tasks[at];
    if (ordinals[at] == ordinal && task->kind == like->kind &&
        task->phase_count == like->phase_count && task->name == like->name) {
      return task;
    }
  }
  return NULL;
}

// Number of earlier tasks of the same name and kind, by task. NULL if memory cannot be had.
static uint32_t* ordinals_of(const bench_task_graph* graph) {
  uint32_t* ordinals = calloc(graph->task_count + 1, sizeof *ordinals);
  for (size_t i = 0; ordinals != NULL && i < graph->task_count; ++i) {
    for (size_t k = i; k-- > 0;) {
      const bench_task* before = &graph->tasks[k];
      if (before->kind != graph->tasks[i].kind || before->name != graph->tasks[i].name) {
        continue;
      }
      ordinals[i] = ordinals[k] + 1;
      break;
    }
  }
  return ordinals;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y ? 1 : 0;
}

// Caps the costs of a task by the medians over `count` tasks, of which it is one.
static void cap_costs(const bench_task_graph* graph, bench_task* task, const double* const* costs,
                      const uint32_t* counts, size_t count, double* scratch) {
  double* own = bench_task_costs(graph, task);
  for (uint32_t i = 0; i < task->count; ++i) {
    for (uint32_t phase = 0; phase < task->phase_count; ++phase) {
      for (size_t g = 0; g < count; ++g) {
        const uint32_t at = (uint32_t)((uint64_t)i * counts[g] / task->count);
        scratch[g] = costs[g][(size_t)at * task->phase_count + phase];
      }
      qsort(scratch, count, sizeof *scratch, by_value);
      double* cost = &own[(size_t)i * task->phase_count + phase];
      *cost = fmin(*cost, scratch[count / 2]);
    }
  }
  bench_task_sum(graph, task);
}

typedef struct smoother {
  bench_task_graph* graphs;
  size_t count;
  uint32_t** ordinals;   // [count]
  const double** costs;  // of a task in the graphs that have it [count]
  uint32_t* counts;      // [count]
  double* scratch;       // [count]
} smoother;

static void smooth_graph(const smoother* s, size_t own) {
  bench_task_graph* graph = &s->graphs[own];
  for (size_t i = 0; i < graph->task_count; ++i) {
    bench_task* task = &graph->tasks[i];
    size_t found = 0;
    for (size_t g = 0; g < s->count; ++g) {
      const bench_task* same =
          find_task(&s->graphs[g], s->ordinals[g], task, i, s->ordinals[own][i]);
      if (same == NULL || same->count == 0) continue;
      s->counts[found] = same->count;
      s->costs[found++] = bench_task_costs(&s->graphs[g], same);
    }
    cap_costs(graph, task, s->costs, s->counts, found, s->scratch);
  }
}

bool bench_task_graphs_smooth(bench_task_graph* graphs, size_t count) {
  smoother s = {graphs,
                count,
                calloc(count, sizeof *s.ordinals),
                calloc(count, sizeof *s.costs),
                calloc(count, sizeof *s.counts),
                calloc(count, sizeof *s.scratch)};
  bool ok = s.ordinals != NULL && s.costs != NULL && s.counts != NULL && s.scratch != NULL;
  for (size_t g = 0; ok && g < count; ++g) {
    s.ordinals[g] = ordinals_of(&graphs[g]);
    ok = s.ordinals[g] != NULL;
  }
  for (size_t g = 0; ok && g < count; ++g) smooth_graph(&s, g);
  for (size_t g = 0; s.ordinals != NULL && g < count; ++g) free(s.ordinals[g]);
  free(s.ordinals);
  free(s.costs);
  free(s.counts);
  free(s.scratch);
  return ok;
}

// ---- longest path ----

// Patches in the order of their colours: a neighbour of lower colour comes before. NULL if memory
// cannot be had.
static uint32_t* by_color(const bench_patch_graph* patches) {
  uint32_t* order = calloc((size_t)patches->count + 1, sizeof *order);
  uint32_t colors = 0, filled = 0;
  for (uint32_t p = 0; p < patches->count; ++p) {
    if (patches->color[p] >= colors) colors = patches->color[p] + 1;
  }
  for (uint32_t color = 0; order != NULL && color < colors; ++color) {
    for (uint32_t p = 0; p < patches->count; ++p) {
      if (patches->color[p] == color) order[filled++] = p;
    }
  }
  return order;
}

// End of a phase of a patch, if no worker is ever missing. `ends`: of the phases so far, [count] of
// the last phase and [count] of this one.
static double end_of(const bench_patch_graph* patches, uint32_t p, uint32_t phase,
                     const double* last, const double* now, double cost) {
  double begin = phase > 0 ? last[p] : 0.0;
  const uint32_t end = patches->first_neighbor[p + 1];
  for (uint32_t i = patches->first_neighbor[p]; phase > 0 && i < end; ++i) {
    const uint32_t q = patches->neighbors[i];
    begin = fmax(begin, patches->color[q] < patches->color[p] ? now[q] : last[q]);
  }
  return begin + cost;
}

static double wavefront_path(const bench_patch_graph* patches, const bench_task* task,
                             const double* costs) {
  uint32_t* order = by_color(patches);
  double* ends = calloc(2 * (size_t)patches->count + 1, sizeof *ends);
  double longest = order != NULL && ends != NULL ? 0.0 : -1.0;
  for (uint32_t phase = 0; longest >= 0.0 && phase < task->phase_count; ++phase) {
    double* now = ends + (phase % 2) * patches->count;
    const double* last = ends + ((phase + 1) % 2) * patches->count;
    for (uint32_t i = 0; i < patches->count; ++i) {
      const uint32_t p = order[i];
      const double cost = costs[(size_t)p * task->phase_count + phase];
      now[p] = end_of(patches, p, phase, last, now, cost);
      longest = fmax(longest, now[p]);
    }
  }
  free(order);
  free(ends);
  return longest;
}

double bench_task_longest_path(const bench_task_graph* graph, const bench_task* task) {
  const double* costs = bench_task_costs(graph, task);
  if (task->kind == BENCH_TASK_WAVEFRONT) {
    return wavefront_path(&graph->patches[task->level], task, costs);
  }
  double longest = 0.0;
  for (uint32_t i = 0; i < task->count; ++i) longest = fmax(longest, costs[i]);
  return longest;
}
