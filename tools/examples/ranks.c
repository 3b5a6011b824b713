/* A transport of one's own: ranks are threads of this program, which leave messages in each other's
 * mailbox. Together they compute a curtain by its rows, and many ropes, of which none has all. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

enum { RANKS = 3, SIDE = 161, ROPES = 1500, STEPS = 30 };

typedef struct message {
  struct message* next;
  uint32_t from;
  size_t size;
  unsigned char bytes[];
} message;

typedef struct rank {
  uint32_t number;
  pthread_t thread;
  pthread_mutex_t mutex;
  message* inbox;
} rank;

static rank ranks[RANKS];

static void check(weft_result result) {
  if (result.error == WEFT_OK) return;
  fprintf(stderr, "%s: %s\n", result.field, weft_error_text(result.error));
  exit(EXIT_FAILURE);
}

// ---- transport ----

static void send_message(void* context, uint32_t to, const void* bytes, size_t size) {
  const rank* own = context;
  rank* other = &ranks[to];
  message* sent = malloc(sizeof(*sent) + size);
  if (sent == NULL) exit(EXIT_FAILURE);
  sent->from = own->number;
  sent->size = size;
  memcpy(sent->bytes, bytes, size);
  pthread_mutex_lock(&other->mutex);
  sent->next = other->inbox;  // any order will do
  other->inbox = sent;
  pthread_mutex_unlock(&other->mutex);
}

static size_t receive_message(void* context, void* memory, uint32_t* from) {
  rank* own = context;
  pthread_mutex_lock(&own->mutex);
  message* taken = own->inbox;
  if (taken != NULL) own->inbox = taken->next;
  pthread_mutex_unlock(&own->mutex);
  if (taken == NULL) return 0;
  const size_t size = taken->size;
  *from = taken->from;
  memcpy(memory, taken->bytes, size);
  free(taken);
  return size;
}

// ---- ranks ----

static weft_world_def settings(void) {
  weft_world_def def = weft_plain_world_def();
  def.solver.substeps = 8;
  def.solver.iterations = 2;
  def.solver.attachments = 2;
  return def;
}

static weft_sheet_def curtain(void) {
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = SIDE;
  sheet.spacing = 2.0f / (SIDE - 1);
  return sheet;
}

/* Adds one of many ropes to a scene. */
static weft_result build_rope(weft_scene* scene, uint32_t number, void* context) {
  weft_rope_def rope = weft_default_rope_def();
  (void)context;
  rope.origin[2] = rope.end[2] = 0.1f * (float)number;
  rope.end[0] = 1.0f;
  rope.pin_origin = true;
  rope.collision = WEFT_COLLISION_NONE;
  return weft_scene_add_rope(scene, &rope, NULL);
}

/* Steps this rank's part; rank 0 prints a line. Returns the hash of the whole. */
static uint64_t compute(weft_cluster* cluster, const char* what) {
  weft_cluster_stats part;
  uint64_t hash = 0;
  check(weft_cluster_step(cluster, STEPS));
  check(weft_cluster_hash(cluster, &hash));
  check(weft_cluster_get_stats(cluster, &part));
  if (part.rank == 0) {
    printf("%s: hash %016llx; rank 0 of %u has %u particles and has sent %llu messages\n", what,
           (unsigned long long)hash, part.rank_count, part.particle_count,
           (unsigned long long)part.messages_sent);
  }
  return hash;
}

static uint64_t hash_of_sheet, hash_of_ropes;  // by rank 0

static void* run(void* context) {
  rank* own = context;
  const weft_transport transport = {own, own->number, RANKS, send_message, receive_message, NULL};
  const weft_world_def def = settings();
  const weft_sheet_def sheet = curtain();
  const weft_cluster_range hooks = {0, SIDE}, hem = {(uint64_t)SIDE * (SIDE - 1), SIDE};
  float places[SIDE][3];
  weft_cluster* cluster = NULL;
  check(weft_cluster_create_sheet(&transport, &def, &sheet, &hooks, 1, &cluster));
  const uint64_t of_sheet = compute(cluster, "curtain");
  check(weft_cluster_gather(cluster, hem, places[0]));
  weft_cluster_destroy(&cluster);
  check(weft_cluster_create_bodies(&transport, &def, ROPES, build_rope, NULL, &cluster));
  const uint64_t of_ropes = compute(cluster, "ropes");
  weft_cluster_destroy(&cluster);
  if (own->number != 0) return NULL;
  printf("the hem of the curtain is at %.2f m\n", (double)places[SIDE / 2][1]);
  hash_of_sheet = of_sheet;
  hash_of_ropes = of_ropes;
  return NULL;
}

/* Hash of the same in one world. */
static uint64_t hash_alone(bool is_sheet) {
  const weft_world_def def = settings();
  const weft_sheet_def sheet = curtain();
  weft_scene* scene = NULL;
  weft_world* world = NULL;
  check(weft_scene_create(&scene));
  if (is_sheet) check(weft_scene_add_sheet(scene, &sheet, NULL));
  if (is_sheet) check(weft_scene_pin(scene, weft_range(0, SIDE)));
  for (uint32_t i = 0; i < ROPES && !is_sheet; ++i) check(build_rope(scene, i, NULL));
  check(weft_world_create(&def, scene, &world));
  weft_scene_destroy(&scene);
  weft_world_step(world, STEPS);
  const uint64_t hash = weft_world_hash(world);
  weft_world_destroy(&world);
  return hash;
}

int main(void) {
  for (uint32_t r = 0; r < RANKS; ++r) {
    ranks[r].number = r;
    pthread_mutex_init(&ranks[r].mutex, NULL);
  }
  for (uint32_t r = 0; r < RANKS; ++r) {
    if (pthread_create(&ranks[r].thread, NULL, run, &ranks[r]) != 0) return EXIT_FAILURE;
  }
  for (uint32_t r = 0; r < RANKS; ++r) pthread_join(ranks[r].thread, NULL);
  const bool same = hash_of_sheet == hash_alone(true) && hash_of_ropes == hash_alone(false);
  printf("%s as in a world alone\n", same ? "the same bits" : "other bits");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
