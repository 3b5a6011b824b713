#include "common/integrators.h"

#include <stddef.h>

const char* const tool_integrators[] = {"position_verlet",
                                        "velocity_verlet",
                                        "semi_implicit_euler",
                                        "explicit_euler",
                                        "implicit_euler",
                                        "runge_kutta_4",
                                        NULL};
