/* docs/architecture.md lists the stages of modules and the tables of state as they are. With
 * WEFT_RENEW set, the lists are written anew. */
#include "step/stage.h"
#include "support/test.h"
#include "world/snapshot.h"

#define PAGE_BYTES 65536u

static const char* const phases[WEFT__PHASE_COUNT] = {
    [WEFT__PHASE_STEP] = "step",
    [WEFT__PHASE_BROAD] = "broad phase",
    [WEFT__PHASE_BEGIN] = "begin",
    [WEFT__PHASE_BEFORE_SWEEPS] = "before sweeps",
    [WEFT__PHASE_ELASTICITY] = "elasticity",
    [WEFT__PHASE_AFTER_SWEEPS] = "after sweeps",
    [WEFT__PHASE_SHARE] = "share",
    [WEFT__PHASE_LIMITS] = "limits",
    [WEFT__PHASE_UNTANGLE] = "untangle",
    [WEFT__PHASE_CONTACTS] = "contacts",
    [WEFT__PHASE_CONFIRM] = "confirm",
    [WEFT__PHASE_END] = "end",
};

static void list_claims(FILE* to, uint32_t claims) {
  const char* separator = " (";
  for (uint32_t c = 0; c < weft__particle_table.count; ++c) {
    if ((claims >> c & 1u) == 0) continue;
    fprintf(to, "%s%s", separator, weft__particle_table.columns[c].name);
    separator = " ";
  }
  if (claims != 0) fputc(')', to);
}

static void list_stages(FILE* to) {
  fputs("| stage | phases (columns of particles that they write) |\n|---|---|\n", to);
  for (uint32_t s = 0; weft__stages[s] != NULL; ++s) {
    const char* separator = "";
    fprintf(to, "| %s | ", weft__stages[s]->name);
    for (int p = 0; p < WEFT__PHASE_COUNT; ++p) {
      if (weft__stages[s]->run[p] == NULL) continue;
      fprintf(to, "%s%s", separator, phases[p]);
      list_claims(to, weft__stages[s]->writes[p]);
      separator = ", ";
    }
    fputs(*separator == '\0' ? "none |\n" : " |\n", to);
  }
}

static uint32_t count_columns(const weft__table* table, uint32_t kind) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < table->count; ++c) count += (table->columns[c].kind & kind) != 0;
  return count;
}

static const char* name_of(size_t row) {
  return row < weft__world_state_count ? weft__world_state[row].name
                                       : weft__stages[row - weft__world_state_count]->name;
}

static void list_tables(FILE* to) {
  fputs("| table | state | cache | derived | scratch | of others |\n|---|---|---|---|---|---|\n",
        to);
  for (size_t r = 0; r < weft__state_table_count(); ++r) {
    const weft__table* table = weft__state_table(r);
    if (table == NULL) continue;
    fprintf(to, "| %s | %u | %u | %u | %u | %u |\n", name_of(r), count_columns(table, WEFT__STATE),
            count_columns(table, WEFT__CACHE), count_columns(table, WEFT__DERIVED),
            count_columns(table, WEFT__SCRATCH), count_columns(table, WEFT__HALO));
  }
}

// The page with the part after a mark, up to an empty line, replaced by a list.
static void replace(const char* page, const char* mark, void (*list)(FILE*), FILE* to) {
  const char* at = strstr(page, mark);
  ck_assert_msg(at != NULL, "no '%s'", mark);
  at += strlen(mark);
  fwrite(page, 1, (size_t)(at - page), to);
  fputs("\n\n", to);
  list(to);
  const char* end = strstr(at + 2, "\n\n");
  ck_assert_ptr_nonnull(end);
  fputs(end + 1, to);
}

TEST(the_page_lists_the_stages_and_the_tables_as_they_are) {
  static char page[PAGE_BYTES], once[PAGE_BYTES], twice[PAGE_BYTES];
  FILE* file = fopen(WEFT_PAGE, "r");
  ck_assert_msg(file != NULL, "%s", WEFT_PAGE);
  ck_assert_uint_lt(fread(page, 1, sizeof(page) - 1, file), sizeof(page) - 1);
  fclose(file);
  FILE* to = fmemopen(once, sizeof(once), "w");
  replace(page, "<!-- printed: stages -->", list_stages, to);
  fclose(to);
  to = fmemopen(twice, sizeof(twice), "w");
  replace(once, "<!-- printed: tables -->", list_tables, to);
  fclose(to);
  if (getenv("WEFT_RENEW") != NULL) {
    file = fopen(WEFT_PAGE, "w");
    fputs(twice, file);
    fclose(file);
    return;
  }
  ck_assert_msg(strcmp(page, twice) == 0, "run test_world architecture with WEFT_RENEW=1");
}
