"""A task of Inspect as its users write them: sums, with a solver of two steps and a scorer of the package."""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import match
from inspect_ai.solver import generate, self_critique, system_message


@task
def sums():
    samples = [Sample(input=f"How much is {i + 2} + {3 * i}?", target=str(4 * i + 2)) for i in range(40)]
    return Task(
        dataset=MemoryDataset(samples),
        solver=[system_message("Add."), generate(), self_critique()],
        scorer=match(numeric=True),
    )
