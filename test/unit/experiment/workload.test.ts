import { textTokens } from '../../../src/engine/phases/written/textTokens.ts';
import assert from 'node:assert/strict';
import { answerTokens, tokensOf } from '../../../src/engine/phases/attempts/traceTokens.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import type { Experiment, Mode } from '../../../src/shared/experiment/schema.ts';
import { workSentences } from '../../../src/features/preflight/node/sentences.ts';
import { expectedWork, type Workload } from '../../../src/shared/experiment/workload.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { madeIn } from '../../../src/shared/journal/dropped.ts';
import { Unexecuted } from '../../support/scripted/billing.ts';
import { LadderDomain } from '../../support/scripted/ladder.ts';
import { runScripted, smallExperiment, type MemoryRun } from '../../support/scripted/scriptedRun.ts';

const ofType = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);

/** Lengths as a run that is over has them. */
function lengthsOf(run: MemoryRun) {
  const texts = run.tasks.map(textTokens);
  const written = new Set(run.tasks.map(({ id }) => id));
  const [own, given] = [true, false].map((mine) =>
    mean(run.traces.filter(({ task }) => written.has(task) === mine).map(tokensOf)),
  );
  const accepted = mean(run.tasks.map(({ status }) => (status === 'accepted' ? 1 : 0)));
  return { text: mean(texts), attempt: own ?? 0, given: given ?? 0, accepted, billedPerToken: 1 };
}

class TwoBaseTasks extends LadderDomain {
  override seeds(split: 'base' | 'validation') {
    return super.seeds(split).slice(0, split === 'base' ? 2 : undefined);
  }
}

const asked = { agreementAnswers: 3, agreementShare: 0, agreementBy: 'agent' } as const;

function experimentOf(fields: Record<string, unknown>): Experiment {
  const parsed = parseExperiment(JSON.stringify({ version: 1, ...fields }), 'own.genenv.json');
  return 'problems' in parsed ? assert.fail(parsed.problems[0]?.message) : parsed.experiment;
}

const said = (work: Workload): string => workSentences(work).join(' ');

