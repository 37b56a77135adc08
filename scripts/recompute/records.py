"""A run folder, read with the standard library: nothing but JSON, a record a line."""

import copy
import json
import os

import given
import lineage


class Records:
    def __init__(self, folder):
        self.folder = folder
        self.lineage = lineage.of(folder)
        self.events = self._lines("journal.jsonl")
        self._tasks = self._by_id("tasks.jsonl")
        self._traces = self._by_id("traces.jsonl")
        # Older versions kept none: their texts pay for their plans.
        self._completions = self._by_id("completions.jsonl")
        self._given = given.in_inputs(os.path.join(folder, "inputs"), bool(self.lineage[0].experiment.get("domains")))
        self._edits = [
            (event["epoch"], edit) for event in self.events if event["type"] == "tasks.edited" for edit in event["edits"]
        ]

    def _lines(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            whole = [line for line in file if line.endswith("\n")]
        return [json.loads(line) for line in whole if line.strip()]

    def _by_id(self, name):
        return {record["id"]: record for record in self._lines(name) if "id" in record}

    def traces(self, purpose, epoch):
        """In the order of their records."""
        return [t for t in self._traces.values() if t["purpose"] == purpose and t["epoch"] == epoch]

    def written(self, epoch):
        """Every text of an epoch as it was recorded."""
        return [task for task in self._tasks.values() if task["epoch"] == epoch]

    def plans(self, epoch):
        """Every plan of an epoch, also those that no text was written from."""
        return [c for c in self._completions.values() if c["kind"] == "plan" and c["epoch"] == epoch]

    def tasks(self, written_in, epoch):
        """Texts of one epoch as people had left them by another: an excluded one is rejected, a changed one unwritten."""
        return [self._left(task, epoch) for task in self.written(written_in)]

    def task(self, id_, epoch):
        """A task that was written or given; None for one that only its domain knows."""
        task = self._tasks.get(id_) or self._given.get(id_)
        return None if task is None else self._left(task, epoch)

    def is_excluded(self, id_, epoch):
        last = [edit for since, edit in self._edits if edit["task"] == id_ and since <= epoch and edit["action"] in ("exclude", "restore")]
        return bool(last) and last[-1]["action"] == "exclude"

    def admitted(self, epoch):
        """Tasks in the agent pool by attempts of people: id to the first such edit, in the order they came."""
        found = {}
        for since, edit in self._edits:
            if since > epoch:
                continue
            own = found.setdefault(edit["task"], {})
            if edit["action"] in ("admit", "withdraw"):
                own.pop(edit["trace"], None)
            if edit["action"] == "admit":
                own[edit["trace"]] = edit
        firsts = {id_: next(iter(own.values())) for id_, own in found.items() if own}
        return {id_: edit for id_, edit in firsts.items() if edit["written"] is not None}

    def _left(self, task, epoch):
        excluded = changed = False
        for since, edit in self._edits:
            if edit["task"] != task["id"] or since > epoch:
                continue
            changed = changed or edit["action"] == "edit"
            if edit["action"] in ("exclude", "restore"):
                excluded = edit["action"] == "exclude"
        if not excluded and not changed:
            return task
        left = {field: value for field, value in task.items() if field != "generation"}
        return {**left, "status": "rejected"} if excluded else left


def changed(experiment, event):
    """An experiment after `settings.changed`."""
    after = copy.deepcopy(experiment)
    for change in event["changes"]:
        *sections, field = change["field"].split(".")
        place = after
        for section in sections:
            place = place[section]
        place[field] = change["to"]
    return after


def said(sequence):
    """Sampled tokens of a sequence or of a written text."""
    return sum(end - start for start, end in sequence["spans"])


def counted(record):
    """Tokens of a trace or of a written text by the server's own count: (prompt, answer)."""
    count = record.get("counted", {"prompt": 0, "answer": 0})
    return count["prompt"], count["answer"]


def written_tokens(generation):
    return said(generation) + counted(generation)[1]


def text_tokens(task):
    """Tokens of a text with its prompt, and of the independent answers to it."""
    own = task.get("generation", {"tokens": []})
    return len(own["tokens"]) + sum(counted(own)) + task.get("agreement", {"tokens": 0})["tokens"]


def sent(spans):
    """Every turn sends all before it: the prompt of a sample is where it begins."""
    return sum(start for start, _ in spans)


def sent_for_text(task):
    own = task.get("generation", {"spans": []})
    return sent(paid_spans(own)) + counted(own)[0] + answers_for_text(task, "environment")[1]


def sampled_for_text(task):
    own = task.get("generation", {"spans": []})
    return said({"spans": paid_spans(own)}) + counted(own)[1] + answers_for_text(task, "environment")[0]


def plan_count(plan):
    """Tokens of a plan: (prompt, answer)."""
    return counted(plan) if "counted" in plan else (len(plan["promptTokens"]), len(plan["tokens"]))


def plans_alone(plans, tasks):
    """Plans that no text was written from: a text of its family and try is, which the end of its id tells."""
    tries = {(task["family"], int(task["id"].rpartition(".a")[2]) if ".a" in task["id"].rpartition(".v")[2] else 1) for task in tasks}
    return [plan for plan in plans if (plan["family"], plan["attempt"]) not in tries]


def paid_spans(generation):
    """A plan has a record of its own, which pays; in records of older versions it is paid for with texts."""
    return generation["spans"][-1:] if generation.get("planPaid") else generation["spans"]


def answers_for_text(task, role):
    """Independent answers to a text by a policy: (sampled, sent). Older versions told neither prompts nor who answered."""
    own = task.get("agreement", {"tokens": 0})
    prompt = own.get("prompt", 0)
    return (own["tokens"] - prompt, prompt) if own.get("by", "environment") == role else (0, 0)


def sent_for_trace(trace):
    return sum(sent(sequence["spans"]) for sequence in trace["sequences"]) + counted(trace)[0]


def answer_tokens(trace):
    return sum(said(sequence) for sequence in trace["sequences"]) + counted(trace)[1]


def all_tokens(trace):
    """Prompt and answer, by the ends of their spans: some traces keep no token ids."""
    ids = sum(sequence["spans"][-1][1] if sequence["spans"] else 0 for sequence in trace["sequences"])
    return ids + sum(counted(trace))


def is_counted(trace):
    """A job without a tokenizer tells words alone."""
    return bool(trace["sequences"]) or "counted" in trace or all(one["role"] != "assistant" for one in trace["messages"])


def is_judged(trace):
    """A checker that failed is neither success nor failure."""
    return "error" not in trace["verdict"]


def is_poolable(trace):
    """Valid, and judged."""
    return trace["verdict"]["valid"] and is_judged(trace)


def counts(traces):
    """k of n judged attempts."""
    judged = [t for t in traces if is_judged(t)]
    return sum(t["verdict"]["success"] for t in judged), len(judged)


def teaches(traces):
    """Whether judged attempts differ in reward, where k of n do not say it; None where they do."""
    k, n = counts(traces)
    if n < 2:
        return None
    differ = len({t["verdict"]["reward"] for t in traces if is_judged(t)}) > 1
    return None if differ == (0 < k < n) else differ


def by_task(traces):
    groups = {}
    for trace in traces:
        groups.setdefault(trace["task"], []).append(trace)
    return groups
