"""A taskset of verifiers as its users write them: sums, asked with a system prompt, rewarded in two parts."""

import re

import verifiers.v1 as vf


class SumData(vf.TaskData):
    answer: int


class SumTask(vf.Task[SumData, vf.State, vf.TaskConfig]):
    @vf.reward(weight=0.9)
    async def right(self, trace) -> float:
        numbers = re.findall(r"-?\d+", str(trace.messages[-1].content))
        return float(numbers[-1:] == [str(self.data.answer)])

    @vf.reward(weight=0.1)
    async def polite(self, trace) -> float:
        return float("please" in str(trace.messages[-1].content))

    @vf.metric
    async def turns(self, trace) -> float:
        return float(trace.num_turns)


class SumTaskset(vf.Taskset[SumTask, vf.TasksetConfig]):
    def load(self):
        for i in range(40):
            prompt = f"How much is {i + 2} + {3 * i}?"
            yield SumTask(SumData(prompt=prompt, system_prompt="Add.", answer=4 * i + 2), self.config.task)


__all__ = ["SumTaskset"]
