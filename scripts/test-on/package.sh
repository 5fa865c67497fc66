#!/usr/bin/env bash
# Installs a package, uses it as a fresh user, purges it, and checks what is left. For a system that can be thrown away.
#
#   scripts/test-on/package.sh PACKAGE
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

name=org.mpris.MediaPlayer2.playerd

# Prints every path that a package, or the installation of one, could leave behind.
paths() {
  find / -xdev \( -path /home -o -path /mnt -o -path /tmp -o -path /root -o -path /var/cache -o -path /var/lib/apt \
    -o -path /var/lib/dpkg -o -path /var/log \) -prune -o -print | sort
}

# call METHOD [ARGUMENT…]: calls a method of the MPRIS object.
call() { gdbus call --session --dest "$name" --object-path /org/mpris/MediaPlayer2 --method "$@"; }

# Uses the daemon in a session of its own, as the user that runs this.
use() {
  local track pid report
  # It returns when it accepts connections.
  pulseaudio --daemonize=yes --exit-idle-time=-1 --log-target=null
  track="file://$PWD/data/demo/01 Porch Light.flac"
  say "OpenUri activates the daemon"
  call org.mpris.MediaPlayer2.Player.OpenUri "${track// /%20}"
  # PlaybackStatus is the intent; this is what the output does.
  timeout 30 grep -q -m 1 '"timeControlStatus":"playing"' <(mpris-playerd watch --json) || die "nothing plays"
  [ "$(playerctl --player playerd status)" = Playing ] || die "playerctl finds nothing that plays"
  say "doctor finds nothing to complain about"
  report=$(mpris-playerd doctor) || die "doctor: $report"
  ! printf '%s\n' "$report" | grep -v '^ok: ' || die "doctor warns"
  say "Quit ends the daemon"
  pid=$(gdbus call --session --dest org.freedesktop.DBus --object-path / \
    --method org.freedesktop.DBus.GetConnectionUnixProcessID "$name" | grep -oE '[0-9]+,' | tr -d ,)
  call org.mpris.MediaPlayer2.Quit
  timeout 30 tail --pid="$pid" -f /dev/null || die "the daemon is still there: $(ps -o args= "$pid")"
}

if [ "$1" = use ]; then
  use
  exit
fi

package=$1
apt() { apt-get -qq -y "$@" >&2; }

if dpkg-query --status mpris-playerd >/dev/null 2>&1; then apt purge mpris-playerd; fi
# What the package needs is installed first, and stays.
apt satisfy "$(dpkg-deb --field "$package" Depends), $(dpkg-deb --field "$package" Recommends)"
if id fresh >/dev/null 2>&1; then userdel --remove fresh 2>/dev/null; fi
useradd --create-home fresh
install -d -o fresh -g fresh -m 700 /run/user/fresh
before=$(paths)
say "installing $package"
apt install "$package"

runuser -u fresh -- env -i HOME=/home/fresh PATH=/usr/bin:/bin LANG=C.UTF-8 XDG_RUNTIME_DIR=/run/user/fresh \
  dbus-run-session -- "$PWD/scripts/test-on/package.sh" use

say "purging"
apt purge mpris-playerd
left=$(diff <(printf '%s\n' "$before") <(paths)) || die "left behind or lost by purge:"$'\n'"$left"
if dpkg-query --status mpris-playerd >/dev/null 2>&1; then die "dpkg still knows the package"; fi
