// What stands beside the tile of a product (select/tile.h): how rows are packed and how far blocks
// reach where few rows run alone or several blocks of them together, and the calls.
#include "backends/cpp/kernel_printer_core.h"

namespace burin::cpp {

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
  const std::string name = axis_name(contraction.m) + "_pitch",
                    rows = exprs_.text(contraction.rows);
  local_symbols_.insert(name);
  text_.line(index_type_ + " " + name + " = " + std::to_string(contraction.tile.rows) + ";");
  // Of fewer and fewer rows, so that the last one that holds is the first version that is enough.
  const std::vector<Version>& versions = contraction.versions.rows;
  for (size_t i = versions.size(); i-- > 0;) {
    if (!versions[i].alone) continue;
    const std::string most = std::to_string(versions[i].rows);
    text_.line("if (" + rows + " <= " + most + ") " + name + " = " + most + ";");
  }
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
  const bool single = std::all_of(versions.begin(), versions.end(),
                                  [](const NarrowVersion& version) { return version.blocks == 1; });
  const std::string usual =
      shares_rows(contraction) ? axis_name(contraction.m) + "_pitch" : std::to_string(tile.rows);
  if (single) return usual;
  const std::string name = axis_name(contraction.m) + "_height";
  local_symbols_.insert(name);
  text_.line(index_type_ + " " + name + " = " + usual + ";");
  const std::string apart =
      shares_rows(contraction) ? "!(" + shares_text(contraction) + ") && " : "";
  for (size_t i = versions.size(); i-- > 0;) {
    const int blocks = versions[i].blocks,
              wider = i + 1 < versions.size() ? versions[i + 1].blocks : 1;
    if (blocks == wider) continue;
    text_.line("if (" + apart + columns +
               " <= " + std::to_string(versions[i].vectors * tile.lanes) + ") " + name + " = " +
               std::to_string(blocks * tile.rows) + ";");
  }
  return name;
}

// As many rows as the largest of all tiles of a product have.
void KernelPrinter::declare_tile(const ContractionSchedule& contraction) {
  const Tile& tile = contraction.tile;
  int rows = tile.rows;
  for (const NarrowVersion& version : contraction.versions.columns)
    rows = std::max(rows, tile.rows * version.blocks);
  text_.line("float tile[" + std::to_string(rows) + "][" + std::to_string(tile.columns()) + "];");
}

// The call of a microkernel for a tile of that shape, with rows `pitch` apart.
std::string KernelPrinter::tile_text(const ContractionSchedule& contraction, const Tile& shape,
                                     int pitch, const std::string& a, const std::string& b) {
  // Arguments of the template up to the last one that is not what it is without being said.
  std::vector<int> numbers = {shape.rows,  shape.vectors, shape.lanes,
                              shape.steps, pitch,         contraction.tile.vectors};
  if (numbers.back() == shape.vectors) numbers.pop_back();
  if (numbers.size() == 5 && pitch == shape.rows) numbers.pop_back();
  if (numbers.size() == 4 && shape.steps == 1) numbers.pop_back();
  std::string list;
  for (const int number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
  return "burin_rt::multiply_tile<" + list + ">(" + a + ", " + b + ", " +
         exprs_.text(contraction.depth) + ", tile);";
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
