/* Scenes larger than the memory end in an error; the system kills no process. */
#ifndef TOOLS_COMMON_MEMORY_LIMIT_H
#define TOOLS_COMMON_MEMORY_LIMIT_H

/* Limits the data of this process to the memory available now, by RLIMIT_DATA: Linux hands out more
 * addresses than it has memory. A lower limit stays. Does nothing where the memory is not known, or
 * under a sanitizer, whose own data exceed it. */
void tool_limit_memory(void);

#endif
