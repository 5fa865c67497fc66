#!/usr/bin/env bash
# Tests notifications with mako on a headless Sway, by OCR.
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

needs mako mako-notifier
needs grim grim
needs tesseract tesseract-ocr

start_sway 1280x800
printf '%s\n' 'font=DejaVu Sans Mono 18' width=1200 height=400 'background-color=#ffffff' 'text-color=#000000' >"$work/mako.conf"
start_server() {
  spawn mako mako --config "$work/mako.conf"
  server=$spawned
  await_name org.freedesktop.Notifications
}
stop_server() { kill "$server"; }
push() { makoctl invoke "${1,,}"; }

start_server
test_notifications
kill -0 "$server" 2>/dev/null || fail "mako has exited"
pass "the notifications show title, artist, album and cover, and their buttons control the player"
