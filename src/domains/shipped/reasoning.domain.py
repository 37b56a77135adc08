"""Reasoning Gym as a domain: the environment writes the parameters of a puzzle as JSON, the package writes the puzzle.

reasoning_gym (Apache-2.0, https://github.com/open-thought/reasoning-gym) makes about a hundred families of puzzles from
parameters and a seed, and judges their answers. So a task is always valid, its gold is computed, and its difficulty can be
set finely. This file is a domain as docs/domains.md has it; GenEnv ships it under the name "reasoning".
"""

import dataclasses
import functools
import json
import re
import sys

import reasoning_gym
from reasoning_gym.factory import CURRICULA, DATASETS, create_curriculum

# One that is made of others and no puzzle itself, and one whose scorer takes any answer for right.
LEFT_OUT = {"composite", "game_of_life_halting"}
# The package looks for a puzzle of their first level without end.
ENDLESS_AT_FIRST = {"sokoban"}
FAMILIES = sorted(name for name in DATASETS if name not in LEFT_OUT)
LONGEST_QUESTION = 12000
MOST_SEED = 2**31 - 1
# Held-out puzzles have seeds of their own, and no written puzzle may ask the same.
SEEDS = {"base": 1000, "heldOut": 2000}


class Unusable(Exception):
    """Why a text is no puzzle, as a clause."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A number, or true or false, that changes a puzzle. first is the easiest value that the package's curriculum has."""

    name: str
    kind: type
    low: float
    high: float
    default: object
    first: object
    last: object

    def told(self):
        if self.kind is bool:
            return f'"{self.name}": true or false, {json.dumps(self.default)} by itself'
        return f'"{self.name}": {self.low:g} to {self.high:g}, {json.dumps(self.default)} by itself'


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@functools.lru_cache(maxsize=None)
def parameters_of(family):
    """The parameters of a family by name: what its configuration has that is a number, or true or false."""
    configuration = DATASETS[family][1]
    levels = {}
    if family in CURRICULA:
        for attribute in create_curriculum(family).attributes.values():
            numbers = [level for level in attribute.levels if is_number(level)]
            if len(numbers) != len(attribute.levels) or not numbers:
                continue
            for holder in ("field_name", "lower_field_name", "upper_field_name"):
                name = getattr(attribute, holder, None)
                if name:
                    levels[name] = numbers
    found = {}
    for field in dataclasses.fields(configuration):
        if field.name in ("seed", "size") or field.name.startswith("w_"):
            continue
        default = None if field.default is dataclasses.MISSING else field.default
        known = levels.get(field.name)
        if isinstance(default, bool):
            found[field.name] = Parameter(field.name, bool, 0, 1, default, default, default)
        elif known is not None:
            every = known + ([default] if is_number(default) else [])
            kind = float if any(isinstance(one, float) for one in every) else int
            found[field.name] = Parameter(
                field.name, kind, min(every), max(every), default, known[0], known[-1]
            )
        elif isinstance(default, float) and 0 <= default <= 1:
            found[field.name] = Parameter(field.name, float, 0, 1, default, default, default)
        elif is_number(default):
            low, high = min(0, 4 * default), max(10, 4 * default)
            found[field.name] = Parameter(field.name, type(default), low, high, default, default, default)
    return found


def easiest(family):
    """The parameters at the first level of the package's own curriculum; none where it has no curriculum."""
    if family not in CURRICULA or family in ENDLESS_AT_FIRST:
        return {}
    configuration = create_curriculum(family).generate_configuration()
    chosen = {}
    for name, parameter in parameters_of(family).items():
        value = getattr(configuration, name, None)
        if parameter.kind is not bool and is_number(value) and value != parameter.default:
            chosen[name] = parameter.kind(min(parameter.high, max(parameter.low, value)))
    return chosen


@functools.lru_cache(maxsize=512)
def item(family, parameters, seed):
    """Puzzle number 0 of a family, by its parameters as JSON with sorted names."""
    dataset = reasoning_gym.create_dataset(family, size=1, seed=seed, **json.loads(parameters))
    return dataset, dataset[0]


def sorted_json(parameters):
    return json.dumps(parameters, sort_keys=True)


