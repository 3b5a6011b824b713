/* Security. The socket is bound to 127.0.0.1. Every path begins with a token of 128 random bits;
 * requests without it, or with another server's Host or Origin, get 403: no page of another site
 * reaches the socket, not even by a name that it makes resolve to 127.0.0.1. Messages are bounded:
 * a command to VIEW_MOST_COMMAND bytes, a recording or a picture to MOST_BINARY, the pages to
 * MOST_PAGES. Only the page's own three files are read. */
#include "view/server/serve.h"

#include <errno.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "common/file_bytes.h"
#include "common/interrupt.h"

enum { TOKEN_BYTES = 16, MOST_PAGES = 32, MOST_IN_FLIGHT = 2, FILE_COUNT = 3 };
#define MOST_BINARY (32u << 20)
#define MOST_FILE (16u << 20)

static const struct {
  const char *path, *name, *type;
} files[FILE_COUNT] = {{"", "index.html", "text/html; charset=utf-8"},
                       {"view.js", "view.js", "text/javascript; charset=utf-8"},
                       {"view.css", "view.css", "text/css; charset=utf-8"}};

/* A tab with the page. */
typedef struct page {
  uint32_t number; /* numbered from 1 */
  bool is_counted;
  uint64_t info, topology, frame; /* serials of the last ones sent */
  uint32_t in_flight;             /* frames not drawn yet by the page */
  char* received;                 /* message so far */
  size_t size;
} page;

/* A file that is being sent. */
typedef struct request {
  const tool_bytes* file;
  size_t sent;
} request;

struct view_server {
  view_server_def def;
  struct lws_context* context;
  view_runner* runner;
  tool_bytes files[FILE_COUNT];
  char token[2 * TOKEN_BYTES + 1];
  char url[128];
  int port;
  uint32_t page_count, page_number, picture_count;
  bool is_over;
};

// ---- who may ask ----

/* In constant time, wherever the first difference is. */
static bool is_token(const view_server* server, const char* text) {
  unsigned difference = 0;
  if (strlen(text) < 2 * TOKEN_BYTES) return false;
  for (size_t i = 0; i < 2 * TOKEN_BYTES; ++i) {
    difference |= (unsigned char)text[i] ^ (unsigned char)server->token[i];
  }
  return difference == 0;
}

/* The path after "/TOKEN/", or NULL. */
static const char* path_in(const view_server* server, const char* uri) {
  if (uri[0] != '/' || !is_token(server, uri + 1)) return NULL;
  const char* rest = uri + 1 + 2 * TOKEN_BYTES;
  return rest[0] == '/' ? rest + 1 : NULL;
}

static bool is_own(const view_server* server, const char* text, const char* scheme) {
  static const char* const hosts[] = {"127.0.0.1", "localhost"};
  char own[64];
  for (int i = 0; i < 2; ++i) {
    snprintf(own, sizeof own, "%s%s:%d", scheme, hosts[i], server->port);
    if (strcmp(text, own) == 0) return true;
  }
  return false;
}

static bool header_is_own(const view_server* server, struct lws* wsi, enum lws_token_indexes header,
                          const char* scheme, bool is_needed) {
  char text[128];
  const int length = lws_hdr_total_length(wsi, header);
  if (length == 0) return !is_needed;
  if (length < 0 || lws_hdr_copy(wsi, text, sizeof text, header) <= 0) return false;
  return is_own(server, text, scheme);
}

static bool may_ask(const view_server* server, struct lws* wsi, bool is_socket) {
  return header_is_own(server, wsi, WSI_TOKEN_HOST, "", true) &&
         header_is_own(server, wsi, WSI_TOKEN_ORIGIN, "http://", is_socket);
}

// ---- files ----

static int refuse(struct lws* wsi, unsigned status) {
  return lws_return_http_status(wsi, status, NULL) != 0 || lws_http_transaction_completed(wsi) ? -1
                                                                                               : 0;
}

