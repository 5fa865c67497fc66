#!/usr/bin/env bash
# Tests Waybar's mpris module on a headless Sway by OCR of the bar. $WAYBAR selects the executable (default: waybar).
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

waybar=$(command -v "${WAYBAR:-waybar}") || skip "waybar is not installed (Debian package waybar)"
ldd "$waybar" | grep libplayerctl >/dev/null || skip "$waybar is built without the mpris module, as Debian 12's is"
needs grim grim
needs tesseract tesseract-ocr

cat >"$work/waybar.json" <<'X'
{"layer": "top", "height": 120, "modules-left": ["mpris"],
 "mpris": {"player": "playerd", "format": "{status} {title}", "format-paused": "{status} {title}"}}
X
printf '%s\n' '* { font-family: "DejaVu Sans Mono"; font-size: 48px; color: black; background: white; }' >"$work/waybar.css"

start_sway 1280x120

track One 60
track Two 60
start_player --loop playlist "${tracks[@]}"
spawn waybar "$waybar" --config "$work/waybar.json" --style "$work/waybar.css"
bar=$spawned

# screen OPERATOR TEXT: waits until the text on the screen is, or is not, TEXT. Screen contents have no change signal, so
# this polls.
screen() {
  local deadline=$((SECONDS + 20)) text=
  while [ $SECONDS -lt $deadline ]; do
    grim "$work/screen.png"
    text=$(tesseract "$work/screen.png" - --psm 7 2>/dev/null | xargs)
    if test "$text" "$1" "$2"; then return 0; fi
  done
  printf '%s' "$text"
  return 1
}
shows() { text=$(screen '=' "$2") || fail "$1: the bar shows '$text' instead of '$2'"; }

shows "play" "playing One"
player call Pause
shows "a pause" "paused One"
player call Next
shows "another track" "paused Two"
player call Play
shows "play" "playing Two"
kill "$player"
screen '!=' "playing Two" >/dev/null || fail "the bar shows a player that has exited"
kill -0 "$bar" 2>/dev/null || fail "waybar has exited"
pass "status and title of play, pause, another track, and of no player"
