/** Coverage of calls, from the real processes: executed parts, their counts, and the others. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CoverageFold } from '../../../src/rewards/covered/coverageFold.ts';
import type { CoveredFile } from '../../../src/shared/rewards/coverage.ts';
import { callOf, drop, rewardFolder } from '../../support/rewards/given.ts';
import { hostOf } from '../../support/rewards/openReward.ts';

/** Of every file that the reward loads, by name, after it judged these answers. */
async function covered(
  files: Readonly<Record<string, string>>,
  name: string,
  answers: readonly string[],
): Promise<Map<string, CoveredFile>> {
  const folder = await rewardFolder(files);
  try {
    const host = await hostOf(join(folder, name), { coverage: true });
    const fold = new CoverageFold();
    fold.add(host.coverage);
    for (const answer of answers) fold.add((await host.judge(callOf(answer))).coverage ?? []);
    host.dispose();
    return new Map(fold.files().map((file) => [file.file.slice(folder.length + 1), file]));
  } finally {
    await drop(folder);
  }
}

/** By line; of statements inside each other the outer one. */
const counts = (file: CoveredFile | undefined): Record<number, number> => {
  const rows = file?.statements.map(({ from, count }) => [from.line, count] as const) ?? [];
  return Object.fromEntries(rows.toReversed());
};

/** Branches as “line name count”. */
const branches = (file: Pick<CoveredFile, 'statements'> | undefined): string[] =>
  (file?.statements ?? []).flatMap((one) =>
    one.branches.map(({ from, name, count }) => `${from.line} ${name} ${count}`),
  );

const script = `// A note.
import { twice } from './twice.js';
interface Trace {
  answer: string;
}
/**
 * What it says.
 */
export function reward(_task: unknown, { answer }: Trace): number {
  if (answer === 'right') {
    return 1;
  } else if (answer === 'never') {
    return twice(0.1);
  }
  return answer.length > 3 ? 0.5 : 0;
}
`;

const python = `from twice import twice

def reward(task, trace):
    """What it says."""
    if trace["answer"] == "right":
        return 1
    for _ in range(2):
        pass
    if trace["answer"] == "never":
        return twice(0.1)
    return 0
`;

describe('coverage of rewards', () => {
  it('in TypeScript counts lines of code, and shows the branch that no call took', async () => {
    const files = {
      'mine.reward.ts': script,
      'twice.ts': 'export const twice = (x: number): number => {\n  return 2 * x;\n};\n',
    };
    const found = await covered(files, 'mine.reward.ts', ['right', 'wrong', 'wrong', 'no']);
    const mine = found.get('mine.reward.ts');
    assert.deepEqual(counts(mine), { 10: 4, 11: 1, 12: 3, 13: 0, 15: 3 });
    assert.deepEqual(branches(mine), ['10 if 1', '12 else 3', '12 if 0', '12 else 3', '15 ? 2', '15 : 1']);
    assert.deepEqual(mine?.functions, [{ name: 'reward', at: { line: 9, column: 8 }, count: 4 }]);
    assert.deepEqual(counts(found.get('twice.ts')), { 1: 1, 2: 0 });
    assert.deepEqual(found.get('twice.ts')?.functions, [{ name: 'twice', at: { line: 1, column: 22 }, count: 0 }]);
  });

  it('is kept of calls before one that ends its process, and of those after it', async () => {
    const text =
      'module.exports = (_, { answer }) => {\n  if (answer === "end") process.exit(3);\n  if (answer === "a") return 1;\n  return 0;\n};\n';
    const found = await covered({ 'mine.reward.js': text }, 'mine.reward.js', ['a', 'end', 'b']);
    assert.deepEqual(counts(found.get('mine.reward.js')), { 1: 1, 2: 2, 3: 2, 4: 1 });
  });

  it('in Python counts lines, of what it imports, too', async () => {
    const files = { 'mine.reward.py': python, 'twice.py': 'def twice(x):\n    return 2 * x\n' };
    const found = await covered(files, 'mine.reward.py', ['right', 'wrong']);
    assert.deepEqual(counts(found.get('mine.reward.py')), { 1: 1, 3: 1, 5: 2, 6: 1, 7: 3, 8: 2, 9: 1, 10: 0, 11: 1 });
    assert.deepEqual(found.get('mine.reward.py')?.functions, [
      { name: 'reward', at: { line: 3, column: 1 }, count: 2 },
    ]);
    assert.deepEqual(counts(found.get('twice.py')), { 1: 1, 2: 0 });
  });

  it('knows what an early end left out, though V8 counts on behind a condition', async () => {
    const text = [
      'const one = (b) => b && 1;',
      'export function reward(_, { answer }) {',
      '  if (answer === "early") return 1;',
      '  const x = answer ? 1 : 0;',
      '  const y = one(x);',
      '  for (const word of answer.split(" ")) {',
      '    if (word === "skip") continue;',
      '    switch (word) {',
      '      case "a":',
      '        return y;',
      '      default:',
      '        break;',
      '    }',
      '  }',
      '  try {',
      '    JSON.parse(answer);',
      '  } catch {',
      '    return 0;',
      '  }',
      '  return 1;',
      '}',
    ].join('\n');
    const early = await covered({ 'mine.reward.js': text }, 'mine.reward.js', ['early', 'early']);
    const file = early.get('mine.reward.js');
    assert.deepEqual(
      file?.statements.filter(({ from, count }) => from.line > 3 && count > 0),
      [],
    );
    const all = await covered({ 'mine.reward.js': text }, 'mine.reward.js', ['early', 'skip b', 'a', '7']);
    assert.deepEqual(counts(all.get('mine.reward.js')), {
      ...{ 1: 1, 3: 4, 4: 3, 5: 3, 6: 3, 7: 4, 8: 3, 10: 1, 12: 2, 15: 2, 16: 2, 18: 1, 20: 1 },
    });
    assert.deepEqual(branches(all.get('mine.reward.js')), [
      ...['1 && 3', '3 if 1', '3 else 3', '4 ? 3', '4 : 0', '7 if 1', '7 else 3', '9 case 1', '11 default 2'],
    ]);
  });
});