static int send_head(struct lws* wsi, request* asked, int number) {
  static const struct {
    const char *name, *value;
  } heads[] = {
      {"cache-control:", "no-store"},
      {"referrer-policy:", "no-referrer"},
      {"x-content-type-options:", "nosniff"},
      {"x-frame-options:", "DENY"},
      {"content-security-policy:",
       "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
       "data: blob:; font-src data:; connect-src 'self' ws:; frame-ancestors 'none'; base-uri "
       "'none'"},
  };
  unsigned char buffer[LWS_PRE + 2048], *at = buffer + LWS_PRE, *end = buffer + sizeof buffer - 1;
  bool ok = lws_add_http_common_headers(wsi, HTTP_STATUS_OK, files[number].type,
                                        asked->file->length, &at, end) == 0;
  for (size_t i = 0; ok && i < sizeof heads / sizeof heads[0]; ++i) {
    ok = lws_add_http_header_by_name(wsi, (const unsigned char*)heads[i].name,
                                     (const unsigned char*)heads[i].value,
                                     (int)strlen(heads[i].value), &at, end) == 0;
  }
  if (!ok || lws_finalize_write_http_header(wsi, buffer + LWS_PRE, &at, end) != 0) return -1;
  lws_callback_on_writable(wsi);
  return 0;
}

static int begin_file(const view_server* server, struct lws* wsi, request* asked, const char* uri) {
  const char* path = may_ask(server, wsi, false) ? path_in(server, uri) : NULL;
  if (!path) return refuse(wsi, HTTP_STATUS_FORBIDDEN);
  for (int i = 0; i < FILE_COUNT; ++i) {
    if (strcmp(path, files[i].path) != 0) continue;
    *asked = (request){.file = &server->files[i]};
    return send_head(wsi, asked, i);
  }
  return refuse(wsi, HTTP_STATUS_NOT_FOUND);
}

static int go_on_with_file(struct lws* wsi, request* asked) {
  unsigned char buffer[LWS_PRE + 16384];
  if (!asked->file) return -1;
  const size_t left = asked->file->length - asked->sent;
  const size_t count = left < sizeof buffer - LWS_PRE ? left : sizeof buffer - LWS_PRE;
  memcpy(buffer + LWS_PRE, asked->file->text + asked->sent, count);
  asked->sent += count;
  const bool is_last = asked->sent == asked->file->length;
  if (lws_write(wsi, buffer + LWS_PRE, count, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) !=
      (int)count) {
    return -1;
  }
  if (is_last) return lws_http_transaction_completed(wsi) ? -1 : 0;
  lws_callback_on_writable(wsi);
  return 0;
}

// ---- pages ----

static int confirm_upgrade(const view_server* server, struct lws* wsi, const char* protocol) {
  char uri[128];
  const bool is_socket = protocol && strcmp(protocol, "websocket") == 0;
  const int length = lws_hdr_copy(wsi, uri, sizeof uri, WSI_TOKEN_GET_URI);
  const char* path = length > 0 && may_ask(server, wsi, true) ? path_in(server, uri) : NULL;
  unsigned status = 0;
  if (!is_socket || !path || strcmp(path, "socket") != 0) status = HTTP_STATUS_FORBIDDEN;
  if (status == 0 && server->page_count >= MOST_PAGES) status = HTTP_STATUS_SERVICE_UNAVAILABLE;
  if (status == 0) return 0;
  return lws_return_http_status(wsi, status, NULL) != 0 ? -1 : 1;
}

static void open_page(view_server* server, struct lws* wsi, page* tab) {
  *tab = (page){.number = ++server->page_number, .is_counted = true};
  ++server->page_count;
  // the first state is ready: drawn even while paused
  lws_callback_on_writable(wsi);
}

static void close_page(view_server* server, page* tab) {
  free(tab->received);
  tab->received = NULL;
  if (tab->is_counted) --server->page_count;
  tab->is_counted = false;
}

