"""Figures of each domain of a run that has several, from the same records as those of all."""

import re

import formulas as f
import records as r


def named(experiment):
    """[(name, share)] in the experiment's order, shares summing to 1; empty for a run of one domain."""
    given = experiment.get("domains") or []
    whole = sum(one["share"] for one in given)
    return [(name(one), one["share"] / whole) for one in given]


def name(domain):
    if domain["name"] != "file":
        return domain["name"]
    return re.sub(r"\s+", "-", re.sub(r"\.domain\.\w+$", "", re.split(r"[\\/]", domain["file"])[-1]))


def written(tasks, families):
    accepted = [task for task in tasks if task["status"] == "accepted"]
    causes = [task["cause"] for task in tasks if "cause" in task]
    return {
        "families": families,
        "written": len(tasks),
        "accepted": len(accepted),
        "rejected": {cause: causes.count(cause) for cause in causes},
        "taskLength": f.mean(r.written_tokens(task["generation"]) for task in accepted if "generation" in task),
    }


def attempted(groups):
    traces = [trace for own in groups for trace in own]
    return {
        "tasks": len(groups),
        "rollouts": len(traces),
        "truncated": sum(t["stopReason"] == "length" for t in traces),
        "invalid": sum(not t["verdict"]["valid"] for t in traces),
        "checkerErrors": sum(not r.is_judged(t) for t in traces),
        "answerLength": f.mean(r.answer_tokens(t) for t in traces if t["sequences"]),
    }
