#!/bin/bash
# Installs what the tests need from Debian's packages, builds burin and runs every test. What demo.sh has
# built is used.
# The last line says "N passed, N failed"; the exit code is 0 only when none failed.
#
#   ./test.sh [CTEST ARGUMENT ...]      BURIN_PRESET=asan ./test.sh
set -uo pipefail
cd "$(dirname "$0")" || exit 1
. .ci/packages.sh
preset="${BURIN_PRESET:-release}"
report="build/$preset/tests.xml"

give_up() {
  echo "$1"
  echo "0 passed, 1 failed"
  exit 1
}

install_missing "${build_packages[@]}" "${test_packages[@]}" || give_up "the packages could not be installed"
mapfile -t program_packages < <(packages_of "${test_programs[@]}")
install_missing "${program_packages[@]}" || echo "left out: what needs ${program_packages[*]}"
cmake --preset "$preset" -DBURIN_TESTS=ON \
  ${BURIN_WARNINGS_AS_ERRORS:+"-DBURIN_WARNINGS_AS_ERRORS=$BURIN_WARNINGS_AS_ERRORS"} || give_up "burin could not be configured"
cmake --build --preset "$preset" || give_up "burin could not be built"

rm -f "$report"
ctest --preset "$preset" -j "$(nproc)" --output-junit "$PWD/$report" "$@"
status=$?

# The first line of the report is <testsuite tests="N" failures="N" disabled="N" skipped="N" ...>.
count() { sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$report" | head -n 1; }
[ -s "$report" ] || give_up "ctest wrote no report"
total=$(count tests) failed=$(count failures) left_out=$(($(count skipped) + $(count disabled)))
[ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
[ "$left_out" = 0 ] || echo "$left_out left out"
echo "$((total - failed - left_out)) passed, $failed failed"
[ "$failed" = 0 ] && [ "$total" -gt 0 ]
