"""A task of Inspect (inspect-ai 0.3) as a domain: its samples, its solver and its scorer; the environment policy writes more samples.

This file is the domain and the program that makes an attempt. The Python in use (genenv.python, GENENV_PYTHON) needs
`inspect-ai`, `openai` and the task; the experiment needs "reward": {"network": true}.
"""

import json
import os
import sys

# As in `inspect eval TASK`: a name of a package, or a file beside this one, which `program` names then, too.
TASK = "sums_inspect.py@sums"
FILES = ["sums_inspect.py"]
# Its first samples are held out, the next ones are varied.
HELD_OUT, BASE = 20, 200

FOLDER = os.path.dirname(os.path.abspath(__file__))


def loaded():
    from inspect_ai._eval.loader import load_tasks

    # Files are found from where they lie.
    before = os.getcwd()
    os.chdir(FOLDER)
    try:
        return load_tasks([TASK])[0]
    finally:
        os.chdir(before)


def draft(sample):
    """A sample as a task of the run: its data travel with it."""
    said = [{"role": "user", "content": sample.input}] if isinstance(sample.input, str) else [
        {"role": message.role, "content": message.text} for message in sample.input
    ]
    target = sample.target if isinstance(sample.target, str) else json.dumps(sample.target)
    kept = sample.model_dump(mode="json", exclude_none=True, exclude={"id"})
    return {"prompt": said, "gold": target, "evaluation": {"kind": "domain", "sample": kept}}


def seeds(split):
    samples = list(loaded().dataset)
    chosen = samples[:HELD_OUT] if split == "heldOut" else samples[HELD_OUT : HELD_OUT + BASE]
    return [draft(sample) for sample in chosen]


def environmentPrompt(context):
    sample = context["seed"]["evaluation"]["sample"]
    example = json.dumps({"input": sample["input"], "target": sample["target"]}, ensure_ascii=False)
    wanted = f"A model should solve it in about {round(100 * context['target'])} % of its tries."
    system = "You write tasks for a model. Answer with one JSON object that has the fields of the example, and nothing else."
    return [{"role": "system", "content": system}, {"role": "user", "content": f"{example}\n\nWrite another task. {wanted}"}]


def parse(text, about):
    from inspect_ai.dataset import Sample

    start, end = text.find("{"), text.rfind("}")
    try:
        written = json.loads(text[start : end + 1])
    except ValueError:
        return {"reject": "it is no JSON object"}
    if not isinstance(written, dict) or written.keys() != {"input", "target"}:
        return {"reject": "its fields are not “input” and “target”"}
    try:
        # What else the seed has (choices, metadata, files) is the new sample's, too.
        return draft(Sample.model_validate({**about["seed"]["evaluation"]["sample"], **written}))
    except ValueError as error:
        return {"reject": str(error).splitlines()[0]}


def program(task):
    return {
        "command": [sys.executable, os.path.basename(__file__)],
        "files": FILES,
        "reward": "line",
        "seconds": 600,
        "megabytes": 4096,
    }


def main():
    from inspect_ai import eval as evaluate, task_with
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import get_model
    from inspect_ai.scorer import value_to_float

    sample = Sample.model_validate({"id": "sample", **json.load(sys.stdin)["evaluation"]["sample"]})
    model = get_model(
        "openai/" + os.environ["OPENAI_MODEL"], base_url=os.environ["OPENAI_BASE_URL"], responses_api=False
    )
    task = task_with(loaded(), dataset=MemoryDataset([sample]))
    log = evaluate(task, model=model, epochs=1, log_dir="logs", display="none")[0]
    if log.status != "success":
        sys.exit(log.error.message if log.error else f"the evaluation ended with {log.status}")
    score = next(iter(log.samples[0].scores.values()))
    reward = value_to_float()(score.value)
    print(json.dumps({"reward": min(1, max(0, reward)), "success": reward >= 1, "note": score.explanation or ""}))


if __name__ == "__main__":
    main()
