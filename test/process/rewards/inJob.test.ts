import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { agentRows } from '../../../src/endpoints/verl/files/rows.ts';
import { rewardFile } from '../../../src/endpoints/verl/files/rewardFile.ts';
import { rewardInJob } from '../../../src/rewards/processes/python/inJob.ts';
import { rewardCall, rewardTask } from '../../../src/shared/rewards/given.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { needsPython } from '../../support/ray/python.ts';
import { dist } from '../../support/built.ts';
import { drop, rewardFolder } from '../../support/rewards/given.ts';
import { hostOf } from '../../support/rewards/openReward.ts';

/** Its answer says what it does; what it was given is in its result, so that both sides must have given the same. */
const reward = `import hashlib, json, os, time
from helper import length

def reward(task, trace):
    answer = trace["answer"]
    print("looking at", answer)
    if answer.startswith("raise"):
        raise ValueError("cannot judge")
    if answer == "exit":
        os._exit(3)
    if answer == "hang":
        time.sleep(600)
    if answer.startswith("give "):
        return eval(answer[5:])
    if answer == "dribble":
        for _ in range(8):
            print("still at it", flush=True)
            time.sleep(0.3)
        return 1
    if answer.startswith("hash"):
        return hash(answer) % 1000 / 1000
    if answer == "keys":
        return 1 if "A_KEY" not in os.environ else 0
    seen = json.dumps([task, {**trace, "id": ""}], sort_keys=True)
    digest = int(hashlib.sha256(seen.encode()).hexdigest()[:8], 16)
    return {"success": digest % 2 == 0, "reward": digest / 2**32, "parts": {"length": length(answer)}, "note": answer}
`;

const task: Task = {
  ...{ v: 1, id: 'base.1', origin: 'base', status: 'accepted', epoch: 2, seed: null, plan: 'steps 1' },
  ...{ family: 'base', prompt: [{ role: 'user', content: 'Füge 😀 hinzu.' }] },
  ...{ evaluation: { kind: 'exact', deep: { a: [1, 2.5, null] } }, gold: 'so "it" is', complexity: {} },
};

const called = (given: string): string => `<tool_call>{"name": "f", "arguments": ${given}}</tool_call>`;
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const answers = [
  ...[
    '',
    'yes',
    'ümlaut 😀 \\ "quoted"\n\tlines',
    'keys',
    'raise',
    'raise 2',
    'exit',
    'after the exit',
    'hang',
    'after it',
    'dribble',
    ...Array.from({ length: 6 }, (_, i) => `hash ${i}`),
  ],
  ...['1', '0', '0.25', '1.0', 'True', 'None', '"1"', '2', '-0.1', 'float("nan")', '[1]', '10**400'].map(
    (one) => `give ${one}`,
  ),
  ...['{"success": True, "reward": 0.5}', '{"success": 1, "reward": 0.5}', '{"reward": 1}', '{}'].map(
    (one) => `give ${one}`,
  ),
  ...['{"success": True, "reward": 1, "parts": {"a": 1}}', '{"success": True, "reward": 1, "parts": {"a": "b"}}'].map(
    (one) => `give ${one}`,
  ),
  ...[
    '{"success": False, "reward": True}',
    '{"success": False, "reward": 2}',
    '{"success": True, "reward": 1, "note": 3}',
  ].map((one) => `give ${one}`),
  ...['{"x": 1.0}', '{"x": 1e400}', '{"x": -0.0}', '{"x": 1152921504606846977}', '{"x": 1e21}', '{"x": 0.1e-6}'].map(
    called,
  ),
  ...['{"x": NaN}', '[]', '{"x": "\\ud83d"}', '{"x": "a\tb"}', '{"a": 1, "a": 2}', `{"x": ${deep(190)}}`].map(called),
  ...[`{"x": ${deep(250)}}`, `{"x": ${deep(9000)}}`, '{"x": "[[[[{{"}', '{"x": 123456789012345678901234567890}'].map(
    called,
  ),
  `${called('{"x": 1}')} and ${called('{"y": [1.50]}')}`,
  '<tool_call>{"name": "f"}</tool_call>',
  '<tool_call>{"name": "f", "arguments": {}, "id": 1}</tool_call>',
];

const toldSchema = z.object({ score: z.number(), success: z.union([z.literal(0), z.literal(1)]), valid: z.number() });

