/* Lists of triangles, kept over a step, against every triangle by itself. */
#include "geometry/moving_shell.h"
#include "geometry/triangle.h"
#include "geometry/triangle_batch.h"
#include "geometry/triangle_list.h"
#include "kernels/kernels.h"
#include "support/test.h"

enum { SIDE = 9, POINTS = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), SUBSTEPS = 4 };

// speeds in metres a step; squares of the sheet are 0.125 m wide
typedef struct sheet_motion {
  const char* name;
  float walk, wobble;  // of the sheet
  float stray;         // of the ball from the sheet
  double radius;
  uint32_t most_lists;  // in 100 steps
} sheet_motion;

static const sheet_motion motions[] = {
    {"at rest", 0.0f, 0.0f, 0.002f, 0.05, 1},
    {"walks", 0.3f, 0.01f, 0.005f, 0.05, 100},
    {"wobbles", 0.001f, 0.03f, 0.02f, 0.02, 120},
    {"meets a thick ball", 0.05f, 0.02f, 0.05f, 0.25, 170},
    {"beats about", 0.1f, 0.1f, 0.2f, 0.02, 400},
    {"passes a point", 0.2f, 0.05f, 0.3f, 0.0, 400},
};

typedef struct sheet {
  float points[POINTS][3];
  uint32_t triangles[TRIANGLES][3];
  weft__shape all, one[TRIANGLES];
} sheet;

static weft__shape new_shape(const float* points, uint32_t point_count, const uint32_t* triangles,
                             uint32_t triangle_count) {
  const weft_collider_def def = {.shape = WEFT_COLLIDER_SHAPE_MESH,
                                 .points = points,
                                 .point_count = point_count,
                                 .triangles = triangles,
                                 .triangle_count = triangle_count,
                                 .deforms = true};
  weft__shape shape = {.kind = WEFT_COLLIDER_SHAPE_MESH};
  require(weft__mesh_row.build(&shape, &def));
  return shape;
}

static void make_sheet(sheet* s, random_source* random) {
  for (uint32_t i = 0; i < POINTS; ++i) {
    s->points[i][0] = 0.125f * (float)(i % SIDE);
    s->points[i][1] = random_float(random, -0.03f, 0.03f);
    s->points[i][2] = 0.125f * (float)(i / SIDE);
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i + SIDE + 1 < POINTS; ++i) {
    if (i % SIDE == SIDE - 1) continue;
    const uint32_t made[2][3] = {{i, i + SIDE, i + 1}, {i + 1, i + SIDE, i + SIDE + 1}};
    memcpy(s->triangles[count], made, sizeof(made));
    count += 2;
  }
  static const uint32_t corners[3] = {0, 1, 2};
  s->all = new_shape(s->points[0], POINTS, s->triangles[0], TRIANGLES);
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    float at[3][3];
    for (int k = 0; k < 3; ++k) memcpy(at[k], s->points[s->triangles[t][k]], sizeof(at[k]));
    s->one[t] = new_shape(at[0], 3, corners, 1);
  }
}

static void move_sheet(sheet* s, const sheet_motion* motion, random_source* random) {
  if (motion->walk == 0.0f) return;
  for (uint32_t i = 0; i < POINTS; ++i) {
    s->points[i][0] += motion->walk;
    s->points[i][1] = random_float(random, -0.03f, 0.03f) * motion->wobble / 0.03f;
    memcpy(s->all.moving->target[i], s->points[i], sizeof(s->points[i]));
  }
  s->all.moving->has_target = true;
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    for (int k = 0; k < 3; ++k)
      memcpy(s->one[t].moving->target[k], s->points[s->triangles[t][k]], sizeof(float[3]));
    s->one[t].moving->has_target = true;
  }
}

static void advance_sheet(sheet* s, uint32_t substep, weft__worker_pool* pool) {
  (void)weft__mesh_row.moving->advance(&s->all, substep, SUBSTEPS, pool);
  for (uint32_t t = 0; t < TRIANGLES; ++t)
    (void)weft__mesh_row.moving->advance(&s->one[t], substep, SUBSTEPS, pool);
}

static const weft__slice_of_time whole = {0.0, 1.0};

static bool touches(const weft__shape* shape, const weft__ball_path* ball,
                    weft__triangle_list* list, weft__moving_hit* hit) {
  weft__near_points near;
  return weft__mesh_row.moving->touch(shape, whole, ball, list, &near, hit);
}

// All triangles but those of `near` are further from the end than its reach.
static void check_near(const sheet* s, weft__vec3 to, const weft__near_points* near) {
  const weft__moving_shell* shell = s->all.data;
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    const weft__triangle end = weft__shell_triangle(&shell->shell, t);
    const double distance = weft__nearest_on_triangle(to, &end).distance;
    bool is_near = distance > near->reach;
    for (uint32_t i = 0; !is_near && i < near->count; ++i) is_near = near->distance[i] == distance;
    ck_assert(is_near);
  }
}

