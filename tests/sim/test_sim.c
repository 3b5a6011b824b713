/* Frame of weft-sim: scenes by name, their parameters, measures, traces and reports. */
#include <inttypes.h>
#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file_bytes.h"
#include "common/near.h"
#include "sim/report.h"
#include "support/sim_runs.h"
#include "support/test.h"

static const sim_param test_params[] = {
    {"mass", "kilograms", SIM_NUMBER, 1.5, 0.5, 10, NULL},
    {"count", "pieces", SIM_COUNT, 3, 1, 7, NULL},
    {"shape", "what", SIM_CHOICE, 1, 0, 0, (const char* const[]){"round", "square", NULL}},
    {"loud", "or not", SIM_FLAG, 0, 0, 1, NULL},
    {"song", "words", SIM_TEXT, 0, 0, 0, (const char* const[]){"la la", NULL}},
    {NULL, NULL, SIM_FLAG, 0, 0, 0, NULL},
};

/* Writes a scene file for one test and returns its path. */
static const char* write_scene(const char* text) {
  static const char path[] = "test_sim_scene.json";
  FILE* file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
  return path;
}

// ---- similar words ----

TEST(the_nearest_word_is_the_one_with_the_fewest_changes) {
  static const char* const names[] = {"columns", "rows", "spacing", "origin"};
  ck_assert_str_eq(tool_nearest("colums", names, 4), "columns");
  ck_assert_str_eq(tool_nearest("row", names, 4), "rows");
  ck_assert_str_eq(tool_nearest("rows", names, 4), "rows");
  ck_assert_ptr_null(tool_nearest("xyz", names, 4));
  ck_assert_ptr_null(tool_nearest("colour", names, 4));
  ck_assert_ptr_null(tool_nearest("foo", (const char* const[]){"hook"}, 1));
  ck_assert_str_eq(tool_nearest("plain", (const char* const[]){"plane"}, 1), "plane");
  ck_assert_str_eq(tool_nearest("xz", (const char* const[]){"x"}, 1), "x");
  ck_assert_ptr_null(tool_nearest("z", (const char* const[]){"x"}, 1));
  ck_assert_ptr_null(tool_nearest("", names, 4));
  char endless[5000];
  memset(endless, 'c', sizeof endless);
  endless[sizeof endless - 1] = '\0';
  ck_assert_ptr_null(tool_nearest(endless, names, 4));
}

// ---- parameters ----

TEST(parameters_are_as_usual_until_they_are_set) {
  sim_values values = sim_usual_values(test_params);
  tool_message why;
  ck_assert_double_eq(sim_number(&values, "mass"), 1.5);
  ck_assert_uint_eq(sim_count(&values, "count"), 3);
  ck_assert_uint_eq(sim_choice(&values, "shape"), 1);
  ck_assert(!sim_flag(&values, "loud"));
  ck_assert_str_eq(sim_text(&values, "song"), "la la");
  ck_assert(sim_set_value(&values, "mass=0.5", &why));
  ck_assert(sim_set_value(&values, "count=7", &why));
  ck_assert(sim_set_value(&values, "shape=round", &why));
  ck_assert(sim_set_value(&values, "loud=true", &why));
  ck_assert_double_eq(sim_number(&values, "mass"), 0.5);
  ck_assert_uint_eq(sim_count(&values, "count"), 7);
  ck_assert_uint_eq(sim_choice(&values, "shape"), 0);
  ck_assert(sim_flag(&values, "loud"));
  ck_assert(sim_set_value(&values, "song=a = b, c", &why));
  ck_assert_str_eq(sim_text(&values, "song"), "a = b, c");
  ck_assert(sim_set_value(&values, "song=", &why));
  ck_assert_str_eq(sim_text(&values, "song"), "");
}

