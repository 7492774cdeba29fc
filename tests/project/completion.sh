#!/bin/bash
# What shells offer behind a command line: commands, flags, and values, of which some are in the model that is named.
#
#   completion.sh BURIN bash|zsh|fish ...
set -euo pipefail
burin="$(realpath "${1:?the program}")"
shift
source="$(realpath "$(dirname "$0")/../..")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
status=0
mkdir "$scratch/bin" "$scratch/zsh"
ln -s "$burin" "$scratch/bin/burin"
export PATH="$scratch/bin:$PATH"
cp "$source/tests/models/softmax_sym/model.onnx" "$scratch/net.onnx"
cd "$scratch"

# line|what is offered, in order of the alphabet
cases=(
  "burin gen|generate"
  "burin generate net.onnx --weigh|--weights"
  "burin generate net.onnx --weights |blob embed"
  "burin generate net.onnx --dim |batch= cols= rows="
  "burin generate net.onnx --dim c|cols="
  "burin run net.onnx --input |x="
  "burin bench net.onnx --config x86-64-v4-v|x86-64-v4-vnni x86-64-v4-vpopcntdq"
  "burin verify net.onnx --config cpp-generic --compiler |clang++ g++"
  "burin generate net.onnx --without row|row-blocks row-epilogue rows"
  "burin generate n|net.onnx"
  "burin configs cortex-m3|cortex-m33"
  "burin docs z|zsh"
)

offered_by_bash() {
  # shellcheck disable=SC1091
  . "$scratch/burin.bash"
  read -ra COMP_WORDS <<< "$1"
  [[ "$1" == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _burin
  [ "${#COMPREPLY[@]}" = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
}

offered_by_fish() { fish --no-config -c "source $scratch/burin.fish; complete -C '$1'" | cut -f 1; }

# In a terminal of its own, which says what the line is after a tabulator: longer by what all that is offered have in common.
offered_by_zsh() {
  cat > "$scratch/ask.zsh" << ZSH
zmodload zsh/zpty
zpty -b shell 'zsh -f -i'
until_said() {
  local one all= i
  for i in {1..200}; do
    while zpty -rt shell one; do all+=\$one; done
    [[ \$all == *"\$1"* ]] && break
    sleep 0.05
  done
  print -r -- "\$all"
}
zpty -w shell 'PS1=; stty columns 200; fpath=($scratch/zsh \$fpath); autoload -Uz compinit; compinit -u -d $scratch/zsh/dump'
zpty -w shell 'setopt no_list_beep; say() { print -r -- "<line>\$BUFFER</line>"; }; zle -N say; bindkey "^T" say; print REA""DY'
until_said READY > /dev/null
zpty -w -n shell '$1'\$'\\t\\x14'
until_said '</line>'
ZSH
  timeout 60 zsh -f "$scratch/ask.zsh" | tr -d '\r' | sed -n 's/.*<line>\(.*\)<\/line>.*/\1/p'
}

common_to() { printf '%s\n' "$@" | sed -e '$!{N;s/^\(.*\).*\n\1.*$/\1\n\1/;D;}'; }

burin docs bash > "$scratch/burin.bash"
burin docs zsh > "$scratch/zsh/_burin"
burin docs fish > "$scratch/burin.fish"
for shell in "$@"; do
  for one in "${cases[@]}"; do
    line="${one%%|*}" wanted="${one#*|}"
    if [ "$shell" = zsh ]; then
      read -ra words <<< "$wanted"
      wanted="${line% *} $(common_to "${words[@]}")"
    fi
    # shellcheck disable=SC2310
    offered="$("offered_by_$shell" "$line" | LC_ALL=C sort -u | tr '\n' ' ' || true)"
    offered="${offered%"${offered##*[! ]}"}" wanted="${wanted%"${wanted##*[! ]}"}"
    [ "$offered" = "$wanted" ] || { echo "$shell offers '$offered' behind '$line', not '$wanted'"; status=1; }
  done
  echo "$shell: ${#cases[@]} lines"
done
exit "$status"
