import assert from 'node:assert/strict';
import { RunCharts } from '../../../../src/runs/facts/runCharts.ts';
import type { Curriculum, Experiment } from '../../../../src/shared/experiment/schema.ts';
import { CalibrationFold } from '../../../../src/features/calibration/host/calibrationFold.ts';
import type { JournalEvent } from '../../../../src/shared/journal/events.ts';
import type { CalibrationData } from '../../../../src/features/calibration/contract.ts';
import { calibrationEvents } from '../../../../src/features/calibration/contract.ts';
import { RunModel } from '../../../../webview/calibration/runModel.ts';
import { ChartedRun } from '../../../support/calibration/chartedRun.ts';
import { manyFamilies } from '../../../support/calibration/manyFamilies.ts';
import { syntheticEvents } from '../../../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../../../support/report/syntheticRun.ts';

const course = syntheticCourse({ epochs: 12 });
const events = syntheticEvents(course, { changeAt: 5 });
const { experiment } = course;
const { curriculum } = experiment;

/** A page's model after messages that passed the wire's schema. */
function modelOf(messages: Iterable<CalibrationData>): RunModel {
  const model = new RunModel();
  for (const message of messages) model.add(calibrationEvents.data.params.parse(message));
  return model;
}

const known = ({ rows, validations, marks, columns, index }: RunModel) => ({
  rows,
  validations,
  marks,
  epochs: columns.epochs,
  successes: columns.successes.slice(0, columns.count),
  weight: columns.weight.slice(0, columns.count),
  tasks: columns.taskSuccesses.slice(0, columns.taskFrom[columns.count]),
  order: index.family.slice(0, index.count),
});

describe('what the dashboard is sent', () => {
  it('adds up to the same, event by event and all at once', () => {
    const run = new ChartedRun(experiment);
    const { fold } = run;
    const live: CalibrationData[] = [];
    for (const event of events) {
      run.add(event);
      live.push(...fold.take());
    }
    assert.deepEqual(known(modelOf(live)), known(modelOf(fold.all())));
    assert.deepEqual(fold.take(), [], 'nothing changed since');
  });

  it('is the same for a page that is opened when the run has been read for a while', () => {
    for (const before of [0, 1, 7, 40, events.length]) {
      const run = new ChartedRun(experiment, events.slice(0, before));
      const late = new CalibrationFold(run.charts);
      const sent = [...late.all()];
      for (const event of events.slice(before)) {
        run.add(event);
        late.note(event);
        sent.push(...late.take());
      }
      assert.deepEqual(known(modelOf(sent)), known(modelOf(run.fold.all())), `opened after ${before} events`);
    }
  });

  it('tells little of one event', () => {
    const last = events.findLastIndex(({ type }) => type === 'families.scored');
    const run = new ChartedRun(experiment, events.slice(0, last));
    const { fold } = run;
    fold.take();
    const scored = events[last];
    assert.ok(scored?.type === 'families.scored');
    run.add(scored);
    const [head, block, ...more] = fold.take();
    assert.deepEqual(more, []);
    assert.deepEqual(
      head?.rows.map(({ epoch }) => epoch),
      [12],
    );
    assert.equal(block?.families?.successes.length, scored.families.length);
  });

  it('says of each epoch how it was scored, a changed filter and a warm-up included', () => {
    const changed = events.map((event): JournalEvent =>
      event.type === 'settings.changed'
        ? { ...event, changes: [{ field: 'curriculum.filter', from: 'hard', to: 'soft' }] }
        : event,
    );
    const warm = { ...experiment, curriculum: { ...curriculum, warmupEpochs: 2, filter: 'hard' as const } };
    const { charts } = new ChartedRun(warm, changed);
    const filters = charts.columns.epochs.map(({ filter }) => filter);
    assert.deepEqual(filters.slice(0, 6), ['off', 'off', 'hard', 'hard', 'soft', 'soft']);
  });

  it('says of the epochs that a branch shares how the run before it scored them', () => {
    const changes = [{ field: 'curriculum.filter', from: 'hard', to: 'soft' }];
    const changed = events.map((event): JournalEvent =>
      event.type === 'settings.changed' ? { ...event, changes } : event,
    );
    const scoredBy = (own: Partial<Curriculum>, kind: Curriculum['reward']['kind']): Experiment => ({
      ...experiment,
      curriculum: { ...curriculum, ...own, reward: { ...curriculum.reward, kind } },
    });
    const charts = new RunCharts([
      {
        parent: { run: 'before', epoch: 6 },
        experiment: scoredBy({ filter: 'off', estimate: 'posterior' }, 'advantage'),
      },
      { parent: null, experiment: scoredBy({ filter: 'hard', estimate: 'mean', warmupEpochs: 1 }, 'regret') },
    ]);
    for (const event of changed) charts.add(event);
    assert.deepEqual(
      charts.columns.epochs.map(({ filter, estimate, signalOf }) => `${filter} ${estimate} ${signalOf}`),
      [
        'off mean regret',
        ...Array.from({ length: 3 }, () => 'hard mean regret'),
        ...Array.from({ length: 2 }, () => 'soft mean regret'),
        ...Array.from({ length: 6 }, () => 'off posterior advantage'),
      ],
    );
  });

  it('cuts a long run into messages of a bounded size', () => {
    const { fold } = new ChartedRun(experiment, manyFamilies(60, 1000));
    const messages = [...fold.all()];
    const sizes = messages.flatMap(({ families }) => (families === null ? [] : [families.successes.length]));
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      60_000,
    );
    assert.ok(sizes.length >= 3 && Math.max(...sizes) <= 20_000);
    assert.equal(modelOf(messages).index.count, 60_000);
  });

  it('refuses columns of different lengths', () => {
    const { fold } = new ChartedRun(experiment, events);
    const block = [...fold.all()].find(({ families }) => families !== null)?.families;
    assert.ok(block);
    const broken = { ...block, kept: block.kept.slice(1) };
    const message = { rows: [], validations: [], evaluations: [], marks: [], rewards: [], families: broken };
    assert.equal(calibrationEvents.data.params.safeParse(message).success, false);
  });

  it('counts why families were left out', () => {
    const { fold } = new ChartedRun(experiment, events);
    const model = modelOf(fold.all());
    for (const event of events) {
      if (event.type !== 'families.scored') continue;
      const out = event.families.filter(({ kept }) => kept === 0);
      const easy = out.filter(({ successRate: { p } }) => (p ?? 0) > curriculum.alpha).length;
      assert.deepEqual(model.leftOut(event.epoch), {
        kept: event.familiesKept,
        tooHard: out.length - easy,
        tooEasy: easy,
        inBand: 0,
        unmeasured: 0,
      });
    }
  });
});
