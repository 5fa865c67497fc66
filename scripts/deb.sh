#!/usr/bin/env bash
# Builds a Debian package in .build-deb with the files of `make install`; the target system needs no Swift.
# BINARY is packaged instead of a build; VERSION overrides the version, OUT the folder, COMPRESSION xz.
#
# The same sources and packages of the system make the same package, in any folder and at any time.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

scripts/install-deps.sh deb
maintainer=$(release maintainer)
binary=${BINARY:-}
if [ -z "$binary" ]; then
  scripts/build.sh
  binary=.build/release/mpris-playerd
fi

# All entries have the same time.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(source_time)}
export SOURCE_DATE_EPOCH
# A package by Debian has a revision of 1 or higher, which sorts after this one.
version=${VERSION:-$(source_version)-0upstream1}
architecture=$(dpkg --print-architecture)

out=${OUT:-.build-deb}
tree=$out/tree
rm -rf "$out"
mkdir -p "$tree/DEBIAN" "$out/debian"
umask 022
PREFIX=/usr DESTDIR=$tree BINARY=$binary bindir='' datadir='' mandir='' unitdir='' \
  zshdir=/usr/share/zsh/vendor-completions scripts/install.sh install

doc=$tree/usr/share/doc/mpris-playerd
mkdir -p "$doc"
cp data/debian/copyright "$doc/copyright"
gzip -9n <<TEXT >"$doc/changelog.Debian.gz"
mpris-playerd ($version) unstable; urgency=medium

  * Built from the project's own source; what has changed is in changelog.gz.

 -- $maintainer  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
TEXT
gzip -9n <CHANGELOG.md >"$doc/changelog.gz"
gzip -9n "$tree/usr/share/man/man1/mpris-playerd.1"

# dpkg-shlibdeps finds the packages of linked libraries; plug-ins, and libtinfo for terminals, are not linked.
printf 'Source: mpris-playerd\n\nPackage: mpris-playerd\nArchitecture: any\n' >"$out/debian/control"
libraries=$(cd "$out" && dpkg-shlibdeps -O tree/usr/bin/mpris-playerd tree/usr/libexec/mpris-playerd-engine | sed -n 's/^shlibs:Depends=//p')
[ -n "$libraries" ] || die "dpkg-shlibdeps found no libraries"
# A shared Swift runtime: Debian's declares no dependency for dpkg-shlibdeps, and its ABI belongs to one version.
runtime=$(ldd "$tree/usr/bin/mpris-playerd" | sed -n 's|^\s*libswiftCore.so => \(/[^ ]*\) .*|\1|p')
if [ -n "$runtime" ]; then
  owner=$(dpkg-query --search "$runtime" 2>/dev/null | cut -d : -f 1) || true
  if [ -n "$owner" ]; then
    # shellcheck disable=SC2016 # the field is dpkg's
    number=$(dpkg-query --show --showformat='${source:Upstream-Version}' "$owner")
    libraries+=", $owner (>= $number), $owner (<< $number.0~)"
  else
    say "the package works only on systems with $runtime, which no Debian package contains"
  fi
fi

cat >"$tree/DEBIAN/control" <<TEXT
Package: mpris-playerd
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$tree" | cut -f 1)
Depends: $libraries, libtinfo6, gstreamer1.0-plugins-base (>= 1.22), gstreamer1.0-plugins-good (>= 1.22), gstreamer1.0-pulseaudio | gstreamer1.0-pipewire | gstreamer1.0-alsa, default-dbus-session-bus | dbus-session-bus
Recommends: ca-certificates, gstreamer1.0-libav, gstreamer1.0-plugins-bad, gstreamer1.0-plugins-ugly
Suggests: playerctl, pulseaudio-utils, python3-gi
Section: sound
Priority: optional
Description: music player without a window, controlled over D-Bus
 mpris-playerd plays files, folders and web streams through GStreamer, without
 gaps between tracks. It has no window: media keys, playerctl, the widgets of
 GNOME, KDE and Xfce, phones and headsets control it, because it is a complete
 MPRIS2 player on the session bus, which activates it on demand.
TEXT

find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
chmod 644 "$tree/DEBIAN"/*
touch --date="@$SOURCE_DATE_EPOCH" "$tree/DEBIAN"/* "$tree/DEBIAN"
package=$out/mpris-playerd_${version}_$architecture.deb
dpkg-deb --root-owner-group -Z"${COMPRESSION:-xz}" --build "$tree" "$package" >/dev/null
say "built $package, $(stat -c %s "$package") bytes"
