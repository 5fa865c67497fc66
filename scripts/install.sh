#!/usr/bin/env bash
# Installs the daemon with all by which a desktop finds it, or removes just that again: install.sh install|uninstall
# From the environment: PREFIX, DESTDIR, BINARY (an executable to install instead of the released one) and the
# folders of the first lines below.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

prefix=${PREFIX:-/usr/local}
destination=${DESTDIR:-}
binary=${BINARY:-}

# Paths go into files of four syntaxes; what would have to be quoted in one of them is refused for all.
case $prefix in
  *[!A-Za-z0-9/._+-]*) die "PREFIX=$prefix: only letters, digits and ._+- can be in it" ;;
  /*) ;;
  *) die "PREFIX=$prefix is not an absolute path" ;;
esac
case $destination in '' | /*) ;; *) destination=$PWD/$destination ;; esac

prefix=${prefix%/}
bin=${bindir:-$prefix/bin}
share=${datadir:-$prefix/share}
man=${mandir:-$share/man}
zsh=${zshdir:-$share/zsh/site-functions}
# At home systemd looks for the user's own units beside the other data.
case $prefix/ in "${HOME:-/nonexistent}"/*) default_units=$share/systemd/user ;; *) default_units=$prefix/lib/systemd/user ;; esac
units=${unitdir:-$default_units}

# fill: puts the paths into a file on its way.
fill() { sed -e "s|@bindir@|$bin|g" -e "s|^Exec=mpris-playerd|Exec=$bin/mpris-playerd|"; }

activation() { sed "s|@name@|$1|" data/dbus/activation.service.in | fill; }
completion() { scripts/completion.sh "$binary" "$1"; }

# each DO: calls DO MODE TARGET COMMAND… for every file; COMMAND prints what is to be in it.
each() {
  local source
  "$1" 755 "$bin/mpris-playerd" cat "${stripped:-$binary}"
  "$1" 644 "$share/dbus-1/services/org.playerd.service" activation org.playerd
  "$1" 644 "$share/dbus-1/services/org.mpris.MediaPlayer2.playerd.service" activation org.mpris.MediaPlayer2.playerd
  # The interfaces of MPRIS are not ours to install.
  for source in data/interfaces/org.playerd.*.xml; do
    [ ! -e "$source" ] || "$1" 644 "$share/dbus-1/interfaces/${source##*/}" cat "$source"
  done
  "$1" 644 "$units/mpris-playerd.service" fill <data/systemd/mpris-playerd.service.in
  "$1" 644 "$share/applications/mpris-playerd.desktop" fill <data/mpris-playerd.desktop
  "$1" 644 "$share/icons/hicolor/scalable/apps/mpris-playerd.svg" cat data/icons/hicolor/scalable/apps/mpris-playerd.svg
  "$1" 644 "$share/metainfo/org.playerd.mpris_playerd.metainfo.xml" cat data/metainfo/org.playerd.mpris_playerd.metainfo.xml
  "$1" 644 "$man/man1/mpris-playerd.1" scripts/manual.py "$binary"
  "$1" 644 "$share/bash-completion/completions/mpris-playerd" completion bash
  "$1" 644 "$zsh/_mpris-playerd" completion zsh
  "$1" 644 "$share/fish/vendor_completions.d/mpris-playerd.fish" completion fish
}

# put MODE TARGET COMMAND…: writes a file beside its place and moves it there, so that a daemon that runs is not disturbed.
put() {
  local mode=$1 target=$destination$2
  shift 2
  mkdir -p "$(dirname "$target")"
  if ! "$@" >"$target.new"; then
    rm -f "$target.new"
    die "could not make $target"
  fi
  chmod "$mode" "$target.new"
  mv -f "$target.new" "$target"
}

# take MODE TARGET …: removes a file.
take() { rm -f "$destination$2"; }

# refresh: the caches through which desktops see desktop files and icons; only those of a system that is in use.
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
      # "make build", then "sudo make install": root need not have a toolchain.
      if [ -z "${SUDO_USER:-}" ] || [ ! -x "$binary" ]; then scripts/build.sh; fi
    fi
    [ -x "$binary" ] || die "there is no executable $binary"
    command -v python3 >/dev/null || die "python3 is needed to write the manual page, and is not installed"
    stripped=$(mktemp)
    trap 'rm -f "$stripped"' EXIT
    if command -v strip >/dev/null; then
      strip --remove-section=.comment -o "$stripped" "$binary"
    else
      cp "$binary" "$stripped"
    fi
    each put
    refresh
    say "installed in $destination$prefix"
    ;;
  uninstall)
    each take
    refresh
    say "removed from $destination$prefix"
    ;;
  *) die "usage: $0 install|uninstall" ;;
esac
