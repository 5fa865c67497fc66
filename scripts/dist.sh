#!/usr/bin/env bash
# Writes a source archive in .build-dist, from which the daemon and its Debian package are built without a network: the files of this commit,
# the Swift packages of the daemon in Packages, with their licences, and an SPDX list of them. OUT overrides the folder.
#
# The same commit makes the same archive: Package.swift states the version of each package in it.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh dist
[ -z "$(git status --porcelain)" ] || say "uncommitted changes are not archived"
version=$(source_version)
time=$(source_time)
out=${OUT:-.build-dist}
name=mpris-playerd-$version
tree=$out/$name
rm -rf "$out"
mkdir -p "$tree"
git archive HEAD | tar -x -C "$tree"
printf 'suffix=%s\ntime=%s\n' "${version#"$(release version)"}" "$time" >>"$tree/data/release"

sed -i -e "1s/(.*-/($version-/" -e "s/^\( -- .*>\)  .*/\1  $(date --utc --rfc-email --date="@$time")/" "$tree/debian/changelog"
for file in debian/control debian/watch debian/upstream/metadata; do
  with_address "$file" >"$tree/$file"
done
if [ -z "$(release url)" ]; then
  echo "# The project has no public address yet." >"$tree/debian/watch"
  rm -r "$tree/debian/upstream"
fi

# Without the trait OpenCombine, SwiftPM does not fetch its package.
swift package --package-path "$tree" --scratch-path "$out/resolved" resolve >&2
for checkout in "$out"/resolved/checkouts/*; do
  mkdir -p "$tree/Packages/${checkout##*/}"
  git -C "$checkout" archive HEAD | tar -x -C "$tree/Packages/${checkout##*/}"
done
python3 scripts/dist/vendor.py "$tree" "$version" "$time"
rm "$tree/Package.resolved"

archive=$out/$name.tar.xz
tar --create --directory "$out" --sort=name --format=gnu --mtime="@$time" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "$name" |
  xz --threads=1 -9 >"$archive"
rm -rf "$out/resolved" "$tree"
say "wrote $archive, $(stat -c %s "$archive") bytes"
