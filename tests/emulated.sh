#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a command in a user namespace in which the kernel starts programs for 64-bit ARM with qemu:
# tests/emulated.sh COMMAND [WORD...]. Nothing changes outside of it. Requires Linux 6.7.

set -eu
[ $# -gt 0 ] || {
    echo "usage: emulated.sh COMMAND [WORD...]" >&2
    exit 2
}
# shellcheck disable=SC2016
exec unshare --user --map-root-user --mount sh -euc '
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    header="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    printf %s ":qemu-aarch64:M::$header:$mask:$(command -v qemu-aarch64):" >/proc/sys/fs/binfmt_misc/register
    exec "$@"' sh "$@"