static int send_message(struct lws* wsi, view_runner* runner, view_message* message) {
  const int flags = message->is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY;
  // shared: the library writes its header, the same for all, before the bytes
  const int written = lws_write(wsi, message->bytes + LWS_PRE, message->size, (unsigned)flags);
  const bool ok = written >= (int)message->size;
  view_runner_release(runner, message);
  return ok ? 0 : -1;
}

/* One message at a time: the library says when the next one fits. */
static int write_next(view_server* server, struct lws* wsi, page* tab) {
  view_runner* runner = server->runner;
  view_message* message = view_runner_take_answer(runner, tab->number);
  if (!message && (message = view_runner_take(runner, VIEW_INFO, tab->info))) {
    tab->info = message->serial;
  }
  if (!message && (message = view_runner_take(runner, VIEW_TOPOLOGY, tab->topology))) {
    tab->topology = message->serial;
  }
  if (!message && tab->in_flight < MOST_IN_FLIGHT) {
    message = view_runner_take(runner, VIEW_FRAME, tab->frame);
    if (message) {
      tab->frame = message->serial;
      ++tab->in_flight;
    } else {
      view_runner_want_frame(runner);
    }
  }
  if (!message) return 0;
  lws_callback_on_writable(wsi);
  return send_message(wsi, runner, message);
}

static bool is_picture(const page* tab) {
  return tab->size > 8 && memcmp(tab->received, "\x89PNG\r\n\x1a\n", 8) == 0;
}

static int take_message(view_server* server, struct lws* wsi, page* tab, bool is_binary) {
  static const char drawn[] = "{\"do\":\"drawn\"}";
  bool ok = true;
  if (is_binary && is_picture(tab)) {
    const view_server_def* def = &server->def;
    if (!def->take_picture) return -1;
    server->is_over =
        !def->take_picture(def->owner, server->picture_count++, tab->received, tab->size);
  } else if (tab->size == sizeof drawn - 1 && memcmp(tab->received, drawn, tab->size) == 0) {
    if (tab->in_flight > 0) --tab->in_flight;
    lws_callback_on_writable(wsi);
  } else {
    ok = view_runner_post(server->runner, tab->number, is_binary, tab->received, tab->size);
  }
  tab->size = 0;
  // the page sends faster than commands run
  return ok ? 0 : -1;
}

static int receive(view_server* server, struct lws* wsi, page* tab, const void* bytes,
                   size_t size) {
  const bool is_binary = lws_frame_is_binary(wsi) != 0;
  const size_t most = is_binary ? MOST_BINARY : VIEW_MOST_COMMAND;
  if (tab->size + size > most) {
    static unsigned char reason[] = "too long";
    lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, reason, sizeof reason - 1);
    return -1;
  }
  if (tab->size == 0) {
    free(tab->received);
    tab->received = NULL;
  }
  const size_t wanted = tab->size + size + lws_remaining_packet_payload(wsi);
  char* grown = realloc(tab->received, (wanted < most ? wanted : most) + 1);
  if (!grown) return -1;
  tab->received = grown;
  if (size > 0) memcpy(grown + tab->size, bytes, size);
  tab->size += size;
  if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) return 0;
  return take_message(server, wsi, tab, is_binary);
}

// ---- callbacks ----

static view_server* server_of(struct lws* wsi) {
  return lws_context_user(lws_get_context(wsi));
}

static int serve_files(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                       size_t size) {
  (void)size;
  switch ((int)reason) {
    case LWS_CALLBACK_HTTP:
      return begin_file(server_of(wsi), wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return go_on_with_file(wsi, user);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return confirm_upgrade(server_of(wsi), wsi, in);
    default:
      return 0;
  }
}

static int serve_page(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                      size_t size) {
  view_server* server = server_of(wsi);
  switch ((int)reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return confirm_upgrade(server, wsi, in);
    case LWS_CALLBACK_ESTABLISHED:
      return open_page(server, wsi, user), 0;
    case LWS_CALLBACK_CLOSED:
      return close_page(server, user), 0;
    case LWS_CALLBACK_RECEIVE:
      return receive(server, wsi, user, in, size);
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return write_next(server, wsi, user);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
      return lws_callback_on_writable_all_protocol(server->context, lws_get_protocol(wsi)), 0;
    default:
      return 0;
  }
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = serve_files, .per_session_data_size = sizeof(request)},
    {.name = "weft",
     .callback = serve_page,
     .per_session_data_size = sizeof(page),
     .rx_buffer_size = 65536},
    {.name = NULL},
};

