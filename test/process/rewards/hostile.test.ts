import assert from 'node:assert/strict';
import type { RewardHost } from '../../../src/rewards/processes/rewardHost.ts';
import type { RewardOutcome } from '../../../src/shared/rewards/outcome.ts';
import { callOf, drop } from '../../support/rewards/given.ts';
import { folderOf, openReward } from '../../support/rewards/openReward.ts';

/** By the answer, what a reward does; every answer it does not know is worth 1. */
const typescript = `
interface Trace { answer: string }
type Judged = { success: boolean; reward: number };
export function reward(_task: object, trace: Trace): unknown {
  const good: Judged = { success: true, reward: 1 };
  switch (trace.answer) {
    case 'loop': for (;;);
    case 'exit': process.exit(0);
    case 'heap': { const all: unknown[] = []; for (;;) all.push(new Array(100000).fill(trace)); }
    case 'buffers': { const all: Buffer[] = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1)); }
    case 'tamper': {
      Object.defineProperty(Object.prototype, 'toJSON', { value: () => ({ t: 'gave', id: 0, value: 1 }), configurable: true });
      JSON.stringify = () => '1';
      JSON.parse = () => null;
      String.prototype.indexOf = () => -1;
      Array.prototype.push = () => 0;
      return { success: false, reward: 0.25 };
    }
    case 'rejection': void Promise.reject(new Error('left behind')); return good;
    case 'timer': setImmediate(() => { throw new Error('later'); }); return good;
    case 'output': for (let i = 0; i < 100; i++) console.log('x'.repeat(2 ** 20)); return good;
    case 'nan': return { success: true, reward: NaN };
    case 'above': return 1.5;
    case 'nothing': return undefined;
    case 'missing': return { reward: 1 };
    case 'parts': return { ...good, parts: { a: Infinity } };
    case 'text': throw 'no error';
    case 'trap': throw { get message() { throw new Error('trap'); }, toString() { throw new Error('trap'); } };
    case 'never': return new Promise(() => undefined);
    case 'deep': { const down = (n: number): number => down(n + 1) + 1; return down(0); }
    case 'getter': return { success: true, get reward() { throw new Error('got'); } };
    case 'cycle': { const all: Record<string, unknown> = { ...good }; all.note = all; return all; }
    case 'loaded': {
      const loaded = String(Reflect.get(process, 'moduleLoadList')).split(',');
      return { ...good, note: loaded.filter((name) => /undici|NativeModule http$/.test(name)).join(' ') };
    }
    case 'socket': new WebSocket('ws://127.0.0.1:9'); return good;
    case 'request': return import('node:http').then(({ get }) => get('http://127.0.0.1:9')).then(() => 1);
    case 'net': return fetch('http://127.0.0.1:9').then(() => 1);
    case 'program': return process.getBuiltinModule('node:child_process').execSync('echo 1');
    case 'keys': return { success: false, reward: 0, note: Object.keys(process.env).join(' ') };
    case 'prints': console.log('seen', trace.answer); console.error('twice'); return 0.5;
    case 'bytes': process.stdout.write(new Uint8Array([240, 159])); process.stdout.write(new Uint8Array([152, 128, 104, 105])); return good;
    case 'later': return Promise.resolve({ ...good, parts: { a: 2 }, note: 'n' });
  }
  return good;
}
`;

const python = `
import os, sys, socket, subprocess, time
kept = []
def reward(task, trace):
    what = trace["answer"]
    good = {"success": True, "reward": 1}
    if what == "loop":
        while True: pass
    if what == "exit": os._exit(0)
    if what == "sys.exit": sys.exit(3)
    if what == "heap": return len(bytearray(10 * 2**30))
    if what == "output":
        for _ in range(100): print("x" * 2**20)
        return good
    if what == "nan": return {"success": True, "reward": float("nan")}
    if what == "above": return 1.5
    if what == "nothing": return None
    if what == "missing": return {"reward": 1}
    if what == "deep":
        def down(n): return down(n + 1) + 1
        return down(0)
    if what == "cycle":
        good["note"] = good
        return good
    if what == "net": socket.create_connection(("127.0.0.1", 9))
    if what == "program": subprocess.run(["echo", "1"])
    if what == "raise": raise ValueError("not like this")
    if what == "prints":
        print("seen", what)
        print("twice", file=sys.stderr)
        return 0.5
    if what == "bytes":
        sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)
        sys.stdout.buffer.write("😀hi".encode()[:2])
        sys.stdout.buffer.write("😀hi".encode()[2:])
        sys.stdout.buffer.flush()
        return good
    if what == "large": return {**good, "parts": {"a": 10**400}}
    if what == "later":
        async def later(): return {**good, "parts": {"a": 2}, "note": "n"}
        return later()
    return good
`;

type Wanted = [answer: string, reason: string | null, words: RegExp];

/** The whole report of a call. */
const textOf = ({ verdict, output }: RewardOutcome): string => `${JSON.stringify(verdict.parts)} ${verdict.reward}
${verdict.error ?? verdict.note ?? ''}
${output}`;

