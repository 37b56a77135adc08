/** A new domain of attempts that are games of several turns, in Python. */
export const gamePython = `# A domain of games: the environment sets the game up, the agent plays it turn by turn (docs/domains.md).
# Try it with: genenv check-domain THIS_FILE
# An attempt has at most rollouts.maxTurns turns: set it to at least the guesses of the longest game.
from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from genenv_domain import Context, Draft, Given, Observation, Prompt, Reject, Result, Split, Task, Trace


def task(most: int, secret: int, guesses: int) -> Draft:
    """Guess a number from 1 to \`most\`."""
    return {
        "prompt": f"I have a number from 1 to {most}. You have {guesses} guesses. Answer with a number alone.",
        "gold": secret,
        "difficulty": {"most": most, "guesses": guesses, "slack": guesses - math.ceil(math.log2(most + 1))},
    }


def seeds(split: Split) -> list[Draft]:
    """Tasks to vary ("base"), and tasks that only validation measures ("heldOut")."""
    return [task(7, 5, 3), task(20, 3, 5)] if split == "base" else [task(10, 8, 4)]


def environmentPrompt(context: Context) -> Prompt:
    """What the environment policy reads. target is α, the success rate that is wanted."""
    recent = context["recentSuccess"]
    return (
        "A player guesses a number and is told “higher” or “lower”. Set up a game that is won in "
        f"{round(100 * context['target'])} % of tries.\\n"
        + ("" if recent is None else f"Of late the player won {round(100 * recent)} %.\\n")
        + f"The game before: {context['seed']['prompt'][0]['content']}\\n"
        "Write one line with three numbers: the largest number, the secret one, the guesses. For example: 20 3 5"
    )


def parse(text: str, given: Given) -> Draft | Reject:
    """Its text as a task."""
    found = re.fullmatch(r"\\s*(\\d{1,4}) (\\d{1,4}) (\\d{1,2})\\s*", text)
    if found is None:
        return {"reject": "it is not three numbers"}
    most, secret, guesses = map(int, found.groups())
    if not 1 <= secret <= most:
        return {"reject": "the secret number is out of range"}
    if not 1 <= guesses <= 12:
        return {"reject": "it has no guess, or more than 12"}
    return task(most, secret, guesses)


def guesses_of(task: Task) -> int:
    found = re.search(r"You have (\\d+) guesses", task["prompt"][0]["content"])
    return 1 if found is None else int(found[1])


def reset(task: Task) -> Observation:
    """The agent has read the task's prompt. The state is any JSON; it travels with each call."""
    return {"state": {"guessesLeft": guesses_of(task)}}


def step(task: Task, state: Any, action: str) -> Observation:
    said = re.search(r"\\d+", action)
    left = {"guessesLeft": state["guessesLeft"] - 1}
    gold = int(task["gold"] or 0)
    if said is not None and int(said[0]) == gold:
        return {"say": "Right!", "state": left, "done": True}
    if left["guessesLeft"] == 0:
        return {"say": "No more guesses.", "state": left, "done": True}
    if said is None:
        return {"say": "That is no number.", "state": left}
    return {"say": "Higher." if int(said[0]) < gold else "Lower.", "state": left}


def judge(task: Task, trace: Trace) -> Result:
    """Won, by what the game said last. A guess that is saved is worth a little."""
    said = [message for message in trace["messages"] if message["role"] != "assistant"]
    success = said != [] and said[-1]["content"] == "Right!"
    used = len(trace["messages"]) - len(said)
    return {"success": success, "reward": 1 - 0.2 * (used - 1) / guesses_of(task) if success else 0, "parts": {"guesses": used}}
`;
