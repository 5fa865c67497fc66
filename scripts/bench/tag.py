#!/usr/bin/env python3
"""Adds iTunes' tag of the padding, iTunSMPB, to an MP4 file of ffmpeg without an edit list.

    tag.py FILE LEADING FRAMES   the frames before the media, and those of the media
"""

import pathlib
import struct
import sys


def box(name, content):
    return struct.pack(">I4s", len(content) + 8, name) + content


def movie(data):
    """Returns the offset of the `moov` box, which must be the last one."""
    offset = 0
    while True:
        size, name = struct.unpack_from(">I4s", data, offset)
        if name == b"moov":
            return offset
        offset += size


path, leading, frames = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
text = f" 00000000 {leading:08X} 00000000 {frames:016X} 00000000 00000000"
name = box(b"mean", bytes(4) + b"com.apple.iTunes") + box(b"name", bytes(4) + b"iTunSMPB")
item = box(b"----", name + box(b"data", b"\0\0\0\1" + bytes(4) + text.encode()))
data = path.read_bytes()
offset = movie(data)
tag = box(b"udta", box(b"meta", bytes(4) + box(b"ilst", item)))
path.write_bytes(data[:offset] + box(b"moov", data[offset + 8 :] + tag))
