"""Spare groups (`rollouts.spare`), from docs/endpoints.md: the first complete ones count, by the order of the records alone."""

import math

import formulas as f
import records as r

LOOKED_BACK = 8


def wanted(replay):
    """(written tasks, all tasks) that count in an epoch at most."""
    generation, rollouts = replay.sampling["generation"], replay.sampling["rollouts"]
    written = generation["families"] * generation["variations"]
    return written, f.rounded(written / (1 - rollouts["baseShare"] - rollouts["poolShare"]))


def check_mixing(replay, own, mixed):
    """Of spare tasks as many count as there would be without; which of them is by chance."""
    written, total = wanted(replay)
    more = replay.sampling["generation"]["variations"] * (1 + len(replay.domains)) - 1
    rounds = sum(e["type"] == "rollouts.finished" and e["epoch"] == replay.event["epoch"] for e in replay.run.events)
    replay.hold("written tasks that count", f"at most {written}, but for rests of families", len(own) <= written + more * max(1, rounds))
    left = max(0, total - min(len(own), written))
    replay.hold("mixed tasks that count", f"at most {left}", len(mixed) <= left)


def rounds(replay, families, mixed, events, scored):
    """
    The tasks of each round that count: a round has its part of all families and of all mixed tasks, of which the journal
    names those that fell out. Rounds are attempted one after the other, so that the records give the others in order.
    """
    size, group = replay.now["rollouts"]["batch"], replay.sampling["generation"]["variations"]
    first = {id_: at for at, id_ in enumerate(replay.epoch["every"])}
    families = sorted(families, key=lambda family: min(first[id_] for id_ in family[1]))
    out = [[one["task"] for one in event.get("dropped", {}).get("groups", [])] for event in events]
    family_of = {id_: replay.run.task(id_, replay.event["epoch"]) for ids in out for id_ in ids}
    own = written_ones(replay, family_of)
    lost = [{family_of[id_]["family"] for id_ in ids if id_ in own} for ids in out]
    lost_mixed = [[id_ for id_ in ids if id_ not in own] for ids in out]
    sizes = len(families) + sum(map(len, lost)), len(mixed) + sum(map(len, lost_mixed))
    counted = sum(len(ids) for _, ids in families) + len(mixed)
    least, most = needed(replay, sum(len(ids) for _, ids in families) + len(own))
    told = len(events) if scored is not None else None
    # Where the batch's size is not sure, the number of its rounds tells it.
    likely = [shares_of(sizes, count) for count in range(max(1, math.ceil(most / size)), max(0, math.ceil(least / size) - 1), -1)]
    shares = next((some for some in likely if len(some) == told), likely[0])
    replay.hold("rounds", f"{len(shares)} rounds of about {size} tasks", told in (None, len(shares)))
    replay.hold("rounds", f"enough for {counted} tasks of {size} a round", counted <= len(shares) * (size + group - 1))
    parts = []
    for part, (here, some) in enumerate(shares):
        here -= len(lost[part]) if part < len(lost) else 0
        some -= len(lost_mixed[part]) if part < len(lost) else 0
        replay.hold("dropped", f"no more than round {part + 1} has", here >= 0 and some >= 0)
        here, some = max(0, here), max(0, some)
        parts.append({"calibrated": [id_ for _, ids in families[:here] for id_ in ids], "mixed": mixed[:some]})
        families, mixed = families[here:], mixed[some:]
    return parts


def shares_of(sizes, count):
    """[(families, mixed tasks)] of each round, spare ones among them; a round without any is left out."""
    parts = [tuple(len(f.share(range(all_), part, count)) for all_ in sizes) for part in range(count)]
    return [part for part in parts if any(part)]


def needed(replay, written):
    """
    The least and the most tasks of a batch that count, from all written ones. Base data may be too little to fill it, and how much
    of the pool there was is in no record.
    """
    most, total = wanted(replay)
    counted = min(written, most)
    if replay.domains or replay.run._edits:
        return 1, total
    pooled = 0 if replay.now["mode"] in ("static", "offline") else f.rounded(total * replay.sampling["rollouts"]["poolShare"])
    least = counted + max(0, min(total - counted, replay.base))
    return least, max(least, min(total, least + pooled))


