/** The line of the form that tells a run's work, time and cost before it starts. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TaskCounter } from '../../../../src/launch/inputs/taskCounter.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { expectedWork } from '../../../../src/shared/experiment/workload.ts';
import type { SharedSpending } from '../../../../src/shared/money/sharedWork.ts';
import { nothingUsed } from '../../../../src/shared/money/used.ts';
import { approximate } from '../../../../src/shared/text/figures/numbers.ts';
import { pricedServer } from '../../../support/scripted/billing.ts';
import { workWords } from '../../../../webview/experiment/workWords.ts';

const experiment = (over: object = {}) =>
  resolveExperiment({ name: 'tiny', preset: 'embedded', epochs: 100, validation: { every: 0 }, ...over });
const pace = { run: 'demo', secondsPerToken: 0.001, tokensPerAttempt: 100, billedPerToken: 1 };
/** The draft of a branch whose shared epochs have spent so much. */
const after = (epoch: number, spent: Partial<SharedSpending> = {}) => ({
  epoch,
  shared: {
    ...{ tokens: 0, rollouts: 0, seconds: 0, used: nothingUsed, cut: null, validated: true, evaluated: true },
    ...spent,
  },
});
const noFiles = { base: {}, heldOut: {}, evaluation: null };

describe('the work that the form tells', () => {
  const { epoch } = expectedWork(experiment()).rollouts;

  it('is of all epochs, and says so', () => {
    const words = workWords(experiment(), { pace, counts: noFiles }, null);
    assert.ok(
      words.startsWith(`all 100 epochs: ${epoch} rollouts an epoch, ${approximate(100 * epoch)} in all`),
      words,
    );
    assert.ok(words.includes(`about ${approximate(100 * epoch * 100)} tokens`), words);
    assert.match(workWords(experiment({ epochs: 1 }), { pace, counts: noFiles }, null), /^1 epoch: /);
    assert.match(workWords(experiment(), { pace, counts: noFiles }, after(40)), /^epochs 41 to 100: /);
  });

  it('is of the epochs until a budget ends the run, rollouts and tokens alike', () => {
    const ends = experiment({ budget: { tokens: 40 * epoch * 100 } });
    const words = workWords(ends, { pace, counts: noFiles }, null);
    assert.ok(
      words.startsWith(
        `until the tokens budget ends it after epoch 40: ${epoch} rollouts an epoch, ${approximate(40 * epoch)} in all`,
      ),
      words,
    );
    assert.ok(words.includes(`about ${approximate(40 * epoch * 100)} tokens`), words);
    assert.match(
      workWords(ends, { pace, counts: noFiles }, after(10)),
      /^epochs 11 to 50, until the tokens budget ends it: /,
    );
  });

  it('counts what the epochs that a branch shares have spent, as the run does', () => {
    const ends = experiment({ budget: { tokens: 40 * epoch * 100 } });
    const shared = after(10, { tokens: 10 * epoch * 100 });
    const words = workWords(ends, { pace, counts: noFiles }, shared);
    assert.match(words, /^epochs 11 to 40, until the tokens budget ends it: /);
    assert.ok(words.includes(`${approximate(30 * epoch)} in all`), words);
    const spent = after(10, { tokens: 41 * epoch * 100 });
    for (const known of [pace, null])
      assert.match(
        workWords(ends, { pace: known, counts: noFiles }, spent),
        /^no epoch of its own: those that it shares have spent the tokens budget$/,
      );
    const priced = { ...pricedServer, priceSampled: 4 };
    const dear = experiment({ endpoints: { agent: priced, environment: priced }, budget: { cost: 1 } });
    const used = { ...nothingUsed, agent: { prompt: 0, sampled: 250_000, trained: 0 } };
    assert.match(workWords(dear, undefined, after(10, { used })), /^no epoch of its own: .* the cost budget$/);
    const cut = after(10, { cut: { by: 'cost', budget: 1 } });
    assert.match(workWords(dear, undefined, cut), /^no epoch of its own/, 'it ended the epoch before early');
    const more = experiment({ endpoints: { agent: priced, environment: priced }, budget: { cost: 2 } });
    assert.doesNotMatch(workWords(more, undefined, cut), /no epoch of its own/, 'it was raised');
  });

  it('leaves out what a branch does not measure again', () => {
    const measuring = experiment({ epochs: 10, validation: { every: 2, tasks: 40, rollouts: 1 } });
    const told = (branch: ReturnType<typeof after> | null) =>
      / (\d+) more to validate/.exec(workWords(measuring, { pace, counts: noFiles }, branch))?.[1];
    assert.deepEqual(
      [told(null), told(after(0)), told(after(5)), told(after(5, { validated: false }))],
      ['240', '200', '120', '160'],
    );
  });

  it('keeps what is measured before the first epoch, whichever epoch a budget ends', () => {
    const measuring = { epochs: 10, budget: { rollouts: 500 }, validation: { every: 1, tasks: 400, rollouts: 1 } };
    const words = workWords(experiment(measuring), { pace, counts: noFiles }, null);
    assert.match(words, /^until the rollouts budget ends it after epoch 1: .* 800 more to validate/);
    const alone = workWords(experiment({ ...measuring, epochs: 1 }), { pace, counts: noFiles }, null);
    assert.equal(words.replace(/^[^:]*/, '1 epoch'), alone);
    assert.match(workWords(experiment({ epochs: 41 }), { pace, counts: noFiles }, after(40)), /^epoch 41: /);
  });

  it('is of all epochs while tokens are bounds, and says when the budget may end it', () => {
    const most = expectedWork(experiment()).tokens.epoch;
    const words = workWords(experiment({ budget: { tokens: 5 * most } }), { pace: null, counts: noFiles }, null);
    assert.match(words, /^all 100 epochs: .* · the tokens budget ends it after epoch 5 at the earliest$/);
  });

  it('counts the tasks of files, and tells a bound where they are not counted', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'genenv-work-words-'));
    const dist = pathToFileURL(`${directory}/`);
    try {
      const task = (id: number) =>
        JSON.stringify({ id: `t${id}`, prompt: [{ role: 'user', content: 'x' }], gold: null });
      await writeFile(join(directory, 'held.jsonl'), `${[1, 2, 3].map(task).join('\r\n')}\r\n \r\n`);
      await writeFile(join(directory, 'seeds.jsonl'), [4, 5].map(task).join('\n'));
      const own = experiment({
        domain: { name: 'stories', seeds: 'seeds.jsonl', heldOut: 'held.jsonl', baseTasks: 64 },
        validation: { every: 100, tasks: 50, rollouts: 1 },
        evaluation: { adapter: 'gone.adapter.json', every: 10, sample: null },
      });
      const counter = new TaskCounter(dist);
      const counted = await counter.count(own, directory);
      assert.deepEqual(counted, {
        base: new Map([['stories', 2]]),
        heldOut: new Map([['stories', 3]]),
        evaluation: null,
      });
      const counts = { base: { stories: 2 }, heldOut: { stories: 3 }, evaluation: null };
      const words = workWords(own, { pace, counts }, null);
      // Before the first epoch and after the last.
      assert.match(words, / · 6 more to validate · more at the benchmark, whose tasks “Check” counts · /);
      assert.match(words, /^all 100 epochs: at most \d+ rollouts an epoch/, 'two base tasks fill no epoch');
      assert.match(workWords(own, undefined, null), / · at most 100 more to validate · /);
      assert.match(
        workWords(own, { pace, counts: { ...counts, evaluation: 7 } }, null),
        new RegExp(` · ${7 * 11 * own.evaluation.attempts} more at the benchmark · `),
      );
      assert.deepEqual(await counter.count({ ...own, domain: { ...own.domain, heldOut: 'none.jsonl' } }, directory), {
        ...counted,
        heldOut: new Map(),
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
