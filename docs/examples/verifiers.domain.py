"""A taskset of verifiers (0.4) as a domain: its tasks, its harness and its rewards; the environment policy writes more tasks.

This file is the domain and the program that makes an attempt. The Python in use (genenv.python, GENENV_PYTHON) needs
`verifiers`, `uv` and the taskset; the experiment needs "reward": {"network": true} and megabytes for the imports.
"""

import asyncio
import itertools
import json
import os
import sys

# As in `vf-eval TASKSET`, and what else its configuration takes.
TASKSET = "sums_taskset"
OPTIONS = {}
# Its first tasks are held out, the next ones are varied.
HELD_OUT, BASE = 20, 200


def taskset():
    import verifiers.v1 as vf

    return vf.load_taskset(vf.taskset_config_type(TASKSET)(id=TASKSET, **OPTIONS))


def draft(data):
    """A task of the taskset as one of the run: its data travel with it."""
    prompt = data.prompt
    if prompt is None:
        raise ValueError("it has no prompt; a task that a user opens cannot be attempted so")
    said = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [
        {"role": message.role, "content": message.content if isinstance(message.content, str) else ""} for message in prompt
    ]
    if data.system_prompt:
        said.insert(0, {"role": "system", "content": data.system_prompt})
    kept = data.model_dump(mode="json", exclude_unset=True, exclude={"idx"})
    return {"prompt": said, "evaluation": {"kind": "domain", "data": kept}}


def seeds(split):
    first, last = (0, HELD_OUT) if split == "heldOut" else (HELD_OUT, HELD_OUT + BASE)
    return [{"id": f"{TASKSET}-{task.data.idx}", **draft(task.data)} for task in itertools.islice(taskset(), first, last)]


def environmentPrompt(context):
    example = json.dumps(context["seed"]["evaluation"]["data"], ensure_ascii=False)
    wanted = f"An agent should solve it in about {round(100 * context['target'])} % of its tries."
    system = "You write tasks for an agent. Answer with one JSON object that has the fields of the example, and nothing else."
    return [{"role": "system", "content": system}, {"role": "user", "content": f"{example}\n\nWrite another task. {wanted}"}]


def parse(text, about):
    import verifiers.v1 as vf
    from pydantic import ValidationError

    start, end = text.find("{"), text.rfind("}")
    try:
        written = json.loads(text[start : end + 1])
    except ValueError:
        return {"reject": "it is no JSON object"}
    known = about["seed"]["evaluation"]["data"]
    if not isinstance(written, dict) or written.keys() != known.keys():
        return {"reject": "its fields are not those of the example"}
    try:
        return draft(vf.task_type(TASKSET).data_type().model_validate(written))
    except ValidationError as error:
        first = error.errors()[0]
        return {"reject": f"{'.'.join(map(str, first['loc']))}: {first['msg']}"}


def program(task):
    return {"command": [sys.executable, os.path.basename(__file__)], "reward": "line", "seconds": 600, "megabytes": 8192}


async def attempt(data):
    """One rollout by the taskset's own environment. Its rewards are summed, as verifiers does."""
    import verifiers.v1 as vf

    # uv, which prepares the programs of harnesses, lies beside this Python; it trusts the certificates that the system trusts.
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")
    os.environ.setdefault("UV_SYSTEM_CERTS", "true")
    agent = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": TASKSET, **OPTIONS}, "agent": agent}))
    kind = vf.task_type(TASKSET)
    task = kind(kind.data_type().model_validate(data), env.taskset.config.task)
    client = vf.EvalClientConfig(base_url=os.environ["OPENAI_BASE_URL"], api_key_var="OPENAI_API_KEY")
    async with env.serving():
        return await env.run_episode(task, vf.ModelContext(model=os.environ["OPENAI_MODEL"], client=client))


def main():
    episode = asyncio.run(attempt(json.load(sys.stdin)["evaluation"]["data"]))
    if not episode.ok:
        errors = [error.message for error in [*episode.errors, *(error for trace in episode.traces for error in trace.errors)]]
        sys.exit("; ".join(errors) or "the episode broke")
    reward = episode.traces[-1].reward
    print(json.dumps({"reward": min(1, max(0, reward)), "success": reward >= 1}))


if __name__ == "__main__":
    main()
