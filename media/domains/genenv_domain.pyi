"""Types of a domain file. Only `environmentPrompt` and `parse` are needed, and `seeds` where the experiment names no task file.

    def seeds(split: Split) -> list[Draft]
    def environmentPrompt(context: Context) -> Prompt
    def parse(text: str, given: Given) -> Draft | Reject
    def verify(task: Task) -> bool | str
    def agentPrompt(task: Task) -> Prompt
    def judge(task: Task, trace: Trace) -> Result
    def planPrompt(context: Context) -> Prompt
    def reset(task: Task) -> Observation
    def step(task: Task, state: Any, action: str) -> Observation
"""

from typing import Any, Literal, NotRequired, TypedDict, Union

Split = Literal["base", "heldOut"]

class Message(TypedDict):
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    name: NotRequired[str]

class Tool(TypedDict):
    """`parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]

class ToolCall(TypedDict):
    name: str
    arguments: dict[str, Any]

# A text is one turn of the user.
Prompt = Union[str, list[Message]]

class Draft(TypedDict):
    """A task as `seeds` and `parse` give it; only `prompt` is needed.

    `gold` is the right answer; `evaluation` a built-in rule that judges in place of `judge`; `difficulty` holds
    numbers by name, for charts.
    """

    id: NotRequired[str]
    prompt: Prompt
    gold: NotRequired[Union[str, float, None]]
    tools: NotRequired[list[Tool]]
    evaluation: NotRequired[dict[str, Any]]
    reset: NotRequired[dict[str, Any]]
    difficulty: NotRequired[dict[str, float]]

class Reject(TypedDict):
    """Why a text is no task."""

    reject: str

class Task(TypedDict):
    """A task as functions are given it; a number that was given as gold is a text here."""

    id: str
    family: str
    epoch: int
    prompt: list[Message]
    tools: NotRequired[list[Tool]]
    evaluation: dict[str, Any]
    gold: Union[str, None]
    seed: Union[str, None]
    plan: str

class Branch(TypedDict):
    """A conversation of a program that leaves `messages` (0) or an earlier branch after so many messages."""

    of: int
    after: int
    messages: list[Message]

class EnvironmentStep(TypedDict):
    """What an OpenEnv server told of a reset or an action."""

    observation: dict[str, Any]
    reward: Union[float, None]
    done: bool
    error: NotRequired[str]

class Trace(TypedDict):
    """A finished attempt; `answer` is the last assistant turn's text."""

    id: str
    messages: list[Message]
    answer: str
    toolCalls: Union[list[ToolCall], None]
    stopReason: Literal["stop", "length", "turns"]
    branches: NotRequired[list[Branch]]
    steps: NotRequired[list[EnvironmentStep]]
    version: str

class Ancestor(TypedDict):
    """An earlier family of a seed; `successRate` is None where nothing could be judged."""

    epoch: int
    successRate: Union[float, None]

class Rejected(TypedDict):
    """Texts that became no task; `note` is the reason of the family's own earlier tries, '' of the epoch before."""

    cause: str
    note: str
    count: int

class Context(TypedDict):
    """`target` is α, the success rate that is wanted; `recentSuccess` the agent's, None before it was measured.

    `about` is what the `recipe` that the file names reads off the seed.
    """

    seed: Task
    recentSuccess: Union[float, None]
    target: float
    lineage: list[Ancestor]
    rejected: list[Rejected]
    plan: NotRequired[str]
    about: NotRequired[dict[str, str]]

class Given(TypedDict):
    """What a text was to vary, what `planPrompt` was answered with, and what the `recipe` of the file made of the text."""

    seed: Task
    plan: str
    base: NotRequired[Union[Draft, Reject]]

class Judged(TypedDict):
    """`success` is what success rates count, `reward` (0 to 1) what the agent learns from."""

    success: bool
    reward: float
    parts: NotRequired[dict[str, float]]
    note: NotRequired[str]

# A number from 0 to 1 alone is a success only when it is exactly 1.
Result = Union[bool, float, Judged]

class Said(TypedDict):
    """`state` is any JSON: it is given back with the next action."""

    say: NotRequired[Prompt]
    state: NotRequired[Any]
    done: NotRequired[bool]

Observation = Union[str, Said]
