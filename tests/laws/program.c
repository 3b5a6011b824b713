/* weft-laws: measures cases of the matrix and prints the ones that fall short. See tools/laws.sh.
 */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "laws/laws.h"

enum { MOST_JOBS = 64, SECONDS_OF_A_CASE = 300, EXIT_INTERRUPTED = 130, EXIT_USAGE = 2 };

static const char usage[] =
    "usage: weft-laws [--full] [--law P] [--body P] [--path P] [--setting P] [--all] [--list]\n"
    "                 [--renew] [--known FILE] [--json FILE] [--jobs N] [--quiet]\n"
    "\n"
    "Measures the cases of the matrix of laws, and prints those that fall short, with their\n"
    "figures: a cover of all pairs of rows, or with --full all cases. P are patterns of the "
    "shell,\n"
    "such as 'cone-*', that choose among all cases. Exits with 1 where a case is broken, or\n"
    "worse or better than listed.\n"
    "  --all     prints the cases that hold, too\n"
    "  --list    prints laws and rows\n"
    "  --renew   lists the cases of the cover that fall short in the file of known ones\n"
    "  --known   that file; default tests/laws/known.txt of the checkout\n"
    "  --json    writes all figures, - is standard output\n"
    "  --jobs    processes; default 2\n"
    "  --quiet   shows no progress\n";

typedef struct options {
  const char *patterns[4], *known, *json;
  bool full, all, renew, quiet;
  uint32_t jobs;
} options;

// figures of the cases, as they come; NaN = not measured
typedef struct run {
  const options* options;
  law_cases cases;
  double* figures;
  double* seconds; /* CPU time */
  uint32_t done;
} run;

typedef struct measured {
  uint64_t index;
  double figure, seconds;
} measured;

static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

// ---- which cases ----

static bool is_chosen(const options* o, const law_case* c) {
  const char* names[4] = {laws[c->law].name, law_bodies[c->body].name, law_paths[c->path].name,
                          law_settings[c->setting].name};
  for (int i = 0; i < 4; ++i) {
    if (o->patterns[i] != NULL && fnmatch(o->patterns[i], names[i], 0) != 0) return false;
  }
  return true;
}

static law_cases choose_cases(const options* o) {
  bool chosen = o->full;
  for (int i = 0; i < 4; ++i) chosen = chosen || o->patterns[i] != NULL;
  // the list is the cover's
  law_cases cases = chosen && !o->renew ? law_all_cases() : law_cover();
  uint32_t kept = 0;
  for (uint32_t i = 0; i < cases.count; ++i) {
    if (is_chosen(o, &cases.items[i])) cases.items[kept++] = cases.items[i];
  }
  cases.count = kept;
  return cases;
}

static void list_rows(void) {
  for (uint32_t i = 0; i < law_count; ++i) {
    printf("law %s: %s; bound %g %s\n", laws[i].name, laws[i].statement, laws[i].bound,
           laws[i].unit);
  }
  for (uint32_t i = 0; i < law_body_count; ++i) printf("body %s\n", law_bodies[i].name);
  for (uint32_t i = 0; i < law_path_count; ++i) printf("path %s\n", law_paths[i].name);
  for (uint32_t i = 0; i < law_setting_count; ++i) printf("setting %s\n", law_settings[i].name);
}

// ---- processes ----

static double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// measures a case in a process of its own; one that fails, or takes minutes, has no figure
static void measure_apart(const run* r, uint32_t index, int out) {
  const pid_t child = fork();
  int status = 0;
  if (child == 0) {
    alarm(SECONDS_OF_A_CASE);
    measured one = {.index = index, .figure = law_measure(&r->cases.items[index])};
    one.seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    _exit(write(out, &one, sizeof(one)) == sizeof(one) ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  if (child > 0) waitpid(child, &status, 0);
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS) return;
  const measured none = {.index = index, .figure = (double)INFINITY};
  if (write(out, &none, sizeof(none)) != sizeof(none)) _exit(EXIT_FAILURE);
}

// each `jobs`-th case; Ctrl-C is for the first process
static void run_job(const run* r, uint32_t job, int out) {
  setpgid(0, 0);
  signal(SIGTERM, SIG_DFL);
  for (uint32_t i = job; i < r->cases.count; i += r->options->jobs) measure_apart(r, i, out);
  _exit(EXIT_SUCCESS);
}

static void show_progress(const run* r, double begin) {
  static double shown;
  const double now = seconds_of(CLOCK_MONOTONIC);
  if (r->options->quiet || !isatty(STDERR_FILENO) || now - shown < 0.2) return;
  shown = now;
  const double left = (now - begin) / r->done * (r->cases.count - r->done);
  fprintf(stderr, "\r\033[K%u of %u cases, %.0f s left", r->done, r->cases.count, left);
}

static void end_jobs(const pid_t* jobs, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (interrupted) kill(-jobs[i], SIGTERM);
    while (waitpid(jobs[i], NULL, 0) < 0 && errno == EINTR) continue;
  }
}

