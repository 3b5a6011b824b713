/* Settings that commands have in common, with the rows of their options. A command's settings begin
 * with its plan. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "common/command_line.h"
#include "machine.h"
#include "scenes.h"
#include "topology.h"

typedef struct bench_output {
  const char *json_path, *csv_path, *trace_path; /* NULL = none */
  uint32_t trace_steps;                          /* recorded of each world */
  bool quiet;
} bench_output;

/* Solver beside its sweeps. */
typedef struct bench_solver_settings {
  uint32_t coarse_iterations, substeps, attachments;
} bench_solver_settings;

typedef struct bench_plan {
  bench_output output;
  int scene; /* index in bench_scene_names; -1 = none is given */
  bench_scene_request scenes[TOOL_MAX_LIST];
  uint32_t scene_count;
  bench_pin_rule pin;
  const char* default_sizes; /* sheets if no scene is given */
  uint32_t count;            /* copies of each sheet */
  tool_count_list threads;   /* empty = the command's default */
  tool_isa_list isas;        /* empty = the command's default */
  uint32_t iterations;       /* 0 = not given */
  int integrator;            /* for sheets of springs; -1 = sheets of links */
  bench_solver_settings solver;
  bench_binding binding;
} bench_plan;

#define BENCH_OUTPUT_OPTIONS                                                              \
  TOOL_HEADING("Files:"),                                                                 \
      TOOL_OPTION(PATH, "json", "FILE", offsetof(bench_plan, output.json_path),           \
                  "the results with their full precision (not from a debug build); - is " \
                  "standard output, and "                                                 \
                  "the tables go to standard error"),                                     \
      TOOL_OPTION(PATH, "csv", "FILE", offsetof(bench_plan, output.csv_path),             \
                  "the rows of the results as CSV"),                                      \
      TOOL_OPTION(FLAG, "quiet", NULL, offsetof(bench_plan, output.quiet),                \
                  "no progress bar (there is none unless stderr is a terminal)")

/* Commands that write session.trace. */
#define BENCH_TRACE_OPTIONS                                                                       \
  TOOL_OPTION(                                                                                    \
      PATH, "trace", "FILE", offsetof(bench_plan, output.trace_path),                             \
      "activity of each worker, as JSON for ui.perfetto.dev, in steps of their own, after those " \
      "that are timed"),                                                                          \
      TOOL_RANGE(COUNT, "trace-steps", "N", offsetof(bench_plan, output.trace_steps), 1, 1000000, \
                 "these steps of each world (default 100)")

#define BENCH_SCENE_OPTION(name_count, help)                                                     \
  TOOL_CHOICE(NAME, "scene", "NAME", offsetof(bench_plan, scene), name_count, bench_scene_names, \
              help)
#define BENCH_SIZE_OPTION                           \
  TOOL_REPEATED_OPTION(                             \
      "size", "N[,N...]", 0, bench_plan_add_sheets, \
      "particles along each side of the sheet, 2 to 8192; may be given several times")
#define BENCH_MESH_OPTION                                      \
  TOOL_REPEATED_OPTION("mesh", "FILE", 0, bench_plan_add_mesh, \
                       "a triangle mesh, .obj, .ply, .gltf or .glb; may be given several times")
#define BENCH_COPY_OPTIONS                                                                         \
  TOOL_RANGE(                                                                                      \
      COUNT, "count", "N", offsetof(bench_plan, count), 1, BENCH_MOST_SHEETS,                      \
      "copies of each sheet in one world, side by side and not linked to each other, 1 to 100000 " \
      "(default 1)"),                                                                              \
      TOOL_REPEATED_OPTION(                                                                        \
          "pin", "RULE", offsetof(bench_plan, pin), bench_parse_pin,                               \
          "pinned particles: none, top-row (sheets only), or SIDE:SHARE, a share "                 \
          "from 0 to 1 of the "                                                                    \
          "extent from one side of top, bottom (y), right, left (x), front, back "                 \
          "(z); default top-row "                                                                  \
          "for sheets, top:0.02 for meshes")