def task_of(family, parameters, seed):
    """A task with everything that its judge needs to make the puzzle again."""
    try:
        _, entry = item(family, sorted_json(parameters), seed)
    except (AssertionError, ValueError, KeyError, IndexError, TypeError, ZeroDivisionError, RuntimeError) as error:
        raise Unusable(f"the package refuses these parameters of {family}: {str(error) or type(error).__name__}")
    question, answer = str(entry["question"]), entry.get("answer")
    if len(question) > LONGEST_QUESTION:
        raise Unusable(f"the puzzle has {len(question)} characters, more than {LONGEST_QUESTION}")
    return {
        "prompt": question,
        "gold": None if answer is None or str(answer) == "" else str(answer),
        "evaluation": {"kind": "domain", "family": family, "parameters": parameters, "seed": seed},
        "difficulty": {"level": level_of(family, parameters), "characters": len(question)},
    }


def level_of(family, parameters):
    """How far the parameters lie from the easiest level to the last, 0 to 1, in the mean."""
    shares = []
    for name, parameter in parameters_of(family).items():
        value = parameters.get(name, parameter.default)
        if not is_number(value) or parameter.first == parameter.last:
            continue
        share = (value - parameter.first) / (parameter.last - parameter.first)
        shares.append(min(1, max(0, share)))
    return round(sum(shares) / len(shares), 4) if shares else 0


def seeds(split):
    """One puzzle of each family: the base ones at the easiest level, the held-out ones also as the package has them."""
    found = []
    for number, family in enumerate(FAMILIES):
        held_out = split == "heldOut"
        for parameters in ([{}] if held_out and number % 2 == 1 else [easiest(family), {}]):
            try:
                task = task_of(family, parameters, SEEDS[split] + number)
            except Unusable:
                continue
            found.append({"id": f"{family}-{'held-out' if held_out else 'base'}", **task})
            break
    return found


def environmentPrompt(context):
    """What the environment policy reads: what a puzzle is made of, and how hard the next one is to be."""
    seed = context["seed"]
    made = seed["evaluation"]
    family = made.get("family", FAMILIES[0])
    own = "\n".join("- " + parameter.told() for parameter in parameters_of(family).values())
    example = json.dumps({"family": family, "parameters": made.get("parameters", {}), "seed": made.get("seed", 1)})
    system = (
        "You choose puzzles for a student. A program writes each puzzle from its family, its parameters and a seed. "
        "Answer with one JSON object and nothing else:\n"
        '{"family": a name, "parameters": {a name: a value, ...}, "seed": a whole number}\n\n'
        "Parameters that you leave out have the value that they have by themselves. A parameter min_x may not be larger "
        "than max_x. Make up the seed anew, a number of six digits: each seed gives another puzzle of the same difficulty.\n\n"
        "Families: " + ", ".join(FAMILIES)
    )
    user = (
        f"The last puzzle was:\n{example}\n\n"
        f"Parameters of {family}:\n{own or '- none: only the seed changes the puzzle'}\n\n"
        f"{difficulty(context)} Stay with the family {family}, or take one like it."
    )
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def difficulty(context):
    target, recent = context["target"], context["recentSuccess"]
    wanted = f"The student should solve the next puzzle in about {round(100 * target)} % of its tries."
    if recent is None:
        return wanted
    lately = f"Lately it solved {round(100 * recent)} % of its puzzles."
    if abs(recent - target) < 0.05:
        return f"{wanted} {lately} Keep about this difficulty."
    if recent > target:
        return f"{wanted} {lately} Make the parameters harder."
    return f"{wanted} {lately} Make the parameters easier."


def parse(text, given):
    """Its text as a task. The package writes puzzle and answer, so only the parameters can be wrong."""
    try:
        written = written_in(text)
        family = written["family"]
        task = task_of(family, checked(family, written["parameters"]), written["seed"])
        same = held_out_question(family)
        if same is not None and same == task["prompt"]:
            raise Unusable(f"it is the held-out puzzle of {family}")
        return task
    except Unusable as error:
        return {"reject": str(error)}


