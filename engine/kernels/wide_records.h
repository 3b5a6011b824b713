#ifndef WEFT_KERNELS_WIDE_RECORDS_H
#define WEFT_KERNELS_WIDE_RECORDS_H

#include "base/wide.h"

/* Transposes 4 x 4 in each 128 bits, as unpack instructions do: pieces are records 0 4 8 .., 1 5 9
 * .., 2 6 10 .. and 3 7 11 ..; out are the components of all records in order, and back. */
#if WIDE_LANES == 4
#define WIDE_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#define WIDE_B 4
#elif WIDE_LANES == 8
#define WIDE_PICK(a, b, i, j, k, l) \
  __builtin_shufflevector(a, b, i, j, k, l, (i) + 4, (j) + 4, (k) + 4, (l) + 4)
#define WIDE_B 8
#elif WIDE_LANES == 16
#define WIDE_PICK(a, b, i, j, k, l)                                                               \
  __builtin_shufflevector(a, b, i, j, k, l, (i) + 4, (j) + 4, (k) + 4, (l) + 4, (i) + 8, (j) + 8, \
                          (k) + 8, (l) + 8, (i) + 12, (j) + 12, (k) + 12, (l) + 12)
#define WIDE_B 16
#endif

#if WIDE_LANES == 1
static inline void wide_transpose(wide v[4]) {
  (void)v;
}
#else
static inline void wide_transpose(wide v[4]) {
  const wide low01 = WIDE_PICK(v[0], v[1], 0, WIDE_B, 1, WIDE_B + 1);
  const wide high01 = WIDE_PICK(v[0], v[1], 2, WIDE_B + 2, 3, WIDE_B + 3);
  const wide low23 = WIDE_PICK(v[2], v[3], 0, WIDE_B, 1, WIDE_B + 1);
  const wide high23 = WIDE_PICK(v[2], v[3], 2, WIDE_B + 2, 3, WIDE_B + 3);
  v[0] = WIDE_PICK(low01, low23, 0, 1, WIDE_B, WIDE_B + 1);
  v[1] = WIDE_PICK(low01, low23, 2, 3, WIDE_B + 2, WIDE_B + 3);
  v[2] = WIDE_PICK(high01, high23, 0, 1, WIDE_B, WIDE_B + 1);
  v[3] = WIDE_PICK(high01, high23, 2, 3, WIDE_B + 2, WIDE_B + 3);
}
#endif

static inline void wide_reduce_min(const wide in[4], float minima[4]) {
#if WIDE_LANES == 1
  for (int k = 0; k < 4; ++k) minima[k] = in[k];
#else
  wide v[4] = {in[0], in[1], in[2], in[3]};
  wide_transpose(v);
  float pieces[WIDE_LANES];
  wide_store(pieces, wide_min(wide_min(v[0], v[1]), wide_min(v[2], v[3])));
  for (int k = 0; k < 4; ++k) minima[k] = pieces[k];
  for (int piece = 4; piece < WIDE_LANES; piece += 4) {
    for (int k = 0; k < 4; ++k) {
      minima[k] = pieces[piece + k] < minima[k] ? pieces[piece + k] : minima[k];
    }
  }
#endif
}

/* Records index[0], index[4], index[8] .. in one vector. Joined in registers: a vector load over
 * pieces just stored would miss store forwarding. Indices of any width count units of 8 bytes, two
 * a record: addresses need no shift. */
#define WIDE_RECORD(records, index) ((records) + 2 * (size_t)(index))

#if WIDE_LANES == 4
#define WIDE_JOIN(records, index) wide_load(WIDE_RECORD(records, (index)[0]))

#define WIDE_SPLIT(records, index, row) wide_store(WIDE_RECORD(records, (index)[0]), row)
#elif WIDE_LANES == 8
static inline wide wide_join_two(const float* a, const float* b) {
  return (wide)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}

#define WIDE_JOIN(records, index) \
  wide_join_two(WIDE_RECORD(records, (index)[0]), WIDE_RECORD(records, (index)[4]))

static inline void wide_split_two(float* a, float* b, wide row) {
  _mm_storeu_ps(a, _mm256_castps256_ps128((__m256)row));
  _mm_storeu_ps(b, _mm256_extractf128_ps((__m256)row, 1));
}

#define WIDE_SPLIT(records, index, row) \
  wide_split_two(WIDE_RECORD(records, (index)[0]), WIDE_RECORD(records, (index)[4]), row)
#elif WIDE_LANES == 16
static inline __m256 wide_join_two(const float* a, const float* b) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}

