#ifndef WEFT_PARALLEL_PAUSE_H
#define WEFT_PARALLEL_PAUSE_H

static inline void weft__pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
