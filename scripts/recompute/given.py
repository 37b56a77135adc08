"""Tasks of the files that a run was given, as docs/data.md has them: by the ids that they have in a run."""

import json
import os

FILES = (("offline.jsonl", "offline"), ("seeds.jsonl", "base"), ("heldOut.jsonl", "validation"))


def in_inputs(folder, several):
    """{id: task} of a folder with copies of such files. Only a run of several domains reads which one a task names."""
    found = {}
    for name, origin in FILES:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            found.update((task["id"], task) for task in in_file(path, origin, several))
    return found


def in_file(path, origin, several):
    """Lines that a run takes. People's files may begin with a byte order mark, and end without a line break."""
    with open(path, encoding="utf-8-sig", newline="\n") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            record = json.loads(line)
            held_out = record.get("origin") == "validation" and origin != "validation"
            if record.get("status") != "rejected" and not held_out:
                yield {**task_of(record, number, origin), **({"domain": record.get("domain")} if several else {})}


def task_of(record, number, origin):
    """Ids of a run's own tasks begin with their epoch; a prefix keeps given ones apart from them."""
    written = record.get("id", str(number))
    id_ = prefixed(written, origin)
    named = record.get("family", record.get("seed"))
    return {
        "id": id_,
        "family": id_ if origin == "base" else prefixed(written if named is None else named, origin),
        **{"epoch": 0, "origin": origin, "seed": record.get("seed"), "status": "accepted"},
        **{"plan": record.get("plan", ""), "complexity": record.get("complexity", {})},
    }


def prefixed(id_, origin):
    return id_ if id_.startswith(origin + ".") else f"{origin}.{id_}"
