import assert from 'node:assert/strict';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import { agreed } from '../../../../src/engine/phases/agreement.ts';
import type { Policy } from '../../../../src/engine/ports.ts';
import { taskSchema, type Task } from '../../../../src/shared/records/task.ts';
import { referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';
import { UnexecutedDomain } from '../../../support/reference/referenceTasks.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { unreliable } from '../../../support/scripted/unreliablePolicy.ts';
import { LadderDomain } from '../../../support/scripted/ladder.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

class Unexecuted extends LadderDomain {
  needsAgreement(): boolean {
    return true;
  }
}

const small = (generation: Partial<Experiment['generation']> = {}): Experiment =>
  // Enough families that some golds are agreed with: a run without one usable task ends.
  smallExperiment({
    generation: { families: 12, agreementAnswers: 5, agreementShare: 0.6, agreementBy: 'agent', ...generation },
  });

const run = (experiment: Experiment, on = new MemoryRun()) =>
  runScripted(experiment, on, { ports: { domain: new Unexecuted() } });

describe('golds that nothing executes', () => {
  it('are asked for again, and a task counts where enough answers agree', async () => {
    const { tasks, bill, events } = await run(small());
    const asked = tasks.filter(({ agreement }) => agreement !== undefined);
    assert.ok(asked.length > 0);
    for (const { agreement, status, cause } of asked) {
      assert.equal(agreement?.answers, 5);
      assert.ok(agreement.tokens > 0);
      if (status === 'accepted') assert.ok(agreement.agreeing >= 3);
      else assert.ok(cause === 'duplicate' || (cause === 'gold' && agreement.agreeing < 3));
    }
    assert.ok(asked.some(({ status }) => status === 'accepted') && asked.some(({ cause }) => cause === 'gold'));
    const [rejected] = asked.filter(({ cause }) => cause === 'gold');
    assert.match(
      rejected?.note ?? '',
      /^[0-2] of 5 independent answers agree with the gold, and 0\.6 of them have to\.$/,
    );
    // Texts that were no tasks need no answers.
    for (const { agreement, cause } of tasks) if (cause === 'schema') assert.equal(agreement, undefined);
    const answers = bill.samples.filter((sample) => asked.some(({ id }) => sample.startsWith(`${id}#`)));
    assert.ok(answers.length >= 5 * asked.length);
    const generated = events.find((event) => event.type === 'tasks.generated');
    assert.ok(generated?.type === 'tasks.generated');
    const epoch = tasks.filter((task) => task.epoch === 1);
    const cost = epoch.reduce(
      (sum, one) => sum + (one.generation?.tokens.length ?? 0) + (one.agreement?.tokens ?? 0),
      0,
    );
    assert.equal(generated.tokens, cost);
    assert.ok((generated.rejected['gold'] ?? 0) > 0);
  });

  it('agree always at a share of 0, and never where the environment cannot answer at all', async () => {
    const free = await run(small({ agreementShare: 0 }));
    assert.ok(!free.tasks.some(({ cause }) => cause === 'gold'));
    const never = await run(small({ agreementBy: 'environment' }));
    assert.ok(!never.tasks.some(({ status }) => status === 'accepted'));
  });

  it('have answers that fail counted, and none of them agrees', async () => {
    const on = new MemoryRun();
    const agent = unreliable(new ScriptedPolicy('agent', 4, on.checkpoints.agent, on.bill), {
      fails: (id) => (/^e1.*[01]$/.test(id) && id.includes('.f') ? 'refused' : null),
    });
    await runScripted({ ...small(), epochs: 1 }, on, { ports: { domain: new Unexecuted(), agent } });
    const [generated] = on.events.filter((event) => event.type === 'tasks.generated');
    const asked = on.tasks.filter(({ agreement }) => agreement !== undefined);
    assert.equal(generated?.unanswered?.count, 2 * asked.length);
    assert.ok(asked.every(({ agreement }) => (agreement?.agreeing ?? 9) <= 3));
  });

  it('have their answers counted by the server where it returns no token ids', async () => {
    const on = new MemoryRun();
    const scripted = new ScriptedPolicy('agent', 4, on.checkpoints.agent, on.bill);
    const agent: Policy = {
      ...unreliable(scripted, {}),
      async *sample(...asked) {
        for await (const answer of scripted.sample(...asked)) {
          yield { ...answer, promptTokens: [], tokens: [], logprobs: [], counted: { prompt: 10, answer: 3 } };
        }
      },
    };
    const experiment = { ...small(), epochs: 1 };
    experiment.agent.train = false;
    await runScripted(experiment, on, { ports: { domain: new Unexecuted(), agent } });
    const asked = on.tasks.flatMap(({ agreement }) => agreement ?? []);
    assert.ok(asked.length > 0 && asked.every(({ tokens }) => tokens === 5 * 13));
  });

  it('have answers that nobody asked for passed over', async () => {
    const whole = await run(small());
    const on = new MemoryRun();
    const agent = unreliable(new ScriptedPolicy('agent', 4, on.checkpoints.agent, on.bill), { strays: true });
    await runScripted(small(), on, { ports: { domain: new Unexecuted(), agent } });
    assert.equal(on.text, whole.text);
    assert.ok(whole.state.summaries.length > 1);
  });

  it('are posed as any task, and need a share of answers to the last', async () => {
    const posed: Task[] = [];
    class Posing extends Unexecuted {
      override agentPrompt(task: Task) {
        posed.push(task);
        return super.agentPrompt(task);
      }
    }
    await runScripted({ ...small(), epochs: 1 }, new MemoryRun(), { ports: { domain: new Posing() } });
    const candidates = posed.filter(({ generation, origin }) => origin === 'generated' && generation === undefined);
    assert.ok(candidates.length > 0);
    for (const task of candidates) taskSchema.parse(task);
    const reference = await runReference(
      referenceExperiment({
        ...{ epochs: 1, rollouts: { maxSequence: 60, temperature: 0.9 } },
        generation: { families: 6, agreementAnswers: 5, agreementShare: 0.4, agreementBy: 'agent' },
      }),
      { domain: new UnexecutedDomain() },
    );
    const requests = reference.agent.asked.samples.filter(({ n, id }) => n === 5 && /^e1\.f\d+\.v/.test(id));
    assert.ok(requests.length > 0);
    for (const { maxSequence, logprobs, temperature } of requests) {
      assert.deepEqual([maxSequence, logprobs, temperature], [60, false, 0.9]);
    }
    const unbounded = await runReference(referenceExperiment({ epochs: 1, generation: { agreementBy: 'agent' } }), {
      domain: new UnexecutedDomain(),
    });
    assert.ok(unbounded.agent.asked.samples.every((request) => !('maxSequence' in request)));
    for (const { agreement } of reference.run.tasks) {
      if (agreement !== undefined) assert.ok(agreement.tokens > 5 * 8, 'prompts and answers');
    }
    assert.ok(agreed({ answers: 5, agreeing: 3, tokens: 0 }, 0.6).ok);
    assert.ok(agreed({ answers: 5, agreeing: 0, tokens: 0 }, 1e-9).ok, 'within the slack');
    assert.ok(!agreed({ answers: 5, agreeing: 2, tokens: 0 }, 0.6).ok);
  });

  it('are left alone where no answers are asked for, or the domain executes them', async () => {
    const plain = await runScripted(smallExperiment({ generation: { families: 12 } }));
    const none = await run(small({ agreementAnswers: 0 }));
    assert.equal(none.text, plain.text);
    const executed = await runScripted(small());
    assert.equal(executed.text, plain.text);
    assert.ok(executed.tasks.every(({ agreement }) => agreement === undefined));
  });

  it('give the same journal after a crash at any task', async () => {
    const experiment = small();
    const whole = await run(experiment);
    for (const tasks of whole.tasks.keys()) {
      if (tasks % 4 !== 0) continue;
      const epoch = whole.tasks[tasks]?.epoch ?? 1;
      const events = whole.events.findIndex((event) => event.type === 'tasks.generated' && event.epoch === epoch);
      const before = whole.traces.filter((trace) => trace.epoch < epoch || (epoch === 1 && trace.epoch === 0)).length;
      const crashed = await run(experiment, whole.cut(events, tasks, before));
      assert.equal(crashed.text, whole.text, `cut before task ${tasks}`);
      assert.deepEqual(crashed.tasks, whole.tasks);
    }
  }).timeout(240_000);
});
