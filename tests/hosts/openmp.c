// weft on OpenMP: threads of a parallel region that wait at its end run the tasks.
#include <omp.h>

#include "hosts/comparison.h"

// weft_task_system.enqueue()
static bool enqueue(void* context, weft_task* task) {
  (void)context;
  // where no other thread could run it, it would be run within enqueue()
  if (!omp_in_parallel()) return false;
#pragma omp task firstprivate(task)
  weft_task_run(task);
  return true;
}

int main(int argument_count, char** arguments) {
  const weft_task_system system = {.enqueue = enqueue};
  int status = 0;
#pragma omp parallel num_threads(MOST_WORKERS)
#pragma omp single
  status = compare_task_system(argument_count, arguments, system);
  return status;
}
