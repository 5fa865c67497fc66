#!/usr/bin/env bash
# Installs missing Debian packages and lists them. Arguments: any of swift, build, run, test, pipewire, clients, desktops, lint,
# bench, deb, dist, recipes, arm64, picture. With DEPENDENCIES=installed, as a package build sets it, does nothing.
set -euo pipefail
if [ "${DEPENDENCIES:-}" = installed ]; then exit; fi
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The compiler of the distribution, with the headers of C++.
swift=(swiftlang g++)

# For compiling: headers, and the tools with which SwiftPM fetches Swift packages.
build=(
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libebur128-dev libpulse-dev libdbus-1-dev libexpat1-dev zlib1g-dev libmd-dev
  libseccomp-dev libncurses-dev
  pkg-config git ca-certificates
)

# For playing: decoders, sources and the PulseAudio output, which also serves PipeWire. For control: bus and playerctl.
# MP3 and HTTP are in -good; https: needs the certificates.
run=(
  gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-pulseaudio ca-certificates
  dbus dbus-daemon dbus-bin playerctl
)

# For testing: encoders for the media, an audio server with a recorder, the command-line clients of D-Bus, the shells with
# completion, and the tools that look at processes, programs and the package.
# All plug-in packages are included: users have them, and their decoders and sinks are candidates for every file.
test=(
  ffmpeg flac lame opus-tools sox vorbis-tools gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav gstreamer1.0-tools
  pulseaudio pulseaudio-utils libglib2.0-bin systemd util-linux make python3 zsh fish
  procps mount binutils dpkg-dev mandoc jq
)

# For testing: modules that find names. They are unpacked into a folder, because their packages change `/etc/nsswitch.conf` or
# `/etc/resolv.conf`; without them, tests of names are skipped.
names=(libnss-mdns libnss-resolve libnss-myhostname libnss-mymachines)

# For testing with PipeWire; not for every test, because on a desktop it replaces another sound server.
pipewire=(pipewire pipewire-pulse wireplumber gstreamer1.0-pipewire gstreamer1.0-tools pulseaudio-utils)

# For testing with the clients in Debian.
clients=(
  playerctl bluez kdeconnect rygel openssl python3-gi libglib2.0-bin dbus-daemon iproute2 mount gstreamer1.0-tools
  snapserver snapclient pipewire pipewire-pulse wireplumber dbus-broker
)
# The login manager of systems without systemd. It is unpacked, because its package removes systemd.
login=(elogind)

# For testing with the desktops, and with the programs that read their screens and press their buttons.
desktops=(
  gnome-shell gjs gnome-settings-daemon plasma-workspace xfce4-panel xfce4-pulseaudio-plugin xfce4-notifyd
  sway sway-notification-center mako-notifier dunst waybar
  xvfb xdotool at-spi2-core gir1.2-atspi-2.0 grim tesseract-ocr
)

# For checking folders, scripts, the desktop file, the metainfo, the systemd unit, the manual page and the package.
lint=(python3 shellcheck desktop-file-utils appstream systemd mandoc lintian)

# For measuring: a compiler for the minimal C programs, GStreamer's own player, encoders with a writer of tags, and a recorder.
bench=(
  gcc libc6-dev ffmpeg flac lame opus-tools vorbis-tools atomicparsley gstreamer1.0-libav gstreamer1.0-plugins-base-apps
  pulseaudio pulseaudio-utils python3
)

# For the source archive.
dist=(git python3 xz-utils)

# For the Debian package: the tools of debian/rules, and the parser of TOML that it uses from Debian 13 on.
deb=(dpkg-dev debhelper libtomlplusplus-dev python3)

# For the packages of Fedora and Arch.
recipes=(
  git python3 xz-utils shellcheck rpm rpmlint debugedit elfutils desktop-file-utils appstream makepkg pacman-package-manager fakeroot zstd libarchive-tools util-linux
)

# For arm64: a compiler for it, and its headers.
arm64=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross)

# For the picture of the README: a terminal whose contents a program reads.
picture=(python3 python3-pyte dbus-daemon)

installed() { dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }

wanted=()
modules=()
for group in "$@"; do
  case $group in
    swift) wanted+=("${swift[@]}") ;;
    build) wanted+=("${build[@]}") ;;
    run) wanted+=("${run[@]}") ;;
    test) wanted+=("${test[@]}") modules+=("${names[@]}") ;;
    pipewire) wanted+=("${pipewire[@]}") ;;
    clients) wanted+=("${clients[@]}") modules+=("${login[@]}") ;;
    desktops) wanted+=("${desktops[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    bench) wanted+=("${bench[@]}") ;;
    deb) wanted+=("${deb[@]}") ;;
    dist) wanted+=("${dist[@]}") ;;
    arm64) wanted+=("${arm64[@]}") ;;
    recipes) wanted+=("${recipes[@]}") ;;
    picture) wanted+=("${picture[@]}") ;;
    *) die "unknown group of packages: $group (swift, build, run, test, pipewire, clients, desktops, lint, bench, deb, dist, recipes, arm64, picture)" ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "not a Debian system: install the equivalents of ${wanted[*]} yourself"
  exit 0
fi

# unpack PACKAGE: unpacks a package; modules of names are copied into one folder.
unpack() {
  local folder status=0
  folder=$(mktemp -d)
  {
    (cd "$folder" && apt-get -q download "$1" && dpkg-deb -x ./*.deb files) &&
      mkdir -p .build-test/nss .build-test/unpacked &&
      find "$folder/files" -name 'libnss_*.so.2' -exec cp {} .build-test/nss/ \; &&
      mv "$folder/files" ".build-test/unpacked/$1"
  } >&2 || status=1
  rm -rf "$folder"
  return "$status"
}
unpack_modules() {
  local package
  for package in "${modules[@]}"; do
    if [ -e ".build-test/unpacked/$package" ] || installed "$package"; then continue; fi
    say "unpacking $package"
    unpack "$package" || say "$package could not be fetched; the tests that need it are skipped"
  done
}

missing=()
for package in "${wanted[@]}"; do
  case " ${missing[*]} " in *" $package "*) continue ;; esac
  installed "$package" && continue
  # PulseAudio would take over a desktop with PipeWire's replacement of it; the tests that start PulseAudio are skipped.
  if [ "$package" = pulseaudio ] && installed pipewire-pulse; then continue; fi
  missing+=("$package")
done
if [ ${#missing[@]} = 0 ]; then
  unpack_modules
  exit 0
fi

root=()
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || die "packages are missing, and sudo is not installed: ${missing[*]}"
  root=(sudo)
fi
apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
options=(--no-install-recommends --no-remove)

say "installing ${missing[*]}"
install=("${apt[@]}" install "${options[@]}" "${missing[@]}")
update() {
  say "updating the package lists"
  "${apt[@]}" update >&2
}
# The package lists are fetched only if there are none, or if they are out of date.
apt-get install --simulate "${options[@]}" "${missing[@]}" >/dev/null 2>&1 || update
"${install[@]}" >&2 || { update && "${install[@]}" >&2; } || die "apt-get could not install ${missing[*]}"
unpack_modules
