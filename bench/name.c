#include "common/message.h"

#ifndef BENCH_NAME
#define BENCH_NAME "weft-bench"
#endif

const char tool_name[] = BENCH_NAME;