TEST(a_parameter_that_cannot_be_is_refused_in_words) {
  static const struct {
    const char *assignment, *expected;
  } cases[] = {
      {"mass", "--set: 'mass' is not a NAME=VALUE"},
      {"", "--set: '' is not a NAME=VALUE"},
      {"=3", "--set: '' is not a parameter: 'weft-sim list SCENE' names them"},
      {"mas=3", "--set: 'mas' is not a parameter (did you mean mass?)"},
      {"colour of the rope=3",
       "--set: 'colour of the rope' is not a parameter: 'weft-sim list SCENE' names them"},
      {"mass=", "--set mass: '' is not a number from 0.5 to 10"},
      {"mass=11", "--set mass: '11' is not a number from 0.5 to 10"},
      {"mass=nan", "--set mass: 'nan' is not a number from 0.5 to 10"},
      {"count=0", "--set count: '0' is not a whole number from 1 to 7"},
      {"count=2.5", "--set count: '2.5' is not a whole number from 1 to 7"},
      {"shape=oval", "--set shape: 'oval' is not one of round, square"},
      {"loud=1", "--set loud: '1' is not true or false"},
  };
  tool_message why;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sim_values values = sim_usual_values(test_params);
    ck_assert(!sim_set_value(&values, cases[i].assignment, &why));
    ck_assert_str_eq(why.text, cases[i].expected);
    for (size_t k = 0; k < 4; ++k) ck_assert_double_eq(values.items[k], test_params[k].usual);
  }
  sim_values values = sim_usual_values(test_params);
  char endless[5 + SIM_TEXT_SIZE + 1] = "song=";
  memset(endless + 5, 'a', SIM_TEXT_SIZE);
  ck_assert(!sim_set_value(&values, endless, &why));
  ck_assert_str_eq(why.text, "--set song: it has more than 4095 letters");
  endless[5 + SIM_TEXT_SIZE - 1] = '\0';
  ck_assert(sim_set_value(&values, endless, &why));
}

// ---- scenes ----

TEST(the_catalogue_is_in_order) {
  for (size_t i = 0; i < sim_scene_count; ++i) {
    const sim_scene* scene = sim_scene_at(i);
    tool_message why;
    ck_assert_ptr_eq(sim_find_scene(scene->name, &why), scene);
    ck_assert(strlen(scene->summary) > 0 && scene->seconds > 0.0 && scene->rate >= 1.0);
    if (i > 0) ck_assert_str_lt(sim_scene_name(i - 1), scene->name);
    for (const sim_param* param = scene->params; param && param->name; ++param) {
      ck_assert(strlen(param->summary) > 0);
      if (param->kind == SIM_NUMBER || param->kind == SIM_COUNT) {
        ck_assert(param->usual >= param->lower && param->usual <= param->upper);
      } else if (param->kind == SIM_TEXT) {
        ck_assert_ptr_nonnull(param->choices[0]);
      } else if (param->kind == SIM_CHOICE) {
        size_t count = 0;
        while (param->choices[count]) ++count;
        ck_assert(param->usual >= 0.0 && param->usual < (double)count);
      }
      for (const sim_param* other = scene->params; other < param; ++other) {
        ck_assert_str_ne(other->name, param->name);
      }
    }
  }
}

LOOP_TEST(every_scene_gives_one_hash_for_all_threads_and_instruction_sets, 0,
          ((int)sim_scene_count)) {
  const char* name = sim_scene_name((size_t)_i);
  sim_settings settings = sim_default_settings();
  uint64_t first = 0;
  bool seen = false;
  const char* sets[MOST_SETS];
  settings.seconds = 0.05;
  make_small(name, &settings, sets);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (settings.threads = 1; settings.threads <= 3; ++settings.threads) {
      if (!goes_with(isa, settings.threads - 1, 3, _i)) continue;
      settings.isa = (weft_isa)isa;
      sim_run* run = new_run(name, &settings);
      take_steps(run, sim_run_length(run));
      const uint64_t hash = weft_world_hash(sim_run_world(run));
      if (!seen) first = hash;
      seen = true;
      if (hash != first)
        ck_abort_msg("%s: another hash with %s", name, weft_isa_name(settings.isa));
    }
  }
}

