#!/bin/bash
# Subjects of commits have the form that CONTRIBUTING asks for: "area: what changed", no full stop, nothing
# unfinished. Looks at all commits since this check exists; where there is no history, as in an archive, at none.
#
#   commit_subjects.sh PROJECT
set -u
cd "$1" || exit 2
git rev-parse --git-dir >/dev/null 2>&1 || { echo "no history here"; exit 0; }
first=$(git log --diff-filter=A --format=%H -- tests/project/commit_subjects.sh | tail -n 1)
[ -n "$first" ] || { echo "not committed yet"; exit 0; }
bad=0
while IFS= read -r subject; do
  if ! [[ $subject =~ ^[a-z_/]+(,\ [a-z_/]+)*:\ .*[^.]$ ]] || [[ ${subject,,} =~ (^|[^a-z])(wip|todo|fixup|not\ built)([^a-z]|$) ]]; then
    echo "no 'area: what changed': $subject"
    bad=1
  fi
done < <(git log --no-merges --format=%s "$first~1..HEAD" 2>/dev/null || git log -1 --format=%s)
exit $bad
