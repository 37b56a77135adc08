/** A new domain of questions whose answer is computed, in Python. */
export const questionsPython = String.raw`# A domain: what the environment writes, and how the agent's answers are judged (docs/domains.md).
# Try it with: genenv check-domain THIS_FILE
from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genenv_domain import Context, Draft, Given, Prompt, Reject, Result, Split, Task, Trace


def seeds(split: Split) -> list[Draft]:
    """Tasks to vary ("base"), and tasks that only validation measures ("heldOut")."""
    if split == "base":
        return [
            {"prompt": "Ann has 3 apples and buys 4 more. How many has she?", "gold": 7},
            {"prompt": "A bus has 20 seats, and 6 are free. How many are taken?", "gold": 14},
        ]
    return [{"prompt": "Ben reads 12 pages a day. How many in 5 days?", "gold": 60}]


def environmentPrompt(context: Context) -> Prompt:
    """What the environment policy reads. target is α, the success rate that is wanted."""
    return (
        "Write one short story problem like this one, which a student solves in "
        f"{round(100 * context['target'])} % of tries:\n\n{context['seed']['prompt'][0]['content']}\n\n"
        'Write the problem in one line, then a line "= " with an arithmetic expression for its answer.'
    )


def parse(text: str, given: Given) -> Draft | Reject:
    """Its text as a task. The gold is computed here, and not believed."""
    found = re.fullmatch(r"\s*(.+?)\s*\n\s*=\s*([\d+\-*/(). ]{1,60})\s*", text, re.S)
    if found is None:
        return {"reject": "it is no story with an expression below it"}
    story, expression = found.groups()
    try:
        value = value_of(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return {"reject": "its expression is no arithmetic"}
    numbers = re.findall(r"\d+", expression)
    if any(number not in story for number in numbers):
        return {"reject": "a number of the expression is not in the story"}
    return {"prompt": story, "gold": value, "difficulty": {"numbers": len(numbers), "words": len(story.split())}}


def verify(task: Task) -> bool | str:
    """True, or why a task does not count."""
    gold = float(task["gold"])
    return True if gold >= 0 and gold.is_integer() else "the answer is no natural number"


def agentPrompt(task: Task) -> Prompt:
    return task["prompt"][0]["content"] + '\n\nThink step by step. End with a line "Answer: NUMBER".'


def judge(task: Task, trace: Trace) -> Result:
    said = re.findall(r"-?\d+(?:\.\d+)?", trace["answer"])
    right = said != [] and float(said[-1]) == float(task["gold"])
    return {"success": right, "reward": 1 if right else 0}


def value_of(node: ast.AST) -> float:
    """+ - * / and brackets: nothing that a model wrote is evaluated as a program."""
    known = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in known:
        return known[type(node.op)](value_of(node.left), value_of(node.right))
    raise ValueError("no arithmetic")
`;
