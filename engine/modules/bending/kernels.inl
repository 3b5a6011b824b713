#include "modules/bending/lines.h"
#include "modules/bending/plates.h"

#include "modules/bending/lines.inl"
#include "modules/bending/plates.inl"
