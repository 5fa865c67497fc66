#!/usr/bin/env bash
# Tests notifications with dunst on an X server without a screen, by OCR.
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

needs dunst dunst
needs tesseract tesseract-ocr

start_display
# dunst asks a menu which of several actions is meant: a program that reads their lines, and prints one.
printf '%s\n' '#!/bin/sh' "exec grep -f '$work/button'" >"$work/menu"
chmod 755 "$work/menu"
cat >"$work/dunstrc" <<X
[global]
font = DejaVu Sans Mono 18
width = 1200
height = 400
icon_position = left
max_icon_size = 96
dmenu = $work/menu
mouse_middle_click = context
[urgency_normal]
background = "#ffffff"
foreground = "#000000"
timeout = 0
X
start_server() {
  spawn dunst dunst -config "$work/dunstrc"
  server=$spawned
  await_name org.freedesktop.Notifications
}
stop_server() { kill "$server"; }
push() {
  printf '%s\n' "$1" >"$work/button"
  dunstctl context
}

start_server
test_notifications
kill -0 "$server" 2>/dev/null || fail "dunst has exited"
pass "the notifications show title, artist, album and cover, and their buttons control the player"
