/** The requests to the environment, and the outcomes of its texts. */
import assert from 'node:assert/strict';
import { LoopError } from '../../../../src/engine/errors.ts';
import type { Domain, Policy, Progress, SampleRequest, Verification } from '../../../../src/engine/ports.ts';
import { useOfPlan, usesOfText } from '../../../../src/engine/spending/billed.ts';
import { taskKind } from '../../../../src/runs/index/recordKind.ts';
import { taskSchema, type Task } from '../../../../src/shared/records/task.ts';
import { sum } from '../../../../src/shared/sum.ts';
import { eventsOf } from '../../../support/reference/referenceRun.ts';
import { LadderDomain } from '../../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import type { Completion } from '../../../../src/engine/completion.ts';

type Given = Partial<Completion> & { failure?: string };

interface Setup {
  /** The environment's text for the n-th requested completion. */
  says: (nth: number, request: SampleRequest) => string;
  given?: (nth: number, request: SampleRequest) => Given;
  strays?: boolean;
  domain?: Domain;
  /** Earlier records. */
  run?: MemoryRun;
  generation?: Partial<ReturnType<typeof smallExperiment>['generation']>;
}

/** One epoch without training of the environment; its requests, and the log. */
function writing({
  says,
  given = () => ({}),
  strays = false,
  domain = new LadderDomain(),
  run = new MemoryRun(),
  generation,
}: Setup) {
  const [requests, progress]: [SampleRequest[], Progress[]] = [[], []];
  let nth = 0;
  let text = '';
  const scripted = new ScriptedPolicy('environment', 5, run.checkpoints.environment, run.bill, () => text);
  async function* sample(...[version, asked, signal]: Parameters<Policy['sample']>) {
    assert.ok(asked.length > 0, 'nothing is asked for');
    for (const request of asked) {
      assert.ok(request.only === undefined || request.only.length > 0, 'none of its completions is asked for');
      requests.push(request);
      for (const index of request.only ?? [0]) {
        text = says(nth, request);
        const more = given(nth, request);
        nth += 1;
        for await (const completion of scripted.sample(version, [{ ...request, only: [index] }], signal)) {
          const { requestId } = completion;
          if (strays) yield { ...completion, requestId: 'nobody' };
          if (more.failure !== undefined) yield { requestId, index, failure: more.failure };
          else yield { ...completion, ...more };
        }
      }
    }
  }
  const environment: Policy = {
    capabilities: scripted.capabilities,
    publish: (name) => scripted.publish(name),
    sample,
    checkpoint: (name) => scripted.checkpoint(name),
    // It is not trained: what a resumed run restores is what it was.
    restore: () => Promise.resolve(environment),
    dispose: () => scripted.dispose(),
  };
  const experiment = smallExperiment({
    ...{ mode: 'random', epochs: 1, validation: { every: 0 } },
    generation: { families: 1, variations: 3, attempts: 2, ...generation },
  });
  const done = runScripted(experiment, run, {
    ports: { environment, domain },
    onProgress: (now) => progress.push(now),
  });
  return { done, run, requests, progress };
}

const outcomes = (run: MemoryRun): string[] =>
  run.tasks.map(({ id, status, cause, note }) => [id, status, ...(cause === undefined ? [] : [cause, note])].join(' '));

