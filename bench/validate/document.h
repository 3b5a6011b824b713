/* docs/validation.md, written from the rows. */
#ifndef BENCH_VALIDATE_DOCUMENT_H
#define BENCH_VALIDATE_DOCUMENT_H

#include "common/message.h"
#include "machine.h"
#include "validate/validate.h"

bool validate_write_document(const char* path, const bench_machine* machine, bool is_quick,
                             const bench_rows* rows, tool_message* why);

/* Text of a number with five digits, and of a row's error and tolerance, in percent if relative. */
enum { VALIDATE_CELL = 32 };
void validate_format(char cell[VALIDATE_CELL], double value);
void validate_format_error(char cell[VALIDATE_CELL], const validate_row* row, double error);

#endif
