"""The elements that programs show on the screen, by their accessibility tree.

    screen.py list                       prints the elements, one per line
    screen.py wait PATTERN…              waits until each pattern matches an element, for at most $LIMIT seconds (default 10)
    screen.py without PATTERN            waits until no element matches
    screen.py place PATTERN [FRACTION]   prints the coordinates of an element, at FRACTION of its width (default 0.5)
    screen.py activate PATTERN NUMBER    presses an element that can be pressed, the first or a later one, without a pointer
    screen.py colour RRGGBB PIXELS       waits until at least so many pixels have this colour

A pattern is a regular expression for the whole name of an element, for its text if it has no name, or else for its role. Toolkits do not emit
events for all changes of elements, so this polls.
"""

import os
import re
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402


def elements(parent):
    """The visible elements below another one, each with its name, its text or its role."""
    found = []
    for index in range(parent.get_child_count()):
        try:
            child = parent.get_child_at_index(index)
            # Without a main loop, no event updates the cache.
            child.clear_cache()
            interfaces = child.get_interfaces()
            if "Component" in interfaces and child.get_state_set().contains(Atspi.StateType.SHOWING):
                text = Atspi.Text.get_text(child, 0, -1) if "Text" in interfaces else ""
                found.append((child.get_name() or text or child.get_role_name(), child))
            found += elements(child)
        except (GLib.Error, AttributeError):
            # The element has disappeared.
            continue
    return found


def screen():
    desktop = Atspi.get_desktop(0)
    desktop.clear_cache()
    return elements(desktop)


def matching(pattern):
    return [element for name, element in screen() if re.fullmatch(pattern, name)]


def pixels(colour):
    """The number of pixels that have a colour on the screen of Sway or of the X server."""
    if "WAYLAND_DISPLAY" in os.environ:
        # Type, size and depth are in the first three lines.
        command, lines = "grim -t ppm -", 3
    else:
        command = "gst-launch-1.0 -q ximagesrc num-buffers=1 use-damage=false ! videoconvert ! video/x-raw,format=RGB ! fdsink"
        lines = 0
    data = subprocess.run(command.split(), check=True, stdout=subprocess.PIPE).stdout.split(b"\n", lines)[-1]
    return sum(data[start : start + 3] == colour for start in range(0, len(data), 3))


def met(check):
    """Whether the check succeeds within the limit; the accessibility tree does not signal each change."""
    deadline = time.monotonic() + float(os.environ.get("LIMIT", "10"))
    while not check():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)  # watchdog
    return True


def numbered(pattern, number, condition=lambda element: True):
    """The first, second … matching element, as soon as there is one."""
    found = []

    def is_found():
        found[:] = filter(condition, matching(pattern))
        return len(found) >= number

    if not met(is_found):
        sys.exit(1)
    return found[number - 1]


def can_be_pressed(element):
    return "Action" in element.get_interfaces() and Atspi.Action.get_n_actions(element) > 0


def main():
    command, words = sys.argv[1], sys.argv[2:]
    if command == "list":
        for name, _ in screen():
            print(name)
    elif command == "wait":
        sys.exit(not met(lambda: all(matching(pattern) for pattern in words)))
    elif command == "without":
        sys.exit(not met(lambda: not matching(words[0])))
    elif command == "place":
        place = numbered(words[0], 1).get_extents(Atspi.CoordType.SCREEN)
        fraction = float(words[1]) if len(words) > 1 else 0.5
        print(place.x + int(place.width * fraction), place.y + place.height // 2)
    elif command == "activate":
        numbered(words[0], int(words[1]), can_be_pressed).do_action(0)
    elif command == "colour":
        sys.exit(not met(lambda: pixels(bytes.fromhex(words[0])) >= int(words[1])))
    else:
        sys.exit(__doc__)


main()
