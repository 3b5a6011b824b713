/* Prints the rows of base/defs.c, for check_defs.py: name, kind, flags, range, default; by tabs. */
#include <stdio.h>

#include "base/fields.h"

int main(void) {
  for (const weft__fields* const* fields = weft__fields_of_defs; *fields != NULL; ++fields) {
    for (uint32_t i = 0; i < (*fields)->count; ++i) {
      const weft__field* field = &(*fields)->rows[i];
      const uint32_t count = field->kind < WEFT__FIELD_FLAG ? weft__field_count(field) : 1;
      printf("%s\t%d\t%d\t%.17g\t%.17g\t", field->name, field->kind, field->flags, field->lower,
             field->upper);
      for (uint32_t k = 0; k < count; ++k) printf("%s%.17g", k > 0 ? " " : "", field->initial[k]);
      printf("\n");
    }
  }
  return 0;
}