describe('what an experiment will do', () => {
  it('is the most that it may be where families are cut off', () => {
    const cut = smallExperiment({ rollouts: { cutOff: 'band' } });
    assert.equal(expectedWork(cut).mayBeFewer, true);
    assert.match(said(expectedWork(cut)), /makes at most \d+ attempts.* are cut off: their p̂ is of their first/);
    for (const mode of ['random', 'static'] as const) {
      assert.equal(expectedWork({ ...cut, mode }).mayBeFewer, false);
    }
    assert.doesNotMatch(said(expectedWork(smallExperiment())), /makes at most|cut off/);
  });

  it('counts no held-out tasks where none are, and as many as the files have', () => {
    const agent = { kind: 'openai', url: 'http://localhost:8000/v1', model: 'm' };
    const own = experimentOf({
      ...{ preset: 'default', mode: 'offline', agent: { train: false }, endpoints: { agent } },
      ...{ domain: { seeds: 'mine.jsonl' }, generation: { offlineFile: 'mine.jsonl' } },
    });
    assert.equal(expectedWork(own).validation.run, 0);
    const held = { ...own, domain: { ...own.domain, heldOut: 'held.jsonl' } };
    const times = expectedWork(held).validation.run / held.validation.tasks;
    assert.ok(times > 0);
    assert.equal(expectedWork(held, null, new Map([['storekeeper', 3]])).validation.run, 3 * times);
    assert.ok(expectedWork(smallExperiment({ domain: { seeds: 'mine.jsonl' } })).validation.run > 0);
  });

  it('keeps the validation before the first epoch apart from those of an epoch', () => {
    const small = smallExperiment({ epochs: 3 });
    const every = expectedWork({ ...small, validation: { ...small.validation, every: 1 } });
    const { epoch, start, run } = every.validation;
    assert.ok(start > 0);
    assert.deepEqual([epoch, run], [start, 4 * start]);
    assert.match(said(every), new RegExp(`and ${start} at held-out tasks \\(${start} before the first\\)`));
  });

  it('bounds plans and independent answers to new tasks, too', () => {
    const most = (generation: Partial<Experiment['generation']>, name: Experiment['domain']['name']): number => {
      const experiment = smallExperiment({
        epochs: 1,
        domain: { name },
        generation: { maxTokens: 100, ...generation },
      });
      const none = {
        ...experiment,
        rollouts: { ...experiment.rollouts, group: 0 },
        validation: { ...experiment.validation, every: 0 },
      };
      return expectedWork(none).tokens.run / expectedWork(none).texts.run / none.generation.attempts;
    };
    const { rollouts } = smallExperiment();
    assert.equal(most({}, 'storekeeper'), 200);
    assert.equal(most({ agreementAnswers: 0 }, 'bamboogle'), 100);
    assert.equal(most({ agreementAnswers: 3 }, 'bamboogle'), 100 + 3 * rollouts.maxTokens);
    assert.equal(most({ agreementAnswers: 3 }, 'travelplanner'), 100);
  });

  it('counts spare groups, their texts among them', () => {
    const usual = expectedWork(smallExperiment());
    const spare = smallExperiment({ rollouts: { spare: 0.5 } });
    const more = expectedWork(spare);
    assert.equal(usual.spare, 0);
    assert.equal(more.spare, more.rollouts.epoch - usual.rollouts.epoch);
    assert.equal(more.spare % spare.rollouts.group, 0);
    assert.ok(more.texts.epoch > usual.texts.epoch && more.tokens.epoch > usual.tokens.epoch);
    assert.match(said(more), /at most \d+ attempts.*fall out \(rollouts\.spare\).*lean to short answers/);
  });

  it('says how many attempts may count one epoch later', () => {
    const late = { staleness: 1, late: 0.5 };
    const work = expectedWork(smallExperiment({ rollouts: late }));
    assert.equal(work.late % 4, 0);
    assert.ok(work.late > 0 && work.late <= work.rollouts.epoch / 2);
    assert.match(said(work), new RegExp(`Up to ${work.late} of an epoch’s attempts count one epoch later`));
    for (const other of [
      { ...late, staleness: 0 },
      { ...late, late: 0 },
    ]) {
      assert.doesNotMatch(said(expectedWork(smallExperiment({ rollouts: other }))), /epoch later/);
    }
    assert.equal(expectedWork(smallExperiment({ epochs: 1, rollouts: late })).late, 0);
  });

  const small = (mode: Mode): Experiment =>
    smallExperiment({
      mode,
      epochs: 3,
      generation: { families: 2, variations: 2, attempts: 6, staticFamilies: 4, staticVariations: 2, rankCut: 0.1 },
      rollouts: { group: 4, baseShare: 0.25, poolShare: 0 },
      validation: { every: 2, tasks: 6, rollouts: 2 },
    });

  for (const mode of ['coevolve', 'random', 'static', 'release'] as const) {
    it(`is what the loop does: mode ${mode}`, async () => {
      const experiment = small(mode);
      const run = await runScripted(experiment);
      const work = expectedWork(experiment, lengthsOf(run));
      assert.equal(work.rollouts.run, sum(ofType(run, 'rollouts.finished').map(({ rollouts }) => rollouts)));
      assert.equal(work.validation.run, run.traces.filter(({ purpose }) => purpose === 'validation').length);
      assert.equal(work.validation.run, 3 * 6 * 2, 'before the first epoch, after the second and after the last');
      assert.equal(work.texts.run, sum(ofType(run, 'tasks.generated').map(({ accepted }) => accepted)));
    });
  }

  for (const [name, rollouts] of [
    ['alone', { baseShare: 0.5, poolShare: 0 }],
    ['beside the pool', { baseShare: 0.2, poolShare: 0.5 }],
    ['with spare groups', { baseShare: 0.5, poolShare: 0, spare: 0.5 }],
  ] as const) {
    it(`expects no more base tasks than there are: ${name}`, async () => {
      const experiment = { ...small('random'), domain: { ...small('random').domain, baseTasks: 2 } };
      const few = { ...experiment, rollouts: { ...experiment.rollouts, ...rollouts } };
      const work = expectedWork(few);
      assert.equal(work.fewBase, true);
      assert.match(said(work), /makes at most \d+ attempts.*too few base tasks to fill every epoch/);
      assert.equal(expectedWork({ ...few, domain: { ...few.domain, baseTasks: 400 } }).fewBase, false);
      const run = await runScripted(few, undefined, { ports: { domain: new TwoBaseTasks() } });
      const made = ofType(run, 'rollouts.finished').map(madeIn);
      for (const { rollouts: attempts } of made) assert.ok(attempts <= work.rollouts.epoch, `${attempts}`);
      if (rollouts.poolShare > 0) return;
      assert.equal(work.rollouts.run, sum(made.map(({ rollouts: attempts }) => attempts)));
    });
  }

  for (const [name, generation, domain] of [
    ['the run itself', {}, new LadderDomain()],
    ['plans and independent answers, too', asked, new Unexecuted()],
  ] as const)
    it(`costs the tokens that the journal counts, at the lengths of ${name}`, async () => {
      const experiment = { ...small('random'), generation: { ...small('random').generation, ...generation } };
      const run = await runScripted(experiment, undefined, { ports: { domain } });
      const spent = [
        ...ofType(run, 'tasks.generated'),
        ...ofType(run, 'rollouts.finished'),
        ...ofType(run, 'validated'),
      ];
      const tokens = sum(spent.map((event) => event.tokens ?? NaN));
      const work = expectedWork(experiment, lengthsOf(run));
      assert.equal(work.basis, 'measured');
      assert.ok(Math.abs(work.tokens.run / tokens - 1) < 0.05, `${work.tokens.run} against ${tokens}`);
    });

  it('is an upper bound before anything was tried', async () => {
    const experiment = small('random');
    const run = await runScripted(experiment);
    const answers = sum(run.traces.map(answerTokens));
    const work = expectedWork(experiment);
    assert.equal(work.basis, 'limits');
    assert.ok(work.tokens.run >= answers);
  });

  it('writes nothing in mode offline', () => {
    const { texts, rollouts } = expectedWork(small('offline'));
    assert.deepEqual([texts.run, rollouts.run], [0, 5 * 4 * 3]);
  });

  it('says which budget ends it first', () => {
    const experiment = small('coevolve');
    assert.equal(expectedWork(experiment).ends, null);
    const rollouts = { ...experiment, budget: { ...experiment.budget, rollouts: 40 } };
    assert.deepEqual(expectedWork(rollouts).ends, { by: 'rollouts', epochs: 2 });
    const both = { ...experiment, budget: { ...experiment.budget, tokens: 10, rollouts: 40 } };
    assert.deepEqual(expectedWork(both).ends, { by: 'tokens', epochs: 1 });
  });
});