// The same hit, by triangles that a kernel has met.
static void check_batch(const sheet* s, const weft__ball_path* ball, bool is_hit,
                        const weft__moving_hit* expected) {
  static weft__triangle_batch batch;
  weft__triangle_list list = {0};
  weft__met_triangles met;
  weft__near_points near;
  weft__moving_hit hit;
  weft__ball_path with_met = *ball;
  batch.count = 0;
  ck_assert(weft__mesh_row.moving->gather(&s->all, ball, &list, &batch, &met));
  weft__kernels_select(WEFT_ISA_AUTO)->meet_triangles(&batch);
  with_met.met = &met;
  ck_assert(weft__mesh_row.moving->touch(&s->all, whole, &with_met, &list, &near, &hit) == is_hit);
  check_near(s, ball->to, &near);
  if (is_hit) ck_assert_mem_eq(&hit, expected, sizeof(hit));
}

static bool overlaps_at_start(const sheet* s, const weft__ball_path* ball) {
  const weft__moving_shell* shell = s->all.data;
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    const uint32_t* corners = s->triangles[t];
    const weft__triangle triangle = {weft__vec3_of(shell->begin[corners[0]]),
                                     weft__vec3_of(shell->begin[corners[1]]),
                                     weft__vec3_of(shell->begin[corners[2]])};
    if (weft__nearest_on_triangle(ball->from, &triangle).distance <= ball->radius) return true;
  }
  return false;
}

// oracle: the first sweep at all triangles, else the nearest one
static bool touches_each(const sheet* s, const weft__ball_path* ball, weft__moving_hit* first) {
  bool is_hit = false;
  for (uint32_t t = 0; t < TRIANGLES; ++t) {
    weft__triangle_list none = {0};
    weft__moving_hit hit;
    if (!touches(&s->one[t], ball, &none, &hit)) continue;
    if (!is_hit || hit.fraction < first->fraction ||
        (hit.fraction == first->fraction && hit.distance < first->distance))
      *first = hit;
    is_hit = true;
  }
  return is_hit;
}

static bool are_equal(weft__vec3 a, weft__vec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void check_touch(const sheet* s, const weft__ball_path* ball, weft__triangle_list* kept,
                        const char* name) {
  weft__moving_hit hit;
  weft__moving_hit expected = {0};
  const bool is_hit = touches(&s->all, ball, kept, &hit);
  check_batch(s, ball, is_hit, &hit);
  if (overlaps_at_start(s, ball)) return;
  if (is_hit != touches_each(s, ball, &expected)) ck_abort_msg("%s: hit %d", name, is_hit);
  if (!is_hit) return;
  if (hit.fraction != expected.fraction || hit.distance != expected.distance ||
      !are_equal(hit.point, expected.point) || !are_equal(hit.normal, expected.normal) ||
      !are_equal(hit.carry, expected.carry))
    ck_abort_msg("%s: %g %g, expected %g %g", name, hit.fraction, hit.distance, expected.fraction,
                 expected.distance);
}

LOOP_TEST(a_list_that_is_kept_has_the_contacts_of_all_triangles, 0,
          sizeof(motions) / sizeof(*motions)) {
  const sheet_motion* motion = &motions[_i];
  random_source random = {(uint64_t)_i + 1};
  weft__worker_pool* pool = weft__worker_pool_create(1, NULL);
  weft__worker_pool_begin(pool);
  static sheet s;
  uint32_t lists = 0, hits = 0;
  make_sheet(&s, &random);
  weft__triangle_list kept = {0};
  weft__vec3 at = {0.5, 0.06, 0.5};
  for (int step = 0; step < ROUNDS(100, 20); ++step) {
    move_sheet(&s, motion, &random);
    // a ball that goes with the sheet, and begins anew above it now and then
    if (step % 5 == 0) {
      at = (weft__vec3){(double)(s.points[40][0] - motion->walk), motion->radius + 0.03, 0.5};
    }
    for (uint32_t substep = 0; substep < SUBSTEPS; ++substep) {
      advance_sheet(&s, substep, pool);
      const float stray = motion->stray / SUBSTEPS;
      const weft__vec3 to = {
          at.x + (double)(motion->walk / SUBSTEPS + random_float(&random, -stray, stray)),
          at.y - 0.004 + (double)random_float(&random, -stray, stray),
          at.z + (double)random_float(&random, -stray, stray)};
      const weft__ball_path ball = {at, to, motion->radius, motion->radius, NULL};
      const weft__triangle_list before = kept;
      weft__moving_hit hit;
      at = to;
      if (touches(&s.all, &ball, &kept, &hit)) {
        ++hits;
        at = weft__plus(hit.point, weft__scaled(motion->radius + 1e-6, hit.normal));
      }
      check_touch(&s, &ball, &kept, motion->name);
      lists += memcmp(&before, &kept, sizeof(kept)) != 0;
    }
  }
  weft__mesh_row.destroy(&s.all);
  for (uint32_t t = 0; t < TRIANGLES; ++t) weft__mesh_row.destroy(&s.one[t]);
  weft__worker_pool_destroy(pool);
  ck_assert_uint_gt(hits, 0);
  ck_assert_uint_le(lists, motion->most_lists);
}
