import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { apart } from '../../../../src/shared/text/thoughts.ts';
import { rewardFile } from '../../../../src/endpoints/verl/files/rewardFile.ts';
import { StorekeeperDomain } from '../../../../src/benchmarks/storekeeper/domain.ts';
import { pythonScorer } from '../../../../src/benchmarks/storekeeper/pythonScorer.ts';
import { StorekeeperScorer } from '../../../../src/benchmarks/storekeeper/scorer.ts';
import { vocabulary } from '../../../../src/benchmarks/storekeeper/vocabulary.ts';
import { Rng } from '../../../../src/engine/random.ts';
import { needsPython } from '../../../support/ray/python.ts';

interface Vector {
  text: string;
  gold: string | null;
  evaluation: { kind: string };
  finished: boolean;
}

const kind = { kind: 'storekeeper' };
const golds = new StorekeeperDomain({ baseTasks: 60 }).seeds('base').map(({ gold }) => gold ?? '');

/** Texts of models: right, nearly right, and wrong. */
function vectors(): Vector[] {
  const rng = Rng.from('python scorer');
  const spoiled = golds.flatMap((gold) =>
    Array.from({ length: 12 }, () => {
      const words = gold.split(' ');
      for (let edits = rng.int(3); edits >= 0; edits--) {
        const at = rng.int(words.length + 1);
        const word = vocabulary[rng.int(vocabulary.length)] ?? '';
        words.splice(at, rng.int(3), ...(rng.int(3) === 0 ? [] : [word]));
      }
      return { text: words.join(' '), gold };
    }),
  );
  const [gold = ''] = golds;
  const odd = [
    ...['', ' ', '<end>', '<end> <end>', `${gold} <end>`, `${gold} <end> <end>`, `  ${gold}\n`, gold.toUpperCase()],
    ...[gold.replaceAll(' ', '\t'), gold.replaceAll(' ', '\u00a0'), gold.replaceAll(' ', '\u3000'), `\ufeff${gold}`],
    ...[
      gold.replaceAll(' ', '\u001c'),
      gold.replaceAll(' ', '\u0085'),
      gold.replaceAll(' ', '\u200b'),
      `${gold}\u2028`,
    ],
    ...['0', '7', '18', '19', '007', '-1', '1.0', '３', '٣', '1\n', '²'].map((n) => `first increase f3 rice ${n}`),
    ...[
      'first get f3 rice',
      'first get f3 rice 4',
      'first clear f3',
      'first',
      'second increase f3 rice 1',
      `${gold} x`,
    ],
    ...[`${gold} ${gold}`, 'first increase f3 rice 4 first increase f3 rice 4', '{"a": 1}', 'fïrst', '😀'],
  ].map((text) => ({ text, gold }));
  const asked = [...golds.map((one) => ({ text: one, gold: one })), ...spoiled, ...odd];
  return [
    ...asked.flatMap((one) => [true, false].map((finished) => ({ ...one, evaluation: kind, finished }))),
    { text: gold, gold: null, evaluation: kind, finished: true },
    { text: gold, gold, evaluation: { kind: 'another' }, finished: true },
  ];
}

const verdictSchema = z.object({
  reward: z.number(),
  success: z.boolean(),
  valid: z.boolean(),
  parts: z.record(z.string(), z.number()),
});

const driver = `
import json, sys, importlib.util
spec = importlib.util.spec_from_file_location("reward", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
for line in sys.stdin:
    print(json.dumps(module.judge(**json.loads(line))))
`;

