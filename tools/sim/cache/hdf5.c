/* HDF5 (The HDF Group), and an XDMF file beside it that describes it to ParaView and VTK.
 *
 *     /positions/0, 1 ..  float32 [particles][3], metres: a data set each frame, as ParaView warns
 *                         of parts of one
 *     /times              float64 [frames], seconds
 *     /faces/0, 1 ..      uint32 [count][3], particles: the faces from a frame on
 *     /lines/0, 1 ..      uint32 [count][2]
 *     /points/0           uint32 [count][1]
 *     /faces/revision     uint32 [frames]: number of a frame's data set; also of lines and points
 *
 * XDMF has a temporal collection for each kind of cells. Either name makes both files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cache/format.h"

static char* xdmf_beside(const char* path) {
  return sim_cache_path(path, "xdmf");
}

static char* h5_beside(const char* path) {
  return sim_cache_path(path, "h5");
}

#ifdef WEFT_HAS_HDF5

#include <hdf5.h>

/* Revision of a kind of cells in each frame. */
typedef struct h5_revisions {
  uint32_t* of_frame; /* [frame_count] */
  uint32_t* counts;   /* cells by revision */
  uint32_t next;
  bool* present; /* cells of the last one [count of all cells] */
} h5_revisions;

typedef struct h5_file {
  tool_output data, index;
  char *data_path, *index_path;
  hid_t file;
  haddr_t offset; /* last data set of the ranks */
  uint32_t particle_count, frame_count, frame_room;
  double fps;
  const sim_topology* topology;
  h5_revisions revisions[SIM_CELL_KINDS];
} h5_file;

static bool fail(const h5_file* file, tool_message* why) {
  return tool_because(why, "cannot write '%s': %s", file->data_path,
                      errno ? strerror(errno) : "the HDF5 library fails");
}

// ---- data sets ----

static bool note_unit(hid_t set, const char* unit) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(unit) + 1);
  const hid_t attribute = H5Acreate2(set, "unit", type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool ok = attribute >= 0 && H5Awrite(attribute, type, unit) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return ok;
}

