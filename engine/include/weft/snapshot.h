/* weft, chapter 11: snapshots. Include <weft/weft.h>, which includes this.
 *
 * A snapshot holds the whole state of a world between two steps. Restored into the same world, or
 * into another one made of the same scene with the same settings, it makes all that follows equal,
 * to the bit, to a world that never stopped: on another instruction set, with other workers, on
 * another machine.
 *
 *   size_t size = 0;
 *   check(weft_world_get_snapshot_size(world, &size));
 *   void* memory = malloc(size);
 *   check(weft_world_save(world, memory, size, &size));
 *   weft_world_step(world, 60);
 *   check(weft_world_restore(world, memory, size));
 *
 * It holds all that steps and calls change, contact impulses, untaken events and generations of
 * handles included: a handle is valid after a restore if it was when the snapshot was taken.
 * Workers, instruction set, profile and spans are not in it. Worlds that had the same calls have
 * the same bytes. See docs/snapshots.md for the layout. */
#ifndef WEFT_SNAPSHOT_H
#define WEFT_SNAPSHOT_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the layout that this library writes, and the only one that it reads. */
#define WEFT_SNAPSHOT_VERSION 11u

/* Bytes of a snapshot of the world as it is now. Other states may need more or less. */
WEFT_RESULT weft_world_get_snapshot_size(const weft_world* world, size_t* size);

/* Saves the world to memory of `capacity` bytes, of any alignment, and sets `size` to the bytes
 * written. Takes about as long as a copy of these bytes, in the calling thread. Fails with
 * WEFT_ERROR_RANGE at "capacity" if they do not fit; then `memory` is as it was. */
WEFT_RESULT weft_world_save(const weft_world* world, void* memory, size_t capacity, size_t* size);

/* Takes the next bytes of a snapshot, which are valid during the call; false stops. */
typedef bool weft_snapshot_writer(void* context, const void* bytes, size_t size);

/* Saves the world by a writer, which is called with the pieces in order. Fails with
 * WEFT_ERROR_STOPPED at "writer" if it returned false; the pieces until then are no snapshot. */
WEFT_RESULT weft_world_save_to(const weft_world* world, weft_snapshot_writer* writer,
                               void* context);

/* Restores a snapshot of `size` bytes, of any alignment. The whole is checked before anything
 * changes. Fails, with nothing changed, with
 *
 *   WEFT_ERROR_CORRUPT     at "snapshot": not a snapshot of a world, or altered since it was saved
 *   WEFT_ERROR_TRUNCATED   at "size": shorter than it was
 *   WEFT_ERROR_RANGE       at "size": longer than it was
 *   WEFT_ERROR_VERSION     at "snapshot": of a version of the layout other than
 *                          WEFT_SNAPSHOT_VERSION; newer if `index` of the result, which is its
 *                          version, is higher
 *   WEFT_ERROR_FOREIGN     at "scene": of a world of another scene; at a field of weft_world_def:
 *                          of a world that was created with another value of it
 *   WEFT_ERROR_OUT_OF_MEMORY
 *
 * The checksum guards against accidents. It does not guard against forgery: a snapshot from an
 * untrusted source can make the program fail. */
WEFT_RESULT weft_world_restore(weft_world* world, const void* memory, size_t size);

/* Saves the motion of only particles [first, first + count), such as one body or one environment:
 * positions, previous positions and velocities, rotation, inverse masses, forces added, and the
 * multipliers of their trees. Fails with WEFT_ERROR_STALE at "first" and the index of a particle
 * that has been removed or is not in use, else as weft_world_save(). */
WEFT_RESULT weft_world_get_range_size(const weft_world* world, uint32_t first, uint32_t count,
                                      size_t* size);
WEFT_RESULT weft_world_save_range(const weft_world* world, uint32_t first, uint32_t count,
                                  void* memory, size_t capacity, size_t* size);

/* Restores the motion of a range, in time for its particles. Grips let go of them, their moves end,
 * and contacts forget their impulses, so that the range goes on alike as far as it touches nothing
 * else. Links, joints, shapes, colliders, events and time are left as they are. Velocities are kept
 * where the step has another length than when the range was saved. Fails as weft_world_restore(),
 * and with WEFT_ERROR_STALE as weft_world_save_range(). */
WEFT_RESULT weft_world_restore_range(weft_world* world, const void* memory, size_t size);

#ifdef __cplusplus
}
#endif

#endif
