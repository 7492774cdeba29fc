#!/bin/bash
# Does a machine where nobody has worked before get from a checkout to a running network? Makes a Debian 12
# root with nothing in it, copies the committed tree there and runs a script in it. Needs root, debootstrap
# and a Debian mirror; a command of its own, not a test.
#
#   clean_machine.sh FOLDER [MIRROR [SCRIPT]]      SCRIPT: ./demo.sh (default) or ./test.sh
set -euo pipefail
root=${1:?folder for the new root, which must not exist yet}
mirror=${2:-http://deb.debian.org/debian}
script=${3:-./demo.sh}
source=$(cd "$(dirname "$0")/../.." && pwd)
[ ! -e "$root" ] || { echo "$root exists" >&2; exit 2; }

debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || { tail -3 "$root.log"; exit 5; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir -p "$root/srv/burin"
git -C "$source" archive HEAD | tar x -C "$root/srv/burin"
trap 'umount "$root/proc" "$root/dev" "$root/sys"' EXIT
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --bind /dev "$root/dev"
chroot "$root" /bin/bash -c "cd srv/burin && $script"
