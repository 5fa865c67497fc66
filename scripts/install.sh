#!/usr/bin/env bash
# Installs the program, its engine and the desktop integration, or removes exactly those files:
# install.sh install|uninstall
# From the environment: PREFIX, DESTDIR, BINARY (an executable to install instead of a release build, with the engine
# beside it as BINARY-engine), STRIP (empty: with symbols) and the folder variables below.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Every user reads the folders that are made here.
umask 022

prefix=${PREFIX:-/usr/local}
destination=${DESTDIR:-}
binary=${BINARY:-}

# The paths are written to files in four syntaxes; a character that needs quoting in one of them is refused.
case $prefix in
  *[!A-Za-z0-9/._+-]*) die "PREFIX=$prefix: only letters, digits and ._+- are allowed" ;;
  /*) ;;
  *) die "PREFIX=$prefix is not an absolute path" ;;
esac
case $destination in '' | /*) ;; *) destination=$PWD/$destination ;; esac

prefix=${prefix%/}
bin=${bindir:-$prefix/bin}
libexec=${libexecdir:-${bin%/*}/libexec}
# EngineProgramFile knows these two folders.
case $libexec in
  "${bin%/*}/libexec" | "${bin%/*}/lib/mpris-playerd") ;;
  *) die "libexecdir=$libexec: the program finds its engine only in ${bin%/*}/libexec or ${bin%/*}/lib/mpris-playerd" ;;
esac
share=${datadir:-$prefix/share}
man=${mandir:-$share/man}
zsh=${zshdir:-$share/zsh/site-functions}
# Unless XDG_DATA_DIRS has it, fish does not read /usr/local/share, but always this folder of the administrator.
case $prefix in /usr/local) default_fish=/etc/fish/completions ;; *) default_fish=$share/fish/vendor_completions.d ;; esac
fish=${fishdir:-$default_fish}
examples=$share/doc/mpris-playerd/examples
# Below the home directory systemd searches user units in the data folder.
case $prefix/ in "${HOME:-/nonexistent}"/*) default_units=$share/systemd/user ;; *) default_units=$prefix/lib/systemd/user ;; esac
units=${unitdir:-$default_units}

# fill: replaces the placeholders of the paths in its input.
fill() { sed -e "s|@bindir@|$bin|g" -e "s|^Exec=mpris-playerd|Exec=$bin/mpris-playerd|"; }

activation() { sed "s|@name@|$1|" data/dbus/activation.service.in | fill; }
completion() { scripts/completion.sh "$binary" "$1"; }

# each DO: calls DO MODE TARGET COMMAND… for every file; COMMAND prints the contents.
each() {
  local source
  "$1" 755 "$bin/mpris-playerd" stripped "$binary"
  "$1" 755 "$libexec/mpris-playerd-engine" stripped "$binary-engine"
  "$1" 644 "$share/dbus-1/services/org.playerd.service" activation org.playerd
  "$1" 644 "$share/dbus-1/services/org.mpris.MediaPlayer2.playerd.service" activation org.mpris.MediaPlayer2.playerd
  # The interfaces of MPRIS belong to other packages.
  for source in data/interfaces/org.playerd.*.xml; do
    [ ! -e "$source" ] || "$1" 644 "$share/dbus-1/interfaces/${source##*/}" cat "$source"
  done
  "$1" 644 "$units/mpris-playerd.service" fill <data/systemd/mpris-playerd.service.in
  "$1" 644 "$share/applications/mpris-playerd.desktop" fill <data/mpris-playerd.desktop
  "$1" 644 "$share/icons/hicolor/scalable/apps/mpris-playerd.svg" cat data/icons/hicolor/scalable/apps/mpris-playerd.svg
  "$1" 644 "$share/metainfo/org.playerd.mpris_playerd.metainfo.xml" with_address data/metainfo/org.playerd.mpris_playerd.metainfo.xml.in
  "$1" 644 "$man/man1/mpris-playerd.1" scripts/manual.py "$binary"
  "$1" 644 "$share/bash-completion/completions/mpris-playerd" completion bash
  "$1" 644 "$zsh/_mpris-playerd" completion zsh
  "$1" 644 "$fish/mpris-playerd.fish" completion fish
  for source in data/bars/*; do
    "$1" 644 "$examples/${source##*/}" cat "$source"
  done
  "$1" 755 "$examples/snapcast-mpris" cat data/snapcast/snapcast-mpris
}

# stripped BINARY: prints the executable, without symbols where strip is installed, unless STRIP is empty.
stripped() {
  if [ -z "${STRIP-strip}" ] || ! command -v strip >/dev/null; then cat "$1" && return; fi
  local copy
  copy=$(mktemp)
  strip --remove-section=.comment -o "$copy" "$1" && cat "$copy"
  rm -f "$copy"
}

# put MODE TARGET COMMAND…: writes a temporary file and renames it, so that a running daemon is not disturbed.
put() {
  local mode=$1 target=$destination$2
  shift 2
  mkdir -p "$(dirname "$target")"
  if ! "$@" >"$target.new"; then
    rm -f "$target.new"
    die "could not write $target"
  fi
  chmod "$mode" "$target.new"
  mv -f "$target.new" "$target"
}

# take MODE TARGET …: removes a file.
take() { rm -f "$destination$2"; }

# refresh: updates the desktop's caches of desktop files and icons; does nothing with DESTDIR.
refresh() {
  [ -z "$destination" ] || return 0
  local applications=$share/applications icons=$share/icons/hicolor
  if ! compgen -G "$applications/*.desktop" >/dev/null; then
    rm -f "$applications/mimeinfo.cache"
  elif command -v update-desktop-database >/dev/null; then
    update-desktop-database -q "$applications"
  fi
  if [ -e "$icons/icon-theme.cache" ] && command -v gtk-update-icon-cache >/dev/null; then
    gtk-update-icon-cache --quiet --force --ignore-theme-index "$icons"
  fi
}

case ${1:-} in
  install)
    if [ -z "$binary" ]; then
      binary=.build/release/mpris-playerd
      # For "make build" and then "sudo make install": root needs no toolchain.
      if [ -z "${SUDO_USER:-}" ] || [ ! -x "$binary" ]; then scripts/build.sh; fi
    fi
    for executable in "$binary" "$binary-engine"; do
      [ -x "$executable" ] || die "$executable is not an executable"
    done
    command -v python3 >/dev/null || die "could not write the manual page: python3 is not installed"
    each put
    refresh
    say "installed in $destination$prefix"
    ;;
  uninstall)
    each take
    for folder in "$examples" "${examples%/*}"; do
      rmdir "$destination$folder" 2>/dev/null || true  # other files may be there
    done
    refresh
    say "removed from $destination$prefix"
    ;;
  *) die "usage: $0 install|uninstall" ;;
esac