/* All of these, for commands that take sheets and meshes. */
#define BENCH_SCENES_OPTIONS(name_count, help)                                        \
  TOOL_HEADING("Scenes (in the order given):"), BENCH_SCENE_OPTION(name_count, help), \
      BENCH_SIZE_OPTION, BENCH_MESH_OPTION, BENCH_COPY_OPTIONS

#define BENCH_THREADS_OPTION(help)                                                              \
  TOOL_RANGE(COUNTS, "threads", "N[,N...]", offsetof(bench_plan, threads), 1, WEFT_MAX_WORKERS, \
             help)
#define BENCH_ISA_NAMES "auto, scalar, sse2, avx2, avx512, neon or simd128 (default auto)"
#define BENCH_ISAS_OPTION(value, help) \
  TOOL_OPTION(ISAS, "isa", value, offsetof(bench_plan, isas), help)
#define BENCH_ANY_ISAS_OPTION                                                                      \
  BENCH_ISAS_OPTION("NAME[,NAME...]",                                                              \
                    "auto (default), scalar, sse2, avx2, avx512, neon, simd128, or all of these; " \
                    "those that cannot run here are skipped")
#define BENCH_ITERATIONS_OPTION(help) \
  TOOL_RANGE(COUNT, "iterations", "K", offsetof(bench_plan, iterations), 1, 10000, help)

/* Commands that bind threads: they call bench_plan_bind(). */
#define BENCH_BIND_OPTION                                                                     \
  TOOL_CHOICE(                                                                                \
      NAME, "bind", "RULE", offsetof(bench_plan, binding.kind), BENCH_BINDINGS,               \
      bench_binding_names,                                                                    \
      "CPUs of the threads: none, wherever the system puts them (default); compact, side by " \
      "side, "                                                                                \
      "siblings of a core first; scatter, in turns on packages, caches, cores, and siblings last")

#define BENCH_SOLVER_OPTIONS                                                                 \
  TOOL_RANGE(COUNT, "coarse", "K", offsetof(bench_plan, solver.coarse_iterations), 0, 10000, \
             "sweeps over each coarse level a step (default 0)"),                            \
      TOOL_RANGE(COUNT, "substeps", "N", offsetof(bench_plan, solver.substeps), 1, 1000,     \
                 "substeps a step (default 1)"),                                             \
      TOOL_RANGE(COUNT, "attachments", "N", offsetof(bench_plan, solver.attachments), 0, 4,  \
                 "long-range attachments of a particle (default 0)")

/* Sheets of these sizes if no scene is given; 10 iterations, 1 substep. */
bench_plan bench_default_plan(const char* sizes);

/* 1 and all cores, as far as a world can have that many. */
tool_count_list bench_default_threads(const bench_machine* machine);

/* Appends sheets of listed sizes, or a mesh file; `plan` is a bench_plan. */
bool bench_plan_add_sheets(void* plan, const char* sizes, tool_message* why);
bool bench_plan_add_mesh(void* plan, const char* path, tool_message* why);

/* After all options: requires a scene, fills in defaults, threads and, NULL = auto, instruction
 * sets; drops, with a note on stderr, instruction sets that cannot run here. */
bool bench_plan_complete(bench_plan* plan, const tool_count_list* threads,
                         const tool_isa_list* isas, tool_message* why);

/* Commands of one scene; commands of one instruction set, which has to run here, auto if none is
 * given. */
bool bench_plan_has_one_scene(const bench_plan* plan, const char* command, tool_message* why);
bool bench_plan_has_one_isa(bench_plan* plan, const char* command, tool_message* why);

bool bench_plan_has_contacts(const bench_plan* plan, bench_contact_kind* kind);

void bench_plan_set_solver(const bench_plan* plan, weft_world_def* def);

/* Completes the binding by the machine's topology, which has to outlive the plan. */
bool bench_plan_bind(bench_plan* plan, bench_machine* machine, tool_message* why);

/* Bytes a particle of a description and one world, measured at 2048 x 2048. */
#define BENCH_WORLD_PARTICLE_BYTES 170.0

/* False where all copies of a sheet exceed the machine's memory: the system would kill some program
 * instead of failing an allocation. */
bool bench_plan_fits(const bench_plan* plan, double particle_bytes, const bench_machine* machine,
                     tool_message* why);

#endif