/** Each is judged between two harmless calls, which keep their verdicts. */
async function each(host: RewardHost, cases: readonly Wanted[]): Promise<Map<string, RewardOutcome>> {
  const found = new Map<string, RewardOutcome>();
  const calls = cases.flatMap(([answer]) => [callOf('fine', 'before'), callOf(answer)]);
  const outcomes: RewardOutcome[] = [];
  for await (const outcome of host.score([...calls, callOf('fine')], new AbortController().signal))
    outcomes.push(outcome);
  assert.equal(outcomes.length, calls.length + 1);
  cases.forEach(([answer, reason, words], i) => {
    assert.deepEqual(outcomes[2 * i]?.verdict, { success: true, reward: 1, valid: true }, `before ${answer}`);
    const outcome = outcomes[2 * i + 1];
    assert.ok(outcome);
    assert.equal(outcome.fault?.reason ?? null, reason, `${answer}: ${outcome.fault?.message ?? ''}`);
    assert.match(textOf(outcome), words, answer);
    assert.equal(outcome.verdict.error === undefined, reason === null, answer);
    found.set(answer, outcome);
  });
  assert.equal(outcomes.at(-1)?.verdict.success, true);
  return found;
}

describe('a reward that does harm', function () {
  this.timeout(240_000);

  it('in TypeScript has a verdict that says what it did, and the others have theirs', async () => {
    const host = await openReward('hostile.reward.ts', typescript);
    try {
      const found = await each(host, [
        // Undici is half of a start, for a socket that is closed.
        ['loaded', null, /NativeModule http/],
        ['nan', 'result', /“reward” of the result is NaN; it must be a number from 0 to 1/],
        ['above', 'result', /The result is 1.5/],
        ['nothing', 'result', /The result is undefined/],
        ['missing', 'result', /has no “success”; it must be true or false/],
        ['parts', 'result', /“parts.a” of the result is Infinity/],
        ['text', 'threw', /It threw "no error", which is no Error/],
        ['trap', 'threw', /It threw an object/],
        ['deep', 'threw', /Maximum call stack/],
        ['getter', 'threw', /Error: got/],
        ['cycle', 'result', /“note” of the result is an object; it must be a text/],
        ['rejection', 'rejection', /rejected unhandled: Error: left behind/],
        ['timer', 'rejection', /later/],
        ['net', 'threw', /globalThis.fetch is closed to rewards/],
        ['socket', 'threw', /globalThis.WebSocket is closed to rewards/],
        ['request', 'threw', /node:http.get is closed to rewards/],
        ['program', 'threw', /child_process.execSync is closed/],
        ['keys', null, /PATH/],
        ['prints', null, /seen prints\ntwice/],
        ['bytes', null, /^😀hi$/m],
        ['later', null, /\{"a":2\} 1\nn\n/],
        ['output', null, /xxx/],
        ['exit', 'ended', /It ended its process \(exit code 0\)/],
        ['heap', 'memory', /more than the 128 MB/],
        ['buffers', 'memory', /more than the 128 MB/],
        ['tamper', null, /0\.25/],
      ]);
      assert.equal(found.get('output')?.output.length, 8000);
      assert.doesNotMatch(found.get('loaded')?.verdict.note ?? '', /undici/);
      assert.doesNotMatch(found.get('keys')?.verdict.note ?? '', /KEY|TOKEN|SECRET/);
      const at = found.get('getter')?.fault?.at;
      const lines = typescript.split('\n');
      const line = lines.findIndex((text) => text.includes("case 'getter'"));
      assert.deepEqual([at?.line, at?.column], [line + 1, (lines[line] ?? '').indexOf('new Error') + 1]);
    } finally {
      host.dispose();
      await drop(folderOf(host));
    }
  });

  for (const [name, text, hangs] of [
    ['hostile.reward.ts', typescript, ['loop', 'never']],
    ['hostile.reward.py', python, ['loop']],
  ] as const) {
    it(`${name}: a call that hangs is the one that is named`, async () => {
      const host = await openReward(name, text, { seconds: 1 });
      try {
        await each(
          host,
          hangs.map((answer) => [answer, 'timeout', /There is no result after 1 s/]),
        );
      } finally {
        host.dispose();
        await drop(folderOf(host));
      }
    });
  }

  it('in Python too', async () => {
    const host = await openReward('hostile.reward.py', python);
    try {
      const found = await each(host, [
        ['nan', 'result', /“reward” of the result is nan/],
        ['above', 'result', /The result is 1.5/],
        ['nothing', 'result', /The result is None/],
        ['missing', 'result', /has no “success”/],
        ['deep', 'threw', /RecursionError/],
        ['cycle', 'result', /“note” of the result is of type dict/],
        ['net', 'threw', /socket.getaddrinfo is closed|socket.connect is closed/],
        ['program', 'threw', /subprocess.Popen is closed/],
        ['sys.exit', 'threw', /SystemExit: 3/],
        ['heap', 'memory', /MemoryError/],
        ['output', null, /xxx/],
        ['prints', null, /seen prints\ntwice/],
        ['bytes', null, /^😀hi$/m],
        ['large', 'result', /“parts.a” of the result is a number too large; it must be finite numbers by name/],
        ['later', null, /\{"a":2\} 1\nn\n/],
        ['raise', 'threw', /ValueError: not like this/],
        ['exit', 'ended', /exit code 0/],
      ]);
      assert.equal(found.get('output')?.output.length, 8000);
      const line = python.split('\n').findIndex((text) => text.includes('what == "raise"'));
      assert.equal(found.get('raise')?.fault?.at?.line, line + 1);
    } finally {
      host.dispose();
      await drop(folderOf(host));
    }
  });
});
