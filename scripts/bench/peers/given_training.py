"""tinker-cookbook's RL training loop against the bench's server. argv: url, log folder, group, groups, steps, how."""

import asyncio
import pathlib
import random
import sys

import chz
from tinker_cookbook.rl import train
from tinker_cookbook.rl.problem_env import ProblemEnv, ProblemGroupBuilder
from tinker_cookbook.rl.types import RLDataset, RLDatasetBuilder
from tinker_cookbook.tokenizer_utils import get_tokenizer

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "test/support/peers"))
import words_renderer

url, log_path, (group, groups, steps), how = sys.argv[1], sys.argv[2], map(int, sys.argv[3:6]), sys.argv[6]
MODEL = "genenv/agent"


class Given(ProblemEnv):
    def __init__(self, renderer, question):
        super().__init__(renderer)
        self.question = question

    def get_question(self):
        return self.question

    def check_answer(self, sample_str):
        return sample_str.startswith("clear")

    def check_format(self, sample_str):
        return True

    def get_reference_answer(self):
        return "clear"


class Dataset(RLDataset):
    def __init__(self, renderer):
        self.renderer = renderer

    def get_batch(self, index):
        rng = random.Random(index)
        asked = [f"REQ {' '.join(str(rng.randrange(19)) for _ in range(6))} CALLS" for _ in range(groups)]
        return [ProblemGroupBuilder(lambda q=q: Given(self.renderer, q), num_envs=group) for q in asked]

    def __len__(self):
        return steps


@chz.chz
class Builder(RLDatasetBuilder):
    async def __call__(self):
        return Dataset(words_renderer.Words(get_tokenizer(MODEL))), None


words_renderer.register()
more = {}
if "async" in how:
    # Its default, stable_reinforce, is a loss of the hosted service alone.
    more["async_config"] = train.AsyncConfig(max_steps_off_policy=1, groups_per_batch=groups, loss_fn="ppo")
if "stream" in how:
    more["stream_minibatch_config"] = train.StreamMinibatchConfig(groups_per_batch=groups, num_minibatches=8)
config = train.Config(
    **{"base_url": url, "log_path": log_path, "model_name": MODEL, "recipe_name": "bench", "dataset_builder": Builder()},
    **{"learning_rate": 1e-4, "max_tokens": 60, "lora_rank": 8, "eval_every": 0, "save_every": 0, "renderer_name": "genenv/words"},
    **more,
)
asyncio.run(train.main(config))