LOOP_TEST(every_scene_that_is_reset_runs_again_to_the_same_hash_and_results, 0,
          ((int)sim_scene_count)) {
  const char* name = sim_scene_name((size_t)_i);
  sim_settings settings = sim_default_settings();
  const char* sets[MOST_SETS];
  tool_message why;
  settings.seconds = 0.05;
  settings.threads = 2;
  make_small(name, &settings, sets);
  sim_run* run = new_run(name, &settings);
  take_steps(run, sim_run_length(run));
  const uint64_t hash = weft_world_hash(sim_run_world(run));
  const sim_results first = sim_run_results(run);
  if (!sim_run_reset(run, &why)) ck_abort_msg("%s: %s", name, why.text);
  ck_assert_uint_eq(sim_run_moment(run).step, 0);
  take_steps(run, sim_run_length(run));
  ck_assert_msg(weft_world_hash(sim_run_world(run)) == hash, "%s: another hash", name);
  const sim_results second = sim_run_results(run);
  // names are the scene's, which is gone
  ck_assert_uint_eq(first.count, second.count);
  for (size_t i = 0; i < first.count; ++i) {
    ck_assert_mem_eq(&first.items[i].value, &second.items[i].value, sizeof(double));
  }
}

/* A scene may accept or refuse the lower limit of a parameter: it must run, or give a reason. */
LOOP_TEST(every_scene_runs_or_refuses_with_each_parameter_at_its_least, 0, ((int)sim_scene_count)) {
  const sim_scene* scene = sim_scene_at((size_t)_i);
  for (const sim_param* param = scene->params; param && param->name; ++param) {
    char assignment[128];
    const char* sets[MOST_SETS];
    sim_settings settings = sim_default_settings();
    sim_run* run = NULL;
    tool_message why = {""};
    if (param->kind != SIM_NUMBER && param->kind != SIM_COUNT) continue;
    snprintf(assignment, sizeof assignment, "%s=%.17g", param->name, param->lower);
    make_small(scene->name, &settings, sets);
    set_param(&settings, sets, assignment);
    const sim_outcome outcome = sim_run_create(scene->name, &settings, &run, &why);
    ck_assert_msg(outcome != SIM_MISUSED, "%s", why.text);
    if (outcome == SIM_OK) {
      take_steps(run, 2);
    } else {
      ck_assert(strlen(why.text) > 0);
    }
    sim_run_destroy(&run);
    ck_assert_ptr_null(run);
  }
}

TEST(settings_stand_above_what_a_scene_says) {
  sim_settings settings = sim_default_settings();
  settings.seconds = 0.5;
  settings.rate = 120.0;
  settings.iterations = 6;
  settings.substeps = 2;
  settings.threads = 2;
  const char* sets[] = {"size=7"};
  settings.sets = sets;
  settings.set_count = 1;
  sim_run* run = new_run("sheet", &settings);
  const weft_world_def* def = sim_run_def(run);
  ck_assert_int_eq(def->step_ns, 8333333);
  ck_assert_uint_eq(def->solver.iterations, 6);
  ck_assert_uint_eq(def->solver.substeps, 2);
  ck_assert_uint_eq(def->worker_count, 2);
  ck_assert_uint_eq(sim_run_length(run), 60);
  ck_assert_uint_eq(stats_of(sim_run_world(run)).particle_count, 49);
  take_steps(run, 3);
  const sim_moment moment = sim_run_moment(run);
  ck_assert_uint_eq(moment.step, 3);
  ck_assert_double_eq_tol(moment.time, 0.025, 1e-8);
}

