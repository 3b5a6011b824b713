/* Words for integrators, on command lines and in files. */
#ifndef TOOLS_COMMON_INTEGRATORS_H
#define TOOLS_COMMON_INTEGRATORS_H

/* In the order of weft_integrator; ended by NULL. */
extern const char* const tool_integrators[];

#endif
