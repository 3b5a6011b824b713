// weft on a thread pool of the host: a list of tasks, a mutex, a condition variable.
#include <pthread.h>

#include "hosts/comparison.h"

typedef struct thread_pool {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  weft_task* first; /* tasks that wait, linked by weft_task.next */
  bool is_stopping;
  pthread_t threads[MOST_WORKERS - 1];
} thread_pool;

// Takes the next task; NULL if the pool stops.
static weft_task* take_task(thread_pool* pool) {
  pthread_mutex_lock(&pool->mutex);
  while (pool->first == NULL && !pool->is_stopping) {
    pthread_cond_wait(&pool->changed, &pool->mutex);
  }
  weft_task* task = pool->first;
  if (task != NULL) pool->first = task->next;
  pthread_mutex_unlock(&pool->mutex);
  return task;
}

static void* run_thread(void* context) {
  for (weft_task* task; (task = take_task(context)) != NULL;) weft_task_run(task);
  return NULL;
}

// weft_task_system.enqueue()
static bool enqueue(void* context, weft_task* task) {
  thread_pool* pool = context;
  pthread_mutex_lock(&pool->mutex);
  task->next = pool->first;
  pool->first = task;
  pthread_cond_signal(&pool->changed);
  pthread_mutex_unlock(&pool->mutex);
  return true;
}

static void stop(thread_pool* pool) {
  pthread_mutex_lock(&pool->mutex);
  pool->is_stopping = true;
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->mutex);
  for (unsigned i = 0; i < MOST_WORKERS - 1; ++i) pthread_join(pool->threads[i], NULL);
}

int main(int argument_count, char** arguments) {
  thread_pool pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  for (unsigned i = 0; i < MOST_WORKERS - 1; ++i) {
    if (pthread_create(&pool.threads[i], NULL, run_thread, &pool) != 0) return 1;
  }
  const weft_task_system system = {.context = &pool, .enqueue = enqueue};
  const int status = compare_task_system(argument_count, arguments, system);
  stop(&pool);
  return status;
}
