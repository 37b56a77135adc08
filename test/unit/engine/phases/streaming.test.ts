/** Minibatches of the agent's update that are trained while other tasks are attempted (`agent.stream`). */
import assert from 'node:assert/strict';
import { LoopError } from '../../../../src/engine/errors.ts';
import type { AdamParams, ChangeRequest, Datum, Loss } from '../../../../src/engine/ports.ts';
import { Rng } from '../../../../src/engine/random.ts';
import type { EventOf, JournalEvent } from '../../../../src/shared/journal/events.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import { crashAt } from '../../../support/scripted/crashAt.ts';
import { OutOfOrder } from '../../../support/scripted/outOfOrder.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

type Overrides = Parameters<typeof smallExperiment>[0] & object;

const streamed = (more: Overrides = {}) =>
  smallExperiment({
    ...{ epochs: 2, ...more },
    generation: { families: 4, variations: 3, ...more.generation },
    rollouts: { baseShare: 0.2, poolShare: 0.2, ...more.rollouts },
    agent: { stream: true, minibatch: 2, minibatchUnit: 'task', ...more.agent },
  });

const ofType = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

/** A minibatch: its texts, and the attempts that were recorded when it was trained. */
interface Step {
  texts: string[];
  recorded: number;
  learningRate: number;
}

class Watched extends ScriptedPolicy {
  readonly #run: MemoryRun;
  readonly #steps: Step[];
  #texts: string[] = [];

  constructor(run: MemoryRun, steps: Step[]) {
    super('agent', 4, run.checkpoints.agent, run.bill);
    this.#run = run;
    this.#steps = steps;
  }

  override accumulate(data: readonly Datum[], loss: Loss) {
    this.#texts = data.map(({ tokens }) => textOf(tokens));
    return super.accumulate(data, loss);
  }

  override step(adam: AdamParams) {
    const recorded = this.#run.traces.filter(({ purpose }) => purpose === 'train').length;
    this.#steps.push({ texts: this.#texts, recorded, learningRate: adam.learningRate });
    return super.step(adam);
  }
}

const textOf = (tokens: readonly number[]): string => String.fromCharCode(...tokens);

async function watched(
  experiment: ReturnType<typeof streamed>,
  changes?: (run: MemoryRun) => readonly ChangeRequest[],
) {
  const run = new MemoryRun();
  const steps: Step[] = [];
  const waiting = { waiting: () => Promise.resolve(changes?.(run) ?? []), taken: () => Promise.resolve() };
  const ports = { agent: new Watched(run, steps), ...(changes && { changes: waiting }) };
  await runScripted(experiment, run, { ports });
  return { run, steps };
}

/** Texts of the groups that teach, in the order in which the records complete them. */
function completeInOrder({ traces }: MemoryRun, epoch: number, group: number): string[][] {
  const open = new Map<string, Trace[]>();
  const complete: string[][] = [];
  for (const trace of traces.filter((one) => one.purpose === 'train' && one.epoch === epoch)) {
    const own = [...(open.get(trace.task) ?? []), trace];
    open.set(trace.task, own);
    if (own.length < group || new Set(own.map(({ verdict }) => verdict.reward)).size < 2) continue;
    const inOrder = own.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
    complete.push(inOrder.flatMap(({ sequences }) => sequences.map(({ tokens }) => textOf([...tokens]))));
  }
  return complete;
}

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

