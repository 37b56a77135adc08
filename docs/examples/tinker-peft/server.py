"""
A training server of the Tinker protocol in three small files: one model of `transformers`, a LoRA adapter of `peft` for each
policy, on a CPU. It shows what a trainer has to answer for GenEnv to train on it. README.md says how it is started.
"""

import argparse
import hashlib
import json
import math
import os
import tempfile
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import torch
from model import LOSSES, Fault, Model, tokenizer_of
from state import Checkpoints, Futures, Refusal, Trained, Worker

# Seconds that a client's question for a result is held.
POLL = 20
MOST_BYTES = 64 * 2**20
# How training behaves: told, so that a run need not find it out. The Doctor measures it all the same.
BEHAVIOUR = {"reduction": "sum", "adam": "all", "clips": True, "models": "several", "losses": "apart"}
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja")


class Server:
    def __init__(self, options):
        torch.set_num_threads(options.threads)
        self.name = options.name
        self.model = Model(options.model, options.dtype, options.train_tokens)
        self.tokenizer = self._tokenizer(options)
        self.checkpoints = Checkpoints(options.state)
        self.futures = Futures()
        self.worker = Worker(self.model, options.rows)
        self.lock = threading.RLock()
        self.sessions = set()
        self.samplers = {}
        self.sampler_numbers = {}
        self.models = {}
        self.made = 0
        self.worker.start()

    def _tokenizer(self, options):
        """Its files in memory. Clients keep them by their address, so that holds a mark of what is in them."""
        with tempfile.TemporaryDirectory() as folder:
            tokenizer_of(options.model, options.template).save_pretrained(folder)
            names = [name for name in TOKENIZER_FILES if os.path.exists(f"{folder}/{name}")]
            files = {name: open(f"{folder}/{name}", "rb").read() for name in names}
        self.mark = hashlib.sha256(b"".join(files.values())).hexdigest()[:12]
        return files

    # Direct calls

    def get_server_capabilities(self, body, call):
        address = f"http://{call.headers.get('host', 'localhost')}/tokenizers/{self.mark}"
        model = {"model_name": self.name, "max_context_length": self.model.context, "tokenizer_id": address}
        return {"supported_models": [model], "genenv": {"deterministic": False, "training": BEHAVIOUR}}

    def healthz(self, body, call):
        return {"status": "ok"}

    def config(self, body, call):
        return {"pjwt_auth_enabled": False}

    def create_session(self, body, call):
        id = uuid.uuid4().hex
        self.sessions.add(id)
        messages = {"info_message": None, "warning_message": None, "error_message": None}
        return {"type": "create_session", "session_id": id, **messages}

    def session_heartbeat(self, body, call):
        self._session(body)
        return {"type": "session_heartbeat"}

    def _session(self, body):
        id = body.get("session_id")
        if id not in self.sessions:
            raise Refusal(404, f"Session {id} not found.")
        return id

    def get_info(self, body, call):
        trained = self._trained(body)
        tokenizer = self.get_server_capabilities(body, call)["supported_models"][0]["tokenizer_id"]
        data = {"arch": self.model.base.config.model_type, "model_name": self.name, "tokenizer_id": tokenizer}
        shape = {"is_lora": True, "lora_rank": trained.rank}
        return {"type": "get_info", "model_id": trained.id, "model_name": self.name, **shape, "model_data": data}

    def _trained(self, body):
        id = body.get("model_id")
        if id not in self.models:
            raise Refusal(404, f"Model {id} not found.")
        return self.models[id]

    def weights_info(self, body, call):
        _, rank = self.checkpoints.find(body.get("tinker_path"))
        return {"base_model": self.name, "is_lora": True, "lora_rank": rank}

    def create_sampling_session(self, body, call):
        session, path = self._session(body), body.get("model_path")
        if path is None and body.get("base_model") != self.name:
            raise Refusal(404, f"There is the model {self.name} here, not {body.get('base_model')}.")
        weights = None if path is None else self.checkpoints.find(path)
        with self.lock:
            number = (session, body.get("sampling_session_seq_id"))
            id = self.sampler_numbers.setdefault(number, uuid.uuid4().hex)
            if self.samplers.setdefault(id, weights) != weights:
                raise Refusal(409, f"Sampling session {number[1]} was begun with other weights.")
        return {"type": "create_sampling_session", "sampling_session_id": id}

    # Calls that take their time

    def create_model(self, body, call):
        session, number = self._session(body), body.get("model_seq_id", 0)
        if body.get("base_model") != self.name:
            raise Refusal(404, f"There is the model {self.name} here, not {body.get('base_model')}.")
        config = body.get("lora_config") or {}
        rank, id = config.get("rank") or 32, f"{session}:train:{number}"
        if not isinstance(rank, int) or not 1 <= rank <= 512:
            raise Refusal(400, "The rank is 1 to 512: this server trains adapters.")

        def begin(future):
            self.made += 1
            trained = Trained(id, f"m{self.made}", rank)

            def create_model():
                self.model.begin(trained.adapter, rank, config.get("seed") or 0)
                self.checkpoints.begin(id, rank)
                return {"type": "create_model", "model_id": id}

            self.models[id] = trained
            self.worker.put((future, create_model))

        return self._promise(call, f"model {id}", begin)

    def unload_model(self, body, call):
        trained = self._trained(body)

        def unload_model():
            self.models.pop(trained.id, None)
            self.model.end(trained.adapter)
            return {"type": "unload_model", "model_id": trained.id}

        return self._promise(call, f"unload {trained.id}", lambda future: self.worker.put((future, unload_model)))

    def forward_backward(self, body, call):
        return self._pass(body, call, body.get("forward_backward_input"), True)

    def forward(self, body, call):
        return self._pass(body, call, body.get("forward_input"), False)

    def _pass(self, body, call, asked, gradient):
        trained = self._trained(body)
        data, loss, config = self._batch(asked or {})

        def forward_backward():
            logprobs, total = self.model.train(trained.adapter, data, loss, config, gradient)
            outputs = [
                {"logprobs": {"data": values, "dtype": "float32", "shape": [len(values)]}} for values in logprobs
            ]
            return {"loss_fn_output_type": "ArrayRecord", "loss_fn_outputs": outputs, "metrics": {"loss:sum": total}}

        return self._numbered(trained, body, call, forward_backward)

    def _batch(self, asked):
        loss, config = asked.get("loss_fn"), asked.get("loss_fn_config") or {}
        if loss not in LOSSES:
            raise Refusal(400, f"There is no loss {loss} here; there are {', '.join(LOSSES)}.")
        known = {"clip_low_threshold", "clip_high_threshold"} if loss in ("ppo", "cispo") else set()
        if set(config) - known:
            raise Refusal(400, f"Loss {loss} has no setting {sorted(set(config) - known)[0]}.")
        data = []
        for i, datum in enumerate(asked.get("data") or []):
            tokens = self._tokens(datum.get("model_input"))
            inputs = {name: tensor["data"] for name, tensor in datum.get("loss_fn_inputs", {}).items()}
            names = {"target_tokens", *LOSSES[loss]}
            if set(inputs) != names:
                raise Refusal(400, f"Datum {i}: {loss} takes {', '.join(sorted(names))}, not {', '.join(sorted(inputs))}.")
            for name, values in inputs.items():
                if len(values) != len(tokens) or not all(math.isfinite(value) for value in values):
                    raise Refusal(400, f"Datum {i}: {name} is not {len(tokens)} numbers.")
            if not all(0 <= target < self.model.vocabulary for target in inputs["target_tokens"]):
                raise Refusal(400, f"Datum {i}: a target is no token of the model.")
            data.append({"tokens": tokens, **inputs})
        if not data:
            raise Refusal(400, "There are no data.")
        return data, loss, config

    def _tokens(self, model_input):
        tokens = [token for chunk in (model_input or {}).get("chunks", []) for token in chunk["tokens"]]
        if not 1 <= len(tokens) <= self.model.context:
            raise Refusal(400, f"{len(tokens)} tokens; 1 to {self.model.context} are possible.")
        if not all(isinstance(token, int) and 0 <= token < self.model.vocabulary for token in tokens):
            raise Refusal(400, f"A token is none of the model's {self.model.vocabulary}.")
        return tokens

    def optim_step(self, body, call):
        trained, usual = self._trained(body), {"beta1": 0.9, "beta2": 0.95, "eps": 1e-12, "weight_decay": 0.0}
        adam = {"learning_rate": 1e-4, **usual, "grad_clip_norm": 0.0, **body.get("adam_params", {})}
        if not all(isinstance(value, (int, float)) and math.isfinite(value) and value >= 0 for value in adam.values()):
            raise Refusal(400, "adam_params are numbers from zero on.")

        def optim_step():
            norm = self.model.step(trained.adapter, adam)
            return {"type": "optim_step", "metrics": {"grad_norm": norm, "learning_rate": adam["learning_rate"]}}

        return self._numbered(trained, body, call, optim_step)

    def save_weights(self, body, call):
        return self._save(body, call, "weights")

    def save_weights_for_sampler(self, body, call):
        return self._save(body, call, "sampler_weights")

    def _save(self, body, call, kind):
        trained = self._trained(body)
        folder, path = self.checkpoints.place(trained.id, kind, body.get("path"))

        def save():
            self.model.save(trained.adapter, folder, kind == "weights")
            return {"type": "save_weights" if kind == "weights" else "save_weights_for_sampler", "path": path}

        return self._numbered(trained, body, call, save)

    def load_weights(self, body, call):
        trained, path = self._trained(body), body.get("path")
        if body.get("seq_id") != 1:
            raise Refusal(400, f"LoadWeights is not permitted with seq_id {body.get('seq_id')}.")
        folder, rank = self.checkpoints.find(path)
        if rank != trained.rank:
            raise Refusal(400, f"{path} has rank {rank}, the model {trained.rank}.")

        def load_weights():
            self.model.load(trained.adapter, folder, body.get("optimizer", False))
            return {"type": "load_weights", "path": path}

        return self._numbered(trained, body, call, load_weights)

    def asample(self, body, call):
        id = body.get("sampling_session_id")
        if id not in self.samplers:
            raise Refusal(404, f"Sampler session {id} not found.")
        asked, wanted = body.get("sampling_params") or {}, body.get("num_samples", 1)
        if asked.get("top_k", -1) != -1 or asked.get("top_p", 1) != 1 or body.get("topk_prompt_logprobs", 0):
            raise Refusal(400, "This server samples from the whole distribution: top_k -1, top_p 1.")
        stop = asked.get("stop") or []
        if isinstance(stop, str) or not all(isinstance(token, int) for token in stop):
            raise Refusal(400, "Give the tokens to stop at by their ids.")
        if not 1 <= wanted <= 1024:
            raise Refusal(400, "1 to 1024 samples a call.")
        request = {
            "prompt": self._tokens(body.get("prompt")),
            "samples": wanted,
            "seed": asked.get("seed") if asked.get("seed") is not None else uuid.uuid4().int,
            "max_tokens": asked.get("max_tokens") or self.model.context,
            "temperature": asked.get("temperature", 1.0),
            "stop": frozenset(stop),
            "prompt_logprobs": bool(body.get("prompt_logprobs")),
        }
        weights, number = self.samplers[id], body.get("seq_id")
        key = None if number is None else f"sample {number} of {id}"
        return self._promise(call, key, lambda future: self.worker.put((future, None, weights, request)))

    def retrieve_future(self, body, call):
        future = self.futures.find(body.get("request_id"))
        if not future.done.wait(POLL):
            raise Refusal(408, json.dumps({"type": "try_again", "queue_state": "active", "request_id": future.id}))
        return future.value

    def _promise(self, call, key, begin):
        sent = call.headers.get("x-idempotency-key")
        keys = [one for one in (key, sent and f"key {sent}") if one]
        return {"request_id": self.futures.promise(keys, begin).id}

    def _numbered(self, trained, body, call, run):
        number = body.get("seq_id")

        def begin(future):
            with self.lock:
                trained.take(number, (future, run), self.worker.put)

        return self._promise(call, None if number is None else f"{call.path} {number} of {trained.id}", begin)

    def refused(self, body):
        """A refused call uses up its number."""
        trained = self.models.get(body.get("model_id")) if isinstance(body, dict) else None
        if trained is not None:
            with self.lock:
                trained.skip(body.get("seq_id"), self.worker.put)

    def tokenizer_file(self, name):
        if name not in self.tokenizer:
            raise Refusal(404, f"There is no tokenizer file {name}.")
        return self.tokenizer[name]


