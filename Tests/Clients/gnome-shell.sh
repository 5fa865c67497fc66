#!/usr/bin/env bash
# Tests the media controls of GNOME Shell without a screen, and the media keys of gnome-settings-daemon.
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

needs gnome-shell gnome-shell
[ -x /usr/libexec/gsd-media-keys ] || skip "gsd-media-keys is not installed (Debian package gnome-settings-daemon)"

cover Red c81e46
cover Blue 1e46c8
track One 60 Red
track Two 60 Blue

DBUS_SYSTEM_BUS_ADDRESS=$(start_bus system)
export DBUS_SYSTEM_BUS_ADDRESS
# The shell locks the screen only if GDM and logind run.
spawn gdm "$python" "$here/gdm.py"
gdbus wait --system --timeout 20 org.gnome.DisplayManager || fail "the mock of GDM has not started"
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/seats
export XDG_CURRENT_DESKTOP=GNOME XDG_SESSION_TYPE=wayland GSETTINGS_BACKEND=memory LIBGL_ALWAYS_SOFTWARE=1 GTK_A11Y=none NO_AT_BRIDGE=1
# The option allows Eval.
spawn shell gnome-shell --headless --wayland --no-x11 --unsafe-mode --virtual-monitor 1280x800 --wayland-display wayland-clients
shell=$spawned
export WAYLAND_DISPLAY=wayland-clients

# evaluate CODE: prints the result of JavaScript code in the shell, as a GVariant.
evaluate() { gdbus call --session --dest org.gnome.Shell --object-path /org/gnome/Shell --method org.gnome.Shell.Eval -- "$1"; }

# holds CODE: waits until JavaScript code returns true. The shell emits no signal when the picture changes, so this polls.
holds() {
  local deadline=$((SECONDS + ${LIMIT:-10}))
  until [ "$(evaluate "$1" 2>>"$work/log/evaluate")" = "(true, 'true')" ]; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.1
  done
}

# shows WHAT CODE: waits until JavaScript code returns true, else fails.
shows() { holds "$2" || fail "$1: not $2 (the texts: $(evaluate 'clients.texts()'))"; }

press() {
  evaluate "clients.point('media-$1-symbolic')" | grep '^(true' >/dev/null || fail "no button $1"
  shows "the pointer at $1" "(clients.point('media-$1-symbolic'), clients.isPointed())"
  evaluate 'clients.click()' >/dev/null
}
keys() { evaluate "clients.keys($1)" | grep '^(true' >/dev/null || fail "the keys $1"; }

await_name org.gnome.Shell
LIMIT=60 shows "the start" 'Main.layoutManager._startingUp === false'
shows "the functions" "$(cat "$here/gnome-shell.js")"
evaluate 'Main.overview.hide()' >/dev/null
shows "the overview" 'Main.overview.visible === false'
start_player --loop playlist "${tracks[@]}"
# A notification takes the key that opens the menu.
shows "no notification" "!clients.text('Logged in as a privileged user')"

# Super and V
keys '125, 47'
shows "the menu" 'Main.panel.statusArea.dateMenu.menu.isOpen'
shows "the title" "clients.text('One')"
shows "the artist" "clients.text('Artist 1')"
shows "the cover" "clients.cover('c81e46')"
say "the shell shows title, artist and cover"
press playback-pause
expect "a click on pause" PlaybackStatus=Paused
shows "a pause" "clients.icon('media-playback-start-symbolic')"
press playback-start
expect "a click on play" PlaybackStatus=Playing
shows "play" "clients.icon('media-playback-pause-symbolic')"
press skip-forward
expect "a click on next" xesam:title=Two
shows "the next title" "clients.text('Two')"
shows "the next cover" "clients.cover('1e46c8')"
press skip-backward
expect "a click on previous" xesam:title=One
shows "the first title again" "clients.text('One')"
say "the buttons control the player"

# Escape
keys 1
shows "the closed menu" '!Main.panel.statusArea.dateMenu.menu.isOpen'
G_MESSAGES_DEBUG=all spawn keys /usr/libexec/gsd-media-keys -v
await_line keys "Switching to MPRIS client $BUS" >/dev/null || fail "gsd-media-keys has not found the player"
await_line keys 'Grab call completed' >/dev/null || fail "gsd-media-keys has no keys"
# The keys of evdev: PLAYPAUSE, NEXTSONG, PREVIOUSSONG, FASTFORWARD, REWIND, PAUSECD, STOPCD.
keys 164
expect "the key Play" PlaybackStatus=Paused
keys 164
expect "the key Play" PlaybackStatus=Playing
keys 163
expect "the key Next" xesam:title=Two
keys 165
expect "the key Previous" xesam:title=One
keys 208
expect "the key Forward" "Position>=40000000"
keys 168
expect "the key Rewind" "Position<=40000000" "Position>=30000000"
keys 201
expect "the key Pause" PlaybackStatus=Paused
keys 166
expect "the key Stop" PlaybackStatus=Stopped
say "the media keys control the player"

player call Play
expect "play" PlaybackStatus=Playing
evaluate 'Main.screenShield.lock(false)' >/dev/null
shows "the lock screen" 'Main.screenShield.locked'
keys 164
expect "the key Play on the lock screen" PlaybackStatus=Paused
evaluate 'Main.screenShield.deactivate(false)' >/dev/null
shows "the unlocked screen" '!Main.screenShield.locked'
say "the keys control the player while the screen is locked"

keys '125, 47'
start_crossfade
shows "the first track of the crossfade" "clients.text('Three')"
shows "the second track of the crossfade" "clients.text('Four')"
end_crossfade
say "the shell shows both tracks of a crossfade, and one signal announces each"

kill "$player"
holds "!clients.text('Four')" || fail "the shell shows a player that has exited"

# Escape
keys 1
shows "the closed menu" '!Main.panel.statusArea.dateMenu.menu.isOpen'
# The program that has the name of the notification server, and passes notifications to the shell.
read -ra server < <(sed -n 's/^Exec=//p' /usr/share/dbus-1/services/org.gnome.Shell.Notifications.service)
spawn notifications "${server[@]}"
await_name org.freedesktop.Notifications
bubble() {
  local text
  for text in "${@:2}"; do shows "$1" "clients.banner('$text')"; done
  shows "$1" 'clients.notifications().length === 1'
}
no_bubble() { holds "!clients.notifications().some((title) => title.includes('$2'))" || fail "$1: a notification shows $2"; }
bubble_cover() { shows "the cover of the notification" "clients.cover('$1')"; }
push() {
  # The buttons are shown below the pointer.
  evaluate "clients.pointToBanner('Artist')" >/dev/null
  shows "the button $1" "clients.banner('$1')"
  evaluate "clients.pointToBanner('$1')" >/dev/null
  shows "the pointer at $1" "(clients.pointToBanner('$1'), clients.isPointed())"
  evaluate 'clients.click()' >/dev/null
  evaluate 'clients.pointAway()' >/dev/null
}
# The shell ignores a pointer that a notification appears below.
evaluate 'clients.pointAway()' >/dev/null
test_notifications

kill -0 "$shell" 2>/dev/null || fail "gnome-shell has exited"
pass "the shell shows title, artist and cover; buttons, media keys and notifications control the player"
