import assert from 'node:assert/strict';
import type { Edits, Ports, Progress, Scorer } from '../../../../src/engine/ports.ts';
import { overlaysIn } from '../../../../src/engine/phases/edits.ts';
import type { EventOf, JournalEvent } from '../../../../src/shared/journal/events.ts';
import { withOverlay, overlayAfter, type TaskEdit } from '../../../../src/shared/records/taskEdit.ts';
import { LadderScorer } from '../../../support/scripted/ladder.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

/** Edits that wait in memory. */
class Waiting implements Edits {
  #requests: { id: string; author: string; edits: readonly TaskEdit[] }[] = [];

  post(edits: readonly TaskEdit[]): void {
    this.#requests.push({ id: String(this.#requests.length), author: 'ada', edits });
  }

  get count(): number {
    return this.#requests.length;
  }

  waiting() {
    return Promise.resolve([...this.#requests]);
  }

  taken(id: string): Promise<void> {
    this.#requests = this.#requests.filter((one) => one.id !== id);
    return Promise.resolve();
  }
}

const isEdit = (event: JournalEvent): event is EventOf<'tasks.edited'> => event.type === 'tasks.edited';
const exclude = (task: string): TaskEdit => ({ action: 'exclude', task, reason: 'wrong gold' });

const experiment = smallExperiment({
  epochs: 4,
  rollouts: { baseShare: 0.2, poolShare: 0.4 },
  environment: { bufferEpochs: 3 },
  curriculum: { filter: 'off' },
});

/** A run in which these edits are asked for while epoch 2 is being attempted. */
async function edited(
  make: (run: MemoryRun) => readonly TaskEdit[],
  more: Partial<Ports> = {},
): Promise<{ run: MemoryRun; waiting: Waiting }> {
  const waiting = new Waiting();
  const run = new MemoryRun();
  let asked = false;
  await runScripted(experiment, run, {
    ports: { edits: waiting, ...more },
    onProgress: ({ phase, epoch }) => {
      if (asked || phase !== 'attempt' || epoch !== 2) return;
      asked = true;
      waiting.post(make(run));
    },
  });
  return { run, waiting };
}

const acceptedIn = (run: MemoryRun, epoch: number): string[] =>
  run.tasks.filter((task) => task.epoch === epoch && task.status === 'accepted').map(({ id }) => id);
const attempted = (run: MemoryRun, from: number, to = from): Set<string> =>
  new Set(
    run.traces.filter(({ purpose, epoch }) => purpose === 'train' && epoch >= from && epoch <= to).map((t) => t.task),
  );

describe('tasks edited by hand while a run goes', () => {
  it('hold from the next epoch on: what is excluded is neither seed, nor base data, nor drawn from the pool', async () => {
    const plain = await edited(() => [{ action: 'tag', task: 'nobody', tags: ['x'] }]);
    const drawn = [...attempted(plain.run, 3, 4)].filter((id) => !id.startsWith('e3') && !id.startsWith('e4'));
    assert.ok(drawn.length > 2, 'without exclusions some are drawn');
    const { run, waiting } = await edited(() => drawn.map(exclude));
    const event = run.events.find(isEdit);
    assert.deepEqual([event?.epoch, event?.author, event?.edits.length], [3, 'ada', drawn.length]);
    assert.equal(run.events[run.events.findIndex(isEdit) + 1]?.type, 'epoch.started');
    assert.deepEqual(await waiting.waiting(), []);
    const later = attempted(run, 3, 4);
    assert.deepEqual(
      drawn.filter((id) => later.has(id)),
      [],
    );
    for (const { seed } of run.tasks.filter(({ epoch }) => epoch >= 3))
      assert.ok(seed === null || !drawn.includes(seed));
  });

  it('are attempted as they were left, and teach the environment nothing any more', async () => {
    const { run } = await edited((before) =>
      acceptedIn(before, 1).map((task) => ({
        action: 'edit',
        task,
        changes: [{ field: 'gold', from: null, to: 'by hand' }],
      })),
    );
    const plain = await edited(() => [{ action: 'tag', task: 'nobody', tags: ['x'] }]);
    const sequences = (of: MemoryRun) =>
      of.events.flatMap((event) => (event.type === 'environment.updated' && event.epoch === 3 ? [event.families] : []));
    assert.deepEqual(sequences(run).length, 1);
    assert.ok(
      (sequences(run)[0] ?? outOfRange()) < (sequences(plain.run)[0] ?? outOfRange()),
      'its families left the regression set',
    );
  });

  it('end the same way, journaled once, when the run dies before any event around them', async () => {
    const make = (run: MemoryRun) => acceptedIn(run, 1).map(exclude);
    const { run: undisturbed } = await edited(make);
    const at = undisturbed.events.findIndex(isEdit);
    for (let crash = at - 2; crash < at + 6; crash++) {
      const waiting = new Waiting();
      const run = new MemoryRun();
      let died = false;
      const options = {
        ports: { edits: waiting },
        onProgress: ({ phase, epoch }: Progress) => {
          const asked = run.events.some(isEdit) || waiting.count > 0;
          if (!asked && phase === 'attempt' && epoch === 2) waiting.post(make(run));
        },
        beforeAppend: (kind: string) => {
          if (died || kind !== 'event' || run.events.length !== crash) return;
          died = true;
          throw new Error('crash');
        },
      };
      await assert.rejects(runScripted(experiment, run, options), /crash/);
      await runScripted(experiment, run, options);
      assert.equal(run.text, undisturbed.text);
    }
  });

  it('are journaled once where two requests ask for the same', async () => {
    const waiting = new Waiting();
    waiting.post([exclude('base.1'), exclude('base.1'), exclude('base.2')]);
    waiting.post([exclude('base.2')]);
    const run = await runScripted(experiment, new MemoryRun(), { ports: { edits: waiting } });
    assert.deepEqual(
      run.events.filter(isEdit).map(({ edits }) => edits.map(({ task }) => task)),
      [['base.1', 'base.2']],
    );
    assert.equal(waiting.count, 0);
  });

  it('are not journaled twice when a crash left the request in its place', async () => {
    const waiting = new Waiting();
    const run = new MemoryRun();
    waiting.post([exclude('base.1')]);
    let kept = true;
    waiting.taken = () => (kept ? Promise.reject(new Error('crash')) : Promise.resolve());
    await assert.rejects(runScripted(experiment, run, { ports: { edits: waiting } }), /crash/);
    kept = false;
    await runScripted(experiment, run, { ports: { edits: waiting } });
    assert.equal(run.events.filter(isEdit).length, 1);
  });

  it('put a task into the agent pool by an attempt of a person, and count nothing of it', async () => {
    const ladder = new LadderScorer();
    const scorer: Scorer = {
      score(task, trace) {
        const verdict = ladder.score(task, trace);
        return { ...verdict, valid: verdict.success };
      },
    };
    const ports = { scorer };
    const unpooled = (run: MemoryRun): string[] => {
      const valid = run.traces.filter(({ purpose, verdict }) => purpose === 'train' && verdict.valid);
      const known = new Set(valid.map(({ task }) => task));
      return acceptedIn(run, 1).filter((id) => !known.has(id));
    };
    const admit = (task: string): TaskEdit => ({
      ...{ action: 'admit', task, trace: `person.a/${task}/r0`, written: 1 },
    });
    const plain = await edited(() => [{ action: 'tag', task: 'nobody', tags: ['x'] }], ports);
    const outside = unpooled(plain.run);
    assert.ok(outside.length > 0, 'no attempt of the agent is valid');
    assert.deepEqual(
      outside.filter((id) => attempted(plain.run, 3, 4).has(id)),
      [],
    );
    const { run } = await edited((now) => unpooled(now).map(admit), ports);
    const drawn = outside.filter((id) => attempted(run, 3, 4).has(id));
    assert.ok(drawn.length > 0, 'it is drawn');
    const grown = (of: MemoryRun) => of.events.find((event) => event.type === 'pools.grown' && event.epoch === 2);
    assert.deepEqual(grown(run), { ...grown(plain.run), seq: grown(run)?.seq, at: grown(run)?.at });
    for (const { type, ...event } of run.events) {
      if (type !== 'families.scored' || !('families' in event) || !Array.isArray(event.families)) continue;
      const scored = new Set(event.families.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
      assert.ok(drawn.every((id) => !('epoch' in event) || event.epoch < 3 || !scored.has(id)));
    }
    const back = (task: string): TaskEdit => ({ action: 'withdraw', task, trace: `person.a/${task}/r0` });
    const withdrawn = await edited((now) => unpooled(now).flatMap((task) => [admit(task), back(task)]), ports);
    assert.ok(outside.every((id) => !attempted(withdrawn.run, 3, 4).has(id)));
  });
});

describe('what lies over a task', () => {
  const draft = { prompt: [], evaluation: { kind: 'x' }, gold: 'a', complexity: {}, plan: '' };
  const generation = { version: 'e@0', tokens: [], spans: [], logprobs: [], text: '' };
  const task = {
    ...{ ...draft, v: 1 as const, id: 't', family: 'f', epoch: 1, origin: 'generated' as const, seed: null },
    ...{ status: 'accepted' as const, generation },
  };
  const after = (...edits: TaskEdit[]) =>
    edits.reduce<ReturnType<typeof overlayAfter> | undefined>(
      (overlay, edit) => overlayAfter(overlay, edit),
      undefined,
    );

  it('is what was edited last; a tag alone changes nothing', () => {
    const gold = (from: string, to: string): TaskEdit => ({
      action: 'edit',
      task: 't',
      changes: [{ field: 'gold', from, to }],
    });
    assert.equal(withOverlay(task, after({ action: 'tag', task: 't', tags: ['odd'] })), task);
    const twice = withOverlay(task, after(gold('a', 'b'), gold('b', 'c')));
    assert.equal(twice.gold, 'c');
    assert.equal(twice.generation, undefined);
    const specs = [{ name: 'f', description: '', parameters: {} }];
    const tools: TaskEdit = { action: 'edit', task: 't', changes: [{ field: 'tools', from: null, to: specs }] };
    assert.deepEqual(withOverlay(task, after(tools)).tools, specs);
    const without: TaskEdit = { action: 'edit', task: 't', changes: [{ field: 'tools', from: specs, to: null }] };
    assert.equal('tools' in withOverlay({ ...task, tools: specs }, after(without)), false);
  });

  it('keeps it out until it is restored', () => {
    const out = withOverlay(task, after(exclude('t')));
    assert.deepEqual([out.status, out.note], ['rejected', 'wrong gold']);
    assert.equal(withOverlay(task, after(exclude('t'), { action: 'restore', task: 't' })), task);
  });

  it('holds from the epoch that its event names', () => {
    const state = { edits: [{ epoch: 3, edit: exclude('t') }] };
    assert.equal(overlaysIn(state, 2).size, 0);
    assert.equal(overlaysIn(state, 3).get('t')?.excluded, 'wrong gold');
  });
});
