/* Memory that the solve reads ahead: the pages of the columns, seen by their faults. */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collision/self/read_ahead.h"
#include "support/test.h"

enum { TILES = 2048, CHUNK = 64, AHEAD = 512, SLOT_BYTES = 256, RECORD_BYTES = 256 };
// slots; seen, start, support and friction of the records
enum { ARRAYS = 5, MAX_PAGES = 4096 };

// The arrays, each followed by a page that nothing may read. A page becomes readable when it is.
static struct {
  unsigned char* bytes;
  size_t page, page_count;
  size_t first[ARRAYS]; /* page of each array */
  volatile sig_atomic_t is_read[MAX_PAGES];
} memory;

static void note_fault(int signal_number, siginfo_t* fault, void* context) {
  (void)context;
  const size_t page = (size_t)((unsigned char*)fault->si_addr - memory.bytes) / memory.page;
  if (page >= memory.page_count) {
    (void)signal(signal_number, SIG_DFL);
    return;
  }
  memory.is_read[page] = 1;
  (void)mprotect(memory.bytes + page * memory.page, memory.page, PROT_READ);
}

static size_t bytes_of(int array) {
  return array == 0 ? TILES * sizeof(weft__tile_slots) : (size_t)TILES * RECORD_BYTES;
}

static void map_memory(void) {
  memory.page = (size_t)sysconf(_SC_PAGESIZE);
  memory.page_count = 0;
  for (int n = 0; n < ARRAYS; ++n) {
    memory.first[n] = memory.page_count;
    memory.page_count += (bytes_of(n) + memory.page - 1) / memory.page + 1;
  }
  require(memory.page_count <= MAX_PAGES);
  void* mapped =
      mmap(NULL, memory.page_count * memory.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  require(mapped != MAP_FAILED);
  memory.bytes = mapped;
  struct sigaction action = {.sa_sigaction = note_fault, .sa_flags = SA_SIGINFO};
  (void)sigaction(SIGSEGV, &action, NULL);
  (void)sigaction(SIGBUS, &action, NULL);
}

static void* array_at(int array) {
  return memory.bytes + memory.first[array] * memory.page;
}

// Adds the pages of some bytes of an array.
static void expect_bytes(bool* expected, int array, size_t begin, size_t size) {
  for (size_t at = begin; at < begin + size; at += WEFT__CACHE_LINE)
    expected[memory.first[array] + at / memory.page] = true;
}

typedef struct read_case {
  uint32_t tile, tile_count;
  weft__range own;         // {0, 0}: all tiles
  weft__range listed;      // tiles with neighbours
  weft__range with_slots;  // tiles with slots
  weft__range read_slots;  // expected
  bool reads_records;      // expected, of the chunk AHEAD
} read_case;

static bool is_in(weft__range range, uint32_t n) {
  return n >= range.begin && n < range.end;
}

static void expect_case(const read_case* c) {
  static uint32_t row_count[TILES], slot_count[TILES];
  static bool expected[MAX_PAGES];
  for (uint32_t n = 0; n < TILES; ++n) {
    row_count[n] = is_in(c->listed, n);
    slot_count[n] = is_in(c->with_slots, n);
  }
  const weft__domain domain = {.tiles = c->own};
  const weft__tile_state now = {.seen = array_at(1), .start = array_at(2)};
  const weft__self self = {.domain = c->own.end > 0 ? &domain : NULL,
                           .tiles = {.tile_count = c->tile_count,
                                     .row_count = row_count,
                                     .slot_count = slot_count,
                                     .slots = array_at(0),
                                     .support = array_at(3),
                                     .friction = array_at(4)}};
  (void)mprotect(memory.bytes, memory.page_count * memory.page, PROT_NONE);
  memset((void*)memory.is_read, 0, sizeof(memory.is_read));
  weft__self_read_ahead(&self, c->tile, &now);

  memset(expected, 0, sizeof(expected));
  for (uint32_t n = c->read_slots.begin; n < c->read_slots.end; ++n)
    expect_bytes(expected, 0, n * sizeof(weft__tile_slots), SLOT_BYTES);
  for (int array = 1; array < ARRAYS && c->reads_records; ++array) {
    expect_bytes(expected, array, (size_t)(c->tile + AHEAD) * RECORD_BYTES, CHUNK * RECORD_BYTES);
  }
  for (size_t n = 0; n < memory.page_count; ++n) {
    ck_assert_msg((memory.is_read[n] != 0) == expected[n], "tile %u of %u: page %u", c->tile,
                  c->tile_count, (unsigned)n);
  }
}

TEST(slots_of_this_chunk_and_records_of_a_later_one_are_read_and_nothing_else) {
  static const weft__range none = {0, 0}, all = {0, TILES};
  const read_case cases[] = {
      {0, TILES, none, all, all, {0, 64}, true},
      {1, TILES, none, all, all, none, false},
      {63, TILES, none, all, all, none, false},
      {128, TILES, none, all, all, {128, 192}, true},
      // a world that a cache holds
      {0, TILES - 1, none, all, all, none, false},
      // tiles without slots; those of the next chunk are left to that
      {64, TILES, none, all, {90, 200}, {90, 128}, true},
      {64, TILES, none, all, none, none, true},
      // half of the tiles of the later chunk have neighbours, or one less
      {64, TILES, none, {576, 608}, none, none, true},
      {64, TILES, none, {577, 608}, none, none, false},
      {64, TILES, none, {608, 640}, none, none, true},
      {64, TILES, none, {545, 607}, none, none, false},
      {64, TILES, none, {609, 641}, none, none, false},
      // the last chunk; nothing is read behind it
      {TILES - 576, TILES, none, all, all, {TILES - 576, TILES - 512}, true},
      {TILES - 512, TILES, none, all, all, {TILES - 512, TILES - 448}, false},
      {TILES - 64, TILES, none, all, all, {TILES - 64, TILES}, false},
      // tiles of other processes
      {64, TILES, {0, 640}, all, all, {64, 128}, true},
      {64, TILES, {0, 639}, all, all, {64, 128}, false},
      {64, TILES, {0, 98}, all, all, {64, 98}, false},
  };
  map_memory();
  for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); ++n) expect_case(&cases[n]);
  (void)munmap(memory.bytes, memory.page_count * memory.page);
}
