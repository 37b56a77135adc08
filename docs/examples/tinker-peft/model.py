"""One language model with LoRA adapters on it: sampled, scored, trained and saved. Used by one thread alone."""

import math
import os
import random
import shutil
from contextlib import nullcontext

import torch
import torch.nn.functional as F
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer

# What the protocol's hosted service uses, whatever the rank.
LORA_ALPHA = 32
LOSSES = {
    "cross_entropy": ("weights",),
    "importance_sampling": ("logprobs", "advantages"),
    "ppo": ("logprobs", "advantages"),
    "cispo": ("logprobs", "advantages"),
}


class Fault(Exception):
    """The request asks for what cannot be done; its text says why."""


def tokenizer_of(path, template):
    """The tokenizer of a folder or a GGUF file. `template`: a file with a chat template that takes the place of its own."""
    folder, file = (os.path.dirname(path), os.path.basename(path)) if path.endswith(".gguf") else (path, None)
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
    if template is not None:
        with open(template, encoding="utf-8") as lines:
            tokenizer.chat_template = lines.read()
    if tokenizer.chat_template is None:
        raise SystemExit(f"{path} has no chat template. Give one with --template FILE.")
    return tokenizer


class Model:
    def __init__(self, path, dtype, train_tokens):
        """`train_tokens`: of a training pass at once, padding included; more of them are cut into several passes."""
        folder, file = (os.path.dirname(path), os.path.basename(path)) if path.endswith(".gguf") else (path, None)
        base = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=getattr(torch, dtype))
        base.requires_grad_(False)
        self.context = base.config.max_position_embeddings
        self.vocabulary = base.config.vocab_size
        self.train_tokens = train_tokens
        self.base = base
        self.peft = None
        self.optimizers = {}
        # The weights that the sampling adapter of each rank holds: training goes on beside them.
        self.loaded = {}

    # Adapters

    def add(self, name, rank, seed):
        """A new adapter that changes nothing yet."""
        torch.manual_seed(seed)
        config = LoraConfig(r=rank, lora_alpha=LORA_ALPHA, target_modules="all-linear", lora_dropout=0.0)
        if self.peft is None:
            self.peft = get_peft_model(self.base, config, adapter_name=name)
        else:
            self.peft.add_adapter(name, config)

    def begin(self, name, rank, seed):
        self.add(name, rank, seed)
        self.optimizers[name] = torch.optim.AdamW(self._parameters(name))

    def end(self, name):
        self.optimizers.pop(name, None)
        # The last adapter cannot be deleted: what is left of it is never used again.
        others = [other for other in self.peft.peft_config if other != name]
        if others:
            self.peft.set_adapter(others[0])
            self.peft.delete_adapter(name)

    def _parameters(self, name):
        self.peft.set_adapter(name)
        return [p for n, p in self.peft.named_parameters() if f".{name}." in n]

    def save(self, name, folder, moments):
        """Weights, and where asked the optimiser's moments, into a new folder: there in one piece or not at all."""
        partial = f"{folder}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        os.makedirs(partial)
        weights = get_peft_model_state_dict(self.peft, adapter_name=name)
        save_file({key: value.contiguous() for key, value in weights.items()}, f"{partial}/adapter.safetensors")
        if moments:
            torch.save(self.optimizers[name].state_dict(), f"{partial}/optimizer.pt")
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(partial, folder)

    def load(self, name, folder, moments):
        set_peft_model_state_dict(self.peft, load_file(f"{folder}/adapter.safetensors"), adapter_name=name)
        if moments and os.path.exists(f"{folder}/optimizer.pt"):
            self.optimizers[name].load_state_dict(torch.load(f"{folder}/optimizer.pt", weights_only=True))

    def _use(self, weights):
        """A block in which the model has frozen weights: (folder, rank), or None for the base model's."""
        if weights is None:
            return nullcontext() if self.peft is None else self.peft.disable_adapter()
        folder, rank = weights
        name = f"sampler{rank}"
        if self.peft is None or name not in self.peft.peft_config:
            self.add(name, rank, 0)
        if self.loaded.get(name) != folder:
            self.load(name, folder, False)
            self.loaded[name] = folder
        self.peft.set_adapter(name)
        return nullcontext()

    # Sampling

    def sample(self, weights, jobs):
        """
        Answers jobs of the same weights, each {prompt, samples, seed, max_tokens, temperature, stop, prompt_logprobs}.
        Returns a list of (sequences, prompt logprobs or None); a sequence is (reason, tokens, logprobs of the tempered
        distribution). A completion's draws depend on its seed and index alone.
        """
        # Adapters that are made in inference mode could never be trained beside.
        with self._use(weights), torch.inference_mode():
            return self._decode(jobs)

    def _forward(self, **inputs):
        return (self.peft or self.base)(**inputs)

    def _decode(self, jobs):
        width = max(len(job["prompt"]) for job in jobs)
        ids = torch.zeros((len(jobs), width), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for i, job in enumerate(jobs):
            ids[i, width - len(job["prompt"]) :] = torch.tensor(job["prompt"])
            mask[i, width - len(job["prompt"]) :] = 1
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
        whole = any(job["prompt_logprobs"] for job in jobs)
        out = self._forward(
            input_ids=ids,
            attention_mask=mask,
            position_ids=positions,
            use_cache=True,
            logits_to_keep=0 if whole else 1,
        )
        told = [self._told(job, ids[i], out.logits[i]) if job["prompt_logprobs"] else None for i, job in enumerate(jobs)]
        rows = [
            {"job": i, "random": random.Random(f"{job['seed']} {k}"), "tokens": [], "logprobs": [], "reason": "length"}
            for i, job in enumerate(jobs)
            for k in range(job["samples"])
        ]
        self._continue(jobs, rows, out, mask)
        sequences = [[] for _ in jobs]
        for row in rows:
            sequences[row["job"]].append((row["reason"], row["tokens"], row["logprobs"]))
        return list(zip(sequences, told))

    def _told(self, job, ids, logits):
        """Logprobs of a prompt's tokens; the first has none."""
        length = len(job["prompt"])
        kept = logits[-length:-1].float()
        return [None, *(-F.cross_entropy(kept, ids[-length + 1 :], reduction="none")).tolist()] if length > 1 else [None]

    def _continue(self, jobs, rows, out, mask):
        """Tokens for every row, until each has ended; `out`: the prompts' pass, a row for each job."""
        live = rows
        spread = torch.tensor([row["job"] for row in live])
        cache = out.past_key_values
        cache.reorder_cache(spread)
        mask = mask[spread]
        logits = out.logits[:, -1][spread]
        while True:
            tokens = self._draw(jobs, live, logits)
            over = []
            for i, row in enumerate(live):
                job = jobs[row["job"]]
                if row["reason"] == "stop" or len(row["tokens"]) >= self._room(job):
                    over.append(i)
            left = [i for i in range(len(live)) if i not in set(over)]
            if not left:
                return
            # Taking rows out copies the cache: done once a quarter has ended.
            if len(over) * 4 >= len(live):
                keep = torch.tensor(left)
                cache.reorder_cache(keep)
                mask, tokens = mask[keep], tokens[keep]
                live = [live[i] for i in left]
            mask = torch.cat([mask, torch.ones((len(live), 1), dtype=mask.dtype)], dim=1)
            positions = mask.sum(-1, keepdim=True) - 1
            out = self._forward(
                input_ids=tokens[:, None],
                attention_mask=mask,
                position_ids=positions,
                past_key_values=cache,
                use_cache=True,
            )
            cache, logits = out.past_key_values, out.logits[:, -1]

    def _room(self, job):
        return max(1, min(job["max_tokens"], self.context - len(job["prompt"])))

    def _draw(self, jobs, live, logits):
        """The next token of each row, which also goes to the rows that have not ended."""
        heat = torch.tensor([jobs[row["job"]]["temperature"] for row in live], dtype=torch.float32)
        tempered = torch.log_softmax(logits.float() / torch.where(heat > 0, heat, 1.0)[:, None], dim=-1)
        sums = tempered.double().exp().cumsum(-1)
        drawn = torch.tensor([row["random"].random() for row in live], dtype=torch.float64)[:, None]
        tokens = torch.searchsorted(sums, drawn * sums[:, -1:], right=True)[:, 0].clamp(max=self.vocabulary - 1)
        tokens = torch.where(heat > 0, tokens, tempered.argmax(-1))
        logprobs = tempered.gather(1, tokens[:, None])[:, 0].tolist()
        for row, token, logprob in zip(live, tokens.tolist(), logprobs):
            job = jobs[row["job"]]
            if row["reason"] == "stop" or len(row["tokens"]) >= self._room(job):
                continue
            row["tokens"].append(token)
            row["logprobs"].append(logprob)
            if token in job["stop"]:
                row["reason"] = "stop"
        return tokens

    # Training

    def train(self, name, data, loss, config, gradient):
        """
        Adds the gradient of a loss, a sum over all targets of all data. Returns the logprobs of each datum's targets, and
        the loss. A datum: {tokens, target_tokens, weights | logprobs and advantages}.
        """
        self.peft.set_adapter(name)
        order = sorted(range(len(data)), key=lambda i: len(data[i]["tokens"]))
        logprobs, total = [None] * len(data), 0.0
        while order:
            # From the longest on: a pass that needs too much memory fails at once.
            width = len(data[order[-1]]["tokens"])
            rows = max(1, self.train_tokens // width)
            batch, order = order[-rows:], order[:-rows]
            with torch.set_grad_enabled(gradient):
                value, told = self._loss([data[i] for i in batch], width, loss, config)
                if gradient:
                    value.backward()
            total += value.item()
            for i, one in zip(batch, told):
                logprobs[i] = one
        return logprobs, total

    def _loss(self, data, width, loss, config):
        def padded(name, dtype):
            table = torch.zeros((len(data), width), dtype=dtype)
            for i, datum in enumerate(data):
                table[i, : len(datum[name])] = torch.tensor(datum[name], dtype=dtype)
            return table

        ids = padded("tokens", torch.long)
        mask = torch.zeros_like(ids)
        for i, datum in enumerate(data):
            mask[i, : len(datum["tokens"])] = 1
        logits = self._forward(input_ids=ids, attention_mask=mask, use_cache=False).logits.float()
        p = -F.cross_entropy(logits.transpose(1, 2), padded("target_tokens", torch.long), reduction="none")
        told = [p[i, : len(datum["tokens"])].tolist() for i, datum in enumerate(data)]
        if loss == "cross_entropy":
            return -(padded("weights", torch.float32) * p).sum(), told
        advantages = padded("advantages", torch.float32)
        # What counts nothing must not be exp'd either: the ratio of a padded position may be anything.
        counts = advantages != 0
        ratio = torch.where(counts, p - padded("logprobs", torch.float32), 0.0).exp()
        low, high = config.get("clip_low_threshold", 0.8), config.get("clip_high_threshold", 1.2)
        clipped = ratio.clamp(low, high)
        if loss == "importance_sampling":
            return -(ratio * advantages).sum(), told
        if loss == "ppo":
            return -torch.minimum(ratio * advantages, clipped * advantages).sum(), told
        return -(clipped.detach() * p * advantages).sum(), told

    def step(self, name, adam):
        """One step of AdamW on the gradients since the last. Returns their norm before it is clipped."""
        optimizer = self.optimizers[name]
        for group in optimizer.param_groups:
            group["lr"], group["eps"] = adam["learning_rate"], adam["eps"]
            group["betas"], group["weight_decay"] = (adam["beta1"], adam["beta2"]), adam["weight_decay"]
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        limit = adam["grad_clip_norm"] or math.inf
        norm = torch.nn.utils.clip_grad_norm_(parameters, limit).item()
        if not math.isfinite(norm):
            optimizer.zero_grad()
            raise Fault("The gradient is no number; no step was made.")
        optimizer.step()
        optimizer.zero_grad()
        return norm
