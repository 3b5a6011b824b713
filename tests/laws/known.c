/* The list of cases that fall short today: lines "law body path setting figure", sorted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "laws/laws.h"

enum { LINE = 256 };

// beyond this multiple of the bound all figures are alike
static const double most_excess = 1e4;

static uint32_t read_row(const char* word, const void* rows, uint32_t count, size_t size) {
  return word != NULL ? law_find_name(word, rows, count, size) : UINT32_MAX;
}

// the case of a line's first four words; `rest` gets the remainder
static bool parse(char* line, law_case* c, char** rest) {
  char* words[4];
  for (int i = 0; i < 4; ++i) words[i] = strtok_r(i == 0 ? line : NULL, " \n", rest);
  c->law = read_row(words[0], laws, law_count, sizeof(laws[0]));
  c->body = read_row(words[1], law_bodies, law_body_count, sizeof(law_bodies[0]));
  c->path = read_row(words[2], law_paths, law_path_count, sizeof(law_paths[0]));
  c->setting = read_row(words[3], law_settings, law_setting_count, sizeof(law_settings[0]));
  return c->law != UINT32_MAX && c->body != UINT32_MAX && c->path != UINT32_MAX &&
         c->setting != UINT32_MAX && law_applies(c);
}

bool law_find_case(const char* names, law_case* c) {
  char line[LINE], *rest;
  snprintf(line, sizeof(line), "%s", names);
  return parse(line, c, &rest);
}

static void add_known(law_known_list* list, const law_case* c, double figure) {
  list->items = realloc(list->items, (list->count + 1) * sizeof(*list->items));
  if (list->items == NULL) abort();
  list->items[list->count++] = (law_known){*c, figure};
}

law_known_list law_read_known(const char* path, bool skips) {
  law_known_list list = {NULL, 0};
  FILE* file = fopen(path, "r");
  char line[LINE];
  for (uint32_t number = 1; file != NULL && fgets(line, sizeof(line), file) != NULL; ++number) {
    if (line[0] == '#' || line[0] == '\n') continue;
    law_case c;
    char* rest;
    const bool named = parse(line, &c, &rest);
    const char* figure = named ? strtok_r(NULL, " \n", &rest) : NULL;
    if (figure == NULL) {
      fprintf(stderr, "%s:%u: no case of the matrix: tools/laws.sh --renew\n", path, number);
      if (!skips) exit(EXIT_FAILURE);
      continue;
    }
    add_known(&list, &c, strtod(figure, NULL));
  }
  if (file != NULL) fclose(file);
  return list;
}

static bool same_case(const law_case* a, const law_case* b) {
  return memcmp(a, b, sizeof(*a)) == 0;
}

static const law_known* find_known(const law_known_list* list, const law_case* c) {
  for (uint32_t i = 0; i < list->count; ++i) {
    if (same_case(&list->items[i].of, c)) return &list->items[i];
  }
  return NULL;
}

static double excess_of(const law_case* c, double figure) {
  const double bound = laws[c->law].bound;
  return fmin(bound > 0.0 ? figure / bound : figure, most_excess);
}

law_verdict law_judge(const law_known_list* known, const law_case* c, double figure) {
  const law_known* listed = find_known(known, c);
  const bool holds = figure <= laws[c->law].bound;
  if (listed == NULL) return holds ? LAW_HOLDS : LAW_BROKEN;
  const double before = excess_of(c, listed->figure), now = excess_of(c, figure);
  const double tolerance = fmax(1.25, sqrt(sqrt(before)));
  if (holds || now * tolerance < before) return LAW_BETTER;
  return now > before * tolerance ? LAW_WORSE : LAW_KNOWN;
}

const char* law_verdict_name(law_verdict verdict) {
  static const char* const names[] = {"holds", "known", "broken", "worse", "better"};
  return names[verdict];
}

void law_format_case(const law_case* c, char text[LAW_CASE_SIZE]) {
  snprintf(text, LAW_CASE_SIZE, "%s %s %s %s", laws[c->law].name, law_bodies[c->body].name,
           law_paths[c->path].name, law_settings[c->setting].name);
}

static int compare_lines(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

static const char heading[] =
    "# Cases that fall short today: law, body, path, setting, figure. Units and bounds are in\n"
    "# laws.c. Written by tools/laws.sh --renew.\n";

bool law_write_known(const char* path, const law_known_list* list) {
  char** lines = calloc(list->count + 1, sizeof(*lines));
  FILE* file = fopen(path, "w");
  if (lines == NULL || file == NULL) return false;
  for (uint32_t i = 0; i < list->count; ++i) {
    char name[LAW_CASE_SIZE];
    law_format_case(&list->items[i].of, name);
    lines[i] = malloc(LINE);
    if (lines[i] == NULL) abort();
    snprintf(lines[i], LINE, "%s %.3g\n", name, list->items[i].figure);
  }
  qsort(lines, list->count, sizeof(*lines), compare_lines);
  fputs(heading, file);
  for (uint32_t i = 0; i < list->count; ++i) {
    fputs(lines[i], file);
    free(lines[i]);
  }
  free(lines);
  return fclose(file) == 0;
}
