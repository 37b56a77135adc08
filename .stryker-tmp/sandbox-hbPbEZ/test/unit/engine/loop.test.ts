import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { LoopError } from '../../../src/engine/errors.ts';
import type { Policy } from '../../../src/engine/ports.ts';
import { eventSchema, type EventOf, type JournalEvent } from '../../../src/shared/journal/events.ts';
import { taskSchema } from '../../../src/shared/records/task.ts';
import { traceSchema } from '../../../src/shared/records/trace.ts';
import { LadderDomain, LadderScorer } from '../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

function eventsOf<T extends JournalEvent['type']>(run: MemoryRun, type: T): EventOf<T>[] {
  return run.events.filter((event): event is EventOf<T> => event.type === type);
}

describe('the loop', () => {
  it('writes the golden journal', async () => {
    const run = await runScripted(smallExperiment({ epochs: 2 }));
    const golden = new URL('golden/coevolve.jsonl', import.meta.url);
    if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(golden, `${run.text}\n`);
    assert.equal(`${run.text}\n`, await readFile(golden, 'utf8'));
  });

  it('writes events and records that its own schemas accept', async () => {
    const run = await runScripted(smallExperiment());
    for (const event of run.events) eventSchema.parse(event);
    for (const task of run.tasks) taskSchema.parse(task);
    for (const trace of run.traces) traceSchema.parse(trace);
    assert.deepEqual(
      run.events.map(({ seq }) => seq),
      run.events.map((_, i) => i),
    );
  });

  it('follows Algorithm 1 in order', async () => {
    const run = await runScripted(smallExperiment({ epochs: 1, curriculum: { kMin: 0.5 } }));
    assert.deepEqual(
      run.events.map(({ type }) => type),
      [
        'run.started',
        'validated',
        'epoch.started',
        'tasks.generated',
        'rollouts.finished',
        'families.scored',
        'agent.updated',
        'environment.updated',
        'pools.grown',
        'validated',
        'epoch.finished',
        'run.finished',
      ],
    );
  });

  it('moves the environment towards difficulty α', async () => {
    const run = await runScripted(
      smallExperiment({
        epochs: 25,
        generation: { families: 6, variations: 4 },
        agent: { train: false },
        environment: { klCoefficient: 0, baseShare: 0, learningRate: 0.05 },
        curriculum: { filter: 'soft', beta: 20 },
      }),
    );
    const rates = eventsOf(run, 'epoch.finished').map(({ summary }) => summary.successRate.p ?? 0);
    const late = rates.slice(-8).reduce((sum, p) => sum + p, 0) / 8;
    assert.ok((rates[0] ?? 1) < 0.3, `starts too hard: ${rates[0]}`);
    assert.ok(late > 0.4 && late < 0.6, `ends near α: ${late}`);
  });

  it('moves the agent upwards', async () => {
    const run = await runScripted(smallExperiment({ epochs: 10 }));
    const validations = eventsOf(run, 'validated').map(({ successRate }) => successRate.p ?? 0);
    assert.ok((validations.at(-1) ?? 0) > (validations[0] ?? 1));
  });

  it('weights that reach the environment agree with the scores it was shown', async () => {
    const run = await runScripted(smallExperiment());
    for (const { families, familiesKept } of eventsOf(run, 'families.scored')) {
      const sum = families.reduce((total, { weight }) => total + weight, 0);
      assert.ok(familiesKept === 0 ? sum === 0 : Math.abs(sum - 1) < 1e-9);
      for (const { tasks, successRate } of families) {
        assert.equal(
          tasks.reduce((total, { successes }) => total + successes, 0),
          successRate.successes,
        );
      }
    }
  });

  it('says why an environment update is skipped', async () => {
    const run = await runScripted(smallExperiment({ epochs: 1, curriculum: { kMin: 0, alpha: 0.51 } }));
    const [skipped] = eventsOf(run, 'environment.skipped');
    assert.match(skipped?.reason ?? '', /None of \d+ families passed the difficulty filter/);
    assert.equal(eventsOf(run, 'environment.updated').length, 0);
  });

  it('lets every family through in warm-up epochs', async () => {
    const run = await runScripted(
      smallExperiment({ epochs: 2, curriculum: { kMin: 0, alpha: 0.51, warmupEpochs: 1 } }),
    );
    const [first, second] = eventsOf(run, 'families.scored');
    assert.equal(first?.familiesKept, first?.families.length);
    assert.equal(second?.familiesKept, 0);
  });

  it('gives every family one estimate when the scope is the epoch', async () => {
    const run = await runScripted(smallExperiment({ epochs: 1, curriculum: { scope: 'epoch', filter: 'off' } }));
    const [scored] = eventsOf(run, 'families.scored');
    assert.equal(new Set(scored?.families.map(({ environmentReward }) => environmentReward)).size, 1);
  });

  it('rejects duplicates, held-out tasks and broken text by cause, and keeps them readable', async () => {
    const run = await runScripted(smallExperiment({ epochs: 6, generation: { families: 6, variations: 4 } }));
    const causes = new Set(run.tasks.filter(({ status }) => status === 'rejected').map(({ cause }) => cause));
    assert.ok(causes.has('unparseable') && causes.has('duplicate'), [...causes].join());
    const prompts = run.tasks.filter(({ status }) => status === 'accepted').map(({ prompt }) => JSON.stringify(prompt));
    assert.equal(new Set(prompts).size, prompts.length);
    for (const { rejected, written, accepted } of eventsOf(run, 'tasks.generated')) {
      assert.equal(
        Object.values(rejected).reduce((sum, n) => sum + n, 0),
        written - accepted,
      );
    }
  });

  it('refuses a task equal to a validation task', async () => {
    class Leaky extends LadderDomain {
      override seeds(split: 'base' | 'validation') {
        const tasks = super.seeds(split);
        return split === 'base'
          ? tasks
          : Array.from({ length: 9 * 400 }, (_, i) => {
              const parsed = this.parseTask(`rung ${1 + (i % 9)} ${Math.floor(i / 9)}`, '');
              const [first] = tasks;
              if (!parsed.ok || first === undefined) throw new Error('The ladder changed its language.');
              return { ...first, ...parsed.draft, id: `validation.${i}` };
            });
      }
    }
    const run = await runScripted(smallExperiment({ epochs: 1, validation: { tasks: 6 } }), new MemoryRun(), {
      ports: { domain: new Leaky() },
    });
    assert.ok(run.tasks.every(({ status }) => status === 'rejected'));
    assert.ok(run.tasks.some(({ cause }) => cause === 'held-out'));
  });

  it('fills a shortfall with base tasks, so that every epoch costs the same rollouts', async () => {
    const run = await runScripted(smallExperiment({ epochs: 5 }));
    assert.equal(new Set(eventsOf(run, 'rollouts.finished').map(({ rollouts }) => rollouts)).size, 1);
  });

  it('leaves the environment alone in the modes that freeze it', async () => {
    for (const mode of ['random', 'static', 'release'] as const) {
      const run = await runScripted(smallExperiment({ mode }));
      assert.equal(eventsOf(run, 'environment.updated').length, 0);
      assert.ok(eventsOf(run, 'agent.updated').length > 0, mode);
      assert.ok(run.tasks.every(({ generation }) => generation?.version === 'environment@0'));
    }
  });

  it('static writes once', async () => {
    const run = await runScripted(smallExperiment({ mode: 'static' }));
    assert.equal(eventsOf(run, 'tasks.generated').length, 1);
    assert.ok(run.tasks.every(({ epoch }) => epoch === 1));
  });

  it('offline takes the tasks it is given and writes none', async () => {
    const source = await runScripted(smallExperiment());
    const offlineTasks = source.tasks
      .filter(({ status }) => status === 'accepted')
      .map((task) => ({ ...task, origin: 'offline' as const }));
    const run = await runScripted(smallExperiment({ mode: 'offline' }), new MemoryRun(), { ports: { offlineTasks } });
    assert.equal(run.tasks.length, 0);
    assert.ok(
      eventsOf(run, 'families.scored').every(({ families }) => families.every(({ origin }) => origin === 'offline')),
    );
    await assert.rejects(runScripted(smallExperiment({ mode: 'offline' })), (error) => LoopError.is(error, 'no-tasks'));
  });

  it('release ranks seeds, cuts both ends and counts what that cost', async () => {
    const run = await runScripted(smallExperiment({ mode: 'release', epochs: 1 }));
    const ranked = run.traces.filter(({ purpose }) => purpose === 'rank');
    assert.equal(ranked.length % 4, 0);
    const [finished] = eventsOf(run, 'rollouts.finished');
    assert.equal(finished?.rollouts, ranked.length + run.traces.filter(({ purpose }) => purpose === 'train').length);
  });

  it('ends at a budget and by early stopping, and says so', async () => {
    const spent = await runScripted(smallExperiment({ epochs: 50, budget: { rollouts: 100 } }));
    assert.equal(eventsOf(spent, 'run.finished')[0]?.reason, 'budget-rollouts');
    const stalled = await runScripted(
      smallExperiment({ epochs: 50, agent: { train: false }, earlyStop: { patience: 3, minImprovement: 0.01 } }),
    );
    assert.equal(eventsOf(stalled, 'run.finished')[0]?.reason, 'early-stop');
    assert.equal(eventsOf(stalled, 'epoch.finished').length, 3);
  });

  it('leaves failed checkers out of p̂ and of training', async () => {
    class Broken extends LadderScorer {
      override score(...args: Parameters<LadderScorer['score']>) {
        return { ...super.score(...args), success: false, reward: 0, error: 'The checker divided by zero.' };
      }
    }
    const run = await runScripted(smallExperiment({ epochs: 1 }), new MemoryRun(), { ports: { scorer: new Broken() } });
    assert.equal(eventsOf(run, 'families.scored')[0]?.successRate.attempts, 0);
    assert.equal(eventsOf(run, 'agent.skipped')[0]?.groups.broken, 7);
    assert.equal(eventsOf(run, 'pools.grown')[0]?.agent.addedTraces, 0);
  });

  it('stops an update at its KL cap', async () => {
    const run = await runScripted(smallExperiment({ epochs: 2, environment: { updateKlCap: 1e-12, steps: 5 } }));
    const updates = eventsOf(run, 'environment.updated');
    assert.ok(updates.length > 0 && updates.every(({ steps, stoppedBy }) => steps < 5 && stoppedBy === 'update-cap'));
  });

  it('refuses to train a frozen endpoint, with a remedy', async () => {
    const whole = new ScriptedPolicy('agent', 3);
    const agent: Policy = {
      capabilities: { ...whole.capabilities, mode: 'frozen' },
      publish: (name) => whole.publish(name),
      sample: (...args) => whole.sample(...args),
      checkpoint: (name) => whole.checkpoint(name),
      restore: (ref) => whole.restore(ref),
      dispose: () => whole.dispose(),
    };
    const frozen = runScripted(smallExperiment(), new MemoryRun(), { ports: { agent } });
    await assert.rejects(
      frozen,
      (error) => LoopError.is(error, 'not-trainable') && /Choose an endpoint/.test(error.message),
    );
  });
});
