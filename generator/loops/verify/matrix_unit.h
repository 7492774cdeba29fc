// What is wrong with how a program uses a unit for matrices, whose registers its code does not
// name: a thread has the unit from where it opens it to where it closes it, on every way, and one
// matrix at a time.
#pragma once

#include <string>
#include <vector>

#include "loops/program.h"

namespace burin::loops {

std::vector<std::string> faults_of_matrix_unit(const Program& program);

}  // namespace burin::loops
