#!/usr/bin/env bash
# Shows that the sources alone determine the programs: builds the Debian packages in two folders, and compares every byte of them, with
# that of the debug information.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

out=.build-reproduce
# The lengths of the paths differ, too.
for folder in one another; do OUT=$out/$folder scripts/deb.sh; done
for package in "$out"/one/*.deb; do
  cmp "$package" "$out/another/${package##*/}" || die "${package##*/} depends on the folder of its sources: compare them with diffoscope"
  say "${package##*/}: the same $(stat -c %s "$package") bytes from both folders"
done
