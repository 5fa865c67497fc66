#!/usr/bin/env bash
# Tests the media player widget and the notifications of swaync, the notification centre of Sway, on a headless Sway.
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

needs swaync sway-notification-center

needs grim grim
needs tesseract tesseract-ocr

start_sway 800x600
track One 60
track Two 60
start_player --loop playlist "${tracks[@]}"
start_accessibility
printf '%s\n' '{"widgets": ["mpris"], "timeout": 120}' >"$work/swaync.json"
printf '%s\n' '* { color: black; background: white; font-size: 30px; font-weight: normal; }' >"$work/swaync.css"
spawn swaync swaync --config "$work/swaync.json" --style "$work/swaync.css"
centre=$spawned
await_name org.freedesktop.Notifications
swaync-client --open-panel

shows "the first track" One 'Artist 1.*'
say "the widget shows title and artist"
# The buttons are those for shuffle, previous, play, next and repeat. The seat of Sway has no pointer.
activate "pause" '(push )?button' 3
expect "pause" PlaybackStatus=Paused
activate "play" '(push )?button' 3
expect "play" PlaybackStatus=Playing
activate "next" '(push )?button' 4
expect "next" xesam:title=Two
shows "the next track" Two 'Artist 2.*'
activate "previous" '(push )?button' 2
expect "previous" xesam:title=One
activate "shuffle" '(push )?button' 1
expect "shuffle" Shuffle=True
activate "repeat" '(push )?button' 5
expect "repeat" LoopStatus!=Playlist
say "the buttons control the player"

show_crossfade "the widget"

kill "$player"
elements without Four || fail "the widget shows a player that has exited"

swaync-client --close-panel
push() { activate "the button $1" "$1" 1; }
# Debian 12's swaync shows only pictures that are named by a path; the specification demands a URI.
[[ $(swaync --version) != *" 0.7."* ]] || bubble_cover() { :; }
test_notifications

kill -0 "$centre" 2>/dev/null || fail "swaync has exited"
pass "the widget shows title and artist, and its buttons and those of notifications control the player"
