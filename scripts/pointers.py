#!/usr/bin/env python3
"""Prints public declarations of Swift sources that contain a pointer: pointers.py FOLDER…

C types reach an API only as pointers: the compiler rejects those of a module that is imported without `public`. A finding is a line
`path:line: message`. Exits with 1 if there is one.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# A declaration ends where its body or its value begins, or at the end of a line without an open parenthesis.
PUBLIC = re.compile(r"^[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|open)\s[^{=(\n]*(?:\((?:[^()]|\([^()]*\))*\))?[^{=\n]*", re.MULTILINE)
POINTER = re.compile(r"\b(OpaquePointer|Unsafe\w*(Pointer|Bytes)|Unmanaged)\b")


def main():
    found = False
    for folder in sys.argv[1:]:
        for path in sorted(pathlib.Path(folder).rglob("*.swift")):
            text = COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment.group(0)), path.read_text())
            for declaration in PUBLIC.finditer(text):
                pointer = POINTER.search(declaration.group(0))
                if pointer:
                    found = True
                    line = text.count("\n", 0, declaration.start() + pointer.start()) + 1
                    print(f"{path}:{line}: a pointer is not part of the API")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
