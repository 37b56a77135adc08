"""The official Tinker SDK as a client of `genenv serve`: one small life of a policy, told as JSON."""

import asyncio
import json
import sys
import warnings

import tinker
from tinker import types

warnings.simplefilter("ignore")
PROMPT = [3, 16, 60, 17, 61]


def ints(values):
    return types.TensorData(data=list(values), dtype="int64", shape=[len(values)])


def floats(values):
    return types.TensorData(data=list(values), dtype="float32", shape=[len(values)])


def datum(sequence):
    """A sampled completion behind the prompt, with advantage 1 for each of its tokens."""
    tokens = PROMPT + list(sequence.tokens)
    zeros = [0.0] * (len(PROMPT) - 1)
    return types.Datum(
        model_input=types.ModelInput.from_ints(tokens[:-1]),
        loss_fn_inputs={
            "target_tokens": ints(tokens[1:]),
            "logprobs": floats(zeros + list(sequence.logprobs)),
            "advantages": floats(zeros + [1.0] * len(sequence.tokens)),
        },
    )


async def main(url):
    service = tinker.ServiceClient(base_url=url, api_key="tml-local")
    capabilities = await service.get_server_capabilities_async()
    policy = await service.create_lora_training_client_async(base_model="genenv/agent", rank=8)
    info = await policy.get_info_async()

    sampler = await policy.save_weights_and_get_sampling_client_async()
    params = types.SamplingParams(max_tokens=8, seed=5, temperature=1.0)
    sampled = await sampler.sample_async(
        prompt=types.ModelInput.from_ints(PROMPT),
        num_samples=4,
        sampling_params=params,
        include_prompt_logprobs=True,
    )

    losses = []
    for _ in range(3):
        data = [datum(sequence) for sequence in sampled.sequences]
        backward = await policy.forward_backward_async(data, "importance_sampling")
        step = await policy.optim_step_async(types.AdamParams(learning_rate=1e-3))
        losses.append((await backward).metrics["loss:sum"])
        await step

    saved = await policy.save_state_async("s1")
    path = (await saved).path
    restored = await service.create_training_client_from_state_with_optimizer_async(path)
    named = await restored.save_weights_for_sampler_async("v1")
    frozen = service.create_sampling_client(model_path=(await named).path)
    if hasattr(frozen, "result"):
        frozen = frozen.result()
    scored = await frozen.compute_logprobs_async(types.ModelInput.from_ints(PROMPT))
    after = await (await policy.forward_backward_async([datum(sampled.sequences[0])], "importance_sampling"))

    return {
        "version": tinker.__version__,
        "models": [model.model_name for model in capabilities.supported_models],
        "rank": info.lora_rank,
        "tokens": [list(sequence.tokens) for sequence in sampled.sequences],
        "logprobs": [list(sequence.logprobs) for sequence in sampled.sequences],
        "promptLogprobs": sampled.prompt_logprobs,
        "losses": losses,
        "path": path,
        "scored": scored,
        "after": list(after.loss_fn_outputs[0]["logprobs"].data),
    }


print(json.dumps(asyncio.run(main(sys.argv[1]))))
