/* Table of the suites of one program: tests/CMakeLists.txt defines SUITES(X) as X(NAME) of each. */
#include "support/runner.h"

#define PROTOTYPE(name) void name##_suite(TCase* tests);
#define ENTRY(name) {#name, name##_suite},

SUITES(PROTOTYPE)

const suite_entry suites[] = {SUITES(ENTRY){NULL, NULL}};
