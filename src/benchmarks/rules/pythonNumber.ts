/** The rule “number” in Python, with the answer kinds that need no JavaScript; shared vectors hold both to each other. */
import * as z from 'zod';
import { answerSchema, type AnswerKind } from '../../shared/adapters/answer.ts';

const kinds: readonly AnswerKind[] = ['final-number', 'boxed', 'last-line', 'text'];

const specSchema = z.looseObject({ answer: answerSchema });

/** Whether Python can read an answer as this evaluation wants it read. */
export function readInPython(evaluation: unknown): boolean {
  const spec = specSchema.safeParse(evaluation);
  return spec.success && kinds.includes(spec.data.answer.kind);
}

/** Source with `judge_number(text, gold, evaluation, finished)`. */
export const pythonNumber = (): string => String.raw`ANSWER_MARK = re.compile(
    r"answer[^0-9A-Za-z\n]{0,4}(?:is\b|:|=)"
    r"|####(?=[ \t]*(?:[-+\u2212\u2013*_\x60$\u20ac\u00a3\u00a5\\(][ \t]*)*\.?[0-9])(?![ \t]*[0-9]+[.)][ \t]+[^ \t\r\n])",
    re.I,
)
START = r"(?<![0-9.])"
NUMBER = re.compile(
    r"(?P<sign>(?<![A-Za-z0-9_.])- ?)?(?:"
    + START + r"10\^\(?(?P<alone>[-+]?[0-9]{1,3})"
    + "|" + START + r"(?P<whole>[0-9]+) (?P<above>[0-9]+) ?/ ?(?P<under>[0-9]+)"
    + "|(?P<digits>"
    + START + r"[0-9]{1,3}(?:[,\u00a0\u202f][0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    + "|" + START + r"[0-9]+(?:\.[0-9]+)?|" + START + r"\.[0-9]+)"
    + r"(?:[eE](?P<e>[-+]?[0-9]{1,3})(?![0-9A-Za-z])| ?[\u00d7x] ?10\^\(?(?P<times>[-+]?[0-9]{1,3}))?"
    + r"(?: ?/ ?(?P<below>-?[0-9]+(?:\.[0-9]+)?))?)"
)
WHOLE = re.compile(r"[-+]?[0-9]{1,4300}(?:\.0*)?")
WRITTEN = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?", re.I)


def boxed(text):
    mark = "\\boxed{"
    start = text.rfind(mark)
    if start < 0:
        return None
    depth = 1
    at = start + len(mark)
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
        if depth == 0:
            return text[start + len(mark):at].strip()
        at += 1
    return None


def fraction(found):
    whole, above, one, below, other = found.groups()
    return whole + (" " if whole else "") + (above if one is None else one) + "/" + (below if other is None else other)


def plain_number(text):
    text = text.replace("{,}", ",")
    text = re.sub(r"\\[,;:! ]", "", text)
    text = re.sub(r"([0-9]?)\\[dt]?frac ?(?:\{([^{}]*)\}|([0-9])) ?(?:\{([^{}]*)\}|([0-9]))", fraction, text)
    text = re.sub(r"\\(?:times|cdot)(?![a-zA-Z])|[\u00b7\u22c5]", "\u00d7", text)
    text = re.sub(r"\\[a-zA-Z]+", " ", text)
    text = re.sub(r"(?<=[0-9])( ?)\*\1(?=[0-9])", "\u00d7", text)
    text = re.sub("[\\\\*_\x60$\u20ac\u00a3\u00a5]", "", text)
    text = re.sub(r"\^ ?\{ ?", "^", text)
    text = re.sub("[{}]", " ", text)
    return re.sub("[\u2212\u2013]", "-", text)


def value_of(found):
    sign = "" if found["sign"] is None else "-"
    if found["alone"] is not None:
        return sign + "1e" + found["alone"]
    if found["whole"] is not None:
        under = float(found["under"])
        return None if under == 0 else sign + repr(float(found["whole"]) + float(found["above"]) / under)
    exponent = found["times"] if found["e"] is None else found["e"]
    value = sign + re.sub(r"[,\s]", "", found["digits"]) + ("" if exponent is None else "e" + exponent)
    if found["below"] is None:
        return value
    below = float(found["below"])
    return None if below == 0 else repr(float(value) / below)


def unexplained(text):
    opened = text.find(" (")
    closed = text.find(")", max(opened, 0))
    if opened < 0 or closed < 0 or not re.search("[0-9]", text[:opened]):
        return text
    return text[:opened] + text[closed + 1:]


def first_number(text):
    found = [(part, NUMBER.search(part)) for part in re.split("[=\u2248]", unexplained(text))]
    found = [(part, number) for part, number in found if number is not None]
    told = [number for part, number in found if not re.match(r" ?[-+\u00d7\u00f7/^] ?[(0-9]", part[number.end():])]
    if told:
        return value_of(told[-1])
    return value_of(found[-1][1]) if found else None


def final_number(text):
    said = text.split("</think>")[-1]
    box = boxed(said)
    if box is not None:
        found = first_number(plain_number(box))
        if found is not None:
            return found
    marks = list(ANSWER_MARK.finditer(said))
    if marks:
        lines = [line for line in said[marks[-1].end():].split("\n") if re.search("[0-9]", line)]
        found = first_number(plain_number(lines[0])) if lines else None
        if found is not None:
            return found
    numbers = list(NUMBER.finditer(plain_number(said)))
    return value_of(numbers[-1]) if numbers else None


def last_line(text):
    lines = [line for line in re.split(r"\r?\n", text) if line.strip() != ""]
    return lines[-1].strip() if lines else None


def number_in(text):
    bare = re.sub("^([-+]?)\\s*[$\u20ac\u00a3\u00a5]\\s*", r"\1", text.strip())
    bare = re.sub(r"(?<=[0-9])\.$", "", re.sub(r"\s*%$", "", bare))
    bare = re.sub(
        r"^([-+]?)([0-9]{1,3}(?:,[0-9]{3})+)(?![0-9])",
        lambda found: found.group(1) + found.group(2).replace(",", ""),
        bare,
    )
    if WRITTEN.fullmatch(bare) is None:
        return None
    return int(bare.split(".")[0]) if WHOLE.fullmatch(bare) else float(bare)


def as_float(value):
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def near(given, gold, evaluation):
    whole = all(isinstance(value, int) or value.is_integer() for value in (given, gold))
    off = as_float(abs(int(given) - int(gold))) if whole else abs(as_float(given) - as_float(gold))
    if off == 0 or not math.isfinite(off):
        return off == 0
    size = abs(as_float(gold))
    relative = evaluation.get("relative", 0)
    room = max(evaluation.get("absolute", 0), 0 if relative == 0 else relative * size)
    return off <= room + 2.220446049250313e-16 * (room if whole else size)


READERS = {"final-number": final_number, "boxed": boxed, "last-line": last_line, "text": lambda text: text}


def judge_number(text, gold, evaluation, finished):
    read = READERS.get(evaluation.get("answer", {}).get("kind"))
    wanted = [number_in(one) for one in ([] if gold is None else [gold]) + evaluation.get("accept", [])]
    said = read(text) if read is not None and finished else None
    given = None if said is None else number_in(said)
    valid = given is not None and None not in wanted and len(wanted) > 0
    verdict = {"reward": 0, "success": False, "valid": valid, "parts": {}}
    if not valid:
        return verdict
    success = any(near(given, one, evaluation) for one in wanted)
    return dict(verdict, reward=1 if success else 0, success=success)
`;
