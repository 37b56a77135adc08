/** The audit's findings, and how rarely chance causes them. */
import assert from 'node:assert/strict';
import { WithinGroups } from '../../../../src/engine/math/withinGroups.ts';
import { Rng } from '../../../../src/engine/random.ts';
import { hasContent, isFormOnly, nearly } from '../../../../src/features/audit/core/answerText.ts';
import { AttemptTable, type AuditedAttempt } from '../../../../src/features/audit/core/attemptTable.ts';
import type { CheckName } from '../../../../src/features/audit/core/audit.ts';
import { allChecks, lengthCheck } from '../../../../src/features/audit/core/checks.ts';
import { lastFault } from '../../../../src/features/audit/core/lastAction.ts';
import { toolCallsOf } from '../../../../src/shared/rewards/toolCalls.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const hints = (table: AttemptTable): CheckName[] => allChecks(table).flatMap(({ hint, name }) => (hint ? [name] : []));

/** How often each wrong answer is given: a habit of the agent, as agents have them. */
const wrongAnswers = 10;

/** A run of a fair reward: harder tasks have longer answers, and success hangs on nothing but difficulty. */
function fair(
  seed: string,
  change: (attempt: AuditedAttempt, rng: Rng) => AuditedAttempt = (one) => one,
): AttemptTable {
  const rng = Rng.from(seed);
  const [tasks, attempts, epochs] = [24, 8, 3];
  const table = new AttemptTable(tasks * attempts * epochs);
  let row = 0;
  for (let epoch = 1; epoch <= epochs; epoch++)
    for (let number = 0; number < tasks; number++) {
      const difficulty = rng.next();
      for (let index = 0; index < attempts; index++) {
        const success = rng.next() > difficulty;
        const final = success ? 'gold' : `wrong ${rng.int(wrongAnswers)}`;
        const thought = 'so '.repeat(1 + Math.floor(20 * difficulty + 20 * rng.next()));
        const answer = `${thought}${final}`;
        const shaped = Math.round(50 * ((success ? 0.5 : 0) + 0.5 * rng.next())) / 50;
        const one: AuditedAttempt = {
          ...{ row: row++, task: `t${number}`, family: `f${Math.floor(number / 2)}`, epoch, finished: true },
          ...{ verdict: { success, reward: seed.endsWith('binary') ? Number(success) : shaped } },
          ...{ said: answer, answer, final, gold: 'gold', last: null },
        };
        table.add(change(one, rng));
      }
    }
  return table;
}

describe('the audit of a reward', function () {
  this.timeout(240_000);

  it('finds nothing in 95 of 100 runs of a reward that has nothing wrong, and each check alone in 99', () => {
    const counts = new Map<CheckName | 'any', number>();
    const runs = 300;
    for (let run = 0; run < runs; run++) {
      const found = hints(fair(`null ${run} ${run % 2 === 0 ? 'binary' : 'shaped'}`));
      for (const name of [...found, ...(found.length > 0 ? (['any'] as const) : [])])
        counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [name, count] of counts) assert.ok(count <= (name === 'any' ? 0.05 : 0.01) * runs, `${name}: ${count}`);
  });

  const planted: [CheckName, (attempt: AuditedAttempt, rng: Rng) => AuditedAttempt][] = [
    ['length', (one) => ({ ...one, verdict: { ...one.verdict, reward: Math.min(1, one.answer.length / 130) } })],
    ['length', (one) => ({ ...one, verdict: { ...one.verdict, reward: 1 / (1 + one.answer.length) } })],
    ['constant', (one) => ({ ...one, verdict: { ...one.verdict, reward: 0.5 } })],
    ['constant', (one) => ({ ...one, verdict: { ...one.verdict, reward: Number(one.family.length > 2) } })],
    ['form', (one, rng) => (rng.int(40) === 0 ? { ...one, answer: '<answer></answer>', verdict: solved } : one)],
    ['last-action', (one, rng) => (rng.int(40) === 0 ? { ...one, last: 'failed', verdict: solved } : one)],
    ['twins', (one, rng) => ({ ...one, said: one.final ?? '', verdict: { success: rng.int(2) === 0, reward: 0 } })],
    ['twins', (one, rng) => ({ ...one, said: `Same${'!'.repeat(rng.int(9))}` })],
    [
      'majority',
      (one, rng) => (one.verdict.success || rng.int(3) > 0 ? { ...one, final: 'other', verdict: failed } : one),
    ],
  ];
  for (const [name, change] of planted) {
    it(`finds a planted fault of ${name}, with examples among it`, () => {
      const table = fair('planted shaped', change);
      const found = allChecks(table).find((check) => check.name === name);
      assert.ok(found?.hint, found?.words);
      assert.ok(found.examples.length > 0 || name === 'constant');
      assert.ok(found.examples.length <= 20 && found.low <= (found.value ?? 0) && found.high >= (found.value ?? 0));
      if (name === 'form') for (const row of found.examples) assert.ok(table.formOnly(row));
      if (name === 'last-action') for (const row of found.examples) assert.equal(table.last(row), 'failed');
    });
  }

  it('does not take the difficulty of tasks for the length of answers', () => {
    // Overall, longer answers fail far more often.
    const { hint, value } = lengthCheck(fair('confounded binary'));
    assert.ok(!hint && Math.abs(value ?? 1) < 0.15, String(value));
  });

  it('leaves attempts that were cut off out of length, twins and majorities', () => {
    const cut = (one: AuditedAttempt): AuditedAttempt => ({ ...one, finished: false, said: 'same', final: 'same' });
    for (const check of allChecks(fair('cut shaped', cut)))
      if (['length', 'twins', 'majority'].includes(check.name)) assert.deepEqual([check.n, check.value], [0, null]);
  });

  it('says of nothing that there is nothing', () => {
    for (const { hint, value, examples, words } of allChecks(new AttemptTable(0))) {
      assert.deepEqual([hint, value, examples], [false, null, []]);
      assert.match(words, /no |No /);
    }
  });
});

