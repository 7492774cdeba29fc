# shellcheck shell=bash
# The models that every emitted-tree test takes, and what of them has no tree. Sourced from the root of the project.

# generate_all BURIN HARDWARE FOLDER [FLAG...]: FOLDER/NAME for each model; all are made, but for those that must be
# refused, by the rule that is written here.
generate_all() {
  local burin="$1" hardware="$2" folder="$3" model name rule log
  shift 3
  mkdir -p "$folder"
  log="$(mktemp)"
  for model in tests/digits/digits.onnx tests/models/*/model.onnx; do
    name="$(basename "$(dirname "$model")")"
    case "$name" in
      loop) rule="[unbounded-size]" ;;  # an extent that nothing bounds
      *) rule="" ;;
    esac
    if "$burin" generate "$model" --config "configs/$hardware.json" "$@" -o "$folder/$name" 2> "$log"; then
      [ -z "$rule" ] || { echo "$name is not refused any more"; return 1; }
    elif [ -z "$rule" ] || ! grep -qF "$rule" "$log"; then
      echo "$name was refused:"; cat "$log"; return 1
    fi
  done
  rm -f "$log"
}