/* `unit` may be NULL. Numbers of particles are compressed, as they shrink by much. */
static bool write_set(hid_t file, const char* name, hid_t file_type, hid_t type,
                      const hsize_t size[2], int rank, const void* values, const char* unit) {
  const hid_t space = H5Screate_simple(rank, size, NULL);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (rank == 2 && unit == NULL && size[0] > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    const hsize_t chunk[2] = {size[0] < 65536 ? size[0] : 65536, size[1]};
    H5Pset_chunk(list, 2, chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
  }
  const hid_t set = H5Dcreate2(file, name, file_type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  if (ok && unit) ok = note_unit(set, unit);
  if (set >= 0) ok = H5Dclose(set) >= 0 && ok;
  H5Pclose(list);
  H5Sclose(space);
  return ok;
}

/* A data set without values: contiguous, and at once in the file. */
static bool reserve_set(h5_file* file, const char* name, const hsize_t size[2]) {
  const hid_t space = H5Screate_simple(2, size, NULL);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  const hid_t set =
      H5Dcreate2(file->file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  bool ok = set >= 0 && note_unit(set, "m");
  if (ok) file->offset = H5Dget_offset(set);
  ok = ok && file->offset != HADDR_UNDEF;
  if (set >= 0) ok = H5Dclose(set) >= 0 && ok;
  H5Pclose(list);
  H5Sclose(space);
  return ok;
}

static bool write_positions(h5_file* file, uint32_t frame, const float* positions) {
  char name[64];
  const hsize_t size[2] = {file->particle_count, 3};
  snprintf(name, sizeof name, "/positions/%u", frame);
  if (!positions) return reserve_set(file, name, size);
  return write_set(file->file, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, size, 2, positions, "m");
}

static const char* place_positions(const void* state, uint64_t* offset) {
  const h5_file* file = state;
  *offset = file->offset;
  return file->data.temporary;
}

// ---- cells ----

static bool has_changed(const h5_revisions* revisions, const sim_cells* cells) {
  return revisions->next == 0 || memcmp(revisions->present, cells->present, cells->count) != 0;
}

static bool write_cells(h5_file* file, sim_cell_kind kind, const sim_cells* cells) {
  const uint32_t corner_count = sim_corner_counts[kind];
  uint32_t* corners = malloc(((size_t)cells->count + 1) * corner_count * sizeof *corners);
  if (!corners) return false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < cells->count; ++i) {
    if (!cells->present[i]) continue;
    memcpy(corners + (size_t)corner_count * count++, cells->corners + (size_t)corner_count * i,
           corner_count * sizeof *corners);
  }
  char name[64];
  h5_revisions* revisions = &file->revisions[kind];
  snprintf(name, sizeof name, "/%s/%u", sim_cell_names[kind], revisions->next);
  const hsize_t size[2] = {count, corner_count};
  const bool ok =
      write_set(file->file, name, H5T_STD_U32LE, H5T_NATIVE_UINT32, size, 2, corners, NULL);
  free(corners);
  memcpy(revisions->present, cells->present, cells->count);
  revisions->counts[revisions->next++] = count;
  return ok;
}

static bool add_frame(void* state, const sim_frame* frame, tool_message* why) {
  h5_file* file = state;
  errno = 0;
  bool ok = write_positions(file, frame->number, frame->positions);
  for (sim_cell_kind kind = 0; ok && kind < SIM_CELL_KINDS; ++kind) {
    const sim_cells* cells = &frame->topology->cells[kind];
    if (cells->count == 0) continue;
    if (has_changed(&file->revisions[kind], cells)) ok = write_cells(file, kind, cells);
    file->revisions[kind].of_frame[frame->number] = file->revisions[kind].next - 1;
  }
  ++file->frame_count;
  // flushes, so that a full disk shows in the frame that fills it
  return (ok && H5Fflush(file->file, H5F_SCOPE_LOCAL) >= 0) || fail(file, why);
}

// ---- XDMF ----

/* Text between quotes and tags. */
static void write_escaped(FILE* out, const char* text) {
  for (; *text; ++text) {
    switch (*text) {
      case '&':
        fputs("&amp;", out);
        break;
      case '<':
        fputs("&lt;", out);
        break;
      case '>':
        fputs("&gt;", out);
        break;
      case '"':
        fputs("&quot;", out);
        break;
      default:
        fputc(*text, out);
        break;
    }
  }
}

static void write_grid(FILE* out, const h5_file* file, sim_cell_kind kind, uint32_t frame,
                       const char* data) {
  static const char* const types[] = {"Triangle", "Polyline", "Polyvertex"};
  const h5_revisions* revisions = &file->revisions[kind];
  const uint32_t revision = revisions->of_frame[frame], count = revisions->counts[revision];
  const uint32_t corner_count = sim_corner_counts[kind];
  fprintf(out,
          "      <Grid Name=\"%s\">\n"
          "        <Time Value=\"%.9g\"/>\n"
          "        <Topology TopologyType=\"%s\" NumberOfElements=\"%u\"",
          sim_cell_names[kind], frame / file->fps, types[kind], count);
  if (kind != SIM_FACES) fprintf(out, " NodesPerElement=\"%u\"", corner_count);
  fprintf(out,
          ">\n          <DataItem Format=\"HDF\" NumberType=\"UInt\" Precision=\"4\" "
          "Dimensions=\"%u %u\">",
          count, corner_count);
  write_escaped(out, data);
  fprintf(out,
          ":/%s/%u</DataItem>\n"
          "        </Topology>\n"
          "        <Geometry GeometryType=\"XYZ\">\n"
          "          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"4\" "
          "Dimensions=\"%u 3\">",
          sim_cell_names[kind], revision, file->particle_count);
  write_escaped(out, data);
  fprintf(out, ":/positions/%u</DataItem>\n        </Geometry>\n      </Grid>\n", frame);
}

static void write_index(const h5_file* file) {
  FILE* out = file->index.stream;
  const char* slash = strrchr(file->data_path, '/');
  const char* data = slash ? slash + 1 : file->data_path;
  fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n", out);
  for (sim_cell_kind kind = 0; kind < SIM_CELL_KINDS; ++kind) {
    if (file->topology->cells[kind].count == 0) continue;
    fprintf(out, "    <Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
            sim_cell_names[kind]);
    for (uint32_t frame = 0; frame < file->frame_count; ++frame) {
      write_grid(out, file, kind, frame, data);
    }
    fputs("    </Grid>\n", out);
  }
  fputs("  </Domain>\n</Xdmf>\n", out);
}

static void free_file(h5_file* file) {
  for (int kind = 0; kind < SIM_CELL_KINDS; ++kind) {
    free(file->revisions[kind].of_frame);
    free(file->revisions[kind].counts);
    free(file->revisions[kind].present);
  }
  free(file->data_path);
  free(file->index_path);
  free(file);
}

static bool write_times(const h5_file* file) {
  const hsize_t size[2] = {file->frame_count, 1};
  double* times = calloc((size_t)file->frame_count + 1, sizeof *times);
  if (!times) return false;
  for (uint32_t f = 0; f < file->frame_count; ++f) times[f] = f / file->fps;
  bool ok = write_set(file->file, "times", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, size, 1, times, "s");
  free(times);
  for (int kind = 0; ok && kind < SIM_CELL_KINDS; ++kind) {
    char name[64];
    if (file->topology->cells[kind].count == 0) continue;
    snprintf(name, sizeof name, "/%s/revision", sim_cell_names[kind]);
    ok = write_set(file->file, name, H5T_STD_U32LE, H5T_NATIVE_UINT32, size, 1,
                   file->revisions[kind].of_frame, NULL);
  }
  return ok;
}

static bool close_h5(void* state, bool is_kept, tool_message* why) {
  h5_file* file = state;
  tool_message unused;
  errno = 0;
  bool ok = is_kept && write_times(file);
  if (file->file >= 0) ok = H5Fclose(file->file) >= 0 && ok;
  if (is_kept && !ok) (void)fail(file, why);
  if (ok) write_index(file);
  const bool is_placed = tool_output_close(&file->data, ok, ok ? why : &unused);
  ok = tool_output_close(&file->index, is_placed, is_placed ? why : &unused);
  free_file(file);
  return ok || !is_kept;
}

static bool allocate(h5_file* file, const sim_cache_plan* plan, tool_message* why) {
  bool ok = file->data_path && file->index_path;
  for (int kind = 0; kind < SIM_CELL_KINDS; ++kind) {
    h5_revisions* revisions = &file->revisions[kind];
    revisions->of_frame = calloc((size_t)plan->frame_count + 1, sizeof *revisions->of_frame);
    revisions->counts = calloc((size_t)plan->frame_count + 1, sizeof *revisions->counts);
    revisions->present = calloc((size_t)plan->topology->cells[kind].count + 1, sizeof(bool));
    ok = ok && revisions->of_frame && revisions->counts && revisions->present;
  }
  return ok || tool_because(why, "no memory for '%s'", plan->path);
}

static bool create_group(const h5_file* file, const char* name) {
  const hid_t group = H5Gcreate2(file->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return group >= 0 && H5Gclose(group) >= 0;
}

static bool create_file(h5_file* file) {
  // at exit the library would write again to a full disk, and crash
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  errno = 0;
  file->file = H5Fcreate(file->data.temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file->file < 0) return false;
  bool ok = create_group(file, "positions");
  for (int kind = 0; ok && kind < SIM_CELL_KINDS; ++kind) {
    ok = file->topology->cells[kind].count == 0 || create_group(file, sim_cell_names[kind]);
  }
  return ok;
}

static bool open_outputs(h5_file* file, tool_message* why) {
  tool_message unused;
  if (!tool_output_open(file->data_path, &file->data, why)) return false;
  if (tool_output_open(file->index_path, &file->index, why)) return true;
  (void)tool_output_close(&file->data, false, &unused);
  return false;
}

static bool open_h5(const sim_cache_plan* plan, void** state, tool_message* why) {
  h5_file* file = calloc(1, sizeof *file);
  if (!file) return tool_because(why, "no memory for '%s'", plan->path);
  *file = (h5_file){.data_path = sim_cache_path(plan->path, "h5"),
                    .index_path = sim_cache_path(plan->path, "xdmf"),
                    .file = H5I_INVALID_HID,
                    .particle_count = plan->particle_count,
                    .fps = plan->fps,
                    .topology = plan->topology};
  if (!allocate(file, plan, why) || !open_outputs(file, why)) {
    free_file(file);
    return false;
  }
  *state = file;
  if (create_file(file)) return true;
  tool_message unused;
  (void)fail(file, why);
  (void)close_h5(file, false, &unused);
  return false;
}

#else

static const char* place_positions(const void* state, uint64_t* offset) {
  (void)state, (void)offset;
  return NULL;
}

static bool open_h5(const sim_cache_plan* plan, void** state, tool_message* why) {
  *state = NULL;
  return tool_because(why, "cannot write '%s': weft-sim was built without the HDF5 library",
                      plan->path);
}

static bool add_frame(void* state, const sim_frame* frame, tool_message* why) {
  (void)state, (void)frame, (void)why;
  return false;
}

static bool close_h5(void* state, bool is_kept, tool_message* why) {
  (void)state, (void)is_kept, (void)why;
  return false;
}

#endif

const sim_cache_format sim_h5 = {.extension = "h5",
                                 .has_cells = true,
                                 .companion = xdmf_beside,
                                 .open = open_h5,
                                 .add = add_frame,
                                 .place = place_positions,
                                 .close = close_h5};

const sim_cache_format sim_xdmf = {.extension = "xdmf",
                                   .has_cells = true,
                                   .companion = h5_beside,
                                   .open = open_h5,
                                   .add = add_frame,
                                   .place = place_positions,
                                   .close = close_h5};