describe('the storekeeper scorer in Python', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'genenv-reward-'));
  const path = join(folder, 'reward.py');

  before(function () {
    needsPython(this);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const reward of ['success', 'calls'] as const) {
    it(`gives the verdicts of the scorer, rewarding ${reward}`, () => {
      writeFileSync(path, rewardFile({ python: pythonScorer(reward) }, 'genenv/agent', 96));
      const all = vectors();
      const input = all.map((vector) => `${JSON.stringify(vector)}\n`).join('');
      const printed = execFileSync('python3', ['-c', driver, path], { input, maxBuffer: 2 ** 26 }).toString();
      const given = printed.trimEnd().split('\n');
      assert.equal(given.length, all.length);
      const scorer = new StorekeeperScorer(reward);
      const counts = { success: 0, valid: 0 };
      for (const [i, { text, gold, evaluation, finished }] of all.entries()) {
        const messages = [{ role: 'assistant' as const, content: text }];
        const verdict = scorer.score({ evaluation, gold }, { messages, stopReason: finished ? 'stop' : 'length' });
        const { success, valid, reward, parts = { calls: 0, format: 0 } } = verdict;
        assert.deepEqual(
          verdictSchema.parse(JSON.parse(given[i] ?? '')),
          { success, valid, reward, parts },
          JSON.stringify(all[i]),
        );
        counts.success += Number(success);
        counts.valid += Number(valid);
      }
      // The vectors say something only if they are of every kind.
      assert(counts.success > 60 && counts.valid > counts.success && counts.valid < all.length / 2, `${counts.valid}`);
    });
  }

  it('takes an answer of as many tokens as it may have for one that was cut off', () => {
    writeFileSync(path, rewardFile({ python: pythonScorer() }, 'genenv/agent', 5));
    const ground_truth = JSON.stringify({ task: 'base.1', evaluation: kind, gold: 'first get f3 rice' });
    const call = (solution_str: string) =>
      JSON.stringify({ data_source: 'genenv/storekeeper', solution_str, ground_truth });
    const input = ['first get f3 rice', 'first increase f3 rice 4'].map(call).join('\n');
    const script = fileURLToPath(new URL('../../../support/ray/python/rewards.py', import.meta.url));
    const tokenizer = fileURLToPath(new URL('../../../support/ray/python', import.meta.url));
    const run = (PYTHONPATH: string) =>
      execFileSync('python3', [script, path, 'compute_score'], { input, env: { ...process.env, PYTHONPATH } })
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line): unknown => JSON.parse(line));
    assert.deepEqual(run(tokenizer), [
      { score: 1, success: 1, valid: 1, tokens: 4, cut: 0, part_calls: 1, part_format: 1 },
      { score: 0, success: 0, valid: 0, tokens: 5, cut: 1, part_calls: 0, part_format: 1 },
    ]);
  });

  it('judges an answer without the thoughts before it, as the loop does', () => {
    writeFileSync(path, rewardFile({ python: pythonScorer() }, 'genenv/agent', 96));
    const blanks = '\t\n\v\f\r \u00a0\u1680\u2000\u2007\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
    const texts = [
      ...['four', '', '<think>\ntwo\n</think>\n\nfour', 'two</think>four', '<think>two', '[THINK]two[/THINK] four'],
      ...['[THINK]two', 'Write <think> first.', 'a</think>b</think>c', '<think>a[/THINK]b', '[THINK]a</think>b'],
      ...[
        `${blanks}<think>a</think>${blanks}b${blanks}`,
        ...['\u001c', '\u0085', '\u200b'].map((c) => `${c}<think>a</think>${c}b`),
      ],
    ];
    const script = `${driver.slice(0, driver.indexOf('for line'))}
for line in sys.stdin:
    print(json.dumps(module._answer_of(json.loads(line))))
`;
    const input = texts.map((text) => `${JSON.stringify(text)}\n`).join('');
    const printed = execFileSync('python3', ['-c', script, path], { input }).toString().trimEnd().split('\n');
    assert.deepEqual(
      printed.map((line): unknown => JSON.parse(line)),
      texts.map((text) => apart(text, null).text),
    );
    const ground_truth = JSON.stringify({ task: 'base.1', evaluation: kind, gold: 'first get f3 rice' });
    const solution_str = '<think>\nfirst get f4 rice?\n</think>\n\nfirst get f3 rice';
    const rewards = fileURLToPath(new URL('../../../support/ray/python/rewards.py', import.meta.url));
    const call = JSON.stringify({ data_source: 'a', solution_str, ground_truth });
    const judged = execFileSync('python3', [rewards, path, 'compute_score'], { input: call }).toString();
    assert.match(judged, /"score": 1.0, "success": 1/);
  });

  it('notes what it counted by the digest of the text', () => {
    const notes = readdirSync(join(folder, 'counts')).map((name) => readFileSync(join(folder, 'counts', name), 'utf8'));
    const digest = createHash('sha256').update('first increase f3 rice 4').digest('hex');
    assert.match(notes.join(''), new RegExp(`{"text": "${digest}", "tokens": 5, "cut": 1}\n`));
  });

  it('judges without a tokenizer, too', () => {
    const absent = join(folder, 'absent');
    const broken = `raise ImportError("no transformers here")\n`;
    writeFileSync(join(folder, 'transformers.py'), broken);
    const ground_truth = JSON.stringify({ task: 'base.1', evaluation: kind, gold: 'first get f3 rice' });
    const input = JSON.stringify({ data_source: 'a', solution_str: 'first get f3 rice', ground_truth, extra_info: {} });
    const script = fileURLToPath(new URL('../../../support/ray/python/rewards.py', import.meta.url));
    const env = { ...process.env, PYTHONPATH: `${folder}:${absent}`, PYTHONSAFEPATH: '1' };
    const printed = execFileSync('python3', [script, path, 'compute_score'], { input, env }).toString();
    assert.match(printed, /Tokens are not counted: no transformers here/);
    assert.match(printed, /"score": 1.0, "success": 1, "valid": 1, "tokens": -1, "cut": 0/);
  });
});
