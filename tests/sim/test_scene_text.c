/* Text of scene files: each value is located on its line, and random changes cause no crash. */
#include <unistd.h>

#include "common/file_bytes.h"
#include "sim/file/source.h"
#include "sim/run.h"
#include "support/scene_files.h"
#include "support/test.h"

static const char path[] = "test_scene_text.json";

// ---- lines ----

typedef struct writer {
  random_source random;
  char text[1 << 16];
  size_t length, line;
  size_t wanted; /* number of the value to locate */
  size_t values;
  size_t wanted_line;
  sim_place way[16]; /* path to the value; each entry points at its parent */
  size_t way_length;
  const sim_place* found;
} writer;

static void put(writer* w, char c) {
  ck_assert(w->length + 2 < sizeof w->text);
  w->text[w->length++] = c;
  w->line += c == '\n';
}

static void put_text(writer* w, const char* text) {
  while (*text) put(w, *text++);
}

static void put_blanks(writer* w) {
  for (uint32_t i = random_below(&w->random, 3); i > 0; --i) {
    put(w, " \t\n\r"[random_below(&w->random, 4)]);
  }
}

static const char* const keys[] = {"a", "b{c", "d\"e", "f\\g", "h,i"};
static const char* const quoted[] = {"\"\\u0061\"", "\"b{c\"", "\"d\\\"e\"", "\"f\\\\g\"",
                                     "\"h,i\""};

static void put_value(writer* w, const sim_place* place, int depth);

static void put_members(writer* w, const sim_place* place, int depth, bool named) {
  const uint32_t count = random_below(&w->random, 6);
  put(w, named ? '{' : '[');
  for (uint32_t i = 0; i < count; ++i) {
    if (i == 5) break;
    if (i > 0) put(w, ',');
    put_blanks(w);
    if (named) {
      put_text(w, quoted[i]);
      put_blanks(w);
      put(w, ':');
      put_blanks(w);
    }
    const bool kept = w->found != NULL;
    sim_place here = {place, named ? keys[i] : NULL, i};
    put_value(w, &here, depth + 1);
    // entries live on the stack: the path to the value is copied once it is found
    if (!kept && w->found == &here) {
      w->way[w->way_length++] = here;
      w->found = place;
    }
    put_blanks(w);
  }
  put_blanks(w);
  put(w, named ? '}' : ']');
}

static void put_value(writer* w, const sim_place* place, int depth) {
  static const char* const plain[] = {"1",     "-2.5e3",      "true",    "null",
                                      "\"x\"", "\"]},\\\"\"", "\"\\\\\""};
  if (w->values++ == w->wanted) {
    w->wanted_line = w->line;
    w->found = place;
  }
  const uint32_t kind = random_below(&w->random, depth < 6 ? 4 : 2);
  if (depth > 0 && kind < 2) {
    put_text(w, plain[random_below(&w->random, 7)]);
  } else {
    put_members(w, place, depth, depth == 0 || kind == 2);
  }
}

TEST(the_line_of_a_value_is_the_one_it_was_written_on) {
  static writer w;
  for (uint64_t seed = 0; seed < ROUNDS(600, 200); ++seed) {
    w = (writer){.random = {seed}, .line = 1};
    w.wanted = random_below(&w.random, 40);
    put_blanks(&w);
    put_value(&w, NULL, 0);
    if (w.values <= w.wanted || w.wanted == 0) continue;
    // relinks the copied path, from the value outwards
    for (size_t i = 0; i < w.way_length; ++i) {
      w.way[i].parent = i + 1 < w.way_length ? &w.way[i + 1] : NULL;
    }
    ck_assert(w.way_length > 0);
    tool_tree root;
    tool_tree_error error;
    char* texts = NULL;
    ck_assert(tool_tree_read(w.text, w.length, &root, &texts, &error));
    ck_assert_uint_eq(sim_line_of(&root, &w.way[0]), w.wanted_line);
    tool_tree_clear(&root);
    free(texts);
  }
}

// ---- random changes ----

/* Replacements for random pieces of a text. */
static const char* const scraps[] = {
    "0",       "-1",      "1e9",      "\"\"", "null", "[]",   "{}",       "true",
    "\"all\"", "[0,0,0]", ",",        ":",    "\"",   "}",    "]",        "\"infinity\"",
    "1e400",   "65535",   "\"s[0]\"", "\n",   "\\",   "\xc3", "\"type\"", "999999999999"};

static size_t change(random_source* random, char* text, size_t length, size_t room) {
  const size_t from = random_below(random, (uint32_t)length);
  const size_t left = length - from;
  size_t cut = random_below(random, 12);
  if (cut > left) cut = left;
  const char* scrap = scraps[random_below(random, sizeof scraps / sizeof scraps[0])];
  char one[2] = {(char)random_from(random, 1, 255), '\0'};
  if (random_chance(random, 3)) scrap = one, cut = cut > 0;
  const size_t more = strlen(scrap);
  if (length - cut + more >= room) return length;
  memmove(text + from + more, text + from + cut, left - cut);
  memcpy(text + from, scrap, more);
  return length - cut + more;
}

/* Loads a random file; runs that would take long are not stepped. */
static void try_file(random_source* random) {
  sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  tool_message why = {""};
  settings.most_particles = 20000;
  settings.threads = random_from(random, 1, 2);
  if (sim_run_create(path, &settings, &run, &why) != SIM_OK) {
    require(strncmp(why.text, path, strlen(path)) == 0 || strstr(why.text, "are the most"));
    return;
  }
  const weft_world_def* def = sim_run_def(run);
  const uint64_t sweeps =
      (uint64_t)def->solver.substeps * (def->solver.iterations + def->solver.coarse_iterations + 1);
  for (int i = 0; sweeps < 200 && i < 5; ++i) {
    if (!sim_run_step(run, &why)) {
      require(strncmp(why.text, path, strlen(path)) == 0);
      break;
    }
  }
  sim_run_destroy(&run);
}

START_TEST(a_file_with_random_changes_runs_or_is_refused_with_a_reason) {
  random_source random = {(uint64_t)_i};
  tool_bytes file;
  tool_message why;
  static char text[1 << 14];
  ck_assert(tool_read_file(example_paths[_i % example_count], sizeof text / 2, &file, &why));
  for (int round = 0; round < 30; ++round) {
    size_t length = file.length;
    memcpy(text, file.text, length);
    for (uint32_t i = random_from(&random, 1, 4); i > 0; --i) {
      length = change(&random, text, length, sizeof text);
    }
    write_bytes(path, text, length);
    try_file(&random);
  }
  free(file.text);
  unlink(path);
}

SUITE(scene_text) {
  find_examples();
  find_scene_files(WEFT_EXAMPLES "/../scenes");
  tcase_add_loop_test(tests, a_file_with_random_changes_runs_or_is_refused_with_a_reason, 0,
                      2 * example_count);
}
