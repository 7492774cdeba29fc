// What stands beside the tile of a product (select/tile.h): how far blocks reach where versions of
// several panels or blocks of rows run, and their calls.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {

bool KernelPrinter::spans_tiles(const ContractionSchedule& contraction) {
  const std::vector<Version>& versions = contraction.versions.rows;
  return std::any_of(versions.begin(), versions.end(),
                     [](const Version& version) { return version.tiles > 1; });
}

// A variable that is `usual`, or what `of` says of the first version whose rows are all there are.
void KernelPrinter::define_by_rows(const ContractionSchedule& contraction, const std::string& name,
                                   int usual, const std::function<int(const Version&)>& of) {
  const std::string rows = exprs_.text(contraction.rows);
  local_symbols_.insert(name);
  text_.line(index_type_ + " " + name + " = " + std::to_string(usual) + ";");
  // Of fewer and fewer rows, so that the last one that holds is the first version that is enough.
  int present = usual;
  const std::vector<Version>& versions = contraction.versions.rows;
  for (size_t i = versions.size(); i-- > 0;) {
    if (!versions[i].alone || of(versions[i]) == present) continue;
    present = of(versions[i]);
    text_.line("if (" + rows + " <= " + std::to_string(versions[i].rows) + ") " + name + " = " +
               std::to_string(present) + ";");
  }
}

// The columns that a tile spans.
std::string KernelPrinter::define_block_width(const ContractionSchedule& contraction) {
  const int columns = contraction.tile.columns();
  if (!spans_tiles(contraction)) return std::to_string(columns);
  const std::string name = axis_name(contraction.n) + "_width";
  define_by_rows(contraction, name, columns,
                 [&](const Version& version) { return version.tiles * columns; });
  return name;
}

bool KernelPrinter::packs_rows(const ContractionSchedule& contraction) const {
  return contraction.a.prepared == kNoValue && !is_next(contraction);
}

bool KernelPrinter::packs_few_rows(const ContractionSchedule& contraction) const {
  const std::vector<Version>& versions = contraction.versions.rows;
  return packs_rows(contraction) &&
         std::any_of(versions.begin(), versions.end(),
                     [](const Version& version) { return version.alone; });
}

bool KernelPrinter::shares_rows(const ContractionSchedule& contraction) const {
  return packs_rows(contraction) && contraction.versions.even.rows > 0;
}

// Whether there are so many rows that blocks share them.
std::string KernelPrinter::shares_text(const ContractionSchedule& contraction) {
  const std::string rows = exprs_.text(contraction.rows);
  return rows + " > " + std::to_string(contraction.tile.rows) + " && " + rows +
         " <= " + std::to_string(contraction.versions.even.most);
}

// Rows of a panel: as many as the version that will read all of them has, so that they lie close.
std::optional<Index> KernelPrinter::define_row_pitch(const ContractionSchedule& contraction) {
  if (!packs_few_rows(contraction) && !shares_rows(contraction)) return std::nullopt;
  const std::string name = axis_name(contraction.m) + "_pitch";
  define_by_rows(contraction, name, contraction.tile.rows,
                 [](const Version& version) { return version.rows; });
  if (shares_rows(contraction)) {
    text_.line("if (" + shares_text(contraction) + ") " + name + " = " +
               std::to_string(contraction.versions.even.rows) + ";");
  }
  return loop_variable(name);
}

// The rows that a tile spans beside so many columns: likewise.
std::string KernelPrinter::define_block_height(const ContractionSchedule& contraction,
                                               const std::string& columns) {
  const Tile& tile = contraction.tile;
  const std::vector<NarrowVersion>& versions = contraction.versions.columns;
  if (shares_rows(contraction)) return axis_name(contraction.m) + "_pitch";
  const bool single = std::all_of(versions.begin(), versions.end(),
                                  [](const NarrowVersion& version) { return version.blocks == 1; });
  if (single) return std::to_string(tile.rows);
  const std::string name = axis_name(contraction.m) + "_height";
  local_symbols_.insert(name);
  text_.line(index_type_ + " " + name + " = " + std::to_string(tile.rows) + ";");
  for (size_t i = versions.size(); i-- > 0;) {
    const int blocks = versions[i].blocks,
              wider = i + 1 < versions.size() ? versions[i + 1].blocks : 1;
    if (blocks == wider) continue;
    text_.line("if (" + columns + " <= " + std::to_string(versions[i].vectors * tile.lanes) + ") " +
               name + " = " + std::to_string(blocks * tile.rows) + ";");
  }
  return name;
}

// As many rows and columns as the largest of all tiles of a product have.
void KernelPrinter::declare_tile(const ContractionSchedule& contraction) {
  const Tile& tile = contraction.tile;
  int rows = tile.rows, columns = tile.columns();
  for (const Version& version : contraction.versions.rows)
    columns = std::max(columns, version.tiles * tile.columns());
  for (const NarrowVersion& version : contraction.versions.columns)
    rows = std::max(rows, tile.rows * version.blocks);
  text_.line("float tile[" + std::to_string(rows) + "][" + std::to_string(columns) + "];");
}

// The call of a microkernel for so many rows, `pitch` apart, and vectors.
std::string KernelPrinter::tile_text(const ContractionSchedule& contraction, int rows, int vectors,
                                     int pitch, const std::string& a, const std::string& b) {
  const Tile& tile = contraction.tile;
  const bool whole = vectors == tile.vectors;
  std::string shape =
      std::to_string(rows) + ", " + std::to_string(vectors) + ", " + std::to_string(tile.lanes);
  if (rows != pitch || !whole) shape += ", " + std::to_string(pitch);
  if (!whole) shape += ", " + std::to_string(tile.vectors);
  return "burin_rt::multiply_tile<" + shape + ">(" + a + ", " + b + ", " +
         exprs_.text(contraction.depth) + ", tile);";
}

// The same for rows that are all there are.
std::string KernelPrinter::alone_text(const ContractionSchedule& contraction,
                                      const Version& version, const std::string& a,
                                      const std::string& b) {
  const Tile& tile = contraction.tile;
  const int pitch = packs_few_rows(contraction) ? version.rows : tile.rows;
  if (version.tiles == 1) return tile_text(contraction, version.rows, tile.vectors, pitch, a, b);
  const Dim there = ceildiv(block_end(contraction.n) - block_first(contraction.n), tile.columns());
  return "burin_rt::multiply_panels<" + std::to_string(version.rows) + ", " +
         std::to_string(version.tiles) + ", " + std::to_string(tile.vectors) + ", " +
         std::to_string(tile.lanes) + ", " + std::to_string(pitch) + ">(" + a + ", " + b + ", " +
         exprs_.text(there) + ", " + exprs_.text(contraction.depth) + ", tile);";
}

// The call of a microkernel that takes several blocks of rows, of which the last may be missing.
std::string KernelPrinter::blocks_text(const ContractionSchedule& contraction,
                                       const NarrowVersion& version, const std::string& function,
                                       const std::string& a, const std::string& b) {
  const Tile& tile = contraction.tile;
  const Dim there = ceildiv(block_end(contraction.m) - block_first(contraction.m), tile.rows);
  const std::string b_pitch = contraction.window ? "" : ", " + std::to_string(tile.vectors);
  return "burin_rt::" + function + "<" + std::to_string(tile.rows) + ", " +
         std::to_string(version.blocks) + ", " + std::to_string(version.vectors) + ", " +
         std::to_string(tile.lanes) + b_pitch + ">(" + a + ", " + b + ", " + exprs_.text(there) +
         ", " + exprs_.text(contraction.depth) + ", tile);";
}

}  // namespace burin::cpp
