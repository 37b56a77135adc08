"""Types of a reward function: `def reward(task: Task, trace: Trace) -> Result`."""

from typing import Any, Literal, NotRequired, TypedDict, Union

class Message(TypedDict):
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    name: NotRequired[str]

class ToolCall(TypedDict):
    name: str
    arguments: dict[str, Any]

class Tool(TypedDict):
    name: str
    description: str
    parameters: dict[str, Any]

class Task(TypedDict):
    """The task that was attempted."""

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
    """The attempt that is judged; `answer` is the last assistant turn's text."""

    id: str
    messages: list[Message]
    answer: str
    toolCalls: Union[list[ToolCall], None]
    stopReason: Literal["stop", "length", "turns"]
    branches: NotRequired[list[Branch]]
    steps: NotRequired[list[EnvironmentStep]]
    version: str

class Judged(TypedDict):
    """`success` is what success rates count, `reward` (0 to 1) what the agent learns from."""

    success: bool
    reward: float
    parts: NotRequired[dict[str, float]]
    note: NotRequired[str]

# A number from 0 to 1 alone is a success only when it is exactly 1.
Result = Union[float, Judged]
