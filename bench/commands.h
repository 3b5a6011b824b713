/* The sub-commands: each reads its own command line, argv[0] being its name, and returns the exit
 * status. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

/* Exit status of `hash` if hashes differ, of `validate` if a tolerance is missed. */
enum { BENCH_EXIT_DIFFER = 1, BENCH_EXIT_MISSED = 1 };

int command_throughput(int argc, char** argv);
int command_scaling(int argc, char** argv);
int command_profile(int argc, char** argv);
int command_contacts(int argc, char** argv);
int command_growth(int argc, char** argv);
int command_limits(int argc, char** argv);
int command_quality(int argc, char** argv);
int command_hash(int argc, char** argv);
int command_validate(int argc, char** argv);
int command_snapshot(int argc, char** argv);

#endif
