"""OpenEnv servers of the tests' own, by the real package: server.py PORT KIND SESSIONS. Says "ready PORT" when it serves."""

import os
import random
import socket
import sys
from typing import Any, Optional

import uvicorn
from fastmcp import FastMCP
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation


class Guess(Action):
    guess: int


class Hint(Observation):
    hint: str
    left: int


class Numbers(Environment):
    """A number from 1 to `most`, chosen by the seed."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State(episode_id="", step_count=0)

    def reset(self, seed: Optional[int] = None, episode_id: Optional[str] = None, most: int = 10, **kwargs: Any) -> Hint:
        self._number = random.Random(seed).randint(1, most)
        self._left = 5
        self._state = State(episode_id=episode_id or "", step_count=0)
        return Hint(hint=f"A number from 1 to {most}.", left=self._left)

    def step(self, action: Guess, **kwargs: Any) -> Hint:
        self._state.step_count += 1
        self._left -= 1
        if action.guess == 666:
            os._exit(3)
        if action.guess < 0:
            raise ValueError("there are no numbers below 0")
        if action.guess == self._number:
            return Hint(hint="right", left=self._left, reward=1.0, done=True)
        hint = "higher" if action.guess < self._number else "lower"
        return Hint(hint=hint, left=self._left, reward=0.1, done=self._left == 0)

    @property
    def state(self) -> State:
        return self._state


class Shelf(MCPEnvironment):
    """Tools alone: an item is looked up, and the task is done with the right answer."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        mcp = FastMCP("shelf")

        @mcp.tool
        def look_up(item: str) -> str:
            """How many of an item there are."""
            return f"There are {len(item)} of {item}."

        @mcp.tool
        def answer(number: int) -> str:
            """Gives the answer."""
            return "taken"

        super().__init__(mcp)
        self._state = State(episode_id="", step_count=0)

    def reset(self, seed: Optional[int] = None, item: str = "pears", **kwargs: Any) -> Observation:
        self._item = item
        return Observation(done=False, reward=0.0)

    async def step_async(self, action: Action, timeout_s: Optional[float] = None, **kwargs: Any) -> Observation:
        observation = await super().step_async(action, timeout_s=timeout_s, **kwargs)
        if isinstance(action, CallToolAction) and action.tool_name == "answer" and observation.error is None:
            observation.done = True
            observation.reward = 1.0 if action.arguments.get("number") == len(self._item) else 0.0
        return observation

    def _step_impl(self, action: Action, timeout_s: Optional[float] = None, **kwargs: Any) -> Observation:
        raise ValueError("only tools")

    @property
    def state(self) -> State:
        return self._state


class Say(Action):
    said: str


class Order(Observation):
    order: str


class Shop(Environment):
    """An order in the storekeeper's language, to be answered with its calls; a wrong answer may be given again once."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State(episode_id="", step_count=0)

    def reset(self, seed: Optional[int] = None, order: str = "", gold: str = "", **kwargs: Any) -> Order:
        self._order, self._gold = order, gold.split()
        self._state = State(episode_id="", step_count=0)
        return Order(order=order)

    def step(self, action: Say, **kwargs: Any) -> Order:
        self._state.step_count += 1
        said = action.said.split()
        right = said == self._gold
        same = sum(1 for one, other in zip(said, self._gold) if one == other)
        reward = 1.0 if right else 0.9 * same / max(1, len(said), len(self._gold))
        return Order(order=self._order, reward=reward, done=right or self._state.step_count == 2)

    @property
    def state(self) -> State:
        return self._state


kinds = {
    "numbers": (Numbers, Guess, Hint),
    "shelf": (Shelf, CallToolAction, CallToolObservation),
    "shop": (Shop, Say, Order),
}


def main() -> None:
    port, kind, sessions = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    made, action, observation = kinds[kind]
    app = create_fastapi_app(made, action, observation, max_concurrent_envs=sessions)
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    print(f"ready {listening.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])


main()