describe('a Python reward of a person’s own in a job of verl', function () {
  this.timeout(240_000);

  before(function () {
    needsPython(this);
  });

  it('gives the verdicts that it gives here, of every call, after hangs and deaths too', async () => {
    const helper = 'def length(text):\n    return len(text)\n';
    const folder = await rewardFolder({ 'own.reward.py': reward, 'helper.py': helper });
    const limits = { seconds: 1, megabytes: 256, network: false };
    const host = await hostOf(join(folder, 'own.reward.py'), limits);
    try {
      const worker = await readFile(new URL('reward-worker.py', dist), 'utf8');
      const files = { 'own.reward.py': reward, 'helper.py': helper };
      const python = rewardInJob({ file: 'own.reward.py', files, worker, ...limits });
      const path = join(folder, 'reward.py');
      await writeFile(path, rewardFile({ python }, 'genenv/agent', 1_000_000));
      const asked = { task: rewardTask(task), trace: { id: '', version: 'agent@4' } };
      const row = rowSchema.parse(
        JSON.parse(
          agentRows([{ id: task.id, messages: task.prompt, evaluation: task.evaluation, gold: task.gold, asked }]),
        ),
      );
      const calls = answers.map((solution_str) => {
        const { data_source, reward_model, extra_info } = row;
        return JSON.stringify({ data_source, solution_str, ground_truth: reward_model.ground_truth, extra_info });
      });
      const script = fileURLToPath(new URL('../../support/ray/python/rewards.py', import.meta.url));
      const printed = execFileSync('python3', [script, path, 'compute_score'], {
        ...{ input: calls.join('\n'), maxBuffer: 2 ** 26, env: { ...process.env, A_KEY: 'secret' } },
      }).toString();
      const told = printed.split('\n').filter((line) => line.startsWith('{"score"'));
      assert.equal(told.length, answers.length, printed);
      assert.match(printed, /The reward failed, and counts 0: ValueError: cannot judge/);
      let [errors, successes] = [0, 0];
      for (const [i, content] of answers.entries()) {
        const messages = [{ role: 'assistant' as const, content }];
        const call = rewardCall(task, { id: '', messages, stopReason: 'stop', version: 'agent@4' });
        const { verdict } = await host.judge(call);
        const { score, success, valid } = toldSchema.parse(JSON.parse(told[i] ?? ''));
        const same = [verdict.reward, Number(verdict.success), Number(verdict.valid)];
        assert.deepEqual([score, success, valid], same, `${content.slice(0, 80)}: ${JSON.stringify(verdict)}`);
        errors += Number(verdict.error !== undefined);
        successes += Number(verdict.success);
      }
      // Answers say something only if they are of every kind.
      assert.ok(errors >= 12 && successes >= 5, `${errors} ${successes}`);
    } finally {
      host.dispose();
      await drop(folder);
    }
  });

  it('ends the job where the file does not load on the cluster', async () => {
    const own = 'import a_package_of_no_name\ndef reward(task, trace): return 1\n';
    const folder = await rewardFolder({});
    try {
      const worker = await readFile(new URL('reward-worker.py', dist), 'utf8');
      const limits = { seconds: 1, megabytes: 256, network: false };
      const python = rewardInJob({ file: 'own.reward.py', files: { 'own.reward.py': own }, worker, ...limits });
      const path = join(folder, 'reward.py');
      await writeFile(path, rewardFile({ python }, 'genenv/agent', 100));
      const script = fileURLToPath(new URL('../../support/ray/python/rewards.py', import.meta.url));
      const asked = JSON.stringify({ task: rewardTask(task), trace: { id: '', version: 'agent@4' } });
      const ground_truth = JSON.stringify({ task: 'base.1', evaluation: { kind: 'exact' }, gold: null });
      const input = JSON.stringify({ data_source: 'a', solution_str: 'a', ground_truth, extra_info: { asked } });
      assert.throws(
        () => execFileSync('python3', [script, path, 'compute_score'], { input, stdio: 'pipe' }),
        /The reward cannot be used here: ModuleNotFoundError: No module named 'a_package_of_no_name'/,
      );
    } finally {
      await drop(folder);
    }
  });
});

const rowSchema = z.object({
  data_source: z.string(),
  reward_model: z.object({ ground_truth: z.string() }),
  extra_info: z.record(z.string(), z.union([z.string(), z.number()])),
});
