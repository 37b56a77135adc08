"""Two real steps of TRL's trainers on exported files: `trl_steps.py PLAN`, a JSON file that names model, files and folder."""

import json
import pathlib
import sys

import pyarrow.parquet
import torch
from datasets import load_dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

plan = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
out = pathlib.Path(plan["out"])
told = {"files": {}, "grpo": [], "sft": []}


def rows_of(path):
    """What `datasets` and pyarrow make of a file, which must be the same."""
    dataset = load_dataset("parquet", data_files=path, split="train", cache_dir=str(out / "cache"))
    table = pyarrow.parquet.read_table(path)
    assert table.to_pylist() == list(dataset), path
    types = {field.name: str(field.type) for field in table.schema}
    told["files"][path] = {"rows": table.to_pylist(), "types": types}
    return dataset


def common(name):
    return {
        **{"output_dir": str(out / name), "max_steps": 2, "learning_rate": 1e-2, "use_cpu": True, "bf16": False},
        **{"save_strategy": "no", "report_to": "none", "logging_steps": 1, "disable_tqdm": True, "seed": 3},
    }


def changed(trainer, before):
    """How many tensors of the model two steps moved, and the losses that were logged."""
    trainer.train()
    after = trainer.model.state_dict()
    moved = sum(not torch.equal(after[name].cpu(), value) for name, value in before.items())
    losses = [line["loss"] for line in trainer.state.log_history if "loss" in line]
    return {"moved": moved, "losses": losses, "steps": trainer.state.global_step}


def parts():
    model = AutoModelForCausalLM.from_pretrained(plan["model"], dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(plan["model"])
    tokenizer.pad_token = "<|endoftext|>"
    tokenizer.chat_template = "{% if tools %}<tools>{{ tools | tojson }}</tools>{% endif %}" + tokenizer.chat_template
    return model, tokenizer, {name: value.clone() for name, value in model.state_dict().items()}


def grpo(path, name):
    seen = {"columns": set(), "tasks": set(), "prompts": []}

    def reward(prompts, completions, ground_truth, evaluation, task_id, **columns):
        seen["columns"].update(columns)
        seen["tasks"].update(task_id)
        seen["prompts"] += [prompt[-1]["content"] for prompt in prompts]
        assert all(json.loads(one)["kind"] for one in evaluation)
        return [sum(map(ord, completion[-1]["content"])) % 97 / 97 for completion in completions]

    model, tokenizer, before = parts()
    config = GRPOConfig(
        **common(name),
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=8,
        log_completions=True,
    )
    dataset = rows_of(path)
    trainer = GRPOTrainer(
        model=model, reward_funcs=reward, args=config, train_dataset=dataset, processing_class=tokenizer
    )
    told["grpo"].append(
        {
            **changed(trainer, before),
            **{"columns": sorted(seen["columns"]), "tasks": sorted(seen["tasks"]), "prompts": seen["prompts"]},
            "tables": sorted(str(one) for one in (out / name).rglob("*.parquet")),
        }
    )


def sft(path, name):
    model, tokenizer, before = parts()
    config = SFTConfig(**common(name), per_device_train_batch_size=2, max_length=None)
    trainer = SFTTrainer(model=model, args=config, train_dataset=rows_of(path), processing_class=tokenizer)
    texts = [tokenizer.decode(row["input_ids"]) for row in trainer.train_dataset]
    told["sft"].append({**changed(trainer, before), "texts": texts})


for i, path in enumerate(plan["grpo"]):
    grpo(path, f"grpo{i}")
for i, path in enumerate(plan["sft"]):
    sft(path, f"sft{i}")
(out / "told.json").write_text(json.dumps(told), encoding="utf-8")
