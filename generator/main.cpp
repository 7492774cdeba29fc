#include "cli/commands.h"

int main(int argc, char** argv) { return burin::run_program(argc, argv); }
