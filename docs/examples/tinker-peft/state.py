"""What the server knows: sessions, models and checkpoints by the protocol's names; calls in their order."""

import json
import os
import re
import threading
import time
import uuid

NAME = re.compile(r"[A-Za-z0-9_.-]{1,200}")
PATH = re.compile(r"tinker://([A-Za-z0-9-]+:train:\d+)/(weights|sampler_weights)/([A-Za-z0-9_.-]{1,200})")
# Results are kept for so many calls after theirs; a client that asks later is told to send its call again.
KEPT = 20_000


class Refusal(Exception):
    """An HTTP status other than 200, and why."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


class Future:
    def __init__(self):
        self.id = uuid.uuid4().hex
        self.done = threading.Event()
        self.value = None

    def settle(self, value):
        self.value = value
        self.done.set()


class Futures:
    """Promises by their id, and by what makes a call the same call again."""

    def __init__(self):
        self.lock = threading.Lock()
        self.by_id = {}
        self.by_key = {}

    def promise(self, keys, begin):
        """The future of a call; `begin(future)` runs once for all calls with one of these keys."""
        with self.lock:
            for key in keys:
                if key in self.by_key:
                    return self.by_key[key]
            future = Future()
            begin(future)
            self.by_id[future.id] = future
            for key in keys:
                self.by_key[key] = future
            while len(self.by_id) > KEPT:
                old = self.by_id.pop(next(iter(self.by_id)))
                self.by_key = {key: kept for key, kept in self.by_key.items() if kept is not old}
            return future

    def find(self, id):
        future = self.by_id.get(str(id))
        if future is None:
            raise Refusal(410, "There is no such promise, or its result is no longer kept.")
        return future


class Checkpoints:
    """Saved adapters: STATE/MODEL/KIND/NAME, and STATE/MODEL/model.json with the adapter's rank."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def begin(self, model, rank):
        os.makedirs(self._of(model), exist_ok=True)
        with open(f"{self._of(model)}/model.json", "w", encoding="utf-8") as file:
            json.dump({"rank": rank}, file)

    def _of(self, model):
        return os.path.join(self.folder, model.replace(":", "-"))

    def place(self, model, kind, name):
        """Where it is written, and its address."""
        if not isinstance(name, str) or not NAME.fullmatch(name) or name.strip(".") == "":
            raise Refusal(400, "A checkpoint's name is made of letters, digits, _, - and dots.")
        os.makedirs(f"{self._of(model)}/{kind}", exist_ok=True)
        return f"{self._of(model)}/{kind}/{name}", f"tinker://{model}/{kind}/{name}"

    def find(self, path):
        """The folder of a saved adapter, and its rank."""
        found = PATH.fullmatch(path if isinstance(path, str) else "")
        if found is None:
            raise Refusal(400, f"{path} is no address of a checkpoint.")
        model, kind, name = found.groups()
        folder = f"{self._of(model)}/{kind}/{name}"
        if name.strip(".") == "" or not os.path.isdir(folder):
            raise Refusal(404, f"Checkpoint {path} not found.")
        with open(f"{self._of(model)}/model.json", encoding="utf-8") as file:
            return folder, json.load(file)["rank"]


class Trained:
    """A model that a client trains. Its numbered calls run in the order of their numbers, whatever that of their arrival."""

    def __init__(self, id, adapter, rank):
        self.id, self.adapter, self.rank = id, adapter, rank
        self.next = 1
        self.waiting = {}

    def take(self, number, job, queue):
        if number is None:
            return queue(job)
        if number < self.next:
            raise Refusal(409, f"seq_id {number} of {self.id} is used, and its result is no longer kept.")
        self.waiting[number] = job
        self._release(queue)

    def skip(self, number, queue):
        """A call that was refused: those after it must not wait for it."""
        if isinstance(number, int) and number >= self.next and number not in self.waiting:
            self.waiting[number] = None
            self._release(queue)

    def _release(self, queue):
        while self.next in self.waiting:
            job = self.waiting.pop(self.next)
            self.next += 1
            if job is not None:
                queue(job)


class Worker(threading.Thread):
    """The one thread that computes. Samples that wait for the same weights are made together."""

    def __init__(self, model, most_rows):
        super().__init__(daemon=True)
        self.model, self.most_rows = model, most_rows
        self.jobs, self.changed = [], threading.Condition()

    def put(self, job):
        """(future, run) or, of samples, (future, None, weights, request)."""
        with self.changed:
            self.jobs.append(job)
            self.changed.notify()

    def run(self):
        while True:
            with self.changed:
                while not self.jobs:
                    self.changed.wait()
                first = self.jobs[0]
                if first[1] is None:
                    # What was sent together arrives within a moment.
                    self.changed.wait(0.02)
                    batch = self._alike(first)
                else:
                    batch = [first]
                self.jobs = [job for job in self.jobs if not any(job is one for one in batch)]
            began = time.monotonic()
            try:
                values = [first[1]()] if first[1] is not None else self._sample(first[2], [job[3] for job in batch])
            except Exception as error:  # noqa: BLE001: every failure belongs to its call
                ours = error.__class__.__name__ != "Fault"
                said = {"error": f"{type(error).__name__}: {error}" if ours else str(error)}
                values = [{**said, "category": "server" if ours else "user"}] * len(batch)
                print(f"failed: {said['error']}", flush=True)
            for job, value in zip(batch, values):
                job[0].settle(value)
            words = f"{len(batch)} samples" if first[1] is None else first[1].__name__
            print(f"{words}: {time.monotonic() - began:.2f} s, {len(self.jobs)} wait", flush=True)

    def _alike(self, first):
        batch, rows = [], 0
        for job in self.jobs:
            if job[1] is not None or job[2] != first[2] or job[3]["prompt_logprobs"] != first[3]["prompt_logprobs"]:
                continue
            if batch and rows + job[3]["samples"] > self.most_rows:
                break
            batch.append(job)
            rows += job[3]["samples"]
        return batch

    def _sample(self, weights, requests):
        return [
            {
                "type": "sample",
                "sequences": [
                    {"stop_reason": reason, "tokens": tokens, "logprobs": logprobs}
                    for reason, tokens, logprobs in sequences
                ],
                "prompt_logprobs": told,
                "topk_prompt_logprobs": None,
            }
            for sequences, told in self.model.sample(weights, requests)
        ]