TEST(what_cannot_be_run_is_refused_with_a_reason) {
  static const struct {
    const char *name, *set, *expected;
    sim_outcome outcome;
  } cases[] = {
      {"shet", NULL, "'shet' is not a scene (did you mean sheet?)", SIM_MISUSED},
      {"", NULL,
       "'' is not a scene; 'weft-sim list' names them, and a file ends in .json, .obj, .ply, .gltf "
       "or .glb",
       SIM_MISUSED},
      {"missing.obj", NULL, "missing.obj: No such file or directory", SIM_FAILED},
      {"sheet", "size=1", "--set size: '1' is not a whole number from 2 to 4096", SIM_MISUSED},
      {"missing.json", NULL, "missing.json: No such file or directory", SIM_FAILED},
      {"./", NULL, "./: is not a regular file", SIM_FAILED},
      {"test_sim_pipe.json", NULL, "test_sim_pipe.json: is not a regular file", SIM_FAILED},
      {"test_sim_pipe.obj", NULL, "test_sim_pipe.obj: is not a regular file", SIM_FAILED},
      {"sheet", "size=200", "the scene has 40000 particles, and 30000 are the most", SIM_FAILED},
  };
  // pipes without another end, for which a reader would wait
  static const char* const pipes[] = {"test_sim_pipe.json", "test_sim_pipe.obj"};
  for (size_t i = 0; i < 2; ++i) {
    remove(pipes[i]);
    require(mkfifo(pipes[i], 0600) == 0);
  }
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sim_settings settings = sim_default_settings();
    sim_run* run = NULL;
    tool_message why;
    settings.sets = &cases[i].set;
    settings.set_count = cases[i].set != NULL;
    settings.most_particles = 30000;
    ck_assert_int_eq(sim_run_create(cases[i].name, &settings, &run, &why), cases[i].outcome);
    ck_assert_str_eq(why.text, cases[i].expected);
    ck_assert_ptr_null(run);
  }
  for (size_t i = 0; i < 2; ++i) remove(pipes[i]);
}

// ---- events ----

TEST(events_happen_before_the_first_step_that_begins_at_their_time) {
  const char* path = write_scene(
      "{\"world\": {\"gravity\": [0, -10, 0], \"damping\": 0, \"step_ns\": 100000000},\n"
      " \"bodies\": [{\"type\": \"particles\", \"name\": \"p\", \"pin\": \"all\",\n"
      "  \"positions\": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}],\n"
      " \"events\": [\n"
      "  {\"at\": 0.3, \"do\": \"unpin\", \"body\": \"p\", \"particles\": 0},\n"
      "  {\"at\": 0.5, \"do\": \"pin\", \"body\": \"p\", \"particles\": [\"first\"]},\n"
      "  {\"at\": 0.21, \"do\": \"move\", \"body\": \"p\", \"particles\": {\"first\": 1, "
      "\"count\": 1},\n"
      "   \"by\": [0, 0, 4], \"for\": 0.4},\n"
      "  {\"at\": 0, \"do\": \"unpin\", \"body\": \"p\", \"particles\": \"last\"},\n"
      "  {\"at\": 0, \"do\": \"throw\", \"body\": \"p\", \"particles\": \"last\", \"velocity\": "
      "[3, 1, 0]}]}");
  const sim_settings settings = sim_default_settings();
  sim_run* run = new_run(path, &settings);
  for (int step = 0; step < 10; ++step) {
    float now[9];
    take_steps(run, 1);
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 0, 3, now);
    // two steps of free fall: 0.1, then 0.2 further
    const float fallen = step < 3 ? 0.0f : step == 3 ? -0.1f : -0.3f;
    ck_assert_float_eq_tol(now[1], fallen, 1e-5f);
    // four steps of a metre, from the step that begins at 0.3
    const float moved = step < 3 ? 0.0f : step < 7 ? (float)(step - 2) : 4.0f;
    ck_assert_float_eq_tol(now[5], moved, 1e-5f);
    if (step == 0) ck_assert_float_eq_tol(now[6], 2.3f, 1e-5f);
    if (step == 0) ck_assert_float_eq_tol(now[7], 0.0f, 1e-5f);
  }
  unlink(path);
}

// ---- files ----

static void expect_columns(const char* line, size_t columns) {
  size_t found = 1;
  for (; *line && *line != '\n'; ++line) found += *line == ',';
  ck_assert_uint_eq(found, columns);
}

