#!/usr/bin/env bash
# Makes a release: sets the version and today's date (UTC) wherever they are stated, commits that, and tags the commit.
# Pushes nothing. Ends without a change if the tree has uncommitted changes, or if the tag exists.
#
#   scripts/release.sh VERSION
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

version=${1:-}
[ -n "$version" ] || die "usage: make release VERSION=1.2.3"
number='(0|[1-9][0-9]*)'
[[ $version =~ ^$number\.$number\.$number$ ]] || die "version $version does not have the form MAJOR.MINOR.PATCH"
tag=v$version
if git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null; then die "tag $tag exists"; fi
current=$(release version)
newer=$(printf '%s\n' "$current" "$version" | sort -V | tail -n 1)
if [ "$version" = "$current" ] || [ "$version" != "$newer" ]; then die "version $version is not newer than $current"; fi
status=$(git status --porcelain)
[ -z "$status" ] || die "the tree has uncommitted changes: commit or stash them first"

# replace FILE PATTERN REPLACEMENT: edits the lines that match, and ends the script if there is none.
replace() {
  grep -qE -e "$2" "$1" || die "$1 has no line that matches $2"
  sed -i -E -e "s|$2|$3|" "$1"
}

# The tree was clean, so this undoes the edits alone.
restore() { [ $? = 0 ] || git restore --staged --worktree .; }
trap restore EXIT

date=$(date --utc +%F)
stated=${current//./\\.}
replace data/release '^version=.*' "version=$version"
replace data/release '^date=.*' "date=$date"
replace Sources/PlayerdSystem/Names.swift "^( *package static let version = )\"$stated\"" "\\1\"$version\""
replace README.md "^Version $stated\\>" "Version $version"
# Without a public address, the pages name the path of a clone.
url=$(release url)
if [ -n "$url" ]; then
  for file in README.md docs/APP.md docs/LIBRARIES.md docs/PORTING.md; do
    replace "$file" '[a-z]+: "[^"]*/mpris-playerd"(, from: "[^"]*")?' "url: \"$url\", from: \"$version\""
  done
fi
replace debian/changelog '^mpris-playerd \(.*-' "mpris-playerd ($version-"
replace debian/changelog '^( -- .*>)  .*' "\\1  $(date --utc --rfc-email --date="$date")"
# Earlier releases stay below.
replace data/metainfo/org.playerd.mpris_playerd.metainfo.xml.in '^( *)<releases>$' \
  "&\\n\\1  <release version=\"$version\" date=\"$date\"/>"
replace CHANGELOG.md '^## \[Unreleased\]$' "&\\n\\n## [$version] - $date"

# The public API is compared with this release from now on.
git rm --quiet --ignore-unmatch scripts/api-changes.txt
git commit --quiet --all --message "build: version $version"
git tag --annotate --message "mpris-playerd $version" "$tag"
say "version $version is committed and tagged $tag; to publish it, run: git push --follow-tags"
