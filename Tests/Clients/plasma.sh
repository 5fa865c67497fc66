#!/usr/bin/env bash
# Tests Plasma's media player widget, and its media keys, on an X server without a screen.
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

needs plasmawindowed plasma-workspace
# Plasma 6 has moved it out of PATH.
kglobalaccel=$(find /usr/bin /usr/lib* \( -name kglobalaccel5 -o -name kglobalacceld \) -type f -perm /111 -print -quit 2>/dev/null)
[ -n "$kglobalaccel" ] || skip "kglobalaccel is not installed (Debian package kglobalacceld or libkf5globalaccel-bin)"

cover Red c81e46
cover Blue 1e46c8
track One 60 Red
track Two 60 Blue

export XDG_CURRENT_DESKTOP=KDE KDE_FULL_SESSION=true QT_QPA_PLATFORM=xcb QT_QPA_PLATFORMTHEME=kde QT_QUICK_BACKEND=software
export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 KDE_SESSION_VERSION=5
[ "${kglobalaccel%5}" != "$kglobalaccel" ] || KDE_SESSION_VERSION=6
start_display
spawn keys "$kglobalaccel"
await_name org.kde.kglobalaccel
if [ $KDE_SESSION_VERSION = 6 ]; then
  needs kded6 kded6
  # Its module mprisservice handles the media keys.
  spawn kded kded6
  await_name org.kde.kded6
fi
spawn widget plasmawindowed org.kde.plasma.mediacontroller
widget=$spawned
timeout 30 xdotool search --sync --onlyvisible --name '^Media Player$' windowsize --sync 420 480 || fail "the widget has no window"
start_accessibility
shows "no player" 'No media playing'
start_player --loop playlist "${tracks[@]}"

shows "the first track" One 'Artist 1' Red Pause
elements colour c81e46 10000 || fail "the widget does not show the cover"
say "the widget shows title, artist, album and cover"
press "pause" Pause
expect "a click on pause" PlaybackStatus=Paused
shows "a pause" Play
press "the middle of the slider" slider 0.5
expect "a click on the slider" "Position>=25000000" "Position<=35000000"
press "play" Play
expect "a click on play" PlaybackStatus=Playing
press "next" 'Next Track'
expect "a click on next" xesam:title=Two
shows "the next track" Two 'Artist 2' Blue
elements colour 1e46c8 10000 || fail "the widget does not show the next cover"
press "previous" 'Previous Track'
expect "a click on previous" xesam:title=One
press "shuffle" Shuffle
expect "a click on shuffle" Shuffle=True
press "shuffle" Shuffle
expect "a second click on shuffle" Shuffle=False
press "repeat" Repeat
expect "a click on repeat" LoopStatus!=Playlist
say "the buttons and the slider control the player"

key XF86AudioPlay
expect "the key Play" PlaybackStatus=Paused
shows "the key Play" Play
key XF86AudioPlay
expect "the key Play" PlaybackStatus=Playing
shows "the key Play" Pause
# xdotool finds another keycode, with Shift, by name.
key 209
expect "the key Pause" PlaybackStatus=Paused
press_track_keys

# The player has no window: CanRaise is false.
elements without Open || fail "the widget offers to open a window"
show_crossfade "the widget"

kill "$player"
elements without Four || fail "the widget shows a player that has exited"
kill -0 "$widget" 2>/dev/null || fail "plasmawindowed has exited"
pass "the widget shows title, artist, album and cover; buttons, slider and media keys control the player"