def written_ones(replay, tasks):
    """Ids of those over which p̂ is measured, of tasks by id."""
    epoch = replay.event["epoch"]
    if replay.now["mode"] in ("static", "offline"):
        return {id_ for id_, task in tasks.items() if task is not None and task.get("origin") in ("generated", "offline")}
    accepted = {task["id"] for task in replay.run.tasks(epoch, epoch) if task["status"] == "accepted"}
    return {id_ for id_ in tasks if id_ in accepted}


def check_dropped(replay, event, ids):
    """Groups that fell out, and their cost: none of them was complete before one of its kind that counts."""
    told = event.get("dropped")
    if not told:
        return []
    replay.hold("dropped", "none without spare groups", replay.sampling["rollouts"].get("spare", 0) > 0)
    out, group, every = [one["task"] for one in told["groups"]], replay.sampling["rollouts"]["group"], replay.epoch["every"]
    replay.hold("dropped", "no group that counts too", not set(out) & set(ids) and len(set(out)) == len(out))
    traces = [t for id_ in out for t in every.get(id_, [])]
    expected = expectation(replay, event["epoch"])
    groups = [{"task": id_, "attempts": len(every.get(id_, [])), "expected": f.rounded(expected(id_))} for id_ in out]
    replay.check("dropped.groups", [{name: value for name, value in one.items() if value is not None} for one in groups])
    both = [f.rounded(f.mean(one for one in map(expected, side) if one is not None)) for side in (ids, out)]
    replay.check("dropped.expected", None if None in both else dict(zip(("counted", "dropped"), both)))
    replay.check("dropped.attempts", len(traces))
    replay.check("dropped.tokens", sum(map(r.all_tokens, traces)))
    if "sampled" in told:
        replay.check("dropped.sampled", sum(map(r.answer_tokens, traces)))
    if "sent" in told:
        replay.check("dropped.sent", sum(map(r.sent_for_trace, traces)))
    replay.check("dropped.left", len(out) * group - len(traces))
    usual = f.mean([r.all_tokens(t) for id_ in ids + out for t in every.get(id_, [])]) or 0
    replay.hold("dropped.likely", "as long as the others, or none", told["likely"] in (0, f.rounded(told["left"] * usual)))
    check_order(replay, ids, out)
    return out


def check_order(replay, ids, out):
    """A family counts as a whole; written and mixed tasks of each domain have places of their own."""
    epoch, group, every = replay.event["epoch"], replay.sampling["rollouts"]["group"], replay.epoch["every"]
    tasks = {id_: replay.run.task(id_, epoch) for id_ in ids + out}
    own = written_ones(replay, tasks)
    units = {}
    for id_ in ids + out:
        domain = next((t.get("domain") for t in every.get(id_, [])), (tasks[id_] or {}).get("domain"))
        units.setdefault(("written", domain, tasks[id_]["family"]) if id_ in own else ("mixed", domain, id_), []).append(id_)
    fell = set(out)
    unit_of = {id_: unit for unit, some in units.items() for id_ in some}
    missing = {unit: len(some) * group for unit, some in units.items()}
    ends = {}
    for at, trace in enumerate(replay.run.traces("train", epoch)):
        unit = unit_of.get(trace["task"])
        if unit is not None:
            missing[unit] -= 1
            if missing[unit] == 0:
                ends[unit] = at
    torn = [unit for unit, some in units.items() if 0 < len(fell & set(some)) < len(some)]
    replay.compare("dropped: families of which a part counts", [], [unit[-1] for unit in torn])
    for kind in sorted({unit[:2] for unit in units}, key=str):
        counting = [ends.get(unit, math.inf) for unit, some in units.items() if unit[:2] == kind and some[0] not in fell]
        later = [ends[unit] for unit, some in units.items() if unit[:2] == kind and some[0] in fell and unit in ends]
        name = " of ".join(filter(None, kind))
        replay.hold("dropped", f"{name}: the first complete ones count", not counting or not later or max(counting) < min(later))


def expectation(replay, epoch):
    """Tokens expected of an answer to a task, by what was known when it was sampled; None before anything was."""
    since = replay.sampled_from(epoch)
    seen = [at for at in sorted(replay.known, reverse=True) if at >= epoch - LOOKED_BACK]
    newest = [replay.known[at] for at in seen if at < since or not replay.staleness()]
    usual = f.mean(tokens for known in newest for tokens in known.values())

    def of(id_):
        root = replay.root(id_)
        return next((known[root] for known in newest if root in known), usual)

    return of
