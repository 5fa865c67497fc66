#!/usr/bin/env bash
# Tests the notifications of Xfce, by the accessibility tree of their window, on an X server without a screen.
# shellcheck source=Tests/Clients/desktop.sh
. "$(dirname "${BASH_SOURCE[0]}")/desktop.sh"

notifyd=$(find /usr/lib* -name xfce4-notifyd -type f -perm /111 -print -quit)
[ -n "$notifyd" ] || skip "xfce4-notifyd is not installed (Debian package xfce4-notifyd)"
xfconfd=$(find /usr/lib* -name xfconfd -type f -print -quit)
[ -n "$xfconfd" ] || skip "xfconfd is not installed (Debian package xfconf)"

mkdir -p "$XDG_CONFIG_HOME/xfce4/xfconf/xfce-perchannel-xml"
cat >"$XDG_CONFIG_HOME/xfce4/xfconf/xfce-perchannel-xml/xfce4-notifyd.xml" <<'X'
<channel name="xfce4-notifyd" version="1.0"><property name="expire-timeout" type="int" value="120"/></channel>
X
start_display
spawn xfconf "$xfconfd"
await_name org.xfce.Xfconf
start_accessibility
start_server() {
  spawn notifyd "$notifyd"
  server=$spawned
  await_name org.freedesktop.Notifications
}
stop_server() { kill "$server"; }

start_server
see_bubbles_as_elements
test_notifications
kill -0 "$server" 2>/dev/null || fail "xfce4-notifyd has exited"
pass "the notifications show title, artist, album and cover, and their buttons control the player"
