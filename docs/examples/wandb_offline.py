"""Figures and settings of a run as an offline run of Weights & Biases. Nothing is sent; `wandb sync` does that.

    genenv tensorboard RUN
    python wandb_offline.py .genenv/tensorboard/RUN .genenv/runs/RUN
"""

import json
import sys
from pathlib import Path

import wandb
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events, folder = (Path(argument) for argument in sys.argv[1:3])
read = EventAccumulator(str(events), size_guidance={"scalars": 0})
read.Reload()
epochs: dict[int, dict[str, float]] = {}
for tag in read.Tags()["scalars"]:
    for event in read.Scalars(tag):
        epochs.setdefault(event.step, {})[tag] = event.value

experiment = json.loads((folder / "run.json").read_text(encoding="utf-8"))["experiment"]
with wandb.init(project="genenv", id=folder.name, name=experiment["name"], config=experiment, mode="offline") as run:
    for epoch in sorted(epochs):
        run.log(epochs[epoch], step=epoch)
