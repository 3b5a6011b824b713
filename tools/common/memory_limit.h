/* Scenes larger than the memory end in an error, not in the system killing some process. */
#ifndef TOOLS_COMMON_MEMORY_LIMIT_H
#define TOOLS_COMMON_MEMORY_LIMIT_H

/* Limits the data of this process to the memory that is available now, by RLIMIT_DATA: Linux hands
 * out more addresses than it has memory, and allocations beyond that would succeed. A lower limit
 * stays as it is. Does nothing where this is not known, and under a sanitizer, whose own data
 * exceeds the memory. */
void tool_limit_memory(void);

#endif
