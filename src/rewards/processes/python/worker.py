"""Runs one person's reward or domain file in a process of its own: GenEnv's worker for Python 3.9 and newer.

Requests come on standard input and replies go to standard output, a JSON object a line, each written at once: so the
other side knows which call it is that does not come back. Both are moved away before the person's code is loaded.
"""

import asyncio
import codecs
import dis
import importlib.util
import inspect
import io
import json
import math
import numbers
import os
import sys
import threading
import time
import traceback

OUTPUT_LIMIT = 8000
LONGEST = 8000

loads, dumps, write, isawaitable = json.loads, json.dumps, os.write, inspect.isawaitable
requests = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
replies = os.dup(1)
nothing = os.open(os.devnull, os.O_RDWR)
os.dup2(nothing, 0)
os.dup2(nothing, 1)
files = set()


def send(reply):
    data = (dumps(reply) + "\n").encode("ascii")
    while data:
        data = data[write(replies, data):]


class Capture(io.TextIOBase):
    """Whatever is printed belongs to the call under way; past the limit it is only counted."""

    encoding = "utf-8"
    errors = "replace"
    printed = 0
    # What the other side has to say is shown by the debugger, and is no output of a call.
    saying = False

    def writable(self):
        return True

    def write(self, text):
        if Capture.saying:
            return len(text)
        room = OUTPUT_LIMIT - Capture.printed
        Capture.printed += len(text)
        if room > 0:
            send({"t": "out", "text": text[:room]})
        return len(text)

    def reconfigure(self, **_):
        """Programs ask for it before they print; text goes to the other side as it is."""

    @property
    def buffer(self):
        return Bytes(self)


class Bytes(io.RawIOBase):
    """The bytes below a captured text."""

    decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __init__(self, text):
        self.text = text

    def writable(self):
        return True

    def write(self, data):
        data = bytes(data)
        self.text.write(Bytes.decoder.decode(data))
        return len(data)


def close_network():
    closed = {
        "socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
        "socket.gethostbyname", "socket.gethostbyaddr", "subprocess.Popen", "os.system", "os.exec",
        "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "os.startfile", "pty.spawn",
    }

    def refuse(event, _):
        if event in closed:
            raise PermissionError(event + " is closed to rewards: they may not use the network (reward.network).")

    sys.addaudithook(refuse)


def limit_memory(megabytes):
    if sys.platform != "linux":
        return
    import resource

    with open("/proc/self/statm") as sizes:
        now = int(sizes.read().split()[0]) * resource.getpagesize()
    limit = now + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def end_when_alone():
    """A call that hangs must not outlive the program that asked for it."""
    parent = os.getppid()

    def watch():
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def told(value):
    if value is None or isinstance(value, bool):
        return value
    if type(value).__name__ in ("bool_", "bool"):
        return bool(value)
    if isinstance(value, str):
        return value[:10000]
    if isinstance(value, numbers.Real):
        return told_number(value)
    return {"not": "of type " + type(value).__name__}


def told_number(value):
    try:
        number = float(value)
    except OverflowError:
        return {"not": "a number too large"}
    return number if math.isfinite(number) else {"not": str(number)}


def told_result(value):
    if value is None:
        return {"not": "None"}
    if not isinstance(value, dict):
        return told(value)
    result = {name: told(value[name]) for name in ("success", "reward", "note") if value.get(name) is not None}
    parts = value.get("parts")
    if isinstance(parts, dict):
        if len(parts) > 200:
            result["parts"] = {"not": "%d parts, of which 200 may be" % len(parts)}
        else:
            result["parts"] = {str(name): told(part) for name, part in parts.items()}
    elif parts is not None:
        result["parts"] = told(parts)
    return result


