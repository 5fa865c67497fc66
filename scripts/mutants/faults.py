"""The hand-written mutants: faults of earlier versions, and rules that SEMANTICS.md explains, left out.

Each is a name, a file and a part of its text. What is between « and » is added to the text; {} is the number of the mutant.
"""
import re

import places

MACHINE = "Sources/Playback/Machine/PlaybackMachine"

FAULTS = [
    ("seek in a clip beyond its media", MACHINE + "+Pipeline.swift",
     "«if !mutant({}) {{ »finishSeek(start?.ticket, false)« }}»\n      return fail(startPositionError"),
    ("successor that hangs", MACHINE + "+Successors.swift",
     "return «mutant({}) ? nil : »max(ended, min(loaded.successorArrival, ended + configuration.loadTimeout))"),
    ("rate change reported as a jump", MACHINE + ".swift", "if origin != target« || mutant({})» { emit(.timeJumped"),
    ("messages of an earlier failure", MACHINE + "+Failures.swift", "} else if stream == token« || mutant({})», phase.isLoaded {"),
    ("seek beside a successor", MACHINE + "+Commands.swift",
     "«if !mutant({}) {{ »(stream.successors, stream.isRead, stream.ended) = ([], false, nil)« }}»"),
    ("pause during a wait is lost", MACHINE + ".swift",
     "let isRequested = intent == .playing || fade.pauseDue != nil« || mutant({}) && intent != .stopped»"),
    ("end sent before a seek", MACHINE + "+End.swift",
     "phase.isReady && «(mutant({}) || »!loaded.isSeeking«)» && loaded.run != .ended"),
    ("several seeks at a time", MACHINE + "+Commands.swift",
     "pending.isSilent = false\n        «if mutant({}) {{ beginSeek(SeekState(target: target, origin: origin), now: now) }} else {{ »loaded.seek = pending« }}»"),
    ("stall without an end", MACHINE + "+Pipeline.swift",
     "«if !mutant({}) {{ »emit(.playbackResumed(item, at: position(at: now)))« }}»"),
    ("streams after a hang", MACHINE + "+Hang.swift",
     "«if !mutant({}) {{ »engine.replaced()« }}»\n    emit(.warning"),
    ("duration of the successor", MACHINE + "+Pipeline.swift",
     "«if loaded.successors[stream] != nil, mutant({}) {{ current.details = current.details.with(duration: duration) }} else {{ »"
     "changeItem(of: stream) { $0.details = $0.details.with(duration: $0.duration(claimed: duration)) }« }}»"),
    ("boundary at a seek target twice", "Sources/Playback/Observers/TimeObserverScheduler.swift",
     "if end >= start {\n      start = end\n      includesStart = false« || mutant({})»"),
    ("observers of an ended successor", MACHINE + "+Successors.swift",
     "if outgoing == nil, let old«, !mutant({})» { emit(.itemDidPlayToEnd(old)) }"),
    ("output that is never tried again", MACHINE + ".swift",
     "case .outputLost(let retry): intent == .stopped« || mutant({})» ? nil : retry"),
    ("boundaries of the first repetition alone", "Sources/Playback/Observers/TimeObserverScheduler.swift",
     "«if !mutant({}) {{ »begin(at: playhead.playbackRun.start)« }}»"),
    ("boundaries across which a seek has gone", "Sources/Playback/Observers/TimeObserverScheduler.swift",
     "start = «mutant({}) ? min(start, position) : »position\n    includesStart = true"),
    ("observers called as at the rate 1", "Sources/Playback/Parts/PositionAnchor.swift",
     "return rate == 1« || mutant({})» ? way : way / rate"),
    ("multiples of an interval left out", "Sources/Playback/Observers/TimeObserverScheduler.swift",
     "let ticking = «mutant({}) ? [] : »observers.ticks(in: playbackRun, upTo: end)"),
    ("more open streams", "Sources/Playback/Parts/Successor.swift", "static let limit = «mutant({}) ? 20 : »8"),
    ("overlap of 0.8 of its length", MACHINE + "+Engine.swift",
     "length: «mutant({}) ? length * 0.8 / loaded.rate : »length / loaded.rate"),
    ("overlap with a successor that is opened late", MACHINE + "+Crossfade.swift",
     "item.isLocal ? «mutant({}) ? .milliseconds(200) : ».seconds(4) : .seconds(12)"),
]


def additions(path, text, rows=FAULTS):
    """Returns the hand-written mutants of a file; raises an error if their text is not there once."""
    found = []
    for name, file, template in rows:
        if file != path:
            continue
        plain = re.sub("«.*?»", "", template)
        if text.count(plain) != 1:
            raise ValueError(f"{path} does not contain the text of '{name}' once")
        offset, insertions = text.index(plain), []
        for part in re.split("(«.*?»)", template):
            if part.startswith("«"):
                insertions.append((offset, part[1:-1]))
            else:
                offset += len(part)
        place = places.Place(path, insertions[0][0], insertions[-1][0], "", "", f"by hand: {name}", insertions=insertions)
        place.line = text.count("\n", 0, place.start) + 1
        found.append(place)
    return found
