#!/usr/bin/env bash
# Tests the daemon with all clients, or with those named: all.sh [CLIENT…]. Prints PASS, FAIL or SKIP with the reason for
# each client, and exits with 1 if a client has failed. BINARY selects the daemon, KEEP=1 keeps the logs, SKIPS=fail exits with 1
# after a skipped client too.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

clients=("$@")
[ $# -gt 0 ] || clients=(playerctl playerctld mpris-proxy kdeconnect rygel dbus-broker elogind gnome-shell plasma plasma-notifications xfce xfce4-notifyd swaync dunst mako waybar snapcast rtp mpris-scrobbler)
passed=0 failed=0 skipped=0
for client in "${clients[@]}"; do
  timeout --kill-after=10 600 bash "$here/$client.sh"
  case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    124 | 137) printf 'FAIL %s: timed out after 600 s\n' "$client" && failed=$((failed + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ] && { [ "$skipped" = 0 ] || [ "${SKIPS:-}" != fail ]; }
