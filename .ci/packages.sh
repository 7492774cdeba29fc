# shellcheck shell=bash disable=SC2034
# Debian packages that burin needs, and how scripts get them. Sourced by demo.sh and test.sh.

build_packages=(cmake ninja-build g++ libprotobuf-dev nlohmann-json3-dev libcli11-dev libfmt-dev
  libssl-dev libpng-dev libminizip-dev)

test_packages=(clang libclang-rt-14-dev clang-format clang-19 lld-19 llvm-19 g++-aarch64-linux-gnu gcc-arm-none-eabi
  gcc-riscv64-unknown-elf qemu-user qemu-system-arm
  binutils locales libonnx-testdata libgtest-dev libbenchmark-dev libmpfr-dev
  pocl-opencl-icd ocl-icd-libopencl1 oclgrind python3 python3-pip-whl make strace)

# Programs that tests start, with the package that has each: of these a machine often has its own.
test_programs=(rustc:rustc javac:default-jdk-headless chromium-headless-shell:chromium-headless-shell zsh:zsh fish:fish)

# packages_of PROGRAM:PACKAGE...: those whose program is not there.
packages_of() {
  local pair
  for pair in "$@"; do
    command -v "${pair%%:*}" > /dev/null || echo "${pair#*:}"
  done
}

# install_missing PACKAGE...: installs those that are not installed yet, as root or with sudo.
install_missing() {
  local missing=() package as_root=""
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || as_root="sudo"
  echo "installing from Debian: ${missing[*]}"
  $as_root apt-get -qq update
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    "${missing[@]}" >/dev/null
}