def written_in(text):
    """The last JSON object of a text, whatever stands around it."""
    bare = re.sub(r"^.*</think>", "", text, flags=re.S)
    start = bare.find("{")
    while start >= 0:
        try:
            value, _ = json.JSONDecoder().raw_decode(bare[start:])
            break
        except (ValueError, RecursionError):
            start = bare.find("{", start + 1)
    else:
        raise Unusable("there is no JSON object in the text")
    family, parameters, seed = value.get("family"), value.get("parameters", {}), value.get("seed")
    if not isinstance(family, str) or family not in FAMILIES:
        raise Unusable(f"there is no family {str(family)[:60]!r}")
    if not isinstance(parameters, dict):
        raise Unusable("“parameters” is no object")
    if isinstance(seed, str) and re.fullmatch(r"[0-9]{1,10}", seed):
        seed = int(seed)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
        raise Unusable(f"“seed” is no whole number from 0 to {MOST_SEED}")
    return {"family": family, "parameters": parameters, "seed": seed}


def checked(family, parameters):
    """The parameters as the package takes them: known names, the right kind, in range."""
    known = parameters_of(family)
    values = {}
    for name, value in parameters.items():
        parameter = known.get(name)
        if parameter is None:
            raise Unusable(f"{family} has no parameter {name[:60]!r}")
        if parameter.kind is bool:
            if not isinstance(value, bool):
                raise Unusable(f"“{name}” of {family} is neither true nor false")
            values[name] = value
            continue
        if not is_number(value):
            raise Unusable(f"“{name}” of {family} is no number")
        if parameter.kind is int and value != int(value):
            raise Unusable(f"“{name}” of {family} is no whole number")
        if not parameter.low <= value <= parameter.high:
            raise Unusable(f"“{name}” of {family} is {value:g}, not {parameter.low:g} to {parameter.high:g}")
        values[name] = parameter.kind(value)
    return values


@functools.lru_cache(maxsize=None)
def held_out_question(family):
    number = FAMILIES.index(family)
    for parameters in ([{}] if number % 2 == 1 else [easiest(family), {}]):
        try:
            return task_of(family, parameters, SEEDS["heldOut"] + number)["prompt"]
        except Unusable:
            continue
    return None


def agentPrompt(task):
    return (
        task["prompt"][0]["content"]
        + "\n\nThink step by step. Then give your answer, and nothing else, between <answer> and </answer>."
    )


def judge(task, trace):
    """The package's own score, 0 to 1; a full score is a success."""
    made = task["evaluation"]
    answer = answer_in(trace["answer"])
    if answer == "":
        return {"success": False, "reward": 0, "note": "the answer is empty"}
    dataset, entry = item(made["family"], sorted_json(made["parameters"]), made["seed"])
    if str(entry["question"]) != task["prompt"][0]["content"]:
        raise RuntimeError(f"reasoning_gym gives another puzzle of {made['family']} than when this task was written")
    Guard.scoring = True
    try:
        score = float(dataset.score_answer(answer, entry))
    except PermissionError:
        return {"success": False, "reward": 0, "note": "the answer does what no answer may do"}
    except (MemoryError, RecursionError, Exception) as error:  # What cannot be read is no answer.
        return {"success": False, "reward": 0, "note": f"the answer cannot be read: {type(error).__name__}"}
    except SystemExit:
        return {"success": False, "reward": 0, "note": "the answer does what no answer may do"}
    finally:
        Guard.scoring = False
    score = min(1, max(0, score))
    return {"success": score >= 0.999, "reward": score, "parts": {"score": score}}


def answer_in(text):
    """What stands between the last <answer> and </answer>; without them all that follows the thoughts."""
    found = re.findall(r"<answer>(.*?)</answer>", text, re.S)
    bare = found[-1] if found else re.sub(r"^.*</think>", "", text, flags=re.S)
    return bare.strip().strip("`").strip()[:20000]


class Guard:
    """Some of the package's scorers hand answers to an evaluator of Python: what changes anything is closed meanwhile."""

    scoring = False
    closed = ("os.", "shutil.", "subprocess.", "socket.", "ctypes.", "pty.", "signal.", "winreg.")
    open_to_imports = ("os.listdir", "os.scandir", "os.walk", "os.add_dll_directory")

    @staticmethod
    def refuse(event, given):
        if not Guard.scoring:
            return
        writes = event == "open" and (
            (isinstance(given[1], str) and any(mark in given[1] for mark in "wax+"))
            or (isinstance(given[2], int) and given[2] & 3 != 0)
        )
        if writes or (event.startswith(Guard.closed) and event not in Guard.open_to_imports):
            raise PermissionError(event + " is closed to answers")


sys.addaudithook(Guard.refuse)
