#ifndef TOOLS_COMMON_INTEGRATORS_H
#define TOOLS_COMMON_INTEGRATORS_H

/* Words for integrators, in the order of weft_integrator; ended by NULL. */
extern const char* const tool_integrators[];

#endif
