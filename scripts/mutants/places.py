"""Finds the places of Swift sources that can be mutated, and writes the sources with a switch at each.

This is no parser. It finds tokens and lines in the text without comments and strings; the compiler rejects the wrong ones.
"""
import dataclasses
import re

CALL = r"(?:try\??\s+)?(?:await\s+)?(?:self\.)?[a-z][\w.?!]*(?:\[[^\]]*\])?(?:[.\w?!]*)\(.*\)"
ASSIGNMENT = r"(?:self\.)?[a-z$][\w.?!$]*(?:\[[^\]]*\])?[\w.?!]* (?:=|\+=|-=) \S.*"
EFFECT = re.compile(rf"(?:_ = )?{CALL}|{ASSIGNMENT}")
NO_EFFECT = re.compile(
    r"^(?:if|guard|for|while|switch|return|let|var|case|init|func|assert\w*|precondition\w*|fatalError|log|self\.init|super|throw"
    r"|defer|repeat|else|yield|private|fileprivate|static|public|package|mutating)\b|^dispatchPrecondition|\blog\.")
RESET = re.compile(r" = (?:nil|false|0|0\.0|\.zero|\[\]|\[:\]|\.none|\w[\w.]*\(\))$")
NUMBER = re.compile(r"(?:(?<![\w.$])|(?<=\.\.\.))\d[\d_]*(?:\.\d+)?(?:e\d+)?(?![\w]|\.\d|\.[a-zA-Z])")
UNIT = re.compile(r"\.(?:seconds|milliseconds|microseconds|nanoseconds)\($")
CONDITION = re.compile(r"(?<![\w.])(?:guard|else if|if|while)(?= )")
BOOLEAN_BODY = re.compile(r"(?::|->) Bool \{")
TERNARY = re.compile(r"(?:\breturn|[^=!<>]=) ([^?,{}:=]+(?:[=!<>]=[^?,{}:=]+)?) \? ")
# A getter or a function with a result: its only line is no effect.
VALUE = re.compile(r"(-> (?!Void)[^{]+|\bvar \w+: [^{=]+)$")
INITIAL = re.compile(r"self\.(\w+) = \1$")
NAME = re.compile(r"^(?: {0,2}(?! ).*?\b(?:var|let)| {0,4}(?! ).*?\b(?:func|struct|enum|class|actor|extension|protocol)) ([\w.]+)|^ {2,4}[a-z ]*\b(init)\b",
                  re.MULTILINE)


@dataclasses.dataclass(eq=False)
class Place:
    """A part of a file that a mutant changes; `prefix` and `suffix` are written around it, with the number of the mutant."""
    path: str
    start: int
    end: int
    prefix: str
    suffix: str
    change: str
    line: int = 0
    context: str = ""
    number: int = 0
    # The number of line breaks between the start and the end.
    lines: int = 0
    module: str = ""

    @property
    def name(self):
        """The name of the place without its line, so that it stays when lines are added above it."""
        return f"{self.path} {self.context}: {self.change}"


