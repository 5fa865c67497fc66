#!/usr/bin/env bash
# Tests the daemon with elogind, the login manager of systems without systemd: it takes its locks, and pauses before a suspension, which
# ends at a file instead of the kernel.
# shellcheck source=Tests/Clients/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Its package removes systemd, so scripts/install-deps.sh unpacks it.
unpacked=$here/../../.build-test/unpacked/elogind
elogind=
for candidate in {"$unpacked",}/{usr/,}{lib/elogind,libexec/elogind,libexec}/elogind; do
  if [ -x "$candidate" ] && [ -f "$candidate" ]; then elogind=$candidate && break; fi
done
needs playerctl playerctl
[ -n "$elogind" ] || skip "elogind is not installed (Debian package elogind, which scripts/install-deps.sh clients unpacks)"

# It sees no state of this machine, no other control groups, and files in the place of the kernel's power management.
for folder in /run /sys/power; do mount -t tmpfs tmpfs "$folder" || skip "$folder cannot be replaced"; done
mount -t cgroup2 cgroup2 /sys/fs/cgroup || skip "control groups cannot be mounted"
echo freeze mem >/sys/power/state
echo '[deep]' >/sys/power/mem_sleep
mkdir -p /run/systemd

DBUS_SYSTEM_BUS_ADDRESS=$(start_bus system)
export DBUS_SYSTEM_BUS_ADDRESS
# Its library is beside it in Debian 12, and below the folder of the architecture in Debian 13.
libraries=${elogind%/*}
for candidate in "$unpacked"/usr/lib/*/elogind; do [ ! -d "$candidate" ] || libraries+=:$candidate; done
LD_LIBRARY_PATH=$libraries:${LD_LIBRARY_PATH:-} spawn elogind "$elogind"
gdbus wait --system --timeout 20 org.freedesktop.login1 || fail "elogind has not started"
spawn login gdbus monitor --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1
await_line login 'is owned by' >/dev/null || fail "gdbus does not monitor elogind"

# signalled WHAT PATTERN: waits for a signal of elogind, after the signals seen so far.
seen=0
signalled() { seen=$(await_line login "$2" 20 "$seen") || fail "$1: $(tail -n 3 "$work/log/login")"; }
suspend() {
  gdbus call --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1 \
    --method org.freedesktop.login1.Manager.Suspend false >/dev/null || fail "elogind does not suspend"
}

track One 60
MPRIS_PLAYERD_PAUSE_ON_SLEEP=resume start_player "${tracks[0]}"
expect "play" PlaybackStatus=Playing
signalled "the daemon takes no lock that delays a suspension" "'DelayInhibited': <'[a-z:]*sleep"
say "the daemon delays a suspension"
spawn status playerctl --player playerd --follow status
await_line status '^Playing$' >/dev/null || fail "playerctl prints no status"

suspend
signalled "elogind announces no suspension" 'PrepareForSleep \(true,\)'
signalled "the daemon keeps its lock" "'DelayInhibited': <''>"
signalled "the machine does not wake up" 'PrepareForSleep \(false,\)'
[ "$(cat /sys/power/state)" = mem ] || fail "elogind has not suspended the machine"
signalled "the daemon takes no lock after the suspension" "'DelayInhibited': <'[a-z:]*sleep"
paused=$(await_line status '^Paused$') || fail "the daemon has not paused"
await_line status '^Playing$' 20 "$paused" >/dev/null || fail "the daemon has not continued"
say "it pauses before a suspension, releases its lock, and continues"
"$BINARY" --quiet quit || fail "quit"
signalled "the lock remains after the end of the daemon" "'DelayInhibited': <''>"

MPRIS_PLAYERD_INHIBIT_SLEEP=true start_player "${tracks[0]}"
signalled "the daemon does not prevent a suspension while it plays" "'BlockInhibited': <'[a-z:]*sleep"
player call Pause
signalled "the daemon prevents a suspension while it is paused" "'BlockInhibited': <''>"
pass "elogind waits for a pause before a suspension; with inhibit-sleep, the daemon prevents it while it plays"
