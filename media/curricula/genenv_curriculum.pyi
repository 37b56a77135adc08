"""Types of a curriculum: `def rewards(families: list[Family], epoch: Epoch) -> Rewards`."""

from typing import Any, Literal, Optional, TypedDict, Union

class _Parts(TypedDict, total=False):
    # The reward's named parts, where it has them.
    parts: dict[str, float]

class Attempt(_Parts):
    """One attempt of the agent at a task."""

    # None where the attempt was not judged.
    success: Optional[bool]
    # 0 to 1; None where the attempt was not judged.
    reward: Optional[float]
    # The last assistant turn's text, '' without one.
    answer: str
    # length: cut at its most tokens; turns: at its most turns.
    stopReason: Literal["stop", "length", "turns"]

class _Tools(TypedDict, total=False):
    tools: list[dict[str, Any]]

class Task(_Tools):
    """A task with its attempts."""

    id: str
    family: str
    epoch: int
    # The agent's prompt: messages with role and content.
    prompt: list[dict[str, str]]
    evaluation: dict[str, Any]
    # The right answer, where one is known.
    gold: Optional[str]
    # Id of the task that it varies.
    seed: Optional[str]
    plan: str
    # Named measures of how hard it is, of its domain.
    difficulty: dict[str, float]
    attempts: list[Attempt]

class Family(TypedDict):
    """Tasks that were written from one seed in one epoch."""

    id: str
    seed: Optional[str]
    plan: str
    # Of the judged attempts at all its tasks.
    successes: int
    judged: int
    tasks: list[Task]

class Epoch(TypedDict):
    # From 1.
    epoch: int
    # α, β and k_min of the experiment.
    alpha: float
    beta: float
    kMin: float
    # The run's: draw chance from it and the epoch alone, so that a resumed run goes the same way.
    seed: int

# R_env, one a family in their order: a number from -10 to 10 for all its tasks, a list with one a task, or None where the
# environment is to learn nothing.
Rewards = list[Union[float, None, list[Optional[float]]]]
