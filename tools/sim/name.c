#include "common/message.h"

const char tool_name[] = "weft-sim";