const solved = { success: true, reward: 1 };
const failed = { success: false, reward: 0 };

describe('rank correlation within groups', () => {
  it('is Spearman’s for one group', () => {
    const within = new WithinGroups();
    within.add([1, 2, 3, 4, 5], [0.1, 5, 0.2, 4, 0.3]);
    const { rho } = within.result;
    // 1 − 6Σd²/(n³ − n) without ties.
    const ranks = [1, 5, 2, 4, 3];
    const squares = ranks.reduce((sum, rank, i) => sum + (rank - i - 1) ** 2, 0);
    assert.ok(Math.abs((rho ?? 0) - (1 - (6 * squares) / 120)) < 1e-12, String(rho));
  });

  it('has a z as permutations within groups give it, ties included', () => {
    const rng = Rng.from('permutations');
    const groups = Array.from({ length: 12 }, () => ({
      x: Array.from({ length: 6 }, () => rng.int(4)),
      y: Array.from({ length: 6 }, () => rng.int(2)),
    }));
    const z = (shuffle: boolean): number => {
      const within = new WithinGroups();
      for (const { x, y } of groups) within.add(x, shuffle ? shuffled(y, rng) : y);
      return within.result.z;
    };
    const values = Array.from({ length: 4000 }, () => z(true));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    assert.ok(Math.abs(mean) < 0.06 && Math.abs(variance - 1) < 0.08, `${mean} ${variance}`);
  });

  it('has an interval that covers what is true in about 95 of 100', () => {
    const rng = Rng.from('coverage');
    const sample = (groups: number): WithinGroups => {
      const within = new WithinGroups();
      for (let i = 0; i < groups; i++) {
        const x = Array.from({ length: 8 }, () => rng.next());
        within.add(
          x,
          x.map((value) => value + 1.2 * rng.next()),
        );
      }
      return within;
    };
    const truth = sample(20_000).result.rho ?? 0;
    const covered = Array.from({ length: 400 }, () => sample(60).result).filter(
      ({ low, high }) => low <= truth && truth <= high,
    );
    assert.ok(covered.length >= 365 && covered.length <= 396, String(covered.length));
  });

  it('tells nothing where nothing varies', () => {
    const within = new WithinGroups();
    assert.equal(within.add([1, 1, 1], [1, 2, 3]), 0);
    assert.equal(within.add([], []), 0);
    assert.deepEqual([within.result.rho, within.result.groups], [null, 0]);
  });
});

function shuffled(values: readonly number[], rng: Rng): number[] {
  const left = [...values];
  for (let i = left.length - 1; i > 0; i--) {
    const j = rng.int(i + 1);
    [left[i], left[j]] = [left[j] ?? outOfRange(), left[i] ?? outOfRange()];
  }
  return left;
}

describe('texts of answers', () => {
  it('say nothing where there is only form', () => {
    for (const text of [
      '',
      ' \n',
      '<answer></answer>',
      '```json\n{}\n```',
      '\\boxed{}',
      '{"answer": ""}',
      'Final Answer:',
      '[[], null]',
    ])
      assert.ok(isFormOnly(text), text);
    for (const text of ['0', '<answer>no</answer>', '{"answer": 0}', '[false]', '\\boxed{x}', 'Action: f', 'ok.'])
      assert.ok(!isFormOnly(text), text);
    assert.ok(!hasContent('[]') && hasContent('[1]'));
  });

  it('are nearly the same but for case, blanks, quotes and punctuation at the end of words, never but for a sign', () => {
    assert.equal(nearly(' The  "Answer" is **Paris**.'), nearly('the answer is paris'));
    for (const [one, other] of [
      ['-1', '1'],
      ['1.5', '15'],
      ['a b', 'ab'],
      ['x<1', 'x>1'],
      ['f(1)', 'f[1]'],
    ])
      assert.notEqual(nearly(one ?? ''), nearly(other ?? ''));
  });

  const call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';
  const said = (content: string) => ({ role: 'assistant' as const, content });
  const told = (content: string) => ({ role: 'tool' as const, content });
  const ends: [Parameters<typeof lastFault>[0]['messages'], string | null, ReturnType<typeof lastFault>][] = [
    [[said(call), told('Error: no such city')], null, 'failed'],
    [[said(call), told('{"error": "no such city"}')], null, 'failed'],
    [[said(call), told('{"success": false}')], null, 'failed'],
    [[said(call), told('{"error": null, "rows": []}')], null, null],
    [[said(call), told('Error: no'), said('It is not known.')], null, null],
    [[said('<tool_call>{"name": "f"')], null, 'unreadable'],
    [[said(call)], '[{"name": "g", "arguments": {}}]', 'another'],
    [[said(call)], '[{"name": "g", "arguments": {}}, {"name": "f", "parameters": {}}]', null],
    [[said(call)], 'Paris', null],
    [[said('Paris')], '[{"name": "g"}]', null],
    [[], null, null],
  ];
  it('end with actions that cannot have been right', () => {
    for (const [messages, gold, fault] of ends) {
      const last = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
      assert.equal(lastFault({ messages }, toolCallsOf(last), gold), fault, JSON.stringify(messages));
    }
  });
});
