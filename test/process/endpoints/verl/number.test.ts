import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { rewardFile } from '../../../../src/endpoints/verl/files/rewardFile.ts';
import { isJudgedInJobs, jobScorer } from '../../../../src/benchmarks/jobScorer.ts';
import { ScorerTable } from '../../../../src/benchmarks/scorerTable.ts';
import { Rng } from '../../../../src/engine/random.ts';
import { answerStarts } from '../../../../src/shared/adapters/starts.ts';
import { needsPython } from '../../../support/ray/python.ts';
import { finalNumbers } from '../../../support/stories/numbers.ts';

const evaluation = (kind: 'final-number' | 'boxed' | 'last-line' | 'text', room = { absolute: 0, relative: 0 }) => ({
  ...{ kind: 'number', answer: { kind }, ...room },
});

/** Texts of agents, and the same with pieces moved. */
function vectors() {
  const rng = Rng.from('python number');
  const pieces = [
    'Answer: ',
    '12',
    ',',
    '.',
    '\\boxed{',
    '}',
    '####',
    ' = ',
    '/',
    '-',
    '\\frac{1}{2}',
    '\\frac12',
    ' \\times 10^{3}',
    '*',
    'e-2',
    '^',
    '(',
    ')',
    ' 1/2',
    '%',
    '$',
    ' ',
    '\n',
    '0',
    '١',
    '４',
  ];
  const spoiled = finalNumbers.flatMap(([text]) =>
    Array.from({ length: 40 }, () => {
      const letters = Array.from(text);
      for (let edits = rng.int(4); edits >= 0; edits--)
        letters.splice(rng.int(letters.length + 1), rng.int(3), pieces[rng.int(pieces.length)] ?? '');
      return letters.join('');
    }),
  );
  const long = [
    '9007199254740993',
    '9007199254740992.0',
    '9,007,199,254,740,994',
    '-9007199254740993',
    '1e400',
    '9'.repeat(400),
  ];
  const longs = [...long, '0.5'].flatMap((text) =>
    long.flatMap((gold) =>
      [evaluation('text'), evaluation('final-number'), evaluation('text', { absolute: 1, relative: 0.1 })].map(
        (spec) => ({
          ...{ text, gold, evaluation: spec, finished: true },
        }),
      ),
    ),
  );
  const short = [...finalNumbers.map(([text]) => text), ...spoiled].flatMap((text) =>
    (['12', '0.75', '1,250'] as const).flatMap((gold) => [
      ...(['final-number', 'boxed', 'last-line', 'text'] as const).map((kind) => ({
        ...{ text, gold, evaluation: evaluation(kind), finished: true },
      })),
      { text, gold, evaluation: evaluation('final-number', { absolute: 0.5, relative: 0.1 }), finished: true },
      { text, gold, evaluation: evaluation('final-number'), finished: false },
    ]),
  );
  const accepting = ['14', 'four'].map((other) => ({
    ...{ text: 'Answer: 14', gold: '12', finished: true },
    evaluation: { ...evaluation('final-number'), accept: [other] },
  }));
  return [...short, ...longs, ...accepting];
}

const driver = `
import json, sys, importlib.util
spec = importlib.util.spec_from_file_location("reward", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
for line in sys.stdin:
    print(json.dumps(module.judge(**json.loads(line))))
`;

const verdictSchema = z.object({ reward: z.number(), success: z.boolean(), valid: z.boolean() });

describe('the rule “number” in Python', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'genenv-number-'));
  before(function () {
    needsPython(this);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('gives the verdicts of the scorer', async () => {
    const path = join(folder, 'reward.py');
    writeFileSync(path, rewardFile({ python: jobScorer() }, 'genenv/agent', 4096));
    const all = vectors();
    const input = all.map((vector) => `${JSON.stringify(vector)}\n`).join('');
    const printed = execFileSync('python3', ['-c', driver, path], { input, maxBuffer: 2 ** 26 }).toString();
    const given = printed.trimEnd().split('\n');
    assert.equal(given.length, all.length);
    const rules = await ScorerTable.open(['number']);
    const counts = { success: 0, valid: 0 };
    for (const [i, { text, gold, evaluation: spec, finished }] of all.entries()) {
      const messages = [{ role: 'assistant' as const, content: text }];
      const verdict = rules.score({ evaluation: spec, gold }, { messages, stopReason: finished ? 'stop' : 'length' });
      const { success, valid, reward } = verdict;
      assert.deepEqual(
        verdictSchema.parse(JSON.parse(given[i] ?? '')),
        { success, valid, reward },
        JSON.stringify(all[i]),
      );
      counts.success += Number(success);
      counts.valid += Number(valid);
    }
    assert.ok(
      counts.success > 100 && counts.valid > counts.success && counts.valid < all.length,
      JSON.stringify(counts),
    );
  });

  it('is known only where Python reads the answer as this program does', () => {
    for (const answer of Object.values(answerStarts))
      assert.equal(
        isJudgedInJobs({ evaluation: { kind: 'number', answer } }),
        ['final-number', 'boxed', 'last-line', 'text'].includes(answer.kind),
        answer.kind,
      );
    assert.equal(isJudgedInJobs({ evaluation: { kind: 'exact', answer: { kind: 'text' } } }), false);
  });
});