GETS = {"healthz", "get_server_capabilities"}
POSTS = {
    *("create_session", "session_heartbeat", "create_model", "get_info", "unload_model", "forward", "forward_backward"),
    *("optim_step", "save_weights", "save_weights_for_sampler", "load_weights", "weights_info"),
    *("create_sampling_session", "asample", "retrieve_future"),
}


class Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


class Call(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Small answers in two packets would wait for each other's receipt.
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        name = self.path.split("?")[0].removeprefix("/api/v1/")
        if name.startswith("/tokenizers/"):
            return self.answer(lambda: self.server.served.tokenizer_file(name.rsplit("/", 1)[-1]))
        self.answer(lambda: self.called(name, GETS, {}))

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if length > MOST_BYTES:
            self.close_connection = True
            return self.answer(lambda: (_ for _ in ()).throw(Refusal(413, f"A body has at most {MOST_BYTES} bytes.")))
        text = self.rfile.read(length)
        self.answer(lambda: self.posted(text))

    def posted(self, text):
        try:
            body = json.loads(text or b"{}")
        except ValueError as error:
            # Also protobuf, which this server does not speak.
            raise Refusal(415, "The body is no JSON.") from error
        name = self.path.removeprefix("/api/v1/")
        if name == "client/config":
            return self.server.served.config(body, self)
        try:
            return self.called(name, POSTS, body)
        except Refusal as refusal:
            if refusal.status in (400, 422):
                self.server.served.refused(body)
            raise

    def called(self, name, known, body):
        if name not in known:
            raise Refusal(404, f"There is no call {self.command} {self.path}.")
        try:
            return getattr(self.server.served, name)(body, self)
        except (KeyError, TypeError, AttributeError) as error:
            raise Refusal(422, f"The body is not what {name} takes: {error!r}.") from error

    def answer(self, find):
        status = 200
        try:
            # A page of a browser could reach this address under a name of its own.
            if self.headers.get("host", "").rsplit(":", 1)[0] not in ("127.0.0.1", "localhost"):
                raise Refusal(403, "This server is asked by the name localhost alone.")
            value = find()
        except Refusal as refusal:
            status, said = refusal.status, str(refusal)
            value = json.loads(said) if said.startswith("{") else {"detail": said}
        except Fault as fault:
            status, value = 400, {"detail": str(fault)}
        text = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        self.wfile.flush()

    def log_message(self, *_):
        """The worker says what it does."""


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--model", required=True, help="a folder that transformers loads, or a GGUF file")
    asked.add_argument("--name", required=True, help="the model's name for clients")
    asked.add_argument("--template", help="a file with a chat template, for models without one")
    asked.add_argument("--state", required=True, help="folder of the saved adapters; a restarted server finds them there")
    asked.add_argument("--port", type=int, default=8100, help="0: any that is free")
    asked.add_argument("--threads", type=int, default=1)
    asked.add_argument("--dtype", default="float32", choices=["float32", "bfloat16"])
    asked.add_argument("--rows", type=int, default=32, help="completions that are sampled together")
    asked.add_argument("--train-tokens", type=int, default=1024, help="tokens of a training pass at once")
    options = asked.parse_args()
    options.model, options.state = os.path.abspath(options.model), os.path.abspath(options.state)
    http = Http(("127.0.0.1", options.port), Call)
    http.served = Server(options)
    print(f"{options.name} on http://127.0.0.1:{http.server_address[1]}", flush=True)
    http.serve_forever()


if __name__ == "__main__":
    main()