TEST(measures_have_a_row_for_every_step_and_end_in_the_runs_own_hash) {
  sim_settings settings = sim_default_settings();
  settings.seconds = 0.5;
  for (uint32_t every = 1; every <= 40; every += 13) {
    unlink("test_sim_measures.csv");
    sim_run* run = new_run("rope", &settings);
    sim_measures measures;
    tool_message why;
    tool_bytes file;
    ck_assert(sim_measures_open("test_sim_measures.csv", every, run, &measures, &why));
    for (int i = 0; i < 30; ++i) {
      take_steps(run, 1);
      ck_assert(sim_measures_step(&measures, run, &why));
    }
    ck_assert_int_ne(access("test_sim_measures.csv", F_OK), 0);
    ck_assert(sim_measures_close(&measures, true, &why));
    ck_assert(tool_read_file("test_sim_measures.csv", SIZE_MAX, &file, &why));
    uint32_t rows = 0, last_step = 0;
    const char* last = file.text;
    for (char* line = file.text; *line; line = strchr(line, '\n') + 1, ++rows) {
      expect_columns(line, 15);
      if (rows == 1) ck_assert_int_eq(strncmp(line, "0,0,0,", 6), 0);
      last = line;
    }
    ck_assert_uint_eq(rows, 1 + 1 + 30 / every + (30 % every > 0));
    ck_assert_int_eq(sscanf(last, "%u", &last_step), 1);
    ck_assert_uint_eq(last_step, 30);
    char hash[32];
    snprintf(hash, sizeof hash, ",%016" PRIx64 "\n", weft_world_hash(sim_run_world(run)));
    ck_assert_str_eq(strrchr(last, ','), hash);
    free(file.text);
    unlink("test_sim_measures.csv");
  }
}

TEST(a_report_reads_back) {
  const char* sets[] = {"size=9", "hold=corners"};
  sim_settings settings = sim_default_settings();
  settings.sets = sets;
  settings.set_count = 2;
  sim_run* run = new_run("sheet", &settings);
  sim_facts facts;
  tool_message why;
  take_steps(run, 12);
  ck_assert(sim_run_facts(run, &facts, &why));
  ck_assert(sim_write_json("test_sim.json", run, &facts, &why));
  json_t* read = json_load_file("test_sim.json", 0, NULL);
  ck_assert_ptr_nonnull(read);
  const char *scene = NULL, *hold = NULL, *hash = NULL, *integrator = NULL;
  int schema = 0, size = 0, particles = 0, links = 0, broken = -1, steps = 0, iterations = 0;
  double kinetic = -1.0, mean = -1.0;
  json_t *centre = NULL, *bounds = NULL, *results = NULL;
  ck_assert_int_eq(
      json_unpack(read, "{si ss s{s{si ss} s{si ss}} si si si s{sF} so so s{sF} ss si so}",
                  "schema", &schema, "scene", &scene, "settings", "parameters", "size", &size,
                  "hold", &hold, "world", "iterations", &iterations, "integrator", &integrator,
                  "particles", &particles, "links", &links, "broken_links", &broken, "energies",
                  "kinetic", &kinetic, "centre_of_mass", &centre, "bounds", &bounds, "strain",
                  "mean", &mean, "state_hash", &hash, "steps", &steps, "results", &results),
      0);
  ck_assert_str_eq(scene, "sheet");
  ck_assert_str_eq(hold, "corners");
  ck_assert_str_eq(integrator, "position_verlet");
  ck_assert_int_eq(schema, 1);
  ck_assert_int_eq(size, 9);
  ck_assert_int_eq(iterations, 2);  // chosen for "auto"
  ck_assert_int_eq(particles, 81);
  ck_assert_int_eq(links, (int)facts.stats.link_count);
  ck_assert_int_eq(broken, 0);
  ck_assert_int_eq(steps, 12);
  ck_assert_double_eq(kinetic, facts.measures.kinetic);
  ck_assert_double_eq(mean, facts.measures.mean_strain);
  ck_assert_uint_eq(json_array_size(centre), 3);
  ck_assert_uint_eq(json_array_size(json_object_get(bounds, "lower")), 3);
  ck_assert_uint_eq(strtoull(hash, NULL, 16), weft_world_hash(sim_run_world(run)));
  json_decref(read);
  unlink("test_sim.json");
}
