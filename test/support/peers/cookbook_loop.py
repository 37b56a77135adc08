"""tinker-cookbook's own minimal RL loop against `genenv serve`; what it cannot have here (a dataset of the hub) is made up."""

import json
import math
import pathlib
import sys
import time

import datasets
import tinker
import words_renderer
from tinker_cookbook.recipes import rl_loop

MODEL = "genenv/agent"
WANTED = "clear"


def datum(tokenizer):
    ids = tokenizer.encode("MENU REQ rice CALLS")
    weights = tinker.TensorData(data=[1.0] * 3, dtype="float32", shape=[3])
    targets = tinker.TensorData(data=ids[1:], dtype="int64", shape=[3])
    inputs = {"target_tokens": targets, "weights": weights}
    return tinker.Datum(model_input=tinker.ModelInput.from_ints(ids[:-1]), loss_fn_inputs=inputs)


def refusal(ask):
    begun = time.monotonic()
    try:
        ask()
    except Exception as error:
        return {"said": str(error), "seconds": time.monotonic() - begun}
    return {"said": "nothing was refused", "seconds": 0}


def main(url, log_path, steps, kinds):
    words_renderer.register()
    rows = {
        "question": [f"MENU increase f{i} clear f{i + 1} REQ increase rice {i} CALLS" for i in range(8)] * steps,
        "answer": [WANTED] * 8 * steps,
    }
    datasets.load_dataset = lambda *_: datasets.DatasetDict(train=datasets.Dataset.from_dict(rows))
    rl_loop.get_reward = lambda response, answer: float(answer in response.split())
    told = {}
    for kind in kinds:
        folder = pathlib.Path(log_path) / kind
        rl_loop.main(
            rl_loop.Config(
                **{"base_url": url, "log_path": str(folder), "model_name": MODEL, "batch_size": 8, "group_size": 16},
                **{"learning_rate": 2e-4, "lora_rank": 8, "save_every": 2, "max_tokens": 16, "loss_fn": kind},
            )
        )
        told[kind] = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]

    service = tinker.ServiceClient(base_url=url)
    policy = service.create_lora_training_client(base_model=MODEL, rank=8).result()
    sampler = service.create_sampling_client(base_model=MODEL)
    tokenizers = [client.get_tokenizer() for client in (policy, sampler)]
    told["ids"] = [one.encode("MENU REQ rice") for one in tokenizers]
    said = [{"role": "user", "content": "MENU REQ"}, {"role": "assistant", "content": "rice"}]
    told["template"] = tokenizers[0].apply_chat_template(said, tokenize=False)

    # What is refused is refused once, and what comes behind it does not wait for ever.
    path = policy.save_state("kept").result().path
    told["refused"] = [
        refusal(lambda: policy.optim_step(tinker.AdamParams(learning_rate=math.nan)).result(timeout=60)),
        refusal(lambda: policy.optim_step(tinker.AdamParams(learning_rate=-1.0)).result(timeout=60)),
        refusal(lambda: policy.load_state(path).result(timeout=60)),
        refusal(lambda: policy.forward_backward([datum(tokenizers[0])], "stable_reinforce").result(timeout=60)),
        refusal(lambda: tinker.RestClient(base_url=url).publish_checkpoint_from_tinker_path(path).result(timeout=60)),
        refusal(
            lambda: sampler.sample(
                prompt=tinker.ModelInput.from_ints([3, 4]),
                num_samples=1,
                sampling_params=tinker.SamplingParams(max_tokens=1),
                topk_prompt_logprobs=2,
            ).result(timeout=60)
        ),
    ]
    told["after"] = policy.forward_backward([datum(tokenizers[0])], "cross_entropy").result(timeout=60).metrics
    checkpoints = tinker.RestClient(base_url=url).list_checkpoints(policy.get_info().model_id).result().checkpoints
    told["checkpoints"] = [one.checkpoint_id for one in checkpoints]
    print(json.dumps(told))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4].split(","))
