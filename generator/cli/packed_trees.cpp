#include "cli/packed_trees.h"

#include <algorithm>
#include <memory>

#include "cli/config_flag.h"
#include "vliw/packer.h"

namespace burin {

PackAssembly packing_of(const CommonFlags& flags) {
  const bool off =
      std::find(flags.without.begin(), flags.without.end(), kPackingSwitch) != flags.without.end();
  if (off || load_hardware_flag(flags.config).packer.empty()) return {};
  const auto machine = std::make_shared<const vliw::Machine>(
      vliw::load_machine(vliw::machine_path_of(flags.config)));
  return [machine](const std::string& text, const std::string& name) {
    const vliw::PackResult packed =
        vliw::pack(vliw::read_assembly(text, name, *machine), *machine, {});
    return vliw::print_assembly(packed.module);
  };
}

}  // namespace burin
