#include "backends/made_from.h"

namespace burin {

void add_made_from(const MadeFrom& made_from, SourceTree& tree) {
  for (const MadeFrom::File& file : made_from.files)
    tree.add_data(kMadeFromFolder + file.path, file.bytes, "made_from");
}

}  // namespace burin
