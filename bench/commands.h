/* Each sub-command reads its own command line, argv[0] being its name, and returns the exit status.
 */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

/* Exit status of `hash` if hashes differ, of `validate` if a tolerance is missed. */
enum { BENCH_EXIT_DIFFER = 1, BENCH_EXIT_MISSED = 1 };

typedef int bench_main(int argc, char** argv);
bench_main command_throughput, command_scaling, command_profile, command_contacts, command_growth,
    command_limits, command_quality, command_hash, command_validate, command_snapshot;

#endif
