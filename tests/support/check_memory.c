/* Memory of Check, which is compiled without the memory sanitizer: its writes are not seen. */
#include <sanitizer/msan_interface.h>
#include <stddef.h>

void* __real_emalloc(size_t bytes);
void* __real_erealloc(void* memory, size_t bytes);
void* __wrap_emalloc(size_t bytes);
void* __wrap_erealloc(void* memory, size_t bytes);

void* __wrap_emalloc(size_t bytes) {
  void* memory = __real_emalloc(bytes);
  __msan_unpoison(memory, bytes);
  return memory;
}

void* __wrap_erealloc(void* memory, size_t bytes) {
  void* moved = __real_erealloc(memory, bytes);
  __msan_unpoison(moved, bytes);
  return moved;
}
