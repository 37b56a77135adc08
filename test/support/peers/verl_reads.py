"""What the real verl makes of a job before it needs a GPU: `verl_reads.py main_ppo|sft_trainer_ray OVERRIDE…`, told as JSON.

It is called by the job's own script, in place of the trainer. `VERL_READS_MODEL` is a folder for a model and tokenizer.
"""

import ast
import asyncio
import json
import os
import pathlib
import sys

import verl
from hydra import compose, initialize_config_dir
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, PreTrainedTokenizerFast
from verl.utils.config import omega_conf_to_dataclass, validate_config

TEMPLATE = (
    "{% for message in messages %}{{ '<' + message.role + '> ' + message.content + ' <end> ' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant> ' }}{% endif %}"
)
told = {}


def make_model(texts):
    """A configuration, and a tokenizer that has a token for each word of the texts."""
    folder = os.environ["VERL_READS_MODEL"]
    words = sorted({word for text in texts for word in text.split()})
    names = ["<end>", "<unknown>", "<user>", "<assistant>", "<system>", *words]
    core = Tokenizer(models.WordLevel({word: i for i, word in enumerate(names)}, unk_token="<unknown>"))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<end>", pad_token="<end>", unk_token="<unknown>")
    fast.chat_template = TEMPLATE
    fast.save_pretrained(folder)
    LlamaConfig(vocab_size=len(names), hidden_size=32, architectures=["LlamaForCausalLM"]).save_pretrained(folder)
    return folder


def without_vllm():
    """The last thing that verl checks is vLLM's bound of a rank, in a module that imports vLLM: of it that function alone."""
    import types
    import typing

    name = "verl.workers.rollout.vllm_rollout.utils"
    path = pathlib.Path(verl.__file__).parent / "workers" / "rollout" / "vllm_rollout" / "utils.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if getattr(node, "name", "") == "get_vllm_max_lora_rank"]
    module = types.ModuleType(name)
    module.__dict__.update(Literal=typing.Literal, get_args=typing.get_args)
    exec(compile(tree, str(path), "exec"), module.__dict__)
    sys.modules["verl.workers.rollout.vllm_rollout"] = types.ModuleType("verl.workers.rollout.vllm_rollout")
    sys.modules[name] = module


def composed(name, overrides):
    folder = pathlib.Path(verl.__file__).parent / "trainer" / "config"
    with initialize_config_dir(config_dir=str(folder), version_base=None):
        return compose(config_name=name, overrides=overrides)


def value(overrides, key):
    [found] = [one.split("=", 1)[1] for one in overrides if one.startswith(key + "=")]
    return found


def agent(overrides):
    from verl.trainer.ppo.utils import create_rl_dataset, need_critic, need_reference_policy
    from verl.trainer.ppo.reward import load_reward_manager
    from verl.utils import hf_tokenizer

    rows = [json.loads(line) for line in open(value(overrides, "data.train_files"), encoding="utf-8")]
    dumps = pathlib.Path(value(overrides, "trainer.rollout_data_dir"))
    dumped = [json.loads(line) for file in sorted(dumps.glob("*.jsonl")) for line in open(file, encoding="utf-8")]
    texts = [message["content"] for row in rows for message in row["prompt"]] + [one["output"] for one in dumped]
    folder = make_model(texts)
    # The reward file counts tokens by the job's model, which only the stand-in has.
    reward = pathlib.Path(value(overrides, "reward.custom_reward_function.path"))
    source = reward.read_text(encoding="utf-8").splitlines()
    named = [f"MODEL = {json.dumps(folder)}" if line.startswith("MODEL = ") else line for line in source]
    reward.write_text("\n".join(named) + "\n", encoding="utf-8")

    config = composed("ppo_trainer", [*overrides, f"actor_rollout_ref.model.path={folder}"])
    without_vllm()
    reference, critic = need_reference_policy(config), need_critic(config)
    validate_config(config, use_reference_policy=reference, use_critic=critic)
    for part in ["actor", "rollout", "model"]:
        omega_conf_to_dataclass(config.actor_rollout_ref[part])
    tokenizer = hf_tokenizer(folder)
    dataset = create_rl_dataset(config.data.train_files, config.data, tokenizer, None)
    told["prompts"] = [dataset[i]["raw_prompt"] for i in range(len(dataset))]
    told["tasks"] = [json.loads(dataset[i]["reward_model"]["ground_truth"])["task"] for i in range(len(dataset))]
    told["critic"], told["reference"] = critic, reference
    told["steps"] = len(dataset) // config.data.train_batch_size
    told["scores"] = asyncio.run(scores(config, tokenizer, dataset, dumped, load_reward_manager))


async def scores(config, tokenizer, dataset, dumped, load_reward_manager):
    """Its own reward manager on answers of a dump, beside the score that the dump has."""
    import numpy
    import torch
    from verl.protocol import DataProto

    manager = load_reward_manager(config, tokenizer)
    by_truth = {row["reward_model"]["ground_truth"]: row for row in (dataset[i] for i in range(len(dataset)))}
    found = []
    for one in dumped:
        row = by_truth[one["gts"]]
        ids = torch.tensor([tokenizer.encode(one["output"], add_special_tokens=False)])
        columns = {name: numpy.array([row[name]], dtype=object) for name in ["data_source", "reward_model", "extra_info"]}
        data = DataProto.from_dict({"responses": ids, "attention_mask": torch.ones_like(ids)}, columns)
        result = await manager.run_single(data)
        extra = result["reward_extra_info"]
        found.append([one["score"], result["reward_score"], extra["tokens"], ids.shape[-1]])
    return found


def environment(overrides):
    import pyarrow.parquet
    from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset

    rows = pyarrow.parquet.read_table(value(overrides, "data.train_files")).to_pylist()
    folder = make_model([message["content"] for row in rows for message in row["messages"]])
    config = composed("sft_trainer_engine", [*overrides, f"model.path={folder}"])
    for part in ["model", "engine", "optim", "checkpoint", "profiler"]:
        made = omega_conf_to_dataclass(config[part])
        if part == "model":
            tokenizer = made.tokenizer
    dataset = MultiTurnSFTDataset(config.data.train_files, tokenizer, config.data)
    told["learned"] = []
    for i, row in enumerate(rows):
        item = dataset[i]
        masked = [int(id) for id, on in zip(item["input_ids"], item["loss_mask"]) if on]
        said = [message["content"] for message in row["messages"] if message["role"] == "assistant"]
        expected = "".join(" ".join(text.split()) + " <end> " for text in said).strip()
        told["learned"].append([expected, tokenizer.decode(masked)])


{"main_ppo": agent, "sft_trainer_ray": environment}[sys.argv[1]](sys.argv[2:])
pathlib.Path(os.environ["VERL_READS_OUT"]).write_text(json.dumps(told), encoding="utf-8")
