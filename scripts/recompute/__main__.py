"""
Recomputes every number of a run's journal that its records determine, and says where they differ.

    python3 scripts/recompute RUN...

RUN is a run's folder. Needs Python 3.8 or newer and nothing else; reads run.json, journal.jsonl, tasks.jsonl,
traces.jsonl, completions.jsonl and inputs/, changes nothing, and shares no code with the program. Exit code 1 when something differs, 2 when
a folder cannot be read.
"""

import json
import os
import sys

sys.dont_write_bytecode = True

import records  # noqa: E402
import updates  # noqa: E402


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else text[:297] + "..."


def main(folders):
    if not folders:
        print(__doc__.strip())
        return 2
    found = 0
    for folder in folders:
        journal = os.path.join(folder, "journal.jsonl")
        try:
            run = updates.Run(records.Records(folder))
        except (OSError, ValueError, KeyError) as error:
            print(f"{folder}: this is no run that can be read: {error!r}.", file=sys.stderr)
            return 2
        problems = run.walk()
        for line, event, field, expected, told in problems:
            epoch = f", epoch {event['epoch']}" if "epoch" in event else ""
            print(f"{journal}:{line + 1}: {event['type']}{epoch}: {field}: expected {short(expected)}, found {short(told)}")
        found += len(problems)
        verdict = "everything agrees" if not problems else f"{len(problems)} numbers differ"
        print(f"{folder}: {len(run.run.events)} events, {run.compared} numbers compared: {verdict}.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