describe('streamed minibatches', () => {
  it('are trained while others are attempted, in the order in which groups are complete', async () => {
    const experiment = streamed({ epochs: 1 });
    const { run, steps } = await watched(experiment);
    const [update] = ofType(run, 'agent.updated');
    assert.equal(update?.steps, steps.length);
    const expected = chunks(completeInOrder(run, 1, experiment.rollouts.group), 2).map((groups) => groups.flat());
    assert.ok(expected.length > 2, `${expected.length} minibatches`);
    assert.deepEqual(
      steps.map(({ texts }) => texts),
      expected,
    );
    const all = ofType(run, 'rollouts.finished')[0]?.rollouts ?? 0;
    assert.ok(
      steps.slice(0, -1).some(({ recorded }) => recorded < all),
      `${steps.map(({ recorded }) => recorded).join(', ')} of ${all}`,
    );
  });

  it('learn from the same as those that wait', async () => {
    const counts = async (stream: boolean) => {
      const run = await runScripted(streamed({ epochs: 1, agent: { stream } }));
      const [{ groups, sequences, tokens, steps } = assert.fail()] = ofType(run, 'agent.updated');
      return { groups, sequences, tokens, steps };
    };
    assert.deepEqual(await counts(true), await counts(false));
  });

  it('sample the whole epoch from one version', async () => {
    const run = await runScripted(streamed());
    for (const { purpose, epoch, version } of run.traces)
      if (purpose === 'train') assert.equal(version, `agent@${epoch - 1}`);
  });

  const cases: Record<string, Overrides> = {
    'by task': {},
    'by attempt, several passes, KL to the start': {
      agent: { minibatchUnit: 'sequence', minibatch: 5, passes: 2, klCoefficient: 0.1 },
    },
    'in rounds': { rollouts: { batch: 5 } },
    'in mode random': { mode: 'random' },
    'in mode static': { mode: 'static' },
  };
  for (const [name, more] of Object.entries(cases)) {
    it(`end the same after a crash at any moment: ${name}`, async () => {
      const experiment = streamed(more);
      const whole = await runScripted(experiment);
      assert.ok(ofType(whole, 'agent.updated').some(({ steps }) => steps > 2));
      const appends = whole.events.length + whole.tasks.length + whole.traces.length;
      const moments = Rng.from('crash', name).shuffle(Array.from({ length: appends }, (_, i) => i));
      for (const at of moments.slice(0, 40)) {
        const crashed = await crashAt(experiment, at, {});
        await runScripted(experiment, crashed);
        assert.equal(crashed.text, whole.text, `journal after a crash before append ${at}`);
        assert.deepEqual(crashed.traces, whole.traces);
      }
    });
  }

  /** Of families that are cut off, too, the order after a crash hangs on what was recorded before it. */
  const anyOrder: Record<string, Overrides> = {
    'from any server': {},
    'with families that are cut off': { rollouts: { cutOff: 'band', group: 8 } },
  };
  for (const [name, more] of Object.entries(anyOrder)) {
    it(`follow the order of the records, also after a crash: ${name}`, async () => {
      const experiment = streamed(more);
      const outOfOrder = (run: MemoryRun) => ({ ports: { agent: new OutOfOrder('agent', 4, run.checkpoints.agent) } });
      for (const at of [10, 25, 40, 60]) {
        const crashed = await crashAt(experiment, at, outOfOrder);
        await runScripted(experiment, crashed, outOfOrder(crashed));
        const again = new MemoryRun();
        [again.tasks, again.traces] = [crashed.tasks, crashed.traces];
        await runScripted(experiment, again, outOfOrder(again));
        assert.equal(again.text, crashed.text, `after a crash before append ${at}`);
      }
    });
  }

  it('train by the settings of the epoch’s start, also when they change on the way', async () => {
    const change = { id: 'a', author: 'ada', changes: [{ field: 'agent.learningRate', to: 0.05 }] };
    const { run, steps } = await watched(streamed(), (now) =>
      ofType(now, 'settings.changed').length > 0 || !now.traces.some(({ purpose }) => purpose === 'train')
        ? []
        : [change],
    );
    assert.deepEqual(
      ofType(run, 'settings.changed').map(({ epoch }) => epoch),
      [1],
    );
    const [first = 0] = ofType(run, 'agent.updated').map((update) => update.steps);
    assert.deepEqual(
      steps.map(({ learningRate }) => learningRate),
      steps.map((_, i) => (i < first ? 0.4 : 0.05)),
    );
    const events = run.events.findIndex(({ type }) => type === 'settings.changed') + 1;
    const cut = run.cut(events, run.tasks.filter(({ epoch }) => epoch === 1).length, run.traces.length);
    cut.traces = run.traces.filter(({ epoch, purpose }) => epoch <= 1 && (purpose === 'train' || epoch === 0));
    for (const role of [cut.checkpoints.agent, cut.checkpoints.environment])
      for (const name of role.keys()) if (!name.endsWith('@0')) role.delete(name);
    await runScripted(streamed(), cut);
    assert.equal(cut.text, run.text);
  });

  it('end the run with the failure of a step, after the attempts under way are recorded', async () => {
    const run = new MemoryRun();
    class Failing extends ScriptedPolicy {
      override step(): never {
        throw new LoopError('endpoint', 'The trainer is gone.');
      }
    }
    const failing = runScripted(streamed({ epochs: 1 }), run, {
      ports: { agent: new Failing('agent', 4, run.checkpoints.agent, run.bill) },
    });
    await assert.rejects(failing, /The trainer is gone/);
    assert.equal(
      run.traces.filter(({ purpose }) => purpose === 'train').length,
      4 * ofType(run, 'rollouts.finished').reduce((sum, { tasks }) => sum + tasks, 0),
    );
    await runScripted(streamed({ epochs: 1 }), run);
    assert.equal(run.text, (await runScripted(streamed({ epochs: 1 }))).text);
  });

  it('a pause in the midst of them loses no attempt', async () => {
    const experiment = streamed();
    const whole = await runScripted(experiment);
    const controller = new AbortController();
    const run = new MemoryRun();
    const pausing = runScripted(experiment, run, {
      ports: { signal: controller.signal },
      onProgress: ({ phase, done }) => {
        if (phase === 'attempt' && done === 30) controller.abort();
      },
    });
    await assert.rejects(pausing, (error) => LoopError.is(error, 'paused'));
    await runScripted(experiment, run);
    assert.equal(run.text, whole.text);
  });
});
