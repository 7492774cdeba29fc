#!/bin/bash
# Every file of a folder of generator/ is named in the folder's README: `name`, `name.h` or, for several, `name*`.
# Operators are one file each and named in the operator table instead.
#
#   readme_files.sh GENERATOR_FOLDER
set -u
shopt -s nullglob
missing=0
while IFS= read -r folder; do
  [ "$(basename "$folder")" != ops ] || continue
  readme="$folder/README.md"
  [ -f "$readme" ] || readme="$(dirname "$folder")/README.md"
  names=$(grep -o '`[^`]*`' "$readme" | tr -d '`' | tr ', ' '\n\n' | sed -E 's/\.(h|cpp|\*)$//' |
    grep '^[a-z]' | sort -u)  # a * by itself is a product
  for file in "$folder"/*.h "$folder"/*.cpp; do
    stem=$(basename "${file%.*}")
    while IFS= read -r name; do
      # shellcheck disable=SC2053  # a name may be a pattern
      [[ $stem != $name ]] || continue 2
    done <<< "$names"
    echo "$readme does not name $(basename "$file")"
    missing=$((missing + 1))
  done
done < <(find "$1" -mindepth 1 -type d)
[ "$missing" = 0 ]
