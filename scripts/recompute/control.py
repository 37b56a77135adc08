"""α as its controller chooses it, from what the journal measured before the epoch."""

import math

import formulas as f

Z = 1.959963984540054


def chosen(curriculum, before, epoch, replay):
    """(α, control) of an epoch. before: those of the epoch before it, or None."""
    control = curriculum["control"]
    if before is None or before[1] is None or before[1]["measure"] != control["kind"]:
        return curriculum["alpha"], {"measure": control["kind"], "why": "start", "since": epoch, "seen": None, "direction": -1}
    alpha, last = before
    if (epoch - 1) % control["every"]:
        return alpha, {**last, "why": "window"}
    window = range(last["since"], epoch)
    # Where a branch judges attempts otherwise than its parent, two such windows, or parts of one, are not compared.
    changed = replay.measured_since["attempts"]
    found = None if changed > window[0] else {"gain": gain, "learnability": learnability, "success": success}[control["kind"]](replay, window)
    if last["seen"] and last["seen"]["from"] < changed:
        last = {**last, "seen": None}
    seen = found and {"from": window[0], "to": window[-1], "value": found[0], "error": found[1]}
    alpha, why, way = step(control, curriculum["alpha"], alpha, last, seen)
    return alpha, {"measure": control["kind"], "why": why, "since": epoch, "seen": seen, "direction": way}


def step(control, home, alpha, last, seen):
    way = last["direction"]
    if seen is None:
        return alpha, "unmeasured", way
    if control["kind"] == "success":
        if abs(seen["value"] - home) <= seen["error"]:
            return alpha, "held", way
        way = -1 if seen["value"] > home else 1
        return bounded(control, alpha + way * control["step"]), "above" if way < 0 else "below", way
    size, why = control["step"], "first"
    if last["seen"] is not None:
        by = seen["value"] - last["seen"]["value"]
        why = "chance" if abs(by) <= seen["error"] + last["seen"]["error"] else "better" if by > 0 else "worse"
    if why == "worse":
        way = -way
    if why == "chance" and alpha != home:
        way = -1 if alpha > home else 1
        size = min(size, abs(alpha - home))
    after = bounded(control, alpha + way * size)
    if after == alpha and why in ("first", "chance"):
        way = -way
        after = bounded(control, alpha + way * size)
    return after, why, way


def bounded(control, alpha):
    return round(min(control["high"], max(control["low"], alpha)), 9)


def gain(replay, window):
    rollouts = sum(replay.summaries[epoch - 1]["rollouts"] for epoch in window)
    before, after = replay.validations.get(window[0] - 1), replay.validations.get(window[-1])
    if not (before and after and rollouts) or before[1] != after[1]:
        return None
    start, end = before[0], after[0]
    if start["p"] is None or end["p"] is None:
        return None
    return 1e5 * (end["p"] - start["p"]) / rollouts, 1e5 * math.hypot(error(start), error(end)) / rollouts


def learnability(replay, window):
    families = []
    for epoch in window:
        for family in replay.scored[epoch]["families"]:
            counts = [(one["successes"], one["attempts"]) for one in family["tasks"] if one["attempts"] >= 2]
            if counts:
                families.append(f.mean([k * (n - k) / (n * (n - 1)) for k, n in counts]))
    if len(families) < 2:
        return None
    value = f.mean(families)
    return value, math.sqrt(sum((one - value) ** 2 for one in families) / (len(families) - 1) / len(families))


def success(replay, window):
    rates = [replay.summaries[epoch - 1]["successRate"] for epoch in window]
    attempts = sum(rate["attempts"] for rate in rates)
    if not attempts:
        return None
    errors = [rate["attempts"] / attempts * error(rate) for rate in rates]
    return sum(rate["successes"] for rate in rates) / attempts, math.sqrt(sum(one**2 for one in errors))


def error(rate):
    return (rate["high"] - rate["low"]) / (2 * Z)
