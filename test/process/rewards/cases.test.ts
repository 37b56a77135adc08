import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { testReward } from '../../../src/features/rewards/cli/testReward.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { loadReward } from '../../../src/launch/scoring/reward.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { fakeTerminal } from '../../support/cli.ts';
import { dist } from '../../support/built.ts';
import { callOf, drop, rewardFolder } from '../../support/rewards/given.ts';

const line = (answer: string, expected: object, note = ''): string =>
  JSON.stringify({ v: 1, ...callOf(answer), expected, source: null, note });

const files = {
  'mine.reward.ts':
    'let n = 0;\nexport const reward = (task, trace) => trace.answer === "moody" ? (n++ % 2) : trace.answer === task.gold ? 1 : 0.25;\n',
  'mine.reward.cases.jsonl': [
    line('it', { success: true, reward: 1 }, 'the gold'),
    line('no', { success: false, reward: 0.2, tolerance: 0.1 }, 'near enough'),
    '',
    line('no', { success: true }, 'not solved'),
    line('no', { success: false, reward: 0.5 }, 'too little'),
    line('moody', { success: false }, 'moody'),
    '{"v": 1}',
    'no JSON',
  ].join('\n'),
};

describe('worked cases of a reward', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await rewardFolder(files);
  });
  afterEach(() => drop(folder));

  async function genenv(...words: string[]): Promise<{ code: number; out: string }> {
    const parsed = parseCommandLine(['test-reward', ...words]);
    assert.ok(parsed.kind === 'command');
    const terminal = fakeTerminal({ cwd: folder });
    const code = await testReward({ terminal, arguments: parsed.arguments, dist });
    return { code, out: terminal.out.text };
  }

  it('are judged in their order, each with what is wrong with it', async () => {
    const { code, out } = await genenv('mine.reward.ts');
    assert.equal(code, 1);
    const rows = [
      /1 {2}the gold +right/,
      /2 {2}near enough +right/,
      /4 {2}not solved +wrong: success is false, and true is expected/,
      /5 {2}too little +wrong: the reward is 0.25, and 0.5 is expected/,
      /6 {2}moody +wrong: the second time success is true and the reward 1/,
      /7 {2}line 7 +wrong: task: /,
      /8 {2}line 8 +wrong: The line is no JSON/,
      /7 cases, 5 wrong/,
    ];
    for (const row of rows) assert.match(out, row);
  });

  it('leave with 0 where all are right, with their outcomes for programs', async () => {
    await writeFile(join(folder, 'mine.reward.cases.jsonl'), `${line('it', { success: true })}\n`);
    const { code, out } = await genenv('mine.reward.ts', '--json');
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(out), {
      files: [
        {
          file: 'mine.reward.ts',
          cases: [
            {
              ...{ line: 1, name: 't', wrong: null },
              outcome: { verdict: { success: true, reward: 1, valid: true }, fault: null, output: '' },
            },
          ],
        },
      ],
      wrong: 0,
    });
  });

  it('keep a run from beginning', async () => {
    const experiment = { ...presets.embedded, reward: { ...presets.embedded.reward, file: 'mine.reward.ts' } };
    await assert.rejects(loadReward(experiment, folder, dist), (error) => {
      assert.ok(error instanceof InputError);
      assert.deepEqual(
        error.problems.map(({ line: at }) => at),
        [4, 5, 6, 7, 8],
      );
      assert.match(error.message, /cases\.jsonl:4: The reward judges the case “not solved” wrong: success is false/);
      return true;
    });
    await writeFile(join(folder, 'mine.reward.cases.jsonl'), `${line('it', { success: true })}\n`);
    assert.equal((await loadReward(experiment, folder, dist))?.kept.file, 'mine.reward.ts');
  });
});
