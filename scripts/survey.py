#!/usr/bin/env python3
"""Reports what Swift files for Apple's systems need on Linux: the lines that change by hand, and the symbols that are missing.

    scripts/survey.py FOLDER-OR-FILE…            reports the symbols, a section for each framework
    scripts/survey.py --row NAME FOLDER-OR-FILE… prints a row of the table in docs/PORTING.md

Copies the files, applies the mechanical changes of docs/PORTING.md to the copy, and type-checks it as one module with the modules
of this package. It builds no program, and does not run the code. `--modules FOLDER` names the folder of a finished build, such as
.build/debug; without it, the libraries are built in .build-survey.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The modules that the copy may import; other imports are removed.
AVAILABLE = {
    "AVFAudio", "AVFoundation", "AVKit", "CoreMedia", "Dispatch", "Foundation", "FoundationNetworking", "MediaPlayer", "Observation",
    "OpenCombineShim", "Swift", "Synchronization",
}

# What needs Objective-C changes by hand, and is replaced so that the rest can be checked.
BY_HAND = {
    "#selector": re.compile(r"#selector\s*\("),
    "#keyPath": re.compile(r"#keyPath\s*\("),
    "@objc": re.compile(r"@(?:objc|objcMembers|nonobjc|IBAction|IBOutlet|IBDesignable|IBInspectable|NSManaged)\b"),
    "observeValue": re.compile(r"func observeValue\(forKeyPath"),
    "associated objects": re.compile(r"\bobjc_[a-z]\w+\("),
}

STUBS = """
import AVFoundation
import Foundation
import MediaPlayer
struct Selector: Hashable { init(_ name: String) {} }
extension NotificationCenter {
  func addObserver(_ observer: Any, selector: Selector, name: Notification.Name?, object: Any?) {}
}
extension Timer {
  class func scheduledTimer(
    timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool
  ) -> Timer { Timer(timeInterval: timeInterval, repeats: repeats) { _ in } }
  convenience init(timeInterval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool) {
    self.init(timeInterval: timeInterval, repeats: repeats) { _ in }
  }
}
extension MPRemoteCommand {
  func addTarget(_ target: Any, action: Selector) {}
  func removeTarget(_ target: Any?, action: Selector?) {}
}
"""

FRAMEWORKS = [
    (r"AVPlayerView|AVPicture|AVRoutePicker|AVVideo|AVDisplay|AVInterstitial|AVContinuity|AVPlayerLooperView", "AVKit"),
    (r"AVAudio(?!Mix\b|MixInput|TimePitch)|AVSpeech|AVMIDI", "AVFAudio"),
    (r"AV[A-Z]", "AVFoundation"),
    (r"MTAudio|kMTAudio", "MediaToolbox"),
    (r"MP[A-Z]", "MediaPlayer"),
    (r"CM[A-Z]|kCM", "CoreMedia"),
    (r"Audio(Unit|Buffer|Stream|Object|Component|Channel|File|Queue|Converter|Session|Services|Timing)|kAudio|kLinearPCM", "CoreAudio"),
    (r"UI[A-Z]", "UIKit"),
    (r"CA[A-Z]|CG[A-Z]|CI[A-Z]|CV[A-Z]", "Core Graphics and Animation"),
    (r"SCNetwork|kSC", "SystemConfiguration"),
    (r"NW[A-Z]", "Network"),
    (r"CC_|CommonCrypto", "CommonCrypto"),
    (r"UTType|kUTType|UTTagClass|UTIs?\b", "UniformTypeIdentifiers"),
    (r"(Any)?Cancellable\b|AnyPublisher|Publishers?\b|PassthroughSubject|CurrentValueSubject|ObservableObject|Published\b", "Combine"),
    (r"OS(Log|_log)|os_|Logger\b|OSStatus|OSSignposter", "os"),
    (r"NS[A-Z]|CF[A-Z]|objc_|autoreleasepool", "Foundation and Objective-C"),
]

# The products of this package; of other frameworks, a row of the table has the number of the symbols alone.
OURS = ("AVFAudio", "AVFoundation", "AVKit", "Combine", "CoreMedia", "MediaPlayer")

ERRORS = [
    re.compile(r"cannot find (?:type |operator )?'(?P<name>[^']+)' in scope"),
    re.compile(r"(?:value of type|type) '(?P<type>[^']+)' has no member '(?P<name>[^']+)'"),
    re.compile(r"'(?P<name>[^']+)' is unavailable"),
]


def framework(name):
    for pattern, result in FRAMEWORKS:
        if re.match(pattern, name):
            return result
    return None


def changed(text):
    """Returns the text after the mechanical changes, and the number of the lines that changed."""
    lines = []
    for line in text.splitlines():
        old = line
        match = re.match(r"^(\s*)(?:@\w+ +)*(?:\w+ +)?import +(?:(?:struct|class|enum|protocol|func|let|var) +)?(\w+)(\.\w+)*\s*(//.*)?$", line)
        if match:
            module = {"Combine": "OpenCombineShim", "UIKit": "Foundation", "Cocoa": "Foundation", "AppKit": "Foundation"}.get(
                match.group(2), match.group(2))
            # A module that is not available leaves no error of its own: its symbols are reported.
            line = f"{match.group(1)}import {module if module in AVAILABLE else 'Foundation'}"
        if re.match(r"^\s*#(if|elseif)\b", line):
            line = re.sub(r"!os\((macOS|watchOS|tvOS|OSX)\)", r"!os(\1) ", line)
            line = re.sub(r"(?<![!\w])os\(iOS\)", "(os(iOS) || os(Linux))", line)
            line = re.sub(r"canImport\((Combine|SwiftUI)\)", "false", line)
        line = re.sub(r"#selector\s*\((?:[^()]|\([^()]*\))*\)", 'Selector("")', line)
        line = re.sub(r"#keyPath\s*\((?:\w+\.)*(\w+)\)", r'"\1"', line)
        line = re.sub(r"@objc\s*\([^)]*\)\s*", "", line)
        line = re.sub(r"@(objc|objcMembers|nonobjc|IBAction|IBOutlet|IBDesignable|IBInspectable|NSManaged|GKInspectable)\b\s*", "", line)
        line = re.sub(r"@(UIApplicationMain|NSApplicationMain)\b\s*", "", line)
        line = re.sub(r"(?<![\w.])(dynamic|optional) (?=.*\b(var|func)\b)", "", line)
        lines.append((line, line != old))
    result = "\n".join(line for line, _ in lines) + "\n"
    if BY_HAND["observeValue"].search(text):
        result = "import AVFoundation; " + re.sub(r"(class \w+(?:<[^>]*>)?\s*:\s*)NSObject\b", r"\1AVKeyValueObserver", result)
    return result, sum(differs for _, differs in lines)


def modules(folder):
    """Returns the arguments with which the compiler finds the modules of this package."""
    folder = folder.resolve()
    inputs = [folder / "Modules" if (folder / "Modules").is_dir() else folder]
    arguments = [argument for path in inputs for argument in ("-I", str(path))]
    # Maps of the system libraries of this package, and of the C targets of the packages in the build.
    maps = sorted(ROOT.glob("Sources/C*/module.modulemap")) + sorted(folder.glob("*.build/module.modulemap"))
    for path in folder.parent.parent.glob("checkouts/OpenCombine/Sources/*/include/module.modulemap"):
        maps.append(path)
    for path in maps:
        arguments += ["-Xcc", f"-fmodule-map-file={path}"]
    packages = ["gstreamer-audio-1.0", "libebur128", "dbus-1", "expat", "libmd"]
    flags = subprocess.run(["pkg-config", "--cflags-only-I", *packages], stdout=subprocess.PIPE, text=True, check=True).stdout
    for flag in flags.split():
        arguments += ["-Xcc", flag]
    return arguments


def check(files, arguments):
    """Type-checks changed copies of the files as one module; returns the figures and the missing symbols."""
    by_hand, missing, other = collections.Counter(), collections.defaultdict(collections.Counter), []
    lines = mechanical = 0
    with tempfile.TemporaryDirectory() as work:
        copies = []
        for number, path in enumerate(files):
            text = path.read_text(errors="replace")
            for name, pattern in BY_HAND.items():
                by_hand[name] += len(pattern.findall(text))
            result, count = changed(text)
            lines, mechanical = lines + len(text.splitlines()), mechanical + count
            copy = pathlib.Path(work, f"{number}-{path.name}")
            copy.write_text(
                "import Foundation\nimport FoundationNetworking\n"
                f'#sourceLocation(file: "{path}", line: 1)\n' + result + "#sourceLocation()\n")
            copies.append(copy)
        stubs = pathlib.Path(work, "Stubs.swift")
        stubs.write_text(STUBS)
        command = [
            # One job for all files: another one would be cancelled after an error in the first.
            "swiftc", "-typecheck", "-whole-module-optimization", "-swift-version", "5", "-module-name", "Surveyed",
            "-suppress-warnings", "-no-color-diagnostics", "-diagnostic-style", "llvm", *arguments, "-D", "OpenCombine",
            str(ROOT / "Examples/Combine/Publishers+Merge.swift"), str(stubs), *map(str, copies),
        ]
        output = subprocess.run(command, stderr=subprocess.PIPE, text=True).stderr
    seen = set()
    for line in output.splitlines():
        match = re.match(r"^(.*?):(\d+):(\d+): error: (.*)$", line)
        if not match or match.groups() in seen:
            continue
        seen.add(match.groups())
        message = match.group(4)
        for pattern in ERRORS:
            found = pattern.search(message)
            if found:
                owner = (found.groupdict().get("type") or "").strip("?! ")
                owner = re.sub(r"^(any|some) ", "", owner)
                owner = re.sub(r"\.Type$|<.*|\?$", "", owner)
                name = found.group("name")
                group = framework(owner or name)
                # An app extends the types of Foundation in files that may not be among these.
                if owner and group == "Foundation and Objective-C":
                    group = None
                if group:
                    missing[group][f"{owner}.{name}" if owner else name] += 1
                break
        else:
            group = None
        if not group:
            other.append(line)
    return lines, mechanical, by_hand, missing, other


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--row", metavar="NAME")
    parser.add_argument("--others", action="store_true", help="also print the errors that are not about a symbol of a framework")
    parser.add_argument("paths", type=pathlib.Path, nargs="+", metavar="FOLDER-OR-FILE")
    options = parser.parse_args()
    files = sorted({file for path in options.paths for file in (path.rglob("*.swift") if path.is_dir() else [path])})
    files = [file for file in files if file.name != "Package.swift"]
    if not files:
        sys.exit("error: no Swift files in " + ", ".join(map(str, options.paths)))
    if not options.modules:
        scratch = ROOT / ".build-survey"
        subprocess.run(
            ["swift", "build", "--package-path", ROOT, "--scratch-path", scratch, "--traits", "OpenCombine"], check=True,
            env={**os.environ, "API_ONLY": "1"}, stdout=sys.stderr)
        options.modules = scratch / "debug"
    lines, mechanical, by_hand, missing, other = check(files, modules(options.modules))
    if options.row:
        names = ", ".join(f"`{name}`" for group in OURS for name in sorted(missing.get(group, ())))
        others = ", ".join(f"{group} {len(symbols)}" for group, symbols in sorted(missing.items()) if group not in OURS)
        hand = sum(by_hand.values())
        print(f"| {options.row} | {len(files)} | {lines} | {mechanical} | {hand} | {names or 'none'} | {others or 'none'} |")
    else:
        print(f"{len(files)} files with {lines} lines, {mechanical} of which change mechanically")
        for name, count in by_hand.items():
            if count:
                print(f"to change by hand: {name}, {count} times")
        for group, symbols in sorted(missing.items()):
            print(f"{group}:")
            for name, count in sorted(symbols.items()):
                print(f"  {name}  {count}")
        if not missing:
            print("no symbol of a framework is missing")
    if options.others:
        print(*other, sep="\n")


main()
