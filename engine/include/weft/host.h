/* weft, chapter 10: the host's threads, memory and log. Include <weft/weft.h>, which includes
 * this. */
#ifndef WEFT_WEFT_H
// included first: weft.h includes this file again, after the types that it needs
#include "weft/weft.h"
#elif !defined(WEFT_HOST_H)
#define WEFT_HOST_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 10 Host --------------------------------------------------------------------------------- */

/* Threads. The thread that calls weft_world_step() leads: it runs the stages one after another, and
 * shares out the pieces of their loops. Other threads help, and come from one of three places:
 *
 *   threads of the world's own     the default: worker_count - 1 of them
 *   weft_world_def.threads         threads of weft that many worlds share
 *   weft_world_def.task_system     the host's own
 *
 * A helper may come late, or never: the leading thread waits for pieces that have been begun, and
 * for nothing else. Results are the same to the bit. */

/* Threads of weft, for any number of worlds. */
typedef struct weft_threads weft_threads;

typedef struct weft_threads_def {
  uint32_t count; /* 1 to WEFT_MAX_WORKERS - 1; default weft_available_cpus() - 1, at least 1 */
  /* CPU of each thread by the system's number, [count], in the affinity mask of the calling thread;
   * NULL, the default, leaves threads to the system. Linux only */
  const uint32_t* cpus;
  /* niceness relative to the calling thread's, -40 to 39: above 0 yields to others, below 0
   * takes a privilege; default 0. A change that the system refuses is logged. Linux only */
  int nice;
  /* prefix of the threads' names for debuggers and profilers, 1 to 11 characters, to which a hyphen
   * and a number are added; default "weft" */
  const char* name;
  size_t stack_bytes; /* 0 = the system's choice, the default; else 2^17 to 2^30 */
  uint32_t cookie;    /* private */
} weft_threads_def;

WEFT_API weft_threads_def weft_default_threads_def(void);

/* Starts threads, which sleep until a world that has them in its def steps. Worlds may step at the
 * same time, in several threads of the host: each thread of weft helps one of them, until its step
 * is over. Fails with WEFT_ERROR_OUT_OF_MEMORY if the system grants fewer. */
WEFT_RESULT weft_threads_create(const weft_threads_def* def, weft_threads** threads);

/* Stops the threads and sets the caller's pointer to NULL. No world may be inside a call. Worlds
 * with these threads go on with the calling thread only. */
WEFT_API void weft_threads_destroy(weft_threads** threads);

/* Help for the leading thread of a world, for one run of weft_task_run(). */
typedef struct weft_task {
  void (*run)(struct weft_task* task); /* private */
  void* worker;                        /* private */
  uint32_t index;         /* worker, 1 to worker_count - 1: the same in all runs of a task */
  struct weft_task* next; /* the host's until the task runs, for example the link of a queue */
} weft_task;

/* Runs a task to its end: it takes part in loops until the step is over or the next loop is more
 * than some 50 microseconds away. Does not block, nor throw. The task may be enqueued again before
 * this returns.
 *
 * Each task accepted by enqueue() is run once at most, and not by the leading thread within
 * enqueue(). A run that breaks this asserts in builds with assertions; in others it returns at
 * once, and the leading thread goes on without help until the step is over, with the same bits.
 * After the world is destroyed a second run is undefined. */
static inline void weft_task_run(weft_task* task) {
  task->run(task);
}

/* The host's task system. */
typedef struct weft_task_system {
  void* context; /* for enqueue() */
  /* Called by the leading thread, inside a loop of a step, for each worker that is not there. True
   * if another thread is going to call weft_task_run(task) once, soon, late or never; false if
   * none is free, and the same is asked at a later loop. There are at most worker_count - 1 tasks
   * of a world at a time. NULL = no task system, the default */
  bool (*enqueue)(void* context, weft_task* task);
} weft_task_system;

/* Memory, log and assertions: callbacks for the whole process. They are called from any thread, in
 * threads of weft and in tasks, too, and must not call weft. */
typedef struct weft_host_def {
  void* context; /* for the callbacks */
  /* Memory, uninitialised, of `bytes` > 0 bytes at a multiple of `alignment`, a power of two from
   * 64 to 2^21; NULL = out of memory. Default NULL: the C library's */
  void* (*allocate)(void* context, size_t bytes, size_t alignment);
  void (*release)(void* context, void* memory); /* memory of allocate(); NULL if allocate is NULL */
  /* Takes a message for which there is no result: a thread of weft that could not be bound, was
   * refused its niceness, or could not be restarted after fork(). Default NULL: none */
  void (*log)(void* context, const char* message);
  /* Takes an assertion of weft that fails, in builds without NDEBUG; if it
   * returns, the process aborts. Default NULL: a line on stderr */
  void (*assert_failed)(void* context, const char* condition, const char* file, int line);
  uint32_t cookie; /* private */
} weft_host_def;

WEFT_API weft_host_def weft_default_host_def(void);

/* Sets the callbacks, before scenes, worlds and threads are there: fails with WEFT_ERROR_IN_USE
 * while weft has memory. Not to be called in two threads at once, nor beside other calls. */
WEFT_RESULT weft_set_host(const weft_host_def* def);

#ifdef __cplusplus
}
#endif

#endif
