/**
 * A person's own Python reward as the scorer of a verl job: the worker that judges here judges there, in a process beside
 * each of verl's reward workers, so that verdicts and limits are the same.
 */
import { passedNames } from '../program.ts';

/** The parts of a custom reward that a job needs to judge by itself. */
export interface RewardInJob {
  /** The reward file, by its path in `files`. */
  file: string;
  /** Texts of it and of everything of a person's own that it imports, by path. */
  files: Readonly<Record<string, string>>;
  /** Source of the worker. */
  worker: string;
  /** Of one call. */
  seconds: number;
  megabytes: number;
  network: boolean;
}

/** Seconds until a file must be loaded. */
const loadSeconds = 120;

/**
 * Python with `judge(text, gold, evaluation, finished, asked)`. A file that does not load ends the job; a call that fails
 * has the reward 0, since a job has no verdict `error`, and is printed to its log.
 */
export const rewardInJob = ({ file, files, worker, seconds, megabytes, network }: RewardInJob): string => `
import atexit
import decimal
import math
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time

FILE = ${JSON.stringify(file)}
FILES = json.loads(${JSON.stringify(JSON.stringify(files))})
WORKER = ${JSON.stringify(worker)}
SECONDS = ${seconds}
MEGABYTES = ${megabytes}
NETWORK = ${JSON.stringify(network ? 'open' : 'closed')}
PASSED = re.compile(${JSON.stringify(passedNames.source)}, re.IGNORECASE)
TOLD_FAULTS = 20


class _Fault(Exception):
    pass


class _Own:
    """The person's file in a process of its own; a new one after it hung or died."""

    lock = threading.Lock()
    folder = None
    process = None
    pid = None
    replies = None
    calls = 0
    faults = 0

    @classmethod
    def judge(cls, call):
        with cls.lock:
            if cls.process is None or cls.pid != os.getpid():
                cls.start()
            cls.calls += 1
            line = json.dumps({"id": cls.calls, **call}) + "\\n"
            try:
                cls.process.stdin.write(line.encode("utf-8", "surrogatepass"))
                cls.process.stdin.flush()
            except OSError:
                # How it ended is told by its replies.
                pass
            return cls.answer(${seconds})

    @classmethod
    def start(cls):
        cls.pid = os.getpid()
        cls.folder = tempfile.mkdtemp(prefix="genenv-reward-")
        atexit.register(shutil.rmtree, cls.folder, True)
        for path, text in {"worker.py": WORKER, **{"own/" + path: text for path, text in FILES.items()}}.items():
            path = os.path.join(cls.folder, *path.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        cls.process = subprocess.Popen(
            [sys.executable, "-u", os.path.join(cls.folder, "worker.py"),
             os.path.join(cls.folder, "own", *FILE.split("/")), str(MEGABYTES), NETWORK, "plain"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(os.path.join(cls.folder, "stderr"), "wb"),
            # Sets of texts in the order that they have here.
            env={**{name: value for name, value in os.environ.items() if PASSED.match(name)}, "PYTHONHASHSEED": "0"},
        )
        cls.replies = queue.Queue()
        threading.Thread(target=cls.read, args=(cls.process.stdout, cls.replies), daemon=True).start()
        try:
            cls.answer(${loadSeconds})
        except _Fault as fault:
            raise RuntimeError("The reward cannot be used here: %s" % fault) from None

    @staticmethod
    def read(lines, replies):
        for line in lines:
            replies.put(line)
        replies.put(None)

    @classmethod
    def answer(cls, seconds):
        until = time.monotonic() + seconds
        while True:
            try:
                # One deadline for the whole call: printing does not extend it.
                left = until - time.monotonic()
                if left <= 0:
                    raise queue.Empty
                line = cls.replies.get(timeout=left)
            except queue.Empty:
                cls.end()
                raise _Fault("there is no result after %s s" % seconds) from None
            if line is None:
                with open(os.path.join(cls.folder, "stderr"), encoding="utf-8", errors="replace") as file:
                    words = file.read()[-2000:].strip().split("\\n")[-1]
                cls.end()
                raise _Fault("it ended its process, or took more memory than it may have" + (words and ": " + words))
            reply = json.loads(line)
            if reply["t"] in ("threw", "unloadable"):
                raise _Fault(reply["message"])
            if reply["t"] == "ready":
                return None
            if reply["t"] == "gave":
                return reply["value"]

    @classmethod
    def end(cls):
        cls.process.kill()
        cls.process.wait()
        cls.process = None
        shutil.rmtree(cls.folder, True)

    @classmethod
    def tell(cls, fault):
        cls.faults += 1
        if cls.faults <= TOLD_FAULTS:
            print("The reward failed, and counts 0:", fault)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _told(value):
    """Success and reward of what the function gave."""
    if _is_number(value) and 0 <= value <= 1:
        return value == 1, value
    if not isinstance(value, dict) or "not" in value:
        raise _Fault("the result is %s" % json.dumps(value))
    success, reward, parts = value.get("success"), value.get("reward"), value.get("parts", {})
    if not isinstance(success, bool):
        raise _Fault("success is %s" % json.dumps(success))
    if not _is_number(reward) or not 0 <= reward <= 1:
        raise _Fault("the reward is %s" % json.dumps(reward))
    if not isinstance(parts, dict) or not all(_is_number(part) for part in parts.values()):
        raise _Fault("parts are no numbers by name")
    if not isinstance(value.get("note", ""), str):
        raise _Fault("the note is no text")
    return success, reward


def _number(text):
    """A number as JavaScript would read it and write it again."""
    value = float(text)
    if not math.isfinite(value):
        return None
    if value.is_integer() and abs(value) < 1e21:
        return int(decimal.Decimal(repr(value)))
    return value


def _no_number(text):
    raise ValueError(text)


def _depth(value):
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [inner for one in level if isinstance(one, (dict, list))
                 for inner in (one.values() if isinstance(one, dict) else one)]
    return depth


def _tool_calls(text):
    calls = []
    for inside in re.findall(r"<tool_call>(.*?)</tool_call>", text, re.DOTALL):
        try:
            call = json.loads(inside, parse_float=_number, parse_int=_number, parse_constant=_no_number)
        except (ValueError, RecursionError):
            return None
        if not isinstance(call, dict) or set(call) != {"name", "arguments"} or _depth(call) > 201:
            return None
        if not isinstance(call["name"], str) or not isinstance(call["arguments"], dict):
            return None
        calls.append(call)
    return calls or None


def judge(text, gold, evaluation, finished, asked=None):
    call = json.loads(asked)
    call["trace"].update({
        "messages": [{"role": "assistant", "content": text}],
        "answer": text,
        "toolCalls": _tool_calls(text),
        "stopReason": "stop" if finished else "length",
    })
    try:
        success, reward = _told(_Own.judge(call))
    except _Fault as fault:
        _Own.tell(fault)
        return {"reward": 0, "success": False, "valid": False, "parts": {}}
    # Parts differ from answer to answer, and verl wants the same of every one.
    return {"reward": reward, "success": success, "valid": finished, "parts": {}}
`;
