#!/usr/bin/env bash
# Tests the notifications of Plasma, by the accessibility tree of their window, on an X server without a screen.
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

needs plasmawindowed plasma-workspace

export XDG_CURRENT_DESKTOP=KDE KDE_FULL_SESSION=true QT_QPA_PLATFORM=xcb QT_QPA_PLATFORMTHEME=kde QT_QUICK_BACKEND=software
export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 KDE_SESSION_VERSION=5
! command -v kded6 >/dev/null || KDE_SESSION_VERSION=6
mkdir -p "$XDG_CONFIG_HOME"
printf '%s\n' '[Notifications]' PopupTimeout=60000 PopupPosition=TopLeft >"$XDG_CONFIG_HOME/plasmanotifyrc"
start_display
# The applet is also the server. Notifications are shown beside its window.
spawn server plasmawindowed org.kde.plasma.notifications
server=$spawned
await_name org.freedesktop.Notifications
timeout 30 xdotool search --sync --onlyvisible --name '^Notifications$' windowmove 700 500 || fail "the applet has no window"
start_accessibility

see_bubbles_as_elements
test_notifications
kill -0 "$server" 2>/dev/null || fail "plasmawindowed has exited"
pass "the notifications show title, artist, album and cover, and their buttons control the player"