describe('what the environment writes', () => {
  it('is asked for again where it did not become a task, and filed with the reason', async () => {
    const { done, run, requests, progress } = writing({
      says: () => 'rung 3 7',
      generation: { maxSequence: 99 },
    });
    await done;
    assert.deepEqual(outcomes(run), [
      'e1.f0.v0 accepted',
      'e1.f0.v1 rejected duplicate Equal to a task written before.',
      'e1.f0.v2 rejected duplicate Equal to a task written before.',
      'e1.f0.v1.a2 rejected duplicate Equal to a task written before.',
      'e1.f0.v2.a2 rejected duplicate Equal to a task written before.',
    ]);
    assert.deepEqual(
      requests.map(({ id, n, only, maxSequence }) => [id, n, only, maxSequence]),
      [
        ['e1.f0/1', 3, [0, 1, 2], 99],
        ['e1.f0/2', 3, [1, 2], 99],
      ],
    );
    assert.notEqual(requests[0]?.seed, requests[1]?.seed);
    const [generated] = eventsOf(run, 'tasks.generated');
    const [first] = run.tasks;
    const length = first?.generation?.tokens.length ?? NaN;
    assert.deepEqual([generated?.written, generated?.accepted, generated?.rejected], [5, 1, { duplicate: 4 }]);
    assert.deepEqual([generated?.taskLength, generated?.tokens], ['rung 3 7'.length, 5 * length]);
    assert.deepEqual(
      progress.filter(({ phase }) => phase === 'generate').map((now) => [now.epoch, now.done, now.total, now.tokens]),
      [
        [1, 1, 3, length],
        [1, 2, 3, 2 * length],
        [1, 3, 3, 3 * length],
        [1, 1, 2, 4 * length],
        [1, 2, 2, 5 * length],
      ],
    );
  });

  it('is recorded as it was written, with what was read before', async () => {
    const { done, run, requests } = writing({ says: () => 'rung 3 7', generation: { maxSequence: null } });
    await done;
    const [task] = run.tasks;
    assert.deepEqual(
      JSON.parse(JSON.stringify([requests, task])),
      [requests, task],
      'nothing is there without a value',
    );
    const seed = task?.seed ?? '';
    const asked = `write near ${seed} at unknown`;
    assert.deepEqual(task?.generation?.context, [{ role: 'user', content: asked }]);
    const { version, tokens, spans, logprobs, text } = task.generation;
    assert.deepEqual([version, text], ['environment@0', 'rung 3 7']);
    assert.equal(String.fromCharCode(...tokens), `${asked}\nrung 3 7`);
    assert.deepEqual(spans, [[asked.length + 1, asked.length + 9]]);
    assert.equal(logprobs.length, 8);
    assert.deepEqual(
      [task.v, task.family, task.epoch, task.origin, task.gold, task.plan],
      [1, 'e1.f0', 1, 'generated', '3', ''],
    );
  });

  it('reuses a plan that an older version recorded only with a task', async () => {
    const domain = new LadderDomain({ plans: true });
    const says = (nth: number, { messages }: SampleRequest): string =>
      messages.at(-1)?.content.startsWith('plan near') === true ? `climb ${nth}` : `rung 3 ${50 + nth}`;
    const first = writing({ says, domain });
    await first.done;
    const planned = first.run.tasks[0]?.plan;
    assert.equal(planned, 'climb 0');
    // The run began its epoch, and its first task was recorded, before it was killed.
    const begun = first.run.events.findIndex(({ type }) => type === 'epoch.started') + 1;
    const second = writing({
      says: (nth, request) => says(nth + 100, request),
      domain,
      run: first.run.cut(begun, 1, 0, 0),
    });
    await second.done;
    assert.deepEqual(
      second.requests.map(({ id, only }) => [id, only]),
      [['e1.f0/1', [1, 2]]],
      'the plan was paid for',
    );
    assert.deepEqual(
      second.run.tasks.map(({ plan }) => plan),
      [planned, planned, planned],
    );
    const { context, spans, text } = second.run.tasks[2]?.generation ?? {};
    assert.equal(
      context?.some(({ role, content }) => role === 'assistant' && content === planned),
      true,
    );
    assert.equal(spans?.length, 2);
    assert.equal(text, 'rung 3 151');
  });

  it('is not asked for again where all became tasks', async () => {
    const { done, requests } = writing({ says: (nth) => `rung 3 ${50 + nth}` });
    await done;
    assert.equal(requests.length, 1);
  });

  it('is not what nobody asked for', async () => {
    const { done, run } = writing({ says: (nth) => `rung 3 ${50 + nth}`, strays: true });
    await done;
    assert.deepEqual(outcomes(run), ['e1.f0.v0 accepted', 'e1.f0.v1 accepted', 'e1.f0.v2 accepted']);
  });

  it('may be cut, unreadable, wrong, held out, or too much like a task', async () => {
    class Alike extends LadderDomain {
      likeness(draft: Pick<Task, 'gold'>): Verification {
        return draft.gold === '8' ? { ok: false, cause: 'duplicate', note: 'Nearly another.' } : { ok: true };
      }
    }
    const blank = { stopReason: 'length', tokens: [], logprobs: [] } as const;
    const cut: Given[] = [{ stopReason: 'length' }, blank, { ...blank, counted: { prompt: 4, answer: 9 } }];
    const texts = ['rung 3 1', 'rung 3 2', 'rung 3 3', 'nothing', 'rung 12 1', 'rung 1 500', 'rung 8 1', 'rung 4 1'];
    const { done, run } = writing({
      says: (nth) => texts[nth] ?? 'nothing',
      given: (nth) => cut[nth] ?? {},
      domain: new Alike(),
      generation: { variations: 8, attempts: 1 },
    });
    await done;
    assert.deepEqual(outcomes(run), [
      'e1.f0.v0 rejected truncated Cut after 8 tokens, before it ended.',
      'e1.f0.v1 rejected truncated Cut, before it ended.',
      'e1.f0.v2 rejected truncated Cut after 9 tokens, before it ended.',
      'e1.f0.v3 rejected unparseable Not a rung: "nothing".',
      'e1.f0.v4 rejected schema Rung 12 is not 1…9.',
      'e1.f0.v5 rejected held-out Equal to a validation task.',
      'e1.f0.v6 rejected duplicate Nearly another.',
      'e1.f0.v7 accepted',
    ]);
    const [generated] = eventsOf(run, 'tasks.generated');
    assert.equal(
      JSON.stringify(generated?.rejected),
      '{"duplicate":1,"held-out":1,"schema":1,"truncated":3,"unparseable":1}',
    );
    const [first] = run.tasks;
    assert.deepEqual(
      [first?.prompt, first?.evaluation, first?.gold, first?.complexity, first?.plan],
      [[], { kind: 'none' }, null, {}, ''],
    );
  });

  it('may fail here and there, and ends the run where nothing comes', async () => {
    const failing = (all: boolean) =>
      writing({
        says: (nth) => `rung 3 ${50 + nth}`,
        given: (nth) => (all || nth === 1 ? { failure: 'refused' } : {}),
      });
    const some = failing(false);
    await some.done;
    const [generated] = eventsOf(some.run, 'tasks.generated');
    assert.deepEqual(generated?.unanswered, { count: 1, causes: [{ cause: 'refused', count: 1 }] });
    assert.equal(generated.accepted, 3);
    const none = failing(true);
    await assert.rejects(none.done, (error) => LoopError.is(error, 'endpoint') && /refused$/.test(error.message));
  });

  it('is equal to a task of the same epoch, or to any of the run', async () => {
    for (const [duplicates, accepted] of [
      ['epoch', [1, 1]],
      ['run', [1, 0]],
    ] as const) {
      const run = await runScripted(
        smallExperiment({
          ...{ mode: 'random', epochs: 2 },
          generation: { families: 1, variations: 1, attempts: 1, duplicates },
        }),
        new MemoryRun(),
        { ports: { environment: new ScriptedPolicy('environment', 5, undefined, undefined, () => 'rung 3 7') } },
      );
      assert.deepEqual(
        eventsOf(run, 'tasks.generated').map((event) => event.accepted),
        accepted,
      );
    }
  });
});

