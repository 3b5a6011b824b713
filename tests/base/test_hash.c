#include "base/hash.h"

#include "support/test.h"

static uint64_t hash_of_bytes(uint64_t hash, const char bytes[4]) {
  float value = 0.0f;
  const uint32_t word = (uint32_t)(uint8_t)bytes[0] | (uint32_t)(uint8_t)bytes[1] << 8 |
                        (uint32_t)(uint8_t)bytes[2] << 16 | (uint32_t)(uint8_t)bytes[3] << 24;
  memcpy(&value, &word, sizeof(value));
  return weft__hash_float(hash, value);
}

// vectors of draft-eastlake-fnv whose length is a multiple of a float's
TEST(hash_gives_the_published_values) {
  ck_assert_uint_eq(WEFT__FNV_BASIS, 0xcbf29ce484222325u);
  ck_assert_uint_eq(hash_of_bytes(WEFT__FNV_BASIS, "foob"), 0xdd120e790c2512afu);
  ck_assert_uint_eq(hash_of_bytes(WEFT__FNV_BASIS, "\0\0\0\0"), 0x4d25767f9dce13f5u);
}

TEST(hash_tells_zeros_of_different_sign_apart) {
  ck_assert_uint_ne(weft__hash_float(WEFT__FNV_BASIS, 0.0f),
                    weft__hash_float(WEFT__FNV_BASIS, -0.0f));
}
