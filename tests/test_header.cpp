// The public header alone is enough to use the library, in C++: the same program as in C.
#include "test_header.c"
