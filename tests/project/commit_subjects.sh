#!/bin/bash
# Subjects of commits have the form that CONTRIBUTING asks for: "area: what changed", no full stop, nothing
# unfinished. Looks at all commits since this check exists; where there is no history, as in an archive, at none.
#
#   commit_subjects.sh PROJECT
set -u
cd "$1" || exit 2
[ -e .git ] || { echo "no history here"; exit 0; }
git rev-parse --git-dir >/dev/null || exit 1
# An area is a folder, by its own name, or how everything is built.
areas=" build ci $(git ls-tree -rd --name-only HEAD | sed 's|.*/||' | sort -u | tr '\n' ' ') "
first=$(git log --diff-filter=A --format=%H -- tests/project/commit_subjects.sh | tail -n 1)
[ -n "$first" ] || { echo "not committed yet"; exit 0; }
bad=0
while IFS= read -r subject; do
  if ! [[ $subject =~ ^[a-z_/]+(,\ [a-z_/]+)*:\ .*[^.]$ ]] || [[ ${subject,,} =~ (^|[^a-z])(wip|todo|fixup|not\ built)([^a-z]|$) ]]; then
    echo "no 'area: what changed': $subject"
    bad=1
    continue
  fi
  for area in $(tr ',' ' ' <<<"${subject%%:*}"); do
    [[ $areas == *" ${area##*/} "* ]] || { echo "no folder is called $area: $subject"; bad=1; }
  done
done < <(git log --no-merges --format=%s "$first~1..HEAD" 2>/dev/null || git log -1 --format=%s)
exit $bad