// ---- starting ----

static void wake(void* owner) {
  const view_server* server = owner;
  if (server->context) lws_cancel_service(server->context);
}

static bool draw_token(view_server* server, tool_message* why) {
  unsigned char random[TOKEN_BYTES];
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
    return tool_because(why, "no random numbers for a token: %s", strerror(errno));
  }
  for (int i = 0; i < TOKEN_BYTES; ++i) snprintf(server->token + 2 * i, 3, "%02x", random[i]);
  return true;
}

static bool refuse_page(const char* folder, tool_message* why) {
  return tool_because(why, "no page at '%s': tools/view.sh builds it, --page names its folder",
                      folder);
}

bool view_server_has_page(const char* folder, tool_message* why) {
  for (int i = 0; i < FILE_COUNT; ++i) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
    if (access(path, R_OK) != 0) return refuse_page(folder, why);
  }
  return true;
}

static bool read_page(view_server* server, tool_message* why) {
  for (int i = 0; i < FILE_COUNT; ++i) {
    char path[4096];
    tool_message reason;
    const int length = snprintf(path, sizeof path, "%s/%s", server->def.folder, files[i].name);
    if (length < 0 || (size_t)length >= sizeof path ||
        !tool_read_file(path, MOST_FILE, &server->files[i], &reason)) {
      return refuse_page(server->def.folder, why);
    }
  }
  return true;
}

static bool listen_at(view_server* server, tool_message* why) {
  lws_set_log_level(0, NULL);
  const struct lws_context_creation_info info = {
      .port = server->def.port == 0 ? 0 : (int)server->def.port,
      .iface = "127.0.0.1",
      .protocols = protocols,
      .user = server,
      .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                 LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
      .timeout_secs = 10,
      .keepalive_timeout = 10,
      .max_http_header_data = 4096,
      .vhost_name = "weft",
  };
  server->context = lws_create_context(&info);
  if (!server->context) return tool_because(why, "the server cannot be made");
  struct lws_vhost* host = lws_create_vhost(server->context, &info);
  if (!host) {
    return tool_because(why,
                        "port %u of 127.0.0.1 is in use or not allowed: --port 0 takes a free one",
                        server->def.port);
  }
  server->port = lws_get_vhost_listen_port(host);
  snprintf(server->url, sizeof server->url, "http://127.0.0.1:%d/%s/", server->port, server->token);
  return true;
}

bool view_server_start(const view_server_def* def, view_session* session, view_server** server,
                       tool_message* why) {
  view_server* made = calloc(1, sizeof *made);
  *server = made;
  if (!made) return tool_because(why, "no memory for a server");
  made->def = *def;
  if (read_page(made, why) && draw_token(made, why) && listen_at(made, why) &&
      view_runner_start(session, LWS_PRE, wake, made, &made->runner, why)) {
    return true;
  }
  view_server_stop(server);
  return false;
}

const char* view_server_url(const view_server* server) {
  return server->url;
}

void view_server_run(view_server* server, bool (*is_over)(void* owner)) {
  while (!server->is_over && !tool_interrupted() && !(is_over && is_over(server->def.owner))) {
    if (lws_service(server->context, 0) < 0) break;
  }
}

void view_server_stop(view_server** server) {
  view_server* gone = *server;
  if (!gone) return;
  view_runner_stop(&gone->runner);
  if (gone->context) lws_context_destroy(gone->context);
  for (int i = 0; i < FILE_COUNT; ++i) free(gone->files[i].text);
  free(gone);
  *server = NULL;
}
