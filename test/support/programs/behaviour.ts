/** A domain whose tasks say how their program behaves, and that program: Python with nothing but its own library. */
export const behaviourPython = `
import json, os, subprocess, sys, time, urllib.error, urllib.request

task = json.load(sys.stdin)
how = task["prompt"][0]["content"].split(" #")[0]
base, key, model = (os.environ["OPENAI_" + name] for name in ("BASE_URL", "API_KEY", "MODEL"))


def ask(messages, key=key, model=model, body=None, **more):
    body = body or json.dumps({"model": model, "messages": messages, **more})
    headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
    request = urllib.request.Request(base + "/chat/completions", body.encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def refused(**more):
    try:
        ask([{"role": "user", "content": "hello"}], **more)
    except urllib.error.HTTPError as error:
        return json.load(error)["error"]["message"]


user = lambda text: {"role": "user", "content": text}
say = lambda reward, **more: print(json.dumps({"reward": reward, **more}))

if how == "never asks":
    sys.exit(0)
if how == "hangs":
    time.sleep(1000)
if how == "leaves a child":
    subprocess.Popen(["sleep", "987654"])
if how == "prints for ever":
    while True:
        print("x" * 100000)
if how == "takes memory":
    full = bytearray(300 * 2**20)
    time.sleep(1000)
if how == "tells its world":
    ask([user("hello")])
    same = json.load(open(os.environ["GENENV_TASK"])) == task
    print(json.dumps({"env": sorted(os.environ), "cwd": os.listdir(), "same": same, "own": os.environ.get("OWN")}))
    sys.exit(0)

first = ask([user("hello")])
if how == "asks for ever":
    while True:
        refused()
if how == "asks twice":
    ask([user("hello"), {"role": "assistant", "content": first}, user("sure?")])
if how == "dies":
    os.kill(os.getpid(), 9)
if how == "fails":
    raise ValueError("the dice fell off the table")
if how == "says garbage":
    say(7)
if how == "says a reward":
    print("thinking …")
    say(0.25, success=True, note="quarter")
    print("done", file=sys.stderr)
if how == "says a reward and fails":
    say(1)
    sys.exit(3)
if how == "asks wrongly":
    print(refused(key="sk-guess"))
    print(refused(model="gpt-5"))
    print(refused(body="{"))
    print(refused(messages_are="missing", n=0))
    say(1)
`;

/** @param program what “program” gives, as an expression of \`task\`; @param more of the file */
export const behaviourDomain = (
  program = `({ command: ['python3', 'behaviour.py'], seconds: 600, megabytes: 256, env: { OWN: 'mine' } })`,
  more = '',
): string => `
const words = (how) => ({ id: how.replaceAll(' ', '-'), prompt: how });
export const seeds = (split) => (split === 'base' ? ['asks once', 'asks twice'].map(words) : [words('says a reward')]);
export const environmentPrompt = () => 'Write a task.';
export const parse = (text) => ({ prompt: 'asks twice #' + text });
export const program = (task) => ${program};
${more}
`;
