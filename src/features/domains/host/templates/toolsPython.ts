/** A new domain of tasks that are answered by a call of a tool, in Python. */
export const toolsPython = String.raw`# A domain of tool calls: the environment writes a request and the call that it asks for (docs/domains.md).
# Try it with: genenv check-domain THIS_FILE
from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from genenv_domain import Context, Draft, Given, Prompt, Reject, Result, Split, Task, Tool, Trace

# What the agent may call. The parameters are JSON Schema, which servers with tools are given as it is.
TOOLS: list[Tool] = [
    {
        "name": "set_timer",
        "description": "Starts a timer.",
        "parameters": {
            "type": "object",
            "properties": {"minutes": {"type": "integer"}, "label": {"type": "string"}},
            "required": ["minutes", "label"],
        },
    },
    {
        "name": "add_to_list",
        "description": "Puts something on the shopping list.",
        "parameters": {
            "type": "object",
            "properties": {"item": {"type": "string"}, "amount": {"type": "integer"}},
            "required": ["item", "amount"],
        },
    },
]
# Names and types of each tool's arguments: all of them are needed.
WANTED: dict[str, dict[str, type]] = {
    "set_timer": {"minutes": int, "label": str},
    "add_to_list": {"item": str, "amount": int},
}


def written(call: Any) -> str:
    """A call as the agent writes it. Its names stand in order, so that equal calls are equal texts."""
    text = json.dumps({"name": call["name"], "arguments": dict(sorted(call["arguments"].items()))}, ensure_ascii=False)
    return f"<tool_call>\n{text}\n</tool_call>"


def task(prompt: str, call: Any) -> Draft:
    return {"prompt": prompt, "tools": TOOLS, "gold": written(call), "difficulty": {"words": len(prompt.split())}}


def seeds(split: Split) -> list[Draft]:
    """Tasks to vary ("base"), and tasks that only validation measures ("heldOut")."""
    if split == "base":
        return [
            task("Tell me about the bread in 25 minutes.", {"name": "set_timer", "arguments": {"minutes": 25, "label": "bread"}}),
            task("We need 2 more lemons.", {"name": "add_to_list", "arguments": {"item": "lemons", "amount": 2}}),
        ]
    return [task("The eggs take 7 minutes.", {"name": "set_timer", "arguments": {"minutes": 7, "label": "eggs"}})]


def environmentPrompt(context: Context) -> Prompt:
    """What the environment policy reads. target is α, the success rate that is wanted."""
    seed = context["seed"]
    call = (seed["gold"] or "").split("\n")[1]
    return (
        f"An assistant has these tools: {json.dumps(TOOLS)}\n\n"
        f"Write a request that it answers with the right call in {round(100 * context['target'])} % of tries. An example:\n"
        f"Request: {seed['prompt'][0]['content']}\nCall: {call}\n\n"
        "Write only these two lines. Numbers and words of the call stand in the request."
    )


def parse(text: str, given: Given) -> Draft | Reject:
    """Its text as a task. A call that the tools do not take, or that the request does not ask for, is none."""
    found = re.fullmatch(r"\s*Request: ([^\n]+)\n\s*Call: (\{[^\n]+\})\s*", text)
    if found is None:
        return {"reject": "it is no request with a call below it"}
    request, call = found[1].strip(), call_of(found[2])
    if call is None:
        return {"reject": "its call is no JSON with a name and arguments"}
    parameters = WANTED.get(call["name"])
    if parameters is None:
        return {"reject": "there is no such tool"}
    arguments = call["arguments"]
    if arguments.keys() != parameters.keys():
        return {"reject": "its call has too few arguments, or too many"}
    if any(type(value) is not parameters[name] for name, value in arguments.items()):
        return {"reject": "an argument is of the wrong type"}
    if any(str(value).lower() not in request.lower() for value in arguments.values()):
        return {"reject": "an argument does not stand in the request"}
    return task(request, call)


def agentPrompt(task: Task) -> Prompt:
    return (
        f"{task['prompt'][0]['content']}\n\n"
        'Answer with one call of a tool: <tool_call>{"name": …, "arguments": {…}}</tool_call>\n'
        f"The tools: {json.dumps(TOOLS)}"
    )


def judge(task: Task, trace: Trace) -> Result:
    """The tool's name alone is worth something: the agent learns from the reward, success counts in p̂."""
    calls = trace["toolCalls"] or []
    if len(calls) != 1:
        return {"success": False, "reward": 0, "note": "not one call"}
    gold = task["gold"] or ""
    whole = written(calls[0]) == gold
    name = f'"name": "{calls[0]["name"]}"' in gold
    return {"success": whole, "reward": 1 if whole else 0.3 if name else 0, "parts": {"name": int(name), "whole": int(whole)}}


def call_of(text: str) -> Any:
    """What a model wrote as JSON; None where it is no call."""
    try:
        read = json.loads(text)
    except ValueError:
        return None
    is_call = isinstance(read, dict) and isinstance(read.get("name"), str) and isinstance(read.get("arguments"), dict)
    return read if is_call else None
`;
