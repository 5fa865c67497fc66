#!/usr/bin/env bash
# Installs a package, uses it as a new user, purges it, and checks the remaining files. For a disposable system.
#
#   scripts/test-on/package.sh PACKAGE
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

name=org.mpris.MediaPlayer2.playerd

# Prints every path that a package, or its installation, could leave behind.
paths() {
  find / -xdev \( -path /home -o -path /mnt -o -path /tmp -o -path /root -o -path /var/cache -o -path /var/lib/apt \
    -o -path /var/lib/dpkg -o -path /var/log \) -prune -o -print | sort
}

# call METHOD [ARGUMENT…]: calls a method of the MPRIS object.
call() { gdbus call --session --dest "$name" --object-path /org/mpris/MediaPlayer2 --method "$@"; }

# Uses the daemon in a private session, as the current user.
use() {
  local track pid report
  # After a failure, too, nothing remains that keeps the log of the caller open.
  trap 'call org.mpris.MediaPlayer2.Quit >/dev/null 2>&1; pulseaudio --kill' EXIT
  # It returns when it accepts connections.
  # The doctor warns if the server has no sink but its own dummy.
  pulseaudio --daemonize=yes --exit-idle-time=-1 --log-target=null -n \
    --load=module-native-protocol-unix --load="module-null-sink sink_name=speakers"
  track="file://$PWD/data/demo/01 Porch Light.flac"
  say "OpenUri activates the daemon"
  call org.mpris.MediaPlayer2.Player.OpenUri "${track// /%20}"
  # PlaybackStatus reports the intent; TimeControlStatus reports the state of the output.
  timeout 30 grep -q -m 1 '"timeControlStatus":"playing"' <(mpris-playerd watch --json) || die "playback has not started"
  [ "$(playerctl --player playerd status)" = Playing ] || die "playerctl does not report Playing"
  say "doctor reports no problems"
  report=$(mpris-playerd doctor) || die "doctor: $report"
  [ "$report" = "verdict: no fault found" ] || die "doctor: $report"
  say "Quit ends the daemon"
  pid=$(gdbus call --session --dest org.freedesktop.DBus --object-path / \
    --method org.freedesktop.DBus.GetConnectionUnixProcessID "$name" | grep -oE '[0-9]+,' | tr -d ,)
  call org.mpris.MediaPlayer2.Quit
  timeout 30 tail --pid="$pid" -f /dev/null || die "the daemon has not exited: $(ps -o args= "$pid")"
}

if [ "$1" = use ]; then
  use
  exit
fi

package=$1
apt() { apt-get -qq -y "$@" >&2; }

if dpkg-query --status mpris-playerd >/dev/null 2>&1; then apt purge mpris-playerd; fi
# Dependencies are installed first, and remain.
apt satisfy "$(dpkg-deb --field "$package" Depends), $(dpkg-deb --field "$package" Recommends)"
if id fresh >/dev/null 2>&1; then userdel --remove fresh 2>/dev/null; fi
useradd --create-home fresh
install -d -o fresh -g fresh -m 700 /run/user/fresh
before=$(paths)
say "installing $package"
apt install "$package"

say "the autopkgtest"
runuser -u fresh -- env -i PATH=/usr/bin:/bin LANG=C.UTF-8 debian/tests/plays

runuser -u fresh -- env -i HOME=/home/fresh PATH=/usr/bin:/bin LANG=C.UTF-8 XDG_RUNTIME_DIR=/run/user/fresh \
  dbus-run-session -- "$PWD/scripts/test-on/package.sh" use

say "purging"
apt purge mpris-playerd
left=$(diff <(printf '%s\n' "$before") <(paths)) || die "files added or removed by purge:"$'\n'"$left"
if dpkg-query --status mpris-playerd >/dev/null 2>&1; then die "the package is still registered in dpkg"; fi
