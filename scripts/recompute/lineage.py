"""The runs that made a branch's epochs: shared ones have the settings of the runs before it."""

import json
import os


class Made:
    """One of these runs. `shared` is the last epoch that it has from the run before it, 0 in one that is no branch."""

    def __init__(self, told):
        parent = told.get("parent")
        self.experiment = told["experiment"]
        self.shared = parent["epoch"] if parent else 0
        self.is_first = not parent


def of(folder):
    """The run and those before it, the newest first."""
    told = read(folder)
    return [Made(told)] + before(folder, told)


def before(folder, told):
    """Branches of older versions do not keep their ancestors' settings: of them, as far as the runs are beside them."""
    if told.get("ancestors"):
        return [Made(one) for one in told["ancestors"]]
    if not told.get("parent"):
        return []
    parent = os.path.join(os.path.dirname(os.path.abspath(folder)), told["parent"]["run"])
    return of(parent) if os.path.exists(os.path.join(parent, "run.json")) else []


def read(folder):
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        return json.load(file)


def made(lineage, epoch):
    """The run that made an epoch; 0 is before the first."""
    return next((one for one in lineage if one.is_first or epoch > one.shared), lineage[-1])