static inline wide wide_join_four(__m256 low, __m256 high) {
  return (wide)_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

#define WIDE_JOIN(records, index)                                                        \
  wide_join_four(                                                                        \
      wide_join_two(WIDE_RECORD(records, (index)[0]), WIDE_RECORD(records, (index)[4])), \
      wide_join_two(WIDE_RECORD(records, (index)[8]), WIDE_RECORD(records, (index)[12])))

static inline void wide_split_four(float* a, float* b, float* c, float* d, wide row) {
  const __m512 v = (__m512)row;
  _mm_storeu_ps(a, _mm512_castps512_ps128(v));
  _mm_storeu_ps(b, _mm512_extractf32x4_ps(v, 1));
  _mm_storeu_ps(c, _mm512_extractf32x4_ps(v, 2));
  _mm_storeu_ps(d, _mm512_extractf32x4_ps(v, 3));
}

#define WIDE_SPLIT(records, index, row)                                               \
  wide_split_four(WIDE_RECORD(records, (index)[0]), WIDE_RECORD(records, (index)[4]), \
                  WIDE_RECORD(records, (index)[8]), WIDE_RECORD(records, (index)[12]), row)
#endif

static inline void wide_load_records(const float* records, const uint16_t* index, wide out[4]) {
#if WIDE_LANES == 1
  for (int c = 0; c < 4; ++c) out[c] = WIDE_RECORD(records, index[0])[c];
#else
  for (int row = 0; row < 4; ++row) out[row] = WIDE_JOIN(records, index + row);
  wide_transpose(out);
#endif
}

/* Row 0 to 3 of the records' four, before or after the transpose. Inlined, or the vectors go
 * through memory. */
static inline __attribute__((always_inline)) wide wide_load_far_row(const float* records,
                                                                    const uint32_t* index,
                                                                    int row) {
#if WIDE_LANES == 1
  return WIDE_RECORD(records, index[0])[row];
#else
  return WIDE_JOIN(records, index + row);
#endif
}

/* Index twice only if the records are equal. */
static inline __attribute__((always_inline)) void wide_store_far_row(float* records,
                                                                     const uint32_t* index, int row,
                                                                     wide value) {
#if WIDE_LANES == 1
  WIDE_RECORD(records, index[0])[row] = value;
#else
  WIDE_SPLIT(records, index + row, value);
#endif
}

/* First three components of the records in a row, and the fourth of others. */
static inline wide wide_with_fourth(wide three, wide fourth, int row) {
#if WIDE_LANES == 1
  return row == 3 ? fourth : three;
#elif WIDE_LANES == 4
  (void)row;
  return __builtin_shufflevector(three, fourth, 0, 1, 2, 7);
#elif WIDE_LANES == 8
  (void)row;
  return __builtin_shufflevector(three, fourth, 0, 1, 2, 11, 4, 5, 6, 15);
#elif WIDE_LANES == 16
  (void)row;
  return wide_select(fourth, three, 0x8888);
#endif
}

static inline __attribute__((always_inline)) void wide_load_far_records(const float* records,
                                                                        const uint32_t* index,
                                                                        wide out[4]) {
  for (int row = 0; row < 4; ++row) out[row] = wide_load_far_row(records, index, row);
  wide_transpose(out);
}

/* Index twice only if the records are equal. */
static inline void wide_store_records(float* records, const uint16_t* index, const wide in[4]) {
#if WIDE_LANES == 1
  for (int c = 0; c < 4; ++c) WIDE_RECORD(records, index[0])[c] = in[c];
#else
  wide rows[4] = {in[0], in[1], in[2], in[3]};
  wide_transpose(rows);
  for (int row = 0; row < 4; ++row) WIDE_SPLIT(records, index + row, rows[row]);
#endif
}

static inline void wide_load_quads(const float* from, const uint32_t* index, wide out[4]) {
#if WIDE_LANES == 1
  for (int c = 0; c < 4; ++c) out[c] = from[index[0] + (uint32_t)c];
#else
#pragma GCC unroll 4
  for (int row = 0; row < 4; ++row) {
    const uint32_t* i = index + row;
#if WIDE_LANES == 4
    out[row] = wide_load(from + i[0]);
#elif WIDE_LANES == 8
    out[row] = wide_join_two(from + i[0], from + i[4]);
#else
    out[row] = wide_join_four((__m256)wide_join_two(from + i[0], from + i[4]),
                              (__m256)wide_join_two(from + i[8], from + i[12]));
#endif
  }
  wide_transpose(out);
#endif
}

static inline void wide_store_quads(float* to, const uint32_t* index, const wide in[4]) {
#if WIDE_LANES == 1
  for (int c = 0; c < 4; ++c) to[index[0] + (uint32_t)c] = in[c];
#else
  wide rows[4] = {in[0], in[1], in[2], in[3]};
  wide_transpose(rows);
#pragma GCC unroll 4
  for (int row = 0; row < 4; ++row) {
    const uint32_t* i = index + row;
#if WIDE_LANES == 4
    wide_store(to + i[0], rows[row]);
#elif WIDE_LANES == 8
    _mm_storeu_ps(to + i[0], _mm256_castps256_ps128((__m256)rows[row]));
    _mm_storeu_ps(to + i[4], _mm256_extractf128_ps((__m256)rows[row], 1));
#else
    const __m512 v = (__m512)rows[row];
    _mm_storeu_ps(to + i[0], _mm512_castps512_ps128(v));
    _mm_storeu_ps(to + i[4], _mm512_extractf32x4_ps(v, 1));
    _mm_storeu_ps(to + i[8], _mm512_extractf32x4_ps(v, 2));
    _mm_storeu_ps(to + i[12], _mm512_extractf32x4_ps(v, 3));
#endif
  }
#endif
}

#endif