def place(error):
    """The innermost line of a person's own files."""
    if isinstance(error, SyntaxError) and error.filename is not None and error.lineno is not None:
        return {"file": error.filename, "line": max(1, error.lineno), "column": max(1, error.offset or 1)}
    found = None
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in files:
            column = 0
            if hasattr(code, "co_positions"):
                at = list(code.co_positions())[step.tb_lasti // 2]
                column = at[2] or 0
            found = {"file": code.co_filename, "line": max(1, step.tb_lineno or 1), "column": column + 1}
        step = step.tb_next
    return found


def failure(error):
    try:
        message = type(error).__name__ + (": " + str(error) if str(error) else "")
        stack = "".join(traceback.format_exception(type(error), error, error.__traceback__, limit=-50))
        return {"message": message[:LONGEST], "stack": stack[-LONGEST:], "at": place(error)}
    except BaseException:
        return {"message": "It raised something that cannot be read.", "stack": None, "at": None}


def own_files(folder):
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and path.endswith(".py") and "site-packages" not in path:
            path = os.path.abspath(path)
            if path.startswith(folder + os.sep) and path != os.path.abspath(__file__):
                files.add(path)


def load(path):
    folder = os.path.dirname(path)
    files.add(path)
    sys.path[0] = folder
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("genenv_reward_file", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["genenv_reward_file"] = module
    spec.loader.exec_module(module)
    own_files(folder)
    return module


def reward_of(module):
    reward = getattr(module, "reward", None)
    if not callable(reward):
        raise AttributeError("the file has no function “reward”")
    return reward


# What a domain may export as a value, too: it is asked for like a function that gives it.
SETTINGS = {"openenv", "recipe"}


def functions_of(module):
    """The functions of a domain file by name, its own and those that it imports from its own files."""
    found = {name: value for name, value in vars(module).items() if inspect.isfunction(value)}
    for name in SETTINGS & (vars(module).keys() - found.keys()):
        found[name] = lambda value=getattr(module, name): value
    return {name: value for name, value in found.items() if not name.startswith("_")}


def finite(value):
    """JSON has no number that is not finite, and knows none of other libraries' numbers."""
    if isinstance(value, dict):
        return {name: finite(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(part) for part in value]
    if isinstance(value, (bool, str)) or not isinstance(value, numbers.Real):
        return value
    number = told_number(value)
    # An integer stays one, also another library's.
    return int(value) if isinstance(value, numbers.Integral) and not isinstance(number, dict) else number


def told_value(value):
    if value is None:
        return {"not": "None"}
    text = dumps(finite(value), allow_nan=False)
    if len(text) > 2000000:
        raise ValueError("it gave %d characters of JSON, of which 2000000 may be" % len(text))
    return loads(text)


class Coverage:
    """What ran of the person's own files since it was asked last, line by line."""

    def __init__(self, folder):
        self.folder = folder + os.sep
        self.lines, self.calls, self.told = {}, {}, set()
        threading.settrace(self.enter)
        sys.settrace(self.enter)

    def enter(self, frame, event, _):
        code = frame.f_code
        path = code.co_filename
        if not path.startswith(self.folder) or "site-packages" in path or path == __file__:
            return None
        if code.co_name != "<module>":
            calls = self.calls.setdefault(path, {})
            key = (code.co_name, code.co_firstlineno)
            calls[key] = calls.get(key, 0) + 1
        lines = self.lines.setdefault(path, {})

        def step(frame, event, _):
            if event == "line":
                lines[frame.f_lineno] = lines.get(frame.f_lineno, 0) + 1
            return step

        return step

    def take(self):
        taken = []
        for path in set(self.lines) | set(self.calls):
            lines, calls = self.lines.get(path, {}), self.calls.get(path, {})
            if path not in self.told:
                self.told.add(path)
                self.tell_all(path, lines, calls)
            functions = [[name, line, count] for (name, line), count in sorted(calls.items(), key=lambda call: call[0][1])]
            taken.append({"kind": "lines", "file": path, "lines": sorted(lines.items()), "functions": functions})
        # Emptied in place: frames that wait hold on to them.
        for counts in [*self.lines.values(), *self.calls.values()]:
            counts.clear()
        return {"coverage": taken}

    def tell_all(self, path, lines, calls):
        with open(path, "rb") as file:
            codes = [compile(file.read(), path, "exec", dont_inherit=True)]
        while codes:
            code = codes.pop()
            codes.extend(inner for inner in code.co_consts if inspect.iscode(inner))
            inside = code.co_name != "<module>"
            if inside and not code.co_name.startswith("<"):
                calls.setdefault((code.co_name, code.co_firstlineno), 0)
            for _, line in dis.findlinestarts(code):
                # Where a function begins belongs to what is around it.
                if line and not (inside and line == code.co_firstlineno):
                    lines.setdefault(line, 0)


def judge(reward, line, coverage):
    call = loads(line)
    if "say" in call:
        Capture.saying = True
        print(call["say"])
        Capture.saying = False
        return
    Capture.printed = 0
    try:
        named = "call" in call
        value = reward[call["call"]](*call["given"]) if named else reward(call["task"], call["trace"])
        if isawaitable(value):
            value = asyncio.run(wait(value))
        reply = {"t": "gave", "id": call["id"], "value": told_value(value) if named else told_result(value)}
    except MemoryError as error:
        reply = {"t": "threw", "id": call["id"], "reason": "memory", **failure(error)}
    except BaseException as error:
        reply = {"t": "threw", "id": call["id"], "reason": "threw", **failure(error)}
    send({**reply, **coverage()})


async def wait(value):
    return await value


def wait_for_debugger(port, packages):
    """Holds the process until a debugger has set its breakpoints."""
    if packages:
        sys.path.append(packages)
    import debugpy

    debugpy.configure(subProcess=False)
    send({"t": "debugger", "port": debugpy.listen(("127.0.0.1", port))[1]})
    debugpy.wait_for_client()


def entries_of(functions):
    """Where functions begin, by their names; without those of which it is not known."""
    entries = {name: entry_of(function) for name, function in functions.items()}
    return {name: entry for name, entry in entries.items() if entry is not None}


def entry_of(function):
    """The first line of a function's body; None where there is no source of it."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return None
    lines = [line for _, line in dis.findlinestarts(code) if line is not None]
    inside = [line for line in lines if line > code.co_firstlineno]
    return {"file": code.co_filename, "line": (inside or [code.co_firstlineno])[0], "column": 1}


def main():
    path, megabytes, network, how = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    # A debugger takes memory of its own, and its threads are shown.
    debugged = how == "debug"
    if not debugged:
        end_when_alone()
    capture = Capture()
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = capture
    if debugged:
        wait_for_debugger(int(sys.argv[5]), sys.argv[6])
    if network != "open":
        close_network()
    coverage = Coverage(os.path.dirname(path)).take if how == "coverage" else dict
    try:
        module = load(path)
        named = path.endswith((".domain.py", ".curriculum.py"))
        reward = functions_of(module) if named else reward_of(module)
    except BaseException as error:
        send({"t": "unloadable", **failure(error)})
        os._exit(1)
    if not debugged:
        limit_memory(megabytes)
    entries = {"entries": entries_of(reward if named else {"reward": reward})} if debugged else {}
    functions = {"functions": sorted(reward)} if named else {}
    send({"t": "ready", "files": sorted(files), **functions, **coverage(), **entries})
    for line in requests:
        judge(reward, line, coverage)


main()
