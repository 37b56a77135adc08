/** A new domain of problems of code: the agent's functions are run against tests, in Python. */
export const codePython = `# A domain of code: the environment writes a problem with a solution and tests, the agent's code is run against the tests
# (docs/domains.md). Try it with: genenv check-domain THIS_FILE
from __future__ import annotations

import ast
import builtins
import json
import math
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from genenv_domain import Context, Draft, Given, Prompt, Reject, Result, Split, Task, Trace

# What a solution may import, and how many lines it may run in all: counted and not timed, so that the same code has the
# same verdict everywhere. What hangs inside one line is ended by reward.seconds, with the verdict error.
IMPORTS = {"bisect", "collections", "functools", "heapq", "itertools", "math", "re", "string"}
LINES = 200_000
BUILTINS = (
    "abs all any ascii bin bool bytes callable chr complex dict divmod enumerate filter float frozenset hash hex int "
    "isinstance issubclass iter len list map max min next object oct ord pow print property range repr reversed round "
    "set slice sorted staticmethod classmethod str sum super tuple type zip __build_class__ ArithmeticError AssertionError "
    "Exception IndexError KeyError NotImplementedError OverflowError RecursionError StopIteration TypeError ValueError "
    "ZeroDivisionError"
).split()


def task(problem: str, solution: str, tests: list[dict[str, Any]]) -> Draft:
    """The tests stand in the evaluation, where the agent does not read them; the first is shown as an example."""
    return {
        "prompt": problem,
        "gold": f"\`\`\`python\\n{solution.strip()}\\n\`\`\`",
        "evaluation": {"kind": "domain", "tests": tests},
        "difficulty": {"tests": len(tests), "lines": len(solution.strip().split("\\n")), "words": len(problem.split())},
    }


def line(test: dict[str, Any]) -> str:
    return f"{json.dumps(test['given'])} -> {json.dumps(test['gives'])}"


def seeds(split: Split) -> list[Draft]:
    """Tasks to vary ("base"), and tasks that only validation measures ("heldOut")."""
    if split == "base":
        return [
            task(
                "solve(numbers) gives the sum of the even ones of a list of numbers.",
                "def solve(numbers):\\n    return sum(n for n in numbers if n % 2 == 0)",
                [
                    {"given": [[1, 2, 4]], "gives": 6},
                    {"given": [[]], "gives": 0},
                    {"given": [[7, 9]], "gives": 0},
                    {"given": [[-2, 5, 10]], "gives": 8},
                ],
            ),
            task(
                "solve(text) gives the words of a text, which are separated by spaces, in reverse order.",
                'def solve(text):\\n    return " ".join(reversed(text.split(" ")))',
                [
                    {"given": ["one two three"], "gives": "three two one"},
                    {"given": ["alone"], "gives": "alone"},
                    {"given": ["b a"], "gives": "a b"},
                ],
            ),
        ]
    return [
        task(
            "solve(n) gives the digits of a whole number as a list, the last one first.",
            "def solve(n):\\n    return [int(digit) for digit in reversed(str(n))]",
            [{"given": [120], "gives": [0, 2, 1]}, {"given": [7], "gives": [7]}, {"given": [31], "gives": [1, 3]}],
        )
    ]


def environmentPrompt(context: Context) -> Prompt:
    """What the environment policy reads. target is α, the success rate that is wanted."""
    seed = context["seed"]
    tests = "\\n".join(line(test) for test in seed["evaluation"]["tests"])
    again = "".join(f"\\nNot again: {one['note']}" for one in context["rejected"] if one["note"])
    return (
        "Write one programming problem like the example, which a student solves in "
        f"{round(100 * context['target'])} % of tries.\\n\\nProblem: {seed['prompt'][0]['content']}\\n"
        f"Solution:\\n{seed['gold']}\\nTests:\\n{tests}\\n\\n"
        "Write these three parts and nothing else: the problem in one line, a solution in Python that is a function "
        "called solve, and 3 to 12 tests, each a line with the list of its arguments and what it gives, as JSON." + again
    )


def parse(text: str, given: Given) -> Draft | Reject:
    """Its text as a task."""
    form = r"\\s*Problem: ([^\\n]+)\\n+Solution:\\s*\\n\`\`\`\\w*\\n(.+?)\\n\`\`\`\\s*\\n+Tests:\\s*\\n(.+)"
    found = re.fullmatch(form, text, re.S)
    if found is None:
        return {"reject": "it is no problem with a solution and tests below it"}
    problem, solution, lines = found.groups()
    tests = [test_of(one.strip()) for one in lines.strip().split("\\n")]
    read = [test for test in tests if test is not None]
    if len(read) < len(tests):
        return {"reject": "a test is no list of arguments with what it gives"}
    if not 3 <= len(read) <= 12:
        return {"reject": "it has fewer than 3 tests, or more than 12"}
    return task(problem.strip(), solution, read)


def test_of(text: str) -> dict[str, Any] | None:
    found = re.fullmatch(r"(\\[.*\\]) -> (.+)", text)
    try:
        return None if found is None else {"given": json.loads(found[1]), "gives": json.loads(found[2])}
    except ValueError:
        return None


def verify(task: Task) -> bool | str:
    """True, or why a task does not count: the solution is not believed, and the tests have to tell something."""
    tests = task["evaluation"]["tests"]
    if len({json.dumps(test["given"]) for test in tests}) < len(tests):
        return "two tests are the same call"
    if all(same(test["gives"], tests[0]["gives"]) for test in tests):
        return "all tests give the same"
    passed, why = tried(task["gold"] or "", tests)
    return True if passed == len(tests) else f"its own solution does not pass: {why}"


def agentPrompt(task: Task) -> Prompt:
    return (
        f"Write a function in Python. {task['prompt'][0]['content']}\\n\\n"
        f"For example, with the list of its arguments: {line(task['evaluation']['tests'][0])}\\n\\n"
        "Answer with the function, called solve, in one fenced block of code."
    )


def judge(task: Task, trace: Trace) -> Result:
    """Tests that pass are worth something: the agent learns from the reward, success counts in p̂."""
    tests = task["evaluation"]["tests"]
    passed, why = tried(trace["answer"], tests)
    success = passed == len(tests)
    reward = 1 if success else 0.5 * passed / len(tests)
    return {"success": success, "reward": reward, "parts": {"passed": passed}, "note": why}


def tried(text: str, tests: list[dict[str, Any]]) -> tuple[int, str]:
    """How many tests the last block of code in a text passes, and what it does first that is wrong."""
    blocks = re.findall(r"\`\`\`\\w*\\n(.*?)\`\`\`", text, re.S)
    if blocks == []:
        return 0, "there is no block of code"
    try:
        gave = ran(blocks[-1], [test["given"] for test in tests])
    except (Exception, TooLong) as error:
        return 0, f"{type(error).__name__}: {error}"[:200]
    right = [same(one, test["gives"]) for one, test in zip(gave, tests)]
    if all(right):
        return len(tests), ""
    wrong = right.index(False)
    return sum(right), f"it gives {json.dumps(gave[wrong])[:100]} for {line(tests[wrong])}"


class TooLong(BaseException):
    """A solution ran more lines than it may."""


def ran(code: str, calls: list[list[Any]]) -> list[Any]:
    """What the calls give, as JSON. The code has the builtins and imports above, and no names with two underscores
    in front, which lead out of them. What is expected stays outside. That keeps mistakes out, not malice."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        name = getattr(node, "attr", getattr(node, "id", ""))
        if isinstance(name, str) and name.startswith("__") and name not in {"__init__", "__name__"}:
            raise NameError(f"{name} is closed to solutions")
    left = LINES

    def count(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename != "<solution>":
            return None
        left -= 1
        if left < 0:
            raise TooLong("it runs more lines than it may")
        return count

    def imported(name, *rest):
        if name not in IMPORTS:
            raise ImportError(f"{name} is closed to solutions")
        return __import__(name, *rest)

    names = {"__builtins__": {name: getattr(builtins, name) for name in BUILTINS}, "__name__": "solution"}
    names["__builtins__"]["__import__"] = imported
    before = sys.gettrace()
    sys.settrace(count)
    try:
        exec(compile(tree, "<solution>", "exec"), names)
        return [gave(names["solve"], json.loads(json.dumps(call))) for call in calls]
    finally:
        sys.settrace(before)


def gave(solve: Any, call: list[Any]) -> Any:
    try:
        return json.loads(json.dumps(solve(*call)))
    except Exception as error:
        return {"threw": f"{type(error).__name__}: {error}"[:200]}


def same(a: Any, b: Any) -> bool:
    """Equal as JSON, numbers up to rounding."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in b)
    return type(a) is type(b) and a == b
`;
