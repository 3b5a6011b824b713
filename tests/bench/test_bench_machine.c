/* Topology, places of workers, and load of a machine. */
#include "plan.h"
#include "support/test.h"

// ---- topology ----

typedef struct machine_case {
  const char *synthetic, *allowed;
  uint32_t packages, nodes, cores, machine_cpus, siblings, cpu_count;
  uint32_t compact[4], scatter[4]; /* CPUs of the first workers */
  const char* said;                /* part of the text */
} machine_case;

static const machine_case machines[] = {
    {"package:1 l3:1 core:2 pu:1", NULL, 1, 1, 2, 2, 1, 2, {0, 1, 0, 1}, {0, 1, 0, 1}, "2 cores"},
    {"package:2 l3:2 core:2 pu:2",
     NULL,
     2,
     1,
     8,
     16,
     2,
     16,
     {0, 1, 2, 3},
     {0, 8, 4, 12},
     "SMT: CPUs 0+1, 2+3, 4+5, 6+7 .. are siblings"},
    {"package:2 numa:1 l3:1 core:2 pu:2",
     "2-5",
     2,
     2,
     4,
     8,
     2,
     4,
     {2, 3, 4, 5},
     {2, 4, 3, 5},
     "affinity mask: 4 of 8 CPUs"},
    {"package:1 l3:1 core:4 pu:2",
     "0,2,4,6",
     1,
     1,
     4,
     8,
     2,
     4,
     {0, 2, 4, 6},
     {0, 2, 4, 6},
     "CPU quota: the time of 2 of 4 CPUs"},
    {"l2:2(size=1048576) core:2 l1:1(size=32768) pu:1",
     "3",
     0,
     1,
     4,
     4,
     1,
     1,
     {3, 3, 3, 3},
     {3, 3, 3, 3},
     "L2 1 MiB for 2 CPUs"},
};
enum { MACHINES = sizeof(machines) / sizeof(*machines), MAX_TEXT = 4096 };

static void print_topology(const bench_topology* topology, char text[MAX_TEXT]) {
  FILE* out = fmemopen(text, MAX_TEXT, "w");
  require(out != NULL);
  bench_topology_print(out, topology, 2);
  fclose(out);
}

LOOP_TEST(a_topology_counts_what_cpus_share, 0, MACHINES) {
  const machine_case* m = &machines[_i];
  static bench_topology topology;
  char text[MAX_TEXT] = "";
  require(bench_topology_read(m->synthetic, m->allowed, &topology));
  ck_assert_uint_eq(topology.package_count, m->packages);
  ck_assert_uint_eq(topology.node_count, m->nodes);
  ck_assert_uint_eq(topology.core_count, m->cores);
  ck_assert_uint_eq(topology.machine_cpus, m->machine_cpus);
  ck_assert_uint_eq(topology.siblings, m->siblings);
  ck_assert_uint_eq(topology.cpu_count, m->cpu_count);
  print_topology(&topology, text);
  ck_assert_msg(strstr(text, m->said) != NULL, "%s is not in %s", m->said, text);
}

static const tool_option bind_option = BENCH_BIND_OPTION;

LOOP_TEST(workers_are_bound_side_by_side_or_far_apart, 0, MACHINES) {
  const machine_case* m = &machines[_i];
  static bench_topology topology;
  tool_message why;
  require(bench_topology_read(m->synthetic, m->allowed, &topology));
  for (int kind = BENCH_BIND_NONE; kind <= BENCH_BIND_SCATTER; ++kind) {
    bench_plan plan = bench_default_plan(NULL);
    require(tool_option_take(&bind_option, &plan, bench_binding_names[kind], &why));
    bench_binding binding = plan.binding;
    require(bench_binding_complete(&binding, &topology, &why));
    const uint32_t* cpus = bench_binding_cpus(&binding);
    require((cpus == NULL) == (kind == BENCH_BIND_NONE));
    const uint32_t* expected = kind == BENCH_BIND_COMPACT ? m->compact : m->scatter;
    for (int i = 0; cpus != NULL && i < 4; ++i) ck_assert_uint_eq(cpus[i], expected[i]);
  }
}

TEST(slow_cpus_are_told_and_bad_rules_refused) {
  static bench_topology topology;
  char text[MAX_TEXT] = "";
  require(bench_topology_read("package:1 core:4 pu:1", NULL, &topology));
  require(isnan(bench_topology_lowest_speed(&topology)));
  print_topology(&topology, text);
  require(strstr(text, "speeds differ") == NULL);
  topology.speed_source = "cpufreq";
  for (int i = 0; i < 4; ++i) topology.cpus[i].speed = i < 3 ? 1.0 : 0.6;
  print_topology(&topology, text);
  require(strstr(text, "speeds differ (cpufreq): 1 of 4 CPUs") != NULL);
  tool_message why;
  bench_binding binding = {.kind = BENCH_BIND_COMPACT};
  bench_plan plan = bench_default_plan(NULL);
  require(!tool_option_take(&bind_option, &plan, "close", &why));
  ck_assert_str_eq(why.text, "--bind: 'close' is not one of none, compact, scatter");
  require(!bench_topology_read("no machine", NULL, &topology) && topology.cpu_count == 0);
  require(!bench_binding_complete(&binding, &topology, &why));
}

// ---- load ----

typedef struct load_case {
  const char *stat, *pressure;
  bool is_known;
  double busy_s, stolen_s, stalled_s; /* NaN = unknown */
} load_case;

static const load_case loads[] = {
    {"cpu  100 200 300 5000 60 7 8 900 0 0\n",
     "some avg10=99.04 avg60=0.0 avg300=1.0 total=2500000\n", true, 6.15, 9.0, 2.5},
    {"cpu  100 200 300 5000 60 7 8\n", NULL, true, 6.15, 0.0, NAN},
    {"cpu  100 200\n", NULL, false, 0.0, 0.0, NAN},
    {"cpu0 100 200 300 5000 60 7 8 900 0 0\n", "some avg10=1", false, 0.0, 0.0, NAN},
    {NULL, NULL, false, 0.0, 0.0, NAN},
};

LOOP_TEST(lines_of_the_system_are_read, 0, 5) {
  const load_case* c = &loads[_i];
  const bench_load_sample sample = bench_load_parse(c->stat, c->pressure, 100.0);
  require(sample.is_known == c->is_known);
  ck_assert_double_eq_tol(sample.busy_s, c->busy_s, 1e-12);
  ck_assert_double_eq_tol(sample.stolen_s, c->stolen_s, 1e-12);
  require(isnan(sample.stalled_s) == isnan(c->stalled_s));
}

TEST(the_load_of_others_is_that_of_all_less_our_own) {
  const bench_load_sample first = {true, 100.0, 3.0, 10.0, 1.0, 50.0};
  bench_load_sample last = {true, 116.0, 4.0, 20.0, 3.0, 54.0};
  bench_load load = bench_load_between(&first, &last);
  require(load.seconds == 4.0 && load.others_cpus == 1.5 && load.stolen_cpus == 0.25 &&
          load.stalled_share == 0.5);
  char text[MAX_TEXT] = "";
  FILE* out = fmemopen(text, MAX_TEXT, "w");
  bench_load_print(out, &load, &load, 4);
  fclose(out);
  require(strstr(text, "busy machine: of 4 CPUs, other processes used 1.50") != NULL);
  last.is_known = false;
  load = bench_load_between(&first, &last);
  require(load.seconds == 0.0 && isnan(load.others_cpus));
}