def mask(text):
    """Returns the text with comments as spaces and the contents of strings as underscores; offsets and lines stay."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)"""(?:\\.|.)*?"""\1|#"[^\n]*?"#|"(?:\\\((?:[^()"]|\([^()]*\)|"[^"]*")*\)|\\.|[^"\\\n])*"', re.DOTALL)

    def blank(match):
        found = match.group(0)
        if found.startswith("/"):
            return re.sub(r"[^\n]", " ", found)
        return '"' + re.sub(r"[^\n]", "_", found[1:-1]) + '"'

    return pattern.sub(blank, text)


def close(text, start):
    """Returns the offset of the bracket that closes the one at an offset; None without one."""
    depth = 0
    for offset in range(start, len(text)):
        if text[offset] in "([{":
            depth += 1
        elif text[offset] in ")]}":
            depth -= 1
            if depth == 0:
                return offset
    return None


def is_balanced(text):
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def clauses(masked, start, stop):
    """Returns the ranges between the commas outside brackets, up to the text `stop` outside brackets."""
    ranges, depth, offset = [], 0, start
    while offset < len(masked):
        if depth == 0 and masked.startswith(stop, offset):
            return ranges + [(start, offset)]
        if masked[offset] in "([{":
            depth += 1
        elif masked[offset] in ")]}":
            depth -= 1
            if depth < 0:
                return []
        elif masked[offset] == "," and depth == 0:
            ranges.append((start, offset))
            start = offset + 1
        offset += 1
    return []


def trimmed(text, start, end):
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))


class File:
    """The places of one source file."""

    def __init__(self, path, text):
        self.path, self.text, self.masked, self.places = path, text, mask(text), []
        self.conditions()
        self.results()
        self.effects()
        self.constants()
        names, declared = {}, list(NAME.finditer(self.masked))
        for place in sorted(self.places, key=lambda place: place.start):
            place.line = text.count("\n", 0, place.start) + 1
            place.lines = text.count("\n", place.start, place.end)
            found = [name for name in declared if name.start() <= place.start]
            place.context = (found[-1].group(1) or found[-1].group(2)) if found else ""
            names[place.name] = names.get(place.name, 0) + 1
            if names[place.name] > 1:
                place.change += f" ({names[place.name]})"

    def add(self, start, end, prefix, suffix, kind):
        text = re.sub(r"\s+", " ", self.text[start:end])
        self.places.append(Place(self.path, start, end, prefix, suffix, f"{kind}: {text}"))

    def negate(self, start, end):
        start, end = trimmed(self.masked, start, end)
        clause = self.masked[start:end]
        if clause and is_balanced(clause) and not re.match(r"(let|var|case|#|\.|if|switch|return|guard|get|try|await)\b", clause) \
                and not re.search(r"\b(try|await|return)\b|;", clause) and clause not in ("true", "false"):
            self.add(start, end, "mutantNegated({}, ", ")", "negated")

    def conditions(self):
        for match in CONDITION.finditer(self.masked):
            stop = "else {" if match.group(0) == "guard" else "{"
            for start, end in clauses(self.masked, match.end(), stop):
                self.negate(start, end)
        for match in re.finditer(r"^ *case .* where (.+?):", self.masked, re.MULTILINE):
            self.negate(match.start(1), match.end(1))
        for match in TERNARY.finditer(self.masked):
            self.negate(match.start(1), match.end(1))

    def results(self):
        for match in BOOLEAN_BODY.finditer(self.masked):
            end = close(self.masked, match.end() - 1)
            if end and not re.search(r"^\s*(if|guard|switch|let|var|for|while|get|defer|_)\b|return|^\s*\w+ in\b|= | \? ",
                                     self.masked[match.end():end].replace("== ", "").replace("!= ", "").replace("<= ", "")
                                     .replace(">= ", ""), re.MULTILINE):
                self.negate(match.end(), end)
        for match in re.finditer(r"^ *return ([^\n]*(?:&&|\|\||[=!<>]=|[<>] )[^\n]*)$", self.masked, re.MULTILINE):
            if " ? " not in match.group(1):
                self.negate(match.start(1), match.end(1))

    def effects(self):
        lines = self.masked.split("\n")
        offset = 0
        for index, line in enumerate(lines):
            start = offset
            offset += len(line) + 1
            body = re.search(r"\{ ([^{}]+|[^{}]*\{[^{}]*\}[^{}]*) \}$", line)
            label = re.match(r" *(?:case .*?|default): (?=\S)", line)
            if body and not VALUE.search(line[:body.start()]):
                self.effect(start + body.start(1), start + body.end(1))
            elif label:
                self.effect(start + label.end(), start + len(line.rstrip()))
            elif self.is_whole(lines, index):
                self.effect(start, start + len(line))

    def is_whole(self, lines, index):
        """Whether the line is not a part of a statement of several lines."""
        before = next((line.rstrip() for line in reversed(lines[:index]) if line.strip()), "{")
        after = next((line.strip() for line in lines[index + 1:] if line.strip()), "}")
        starts = before.endswith(("{", "}", ")", ";", " in")) or re.search(r"[\w\]\"]$", before) or \
            re.match(r" *(case .*|default):$", before)
        if VALUE.search(before[:-2]) and after == "}":
            return False
        return bool(starts) and not re.match(r"[.?:&|+*/=<>{-]|else\b|as\b|catch\b", after)

    def effect(self, start, end):
        start, end = trimmed(self.masked, start, end)
        code = self.masked[start:end]
        if not is_balanced(code) or NO_EFFECT.search(code) or not EFFECT.fullmatch(code) or INITIAL.match(code) or code.endswith("{"):
            return
        kind = "reset left out" if RESET.search(code) else "left out"
        self.add(start, end, "if !mutant({}) {{ ", " }}", kind)

    def constants(self):
        for match in NUMBER.finditer(self.masked):
            line = self.masked[self.masked.rfind("\n", 0, match.start()) + 1:match.start()]
            if re.match(r" *(@|import|#|case \w+ = )", line):
                continue
            name = "Doubled" if UNIT.search(line) else "PlusOne"
            around = self.text[match.start() - len(line):self.text.find("\n", match.start())].strip()
            self.places.append(Place(
                self.path, match.start(), match.end(), f"mutant{name}({{}}, ", ")",
                f"{match.group(0)} {'doubled' if name == 'Doubled' else 'plus 1'} in: {around}"))

    def mutated(self, chosen):
        """Returns the text with a switch at each of the chosen places; each stays on its line."""
        marks = []
        for place in chosen:
            length = place.end - place.start
            marks.append((place.start, 1, -length, place.prefix.format(place.number)))
            marks.append((place.end, 0, length, place.suffix.format(place.number)))
        text, last = [], 0
        for offset, _, _, mark in sorted(marks):
            text += [self.text[last:offset], mark]
            last = offset
        return "".join(text) + self.text[last:]
