#!/bin/bash
# What help texts name is there: descriptions come with burin, files are installed.
#
#   help_names.sh BURIN PREFIX     PREFIX: where it is installed
set -euo pipefail
burin="$1" prefix="$2" status=0 seen=0
known=" host $("$burin" configs | awk '{ printf "%s ", $1 }')"
for command in $("$burin" --help | awk '/^Subcommands:/ { on = 1; next } /^[^ ]|^$/ { on = 0 } on && /^  [a-z]/ { print $1 }'); do
  help="$("$burin" "$command" --help)"
  for name in $(grep '^  ' <<< "$help" | grep -oE -- '--config [^ ]+' | awk '{ print $2 }' | grep -vx FILE); do
    seen=$((seen + 1))
    case "$known" in *" $name "*) ;; *) echo "burin $command --help names the description $name"; status=1 ;; esac
  done
  for file in $(grep -oE '/usr/local/[A-Za-z0-9_./-]+' <<< "$help"); do
    seen=$((seen + 1))
    [ -f "$prefix/${file#/usr/local/}" ] || { echo "burin $command --help names $file, which no installation has"; status=1; }
  done
  if grep -qE '(configs|tests)/[a-z]' <<< "${help//\/usr\/local\/share\/burin\//}" && ! grep -q /usr/local/share/burin/tests <<< "$help"; then
    echo "burin $command --help names a file of the project"
    status=1
  fi
done
[ "$seen" -ge 10 ] || { echo "help texts name only $seen things"; status=1; }
exit "$status"
