"""Late groups (`rollouts.late`), from docs/endpoints.md: the last to be complete count in the next epoch."""

import math

import spare


class Late:
    """Late groups of the newest epoch that was attempted."""

    def __init__(self):
        self.epoch = 0
        # Attempts by task; which of the tasks are calibrated, in order; the families of these.
        self.groups, self.calibrated, self.mixed, self.families = {}, [], [], set()
        # Versions that may have made the attempts.
        self.by = set()


def share(replay, epoch):
    """Share of the units that may be late: the last epoch waits for all."""
    rollouts = replay.sampling["rollouts"]
    return rollouts.get("late", 0) if replay.staleness() and epoch < replay.now["epochs"] else 0


def check(replay, event, every, own, mixed):
    """By the order of the records: units that are complete when enough of their kind were are late."""
    told, epoch = event.get("late", []), event["epoch"]
    of = share(replay, epoch)
    replay.hold("late", "none where epochs wait for all", of > 0 or not told)
    if not of:
        return
    group = replay.sampling["rollouts"]["group"]
    units = {}
    for id_ in own + mixed:
        first = every[id_][0]
        kind = ("written" if id_ in set(own) else "mixed", first.get("domain"))
        units.setdefault((*kind, first["family"] if id_ in set(own) else id_), []).append(id_)
    unit_of = {id_: unit for unit, ids in units.items() for id_ in ids}
    needed, missing, on_time = {}, {unit: group * len(ids) for unit, ids in units.items()}, set()
    for unit, ids in units.items():
        needed[unit[:2]] = needed.get(unit[:2], 0) + len(ids)
    left = {kind: math.ceil(count * (1 - of) - 1e-9) for kind, count in needed.items()}
    for trace in replay.run.traces("train", epoch):
        unit = unit_of.get(trace["task"])
        if unit is None:
            continue
        missing[unit] -= 1
        if missing[unit] == 0 and left[unit[:2]] > 0:
            left[unit[:2]] -= len(units[unit])
            on_time.update(units[unit])
    # Attempts without an answer can leave too few complete: then all are waited for.
    is_over = all(count <= 0 for count in left.values())
    replay.check("late", None if not is_over or len(on_time) == len(unit_of) else in_order(told, set(unit_of) - on_time))


def in_order(told, ids):
    """The batch’s order is chance: known are the ids."""
    return [id_ for id_ in told if id_ in ids] + sorted(ids - set(told))


def left_over(replay, event, every, own, mixed):
    """What the next epoch counts."""
    late, told = Late(), set(event.get("late", []))
    late.epoch, late.by = event["epoch"], {replay.attempted_by()}
    late.calibrated = [id_ for id_ in own if id_ in told]
    late.mixed = [id_ for id_ in mixed if id_ in told]
    late.groups = {id_: every[id_] for id_ in late.calibrated + late.mixed}
    late.families = {every[id_][0]["family"] for id_ in late.calibrated}
    return late


def texts(replay, epoch, now):
    """Texts of the families that count in an epoch, as people had left them by another."""
    before, after = replay.late_in.get(epoch - 1, Late()), replay.late_in.get(epoch, Late())
    own = [task for task in replay.run.tasks(epoch, now) if task["family"] not in after.families]
    return own + [task for task in replay.run.tasks(epoch - 1, now) if task["family"] in before.families]