// false if a process ended before its last case
static bool measure_all(run* r) {
  pid_t jobs[MOST_JOBS];
  int ends[2];
  if (pipe(ends) != 0) return false;
  fflush(NULL);
  for (uint32_t i = 0; i < r->options->jobs; ++i) {
    jobs[i] = fork();
    if (jobs[i] < 0) return false;
    if (jobs[i] == 0) {
      close(ends[0]);
      run_job(r, i, ends[1]);
    }
  }
  close(ends[1]);
  const double begin = seconds_of(CLOCK_MONOTONIC);
  for (measured one; !interrupted && read(ends[0], &one, sizeof(one)) == sizeof(one);) {
    r->figures[one.index] = one.figure, r->seconds[one.index] = one.seconds;
    ++r->done;
    show_progress(r, begin);
  }
  if (!r->options->quiet && isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
  end_jobs(jobs, r->options->jobs);
  close(ends[0]);
  return r->done == r->cases.count || interrupted;
}

// ---- results ----

static bool contains(const law_cases* cases, const law_case* c) {
  for (uint32_t i = 0; i < cases->count; ++i) {
    if (memcmp(&cases->items[i], c, sizeof(*c)) == 0) return true;
  }
  return false;
}

static void print_case(const law_case* c, double figure, const char* verdict) {
  const law* l = &laws[c->law];
  printf("%-7s %-17s %-17s %-18s %-16s %10.3g %s, bound %g\n", verdict, l->name,
         law_bodies[c->body].name, law_paths[c->path].name, law_settings[c->setting].name, figure,
         l->unit, l->bound);
}

// Prints the table; returns the number of cases not as listed. The list is the cover's: other cases
// that do not hold count as falling short.
static uint32_t print_table(const run* r, const law_known_list* known) {
  uint32_t counts[5] = {0}, others = 0;
  const law_cases cover = law_cover();
  for (uint32_t i = 0; i < r->cases.count; ++i) {
    const law_case* c = &r->cases.items[i];
    if (isnan(r->figures[i])) continue;
    const law_verdict verdict = law_judge(known, c, r->figures[i]);
    const bool other = verdict == LAW_BROKEN && !contains(&cover, c);
    others += other, counts[verdict] += !other;
    if (verdict == LAW_HOLDS && !r->options->all) continue;
    print_case(c, r->figures[i], other ? "short" : law_verdict_name(verdict));
  }
  free(cover.items);
  printf("%u of %u cases measured: %u hold, %u known, %u broken, %u worse, %u better", r->done,
         r->cases.count, counts[LAW_HOLDS], counts[LAW_KNOWN], counts[LAW_BROKEN],
         counts[LAW_WORSE], counts[LAW_BETTER]);
  if (others > 0) printf(", %u outside of the cover fall short", others);
  printf("\n");
  return counts[LAW_BROKEN] + counts[LAW_WORSE] + counts[LAW_BETTER];
}

static bool write_json(const run* r, const law_known_list* known) {
  const bool to_stdout = strcmp(r->options->json, "-") == 0;
  FILE* file = to_stdout ? stdout : fopen(r->options->json, "w");
  if (file == NULL) return false;
  const char* before = "[\n";
  for (uint32_t i = 0; i < r->cases.count; ++i) {
    const law_case* c = &r->cases.items[i];
    if (isnan(r->figures[i])) continue;
    fprintf(file, "%s{\"law\": \"%s\", \"body\": \"%s\", \"path\": \"%s\", \"setting\": \"%s\", ",
            before, laws[c->law].name, law_bodies[c->body].name, law_paths[c->path].name,
            law_settings[c->setting].name);
    // JSON has no infinity
    if (isfinite(r->figures[i]))
      fprintf(file, "\"figure\": %.6g, ", r->figures[i]);
    else
      fprintf(file, "\"figure\": null, ");
    fprintf(file,
            "\"bound\": %g, \"unit\": \"%s\", \"verdict\": \"%s\", "
            "\"seconds\": %.3f}",
            laws[c->law].bound, laws[c->law].unit,
            law_verdict_name(law_judge(known, c, r->figures[i])), r->seconds[i]);
    before = ",\n";
  }
  fputs(before[0] == '[' ? "[]\n" : "\n]\n", file);
  return to_stdout ? fflush(file) == 0 : fclose(file) == 0;
}

// a whole cover replaces the list; a choice of cases replaces their lines
static bool renew(const run* r, const law_known_list* known, bool is_cover) {
  law_known_list list = {calloc(known->count + r->cases.count, sizeof(*list.items)), 0};
  if (list.items == NULL) return false;
  for (uint32_t i = 0; i < known->count && !is_cover; ++i) {
    bool is_measured = false;
    for (uint32_t k = 0; k < r->cases.count; ++k) {
      is_measured =
          is_measured || memcmp(&r->cases.items[k], &known->items[i].of, sizeof(law_case)) == 0;
    }
    if (!is_measured) list.items[list.count++] = known->items[i];
  }
  for (uint32_t i = 0; i < r->cases.count; ++i) {
    if (r->figures[i] <= laws[r->cases.items[i].law].bound) continue;
    list.items[list.count++] = (law_known){r->cases.items[i], r->figures[i]};
  }
  const bool written = law_write_known(r->options->known, &list);
  if (written) printf("%s: %u cases\n", r->options->known, list.count);
  free(list.items);
  return written;
}

// ---- command line ----

static int refuse(const char* word) {
  fprintf(stderr, "weft-laws: '%s'?\n%s", word, usage);
  return EXIT_USAGE;
}

// true to go on; else *status is the program's
static bool parse_options(int argc, char** argv, options* o, int* status) {
  static const struct option longs[] = {
      {"law", required_argument, NULL, 0},     {"body", required_argument, NULL, 1},
      {"path", required_argument, NULL, 2},    {"setting", required_argument, NULL, 3},
      {"known", required_argument, NULL, 'k'}, {"json", required_argument, NULL, 'j'},
      {"jobs", required_argument, NULL, 'n'},  {"full", no_argument, NULL, 'f'},
      {"all", no_argument, NULL, 'a'},         {"list", no_argument, NULL, 'l'},
      {"renew", no_argument, NULL, 'r'},       {"quiet", no_argument, NULL, 'q'},
      {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
  *status = EXIT_SUCCESS;
  for (int c; (c = getopt_long(argc, argv, "h", longs, NULL)) != -1;) {
    switch (c) {
      case 0:
      case 1:
      case 2:
      case 3:
        o->patterns[c] = optarg;
        break;
      case 'k':
        o->known = optarg;
        break;
      case 'j':
        o->json = optarg;
        break;
      case 'n':
        o->jobs = (uint32_t)strtoul(optarg, NULL, 10);
        break;
      case 'f':
        o->full = true;
        break;
      case 'a':
        o->all = true;
        break;
      case 'r':
        o->renew = true;
        break;
      case 'q':
        o->quiet = true;
        break;
      case 'l':
        list_rows();
        return false;
      case 'h':
        fputs(usage, stdout);
        return false;
      default:
        fputs(usage, stderr), *status = EXIT_USAGE;
        return false;
    }
  }
  if (optind < argc || o->jobs < 1 || o->jobs > MOST_JOBS) {
    *status = refuse(optind < argc ? argv[optind] : "--jobs");
    return false;
  }
  return true;
}

static int report(const run* r, const law_known_list* known) {
  bool chosen = r->options->full;
  for (int i = 0; i < 4; ++i) chosen = chosen || r->options->patterns[i] != NULL;
  const uint32_t off = print_table(r, known);
  const bool written = r->options->json == NULL || write_json(r, known);
  if (interrupted) return EXIT_INTERRUPTED;
  if (r->options->renew) return written && renew(r, known, !chosen) ? EXIT_SUCCESS : EXIT_FAILURE;
  return written && off == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
  options o = {.known = WEFT_KNOWN_LAWS, .jobs = 2};
  int status;
  if (!parse_options(argc, argv, &o, &status)) return status;
  // static: held to the end of the process
  static law_known_list known;
  static run r;
  known = law_read_known(o.known, o.renew);
  r = (run){.options = &o, .cases = choose_cases(&o)};
  if (r.cases.count == 0) return refuse("no case");
  r.figures = malloc(r.cases.count * sizeof(*r.figures));
  r.seconds = calloc(r.cases.count, sizeof(*r.seconds));
  if (r.figures == NULL || r.seconds == NULL) return EXIT_FAILURE;
  for (uint32_t i = 0; i < r.cases.count; ++i) r.figures[i] = (double)NAN;
  const struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (!measure_all(&r)) {
    fprintf(stderr, "weft-laws: a process ended early: %u of %u cases\n", r.done, r.cases.count);
    return EXIT_FAILURE;
  }
  return report(&r, &known);
}
