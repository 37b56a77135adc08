"""verifiers' own rollout loop against the bench's server, OpenAI-compatible. argv: url, a folder, group, tasks, places."""

import asyncio
import sys

import httpx
import verifiers.v1 as vf
from verifiers.v1.runtimes import ProgramResult

url, (group, tasks, places) = sys.argv[1], map(int, sys.argv[3:6])


class GivenData(vf.TaskData):
    answer: str


class GivenTask(vf.Task[GivenData, vf.State, vf.TaskConfig]):
    @vf.reward(weight=1)
    async def right(self, trace) -> float:
        return float(str(trace.messages[-1].content).startswith(self.data.answer))


class GivenTaskset(vf.Taskset[GivenTask, vf.TasksetConfig]):
    def load(self):
        for i in range(tasks):
            prompt = f"REQ f{i % 10} {i // 10 % 19} {i // 190} CALLS"
            yield GivenTask(GivenData(prompt=prompt, answer="clear"), self.config.task)


class OnceConfig(vf.HarnessConfig):
    pass


class Once(vf.Harness[OnceConfig]):
    """Asks once, in this process: its own harnesses start a process an attempt, which two cores cannot carry."""

    NEEDS_CONTAINER = False
    EXECUTES_CODE = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data, **_):
        _, prompt = self.resolve_prompt(data)
        said = prompt if isinstance(prompt, str) else prompt[0].content
        body = {"model": ctx.model, "max_tokens": 60, "messages": [{"role": "user", "content": said}]}
        answer = await http.post(f"{endpoint}/chat/completions", json=body, headers={"authorization": f"Bearer {secret}"})
        answer.raise_for_status()
        return ProgramResult(exit_code=0, stdout="", stderr="")


http = httpx.AsyncClient(timeout=None, limits=httpx.Limits(max_connections=None))
__all__ = ["GivenTaskset", "Once"]


async def main():
    sys.modules["given"] = sys.modules["__main__"]
    agent = {"harness": {"id": "given"}, "runtime": {"type": "subprocess"}}
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": "given"}, "agent": agent}))
    ctx = vf.ModelContext(model="genenv/agent", client=vf.EvalClientConfig(base_url=f"{url}/v1", api_key_var="KEY"))
    semaphore = asyncio.Semaphore(places)
    broken = []

    async def done(episode):
        if not episode.ok:
            broken.append(episode)

    async with env.serving():
        slots = [slot for task in env.taskset for slot in env.slots(task, group)]
        await asyncio.gather(*(env.run_slot(slot, ctx, semaphore, done) for slot in slots))
    if broken:
        errors = [error for one in broken for error in [*one.errors, *(error for trace in one.traces for error in trace.errors)]]
        sys.exit(f"{len(broken)} broke: {errors[:1]}")


asyncio.run(main())