describe('plans of the environment', () => {
  const planned = (texts: (nth: number) => string, given?: Setup['given']) => {
    const seen: string[] = [];
    class Planning extends LadderDomain {
      override parseTask(text: string, plan: string) {
        seen.push(`${plan}: ${text}`);
        return super.parseTask(text, plan);
      }
    }
    let plans = 0;
    const domain = new Planning({ plans: true });
    return {
      seen,
      result: writing({
        says: (nth, { id }) => (id.endsWith('/plan') ? `plan ${(plans += 1)}` : texts(nth)),
        ...(given === undefined ? {} : { given }),
        domain,
        generation: { families: 2, variations: 2, attempts: 2 },
      }),
    };
  };

  it('of a server without token ids are counted once, by what it says, as its texts are', async () => {
    const { done, run, progress } = planned(
      (nth) => `rung 3 ${50 + nth}`,
      () => ({ promptTokens: [], tokens: [], logprobs: [], counted: { prompt: 10, answer: 3 } }),
    ).result;
    await done;
    const counts = run.tasks.map(({ id, generation }) => [
      id,
      generation?.counted?.prompt,
      generation?.counted?.answer,
    ]);
    assert.deepEqual(counts, [
      ['e1.f0.v0', 10, 3],
      ['e1.f0.v1', 10, 3],
      ['e1.f1.v0', 10, 3],
      ['e1.f1.v1', 10, 3],
    ]);
    for (const task of run.tasks) taskSchema.parse(task);
    const [generated] = eventsOf(run, 'tasks.generated');
    assert.deepEqual([generated?.tokens, generated?.taskLength], [78, 3]);
    assert.equal(progress.findLast(({ phase }) => phase === 'generate')?.tokens, 78);
    const uses = [...run.tasks.flatMap(usesOfText), ...run.completions.map(useOfPlan)];
    assert.deepEqual([sum(uses.map(({ prompt }) => prompt)), sum(uses.map(({ sampled }) => sampled))], [60, 18]);
    assert.deepEqual(
      run.tasks.map((task) => taskKind.facts(task).tokens),
      [3, 3, 3, 3],
    );
  });

  it('are made once a family, and anew where none of its texts became a task', async () => {
    const { seen, result } = planned((nth) => (nth === 2 || nth === 3 ? 'nothing' : `rung 3 ${50 + nth}`));
    const { done, run, requests } = result;
    await done;
    assert.deepEqual(
      requests.map(({ id, n, only }) => [id, n, only]),
      [
        ['e1.f0/1/plan', 1, undefined],
        ['e1.f1/1/plan', 1, undefined],
        ['e1.f0/1', 2, [0, 1]],
        ['e1.f1/1', 2, [0, 1]],
        ['e1.f0/2/plan', 1, undefined],
        ['e1.f0/2', 2, [0, 1]],
      ],
    );
    assert.deepEqual(seen, [
      ...['plan 1: nothing', 'plan 1: nothing', 'plan 2: rung 3 54', 'plan 2: rung 3 55'],
      ...['plan 3: rung 3 57', 'plan 3: rung 3 58'],
    ]);
    const last = run.tasks.at(-1);
    assert.ok(last?.generation?.context !== undefined);
    const { context, tokens, spans, logprobs } = last.generation;
    assert.deepEqual(
      context.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    assert.deepEqual([context[1]?.content, last.plan], ['plan 3', 'plan 3']);
    assert.deepEqual(
      spans.map(([start, end]) => String.fromCharCode(...tokens.slice(start, end))),
      ['plan 3', 'rung 3 58'],
    );
    assert.equal(logprobs.length, 'plan 3'.length + 'rung 3 58'.length);
    const seeds = requests.map(({ seed }) => seed);
    assert.equal(new Set(seeds).size, seeds.length);
  });

  it('that fail leave their family out of the round', async () => {
    const { result } = planned(
      (nth) => `rung 3 ${50 + nth}`,
      (nth) => (nth === 0 ? { failure: 'refused' } : {}),
    );
    const { done, requests } = result;
    await done;
    assert.deepEqual(
      requests.map(({ id }) => id),
      ['e1.f0/1/plan', 'e1.f1/1/plan', 'e1.f1/1', 'e1.f0/2/plan', 'e1.f0/2'],
    );
  });
});
