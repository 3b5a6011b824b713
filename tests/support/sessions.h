#ifndef TESTS_SUPPORT_SESSIONS_H
#define TESTS_SUPPORT_SESSIONS_H

#include <stdio.h>
#include <string.h>

#include "support/suite.h"
#include "view/session.h"

static inline view_session* begin(const char* name, const char* const* sets, size_t count) {
  const view_options options = {.name = name, .sets = sets, .set_count = count, .threads = 1};
  view_session* session = NULL;
  tool_message why = {""};
  ck_assert_msg(view_session_create(&options, &session, &why) == SIM_OK, "%s", why.text);
  return session;
}

static inline view_session* begin_curtain(void) {
  const char* const sets[] = {"columns=13", "rows=9"};
  return begin("curtain", sets, 2);
}

static inline void command(view_session* session, const char* line) {
  tool_message why = {""};
  ck_assert_msg(view_session_command(session, line, strlen(line), &why), "%s: %s", line, why.text);
}

static inline void take_steps(view_session* session, int count) {
  tool_message why;
  for (int i = 0; i < count; ++i) ck_assert(view_session_step(session, &why));
}

#endif
