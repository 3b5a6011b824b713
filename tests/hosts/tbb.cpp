// weft on oneTBB: tasks are enqueued in an arena, of which the stepping thread is one.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "hosts/comparison.h"

// weft_task_system.enqueue()
static bool enqueue(void* context, weft_task* task) {
  static_cast<tbb::task_arena*>(context)->enqueue([task] { weft_task_run(task); });
  return true;
}

int main(int argument_count, char** arguments) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, MOST_WORKERS);
  tbb::task_arena arena(MOST_WORKERS);
  weft_task_system system = {};
  system.context = &arena;
  system.enqueue = enqueue;
  return compare_task_system(argument_count, arguments, system);
}
