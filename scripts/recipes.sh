#!/usr/bin/env bash
# Writes the source archive and the recipes of Fedora and Arch into .build-recipes, builds both packages with Debian's rpmbuild and makepkg,
# and checks them. Debian's tools lack the packages of those systems, so the recipes are run without their dependencies; that each
# recipe names the right ones is compared with the headers that the build reads.
#
#   BINARY=PATH   packages this built program and its engine, PATH-engine, instead of building them for each package
#   OUT=FOLDER    the folder instead of .build-recipes
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_swift
scripts/install-deps.sh build run recipes
out=$(realpath -m "${OUT:-.build-recipes}")
binary=${BINARY:+$(realpath -e "$BINARY")}

say "the lists of packages"
python3 scripts/recipes/libraries.py >&2 || die "data/packaging/libraries differs from the build or from a recipe"

OUT=$out scripts/dist.sh
archive=$(echo "$out"/*.tar.xz)
name=$(basename "$archive" .tar.xz)
version=${name#mpris-playerd-}

# bundled: prints what the programs contain of other packages, as Fedora requires it: the Swift packages, and the parser in TOMLKit.
bundled() {
  tar --extract --to-stdout --file "$archive" "$name/mpris-playerd.spdx.json" |
    python3 -c 'import json, sys
for package in json.load(sys.stdin)["packages"][1:]: print("Provides:      ", "bundled(%(name)s) = %(versionInfo)s" % package)'
  tar --extract --to-stdout --file "$archive" "$name/Packages/TOMLKit/Sources/CTOML/Sources/toml.hpp" |
    sed -nE 's/^#define TOML_LIB_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' | paste -sd . | sed 's/^/Provides:       bundled(tomlplusplus) = /'
}

# fill FILE: prints a recipe with the values of this archive.
releases=$(release url)
releases=${releases:+$releases/releases/download/v$version/}
bundled >"$out/bundled"
fill() {
  with_address "$1" | sed -e "s|@version@|$version|" -e "s|@sha256@|$(sha256sum "$archive" | cut -d ' ' -f 1)|" \
    -e "s|@maintainer@|$(release maintainer)|" -e "s|@day@|$(LC_ALL=C date --utc --date="@$(source_time)" '+%a %b %d %Y')|" \
    -e "s|@releases@|$releases|" -e "/^@bundled@\$/{r $out/bundled" -e 'd}'
}
for file in mpris-playerd.spec PKGBUILD; do fill "data/packaging/$file.in" >"$out/$file"; done
shellcheck "$out/PKGBUILD" >&2

# built FOLDER: with BINARY, puts the programs where the build of an unpacked archive would.
built() {
  [ -n "$binary" ] || return 0
  mkdir -p "$1/.build/release"
  cp "$binary" "$1/.build/release/mpris-playerd"
  cp "$binary-engine" "$1/.build/release/mpris-playerd-engine"
}

say "Fedora's package, with $(rpmbuild --version)"
rpm=$out/rpm
mkdir -p "$rpm/SOURCES" "$rpm/SPECS"
cp "$archive" "$rpm/SOURCES/"
# Fedora adds the debug packages by itself.
sed 's/^%prep$/%{debug_package}\n\n&/' "$out/mpris-playerd.spec" >"$rpm/SPECS/mpris-playerd.spec"
# Macros that Debian's rpm lacks.
rpm() { rpmbuild "$1" --nodeps --load scripts/recipes/fedora.macros --define "_topdir $rpm" "${@:2}" "$rpm/SPECS/mpris-playerd.spec" >&2; }
rpm -bs
if [ -z "$binary" ]; then
  rpm -bb
else
  rpm -bp
  # Its place depends on the version of rpm.
  built "$(find "$rpm/BUILD" -maxdepth 2 -type d -name "$name")"
  # This option leaves the steps before the named one out.
  rpm -bi --short-circuit
  rpm -bb --short-circuit
fi
options=(--strict --config scripts/recipes/rpmlint.toml)
if [ -z "$releases" ]; then
  printf 'addFilter("%s")\n' no-url-tag "invalid-url Source0" >"$out/rpmlintrc"
  options+=(--rpmlintrc "$out/rpmlintrc")
fi
rpmlint "${options[@]}" "$out/mpris-playerd.spec" "$rpm"/RPMS/*/"$name"-1.*.rpm >&2 || die "rpmlint has findings"
command rpm --query --list --package "$rpm"/RPMS/*/mpris-playerd-debuginfo-*.rpm | grep -q '/usr/libexec/mpris-playerd-engine.*\.debug$' ||
  die "the debug package lacks the engine"

say "Arch's package, with $(makepkg --version | head -n 1)"
arch=$out/arch
mkdir -p "$arch"
cp "$archive" "$out/PKGBUILD" "$arch/"
chmod -R go+rX "$out"
# It does not run as root.
pack() (
  cd "$arch"
  user=()
  [ "$(id -u)" != 0 ] || user=(setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$arch")
  [ "$(id -u)" != 0 ] || chown -R nobody "$arch"
  "${user[@]}" env PKGEXT=.pkg.tar.zst makepkg --nodeps --noconfirm "$@" >&2
)
if [ -z "$binary" ]; then
  pack
else
  pack --nobuild
  built "$arch/src/$name"
  [ "$(id -u)" != 0 ] || chown -R nobody "$arch"
  # Without check, which the last line does.
  pack --noextract --noprepare --repackage
fi
tree=$arch/pkg/mpris-playerd
[ -z "$(find "$tree/usr/libexec" 2>/dev/null)" ] || die "Arch's package has files in /usr/libexec"
scripts/recipes/plays.sh "$tree/usr/bin/mpris-playerd" >&2 || die "the program of Arch's package does not play"
say "$(echo "$rpm"/RPMS/*/*.rpm "$arch"/*.zst)"
