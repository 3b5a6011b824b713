/* Random requests and messages to weft-view: it answers or hangs up, and lives.
 * usage: view_requests WEFT-VIEW COUNT */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct server {
  pid_t process;
  int port;
  char token[33];
} server;

static uint64_t state = 1;

static uint32_t roll(uint32_t count) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)(mixed >> 33) % count;
}

static int fail(const char* what) {
  fprintf(stderr, "view_requests: %s\n", what);
  return 1;
}

// ---- the server ----

static const char* const page_files[] = {"index.html", "view.js", "view.css"};

static bool write_page(const char* folder) {
  for (int i = 0; i < 3; ++i) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, page_files[i]);
    FILE* file = fopen(path, "w");
    if (!file || fputs("page", file) < 0 || fclose(file) != 0) return false;
  }
  return true;
}

static void remove_page(const char* folder) {
  for (int i = 0; i < 3; ++i) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, page_files[i]);
    (void)unlink(path);
  }
  (void)rmdir(folder);
}

static bool start(const char* program, const char* folder, server* made) {
  int ends[2];
  char line[128] = "";
  if (pipe(ends) != 0) return false;
  made->process = fork();
  if (made->process == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl(program, program, "curtain", "--no-open", "--threads", "1", "--set", "columns=9", "--set",
          "rows=7", "--page", folder, (char*)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE* out = fdopen(ends[0], "r");
  return out && fgets(line, sizeof line, out) &&
         sscanf(line, "http://127.0.0.1:%d/%32[0-9a-f]/", &made->port, made->token) == 2;
}

static int dial(const server* to, int seconds) {
  const struct timeval patience = {.tv_sec = seconds};
  const struct sockaddr_in address = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)to->port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int line = socket(AF_INET, SOCK_STREAM, 0);
  if (line < 0) return -1;
  setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  // a message and the ping after it are small: without this each ping waits for an acknowledgement
  setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  if (connect(line, (const struct sockaddr*)&address, sizeof address) == 0) return line;
  close(line);
  return -1;
}

// ---- requests ----

static size_t spoil(char* text, size_t length, uint32_t most) {
  for (uint32_t wrong = roll(most + 1); wrong > 0 && length > 0; --wrong) {
    text[roll((uint32_t)length)] = (char)roll(256);
  }
  return roll(8) == 0 ? roll((uint32_t)length + 1) : length;
}

static size_t write_request(const server* to, bool is_socket, char* text, size_t size) {
  static const char* const verbs[] = {"GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS", "X"};
  static const char* const paths[] = {"",        "view.js", "view.css", "socket", "../view.js",
                                      "nothing", "%00",     "?x=1",     "#",      "//"};
  const int length = snprintf(
      text, size,
      "%s /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
      "Sec-WebSocket-Protocol: weft\r\nOrigin: http://127.0.0.1:%d\r\n\r\n",
      is_socket ? "GET" : verbs[roll(8)], to->token, is_socket ? "socket" : paths[roll(10)],
      to->port, is_socket || roll(2) ? "Connection: Upgrade\r\n" : "",
      is_socket || roll(2) ? "Upgrade: websocket\r\n" : "", to->port);
  return (size_t)length;
}

static bool ask(const server* to) {
  char text[2048], answer[4096];
  const int line = dial(to, 1);
  if (line < 0) return false;
  const size_t length = spoil(text, write_request(to, false, text, sizeof text), 3);
  (void)!send(line, text, length, MSG_NOSIGNAL);
  shutdown(line, SHUT_WR);
  if (roll(2)) (void)!recv(line, answer, sizeof answer, 0);
  close(line);
  return true;
}

// ---- messages ----

/* A frame of a client: masked, as a rule whole. */
static size_t write_frame(uint8_t* frame, const char* text, size_t length) {
  static const uint8_t heads[] = {0x81, 0x81, 0x81, 0x82, 0x01, 0x80, 0x89, 0x8b, 0x83};
  size_t size = 0;
  frame[size++] = roll(64) == 0 ? (uint8_t)roll(256) : heads[roll(sizeof heads)];
  if (length < 126) {
    frame[size++] = (uint8_t)(0x80 | length);
  } else {
    frame[size++] = 0x80 | 126;
    frame[size++] = (uint8_t)(length >> 8);
    frame[size++] = (uint8_t)length;
  }
  const size_t mask = size;
  for (int i = 0; i < 4; ++i) frame[size++] = (uint8_t)roll(256);
  for (size_t i = 0; i < length; ++i) frame[size++] = (uint8_t)text[i] ^ frame[mask + i % 4];
  return size;
}

static size_t write_command(char* text, size_t size) {
  static const char* const commands[] = {
      "{\"do\":\"grab\",\"id\":%u,\"at\":[1,-0.5,0],\"radius\":0.3}",
      "{\"do\":\"drag\",\"id\":%u,\"to\":[1,-1,2]}",
      "{\"do\":\"drop\",\"id\":%u}",
      "{\"do\":\"drawn\"}",
      "{\"do\":\"recording\"}",
      "{\"do\":\"reset\"}",
      "{\"do\":\"step\",\"count\":%u}",
      "{\"do\":\"scene\",\"name\":\"pendulum\"}",
      "{\"do\":\"scene\",\"name\":\"curtain\",\"set\":[\"rows=%u\",\"columns=5\"]}",
      "{\"do\":\"watch\",\"overlay\":\"strain\"}",
      "{\"step\":0,\"do\":\"scene\",\"name\":\"rope\"}\n{\"step\":%u,\"do\":\"end\"}",
      "\x89PNG\r\n\x1a\n a picture that nobody has asked for"};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return (size_t)snprintf(text, size, commands[roll(12)], roll(18));
#pragma GCC diagnostic pop
}

// ---- a live session ----

static bool stalls = false; /* no answer within five minutes */

static bool receive(int line, uint8_t* to, size_t size) {
  while (size > 0) {
    const ssize_t got = recv(line, to, size, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) stalls = true;
    if (got <= 0) return false;
    to += got;
    size -= (size_t)got;
  }
  return true;
}

/* Reads frames of the server up to the answer to a ping; false once the session is closed. */
static bool receive_pong(int line) {
  uint8_t head[10], body[4096];
  while (receive(line, head, 2)) {
    uint64_t size = head[1] & 127;
    const size_t more = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (!receive(line, head + 2, more)) return false;
    if (more > 0) size = 0;
    for (size_t i = 0; i < more; ++i) size = size << 8 | head[2 + i];
    for (size_t part; size > 0; size -= part) {
      part = size < sizeof body ? (size_t)size : sizeof body;
      if (!receive(line, body, part)) return false;
    }
    if (head[0] == 0x8a) return true;
    if ((head[0] & 15) == 8) return false;
  }
  return false;
}

static bool is_live(int line) {
  static const uint8_t ping[] = {0x89, 0x80, 0, 0, 0, 0};
  return send(line, ping, sizeof ping, MSG_NOSIGNAL) == sizeof ping && receive_pong(line);
}

/* Sends up to `count` messages, each to a session that has just answered. One that the server
 * closes the session for is the last. */
static bool talk(const server* to, uint32_t count, long* sent) {
  char text[2048];
  uint8_t frame[2100], heard[12];
  const int line = dial(to, 300);
  if (line < 0) return false;
  const size_t length = write_request(to, true, text, sizeof text);
  bool ok = send(line, text, length, MSG_NOSIGNAL) == (ssize_t)length &&
            receive(line, heard, sizeof heard) && memcmp(heard + 9, "101", 3) == 0;
  uint8_t last[4] = {0};
  while (ok && memcmp(last, "\r\n\r\n", 4) != 0) {
    memmove(last, last + 1, 3);
    ok = receive(line, last + 3, 1);
  }
  ok = ok && is_live(line);
  for (uint32_t i = 0; ok && i < count && (i == 0 || is_live(line)); ++i) {
    const size_t size = spoil(text, write_command(text, sizeof text), roll(3) == 0 ? 3 : 0);
    const size_t bytes = write_frame(frame, text, size);
    if (send(line, frame, bytes, MSG_NOSIGNAL) != (ssize_t)bytes) break;
    ++*sent;
  }
  close(line);
  return ok && !stalls;
}

int main(int argc, char** argv) {
  char folder[] = "/tmp/view-requests-XXXXXX";
  server to = {.process = -1};
  if (argc != 3) return fail("usage: view_requests WEFT-VIEW COUNT");
  if (!mkdtemp(folder) || !write_page(folder)) return fail("no page");
  if (!start(argv[1], folder, &to)) return fail("weft-view does not begin");
  bool ok = true;
  for (long sent = 0, count = strtol(argv[2], NULL, 10); ok && sent < count;) {
    ok = talk(&to, 20, &sent) && ask(&to);
  }
  int status = 0;
  const bool lives = waitpid(to.process, &status, WNOHANG) == 0;
  if (lives) kill(to.process, SIGINT);
  if (lives) waitpid(to.process, &status, 0);
  remove_page(folder);
  if (!ok || !lives) return fail("weft-view answers no more");
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : fail("weft-view ends with an error");
}
