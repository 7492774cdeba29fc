#!/bin/bash
# What users get who build nothing: the .deb, the .tar.gz and the wheel are made, and the program in each runs in a
# root that holds nothing but it; the man page and the completions name every command and flag.
#
#   packages.sh BUILD_FOLDER
set -euo pipefail
build="$(realpath "${1:?the build folder}")"
here="$(realpath "$(dirname "$0")")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0
fail() { echo "$*"; status=1; }

(cd "$scratch" && cpack --config "$build/CPackConfig.cmake" -B "$scratch" > "$scratch/log" 2>&1) || { cat "$scratch/log"; exit 1; }
for package in "$scratch"/burin*.deb "$scratch"/burin*.tar.gz; do
  (cd "$scratch" && sha256sum --check --quiet "$(basename "$package").sha256") || fail "$package has another hash"
done
dpkg-deb --extract "$scratch"/burin*.deb "$scratch/deb"
dpkg-deb --field "$scratch"/burin*.deb Package Version Architecture Maintainer > "$scratch/fields"
[ "$(wc -l < "$scratch/fields")" = 4 ] || fail "$(cat "$scratch/fields")"
mkdir "$scratch/tar" && tar -xzf "$scratch"/burin*.tar.gz -C "$scratch/tar" --strip-components=1
cmake --build "$build" --target burin_wheel > "$scratch/log" || { cat "$scratch/log"; exit 1; }
wheel="$(ls "$build"/burin-*.whl)"

alone=(chroot)
[ "$(id -u)" = 0 ] || alone=(unshare --map-root-user chroot)
# runs ROOT PROGRAM: generates a tree where there is nothing else.
runs() {
  local root="$1" program="$2"
  cp "$here/../models/relu_sym/model.onnx" "$root/model.onnx"
  "${alone[@]}" "$root" "$program" generate /model.onnx --config cpp-generic -o /tree 2> "$scratch/log" ||
    { fail "$root: $(cat "$scratch/log")"; return; }
  [ -s "$root/tree/manifest.json" ] || fail "$root: no tree"
}
runs "$scratch/deb" "$(cd "$scratch/deb" && find . -name burin -type f -path '*/bin/*' | sed 's/^\.//')"
runs "$scratch/tar" /bin/burin

# The wheel by pip, without a network.
python3 "$(ls /usr/share/python-wheels/pip-*.whl)/pip" install --quiet --no-index --no-compile --disable-pip-version-check \
  --root-user-action ignore --target "$scratch/pip" "$wheel" || fail "pip does not take $wheel"
mkdir "$scratch/wheel" && cp "$scratch/pip/bin/burin" "$scratch/wheel/burin" && runs "$scratch/wheel" /burin
(cd "$scratch" && python3 - "$wheel" << 'PYTHON') || fail "the wheel's record"
import base64, hashlib, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
names = [one for one in wheel.namelist() if one.endswith("RECORD")]
lines = wheel.read(names[0]).decode().splitlines()
assert sorted(line.split(",")[0] for line in lines) == sorted(wheel.namelist())
for line in lines:
    place, digest, count = line.split(",")
    if digest:
        data = wheel.read(place)
        assert int(count) == len(data)
        assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
PYTHON

# Every command and flag of --help is in what shells complete and in the man page.
share="$scratch/tar/share" seen=0
burin="$scratch/tar/bin/burin"
for file in man/man1/burin.1 bash-completion/completions/burin zsh/site-functions/_burin fish/vendor_completions.d/burin.fish; do
  [ -s "$share/$file" ] || fail "no $file"
done
commands="$("$burin" --help | awk '/^Subcommands:/ { on = 1; next } /^[^ ]|^$/ { on = 0 } on && /^  [a-z]/ { print $1 }')"
# shellcheck disable=SC1091
. "$share/bash-completion/completions/burin"
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _burin; printf '%s\n' "${COMPREPLY[@]}"; }
complete_words burin "" | tr '\n' ' ' > "$scratch/commands"
for command in $commands; do
  grep -qw "$command" "$scratch/commands" || fail "bash does not complete $command"
  flags="$("$burin" "$command" --help | awk '/^  -/ { print $1; print $2 }' | tr ',' '\n' | grep -- '^--')"
  complete_words burin "$command" -- | tr '\n' ' ' > "$scratch/flags.$command"
  seen=$((seen + $(wc -w <<< "$flags")))
  for flag in $flags; do echo "$command $flag"; done
done > "$scratch/pairs"
python3 - "$scratch" "$share" << 'PYTHON' || status=1
import re, sys
scratch, share = sys.argv[1:]
def text(path):
    return open(path).read()
man = text(share + "/man/man1/burin.1")
sections = {one.split("\n", 1)[0]: one for one in man.split(".SS burin ")}
zsh, fish = text(share + "/zsh/site-functions/_burin"), text(share + "/fish/vendor_completions.d/burin.fish")
parts = re.split(r"^    (\w+)\)\n", zsh, flags=re.M)
zsh = dict(zip(parts[1::2], parts[2::2]))
bad = []
for line in text(scratch + "/pairs").splitlines():
    command, flag = line.split()
    if flag not in text(scratch + "/flags." + command).split():
        bad.append("bash does not complete " + line)
    if "\\fB" + flag.replace("-", "\\-") + "\\fR" not in sections[command]:
        bad.append("not in the man page: " + line)
    if "'" + flag + "[" not in zsh[command]:
        bad.append("zsh does not complete " + line)
    if "__fish_seen_subcommand_from %s' -l %s " % (command, flag[2:]) not in fish:
        bad.append("fish does not complete " + line)
print("\n".join(bad))
sys.exit(1 if bad else 0)
PYTHON
[ "$seen" -gt 80 ] || fail "only $seen flags were found"
exit "$status"
