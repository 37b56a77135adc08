import assert from 'node:assert/strict';
import type { QueueEntryEvent, Work } from '../../../../src/features/runner/contract.ts';
import { answer, endedBy, withRequests } from '../../../../src/features/runner/core/answer.ts';
import { afterLanding } from '../../../../src/features/runner/core/landing.ts';
import { limitsOf } from '../../../../src/features/runner/core/limits.ts';
import { isEmpty, lostBefore, lostIn, nextMoment, planOf } from '../../../../src/features/runner/core/plan.ts';
import {
  endedKept,
  inTurn,
  isHeldAfter,
  queueAfter,
  withoutRunner,
  type Queue,
} from '../../../../src/features/runner/core/queue.ts';
import { waitText } from '../../../../src/features/runner/core/words.ts';

const ofNoStudy = { study: null, copies: null, member: null, rest: null };
const gpu = 'http://gpu:8000';
const work = (run: string, over: Partial<Work> = {}): Work => ({
  ...{
    run,
    name: run.toUpperCase(),
    addresses: [gpu],
    priority: 0,
    after: [],
    retries: 2,
    author: 'ann',
    ...ofNoStudy,
  },
  ...over,
});
const fold = (events: readonly QueueEntryEvent[], queue: Queue = []): Queue =>
  events.reduce<Queue>((all, event, at) => queueAfter(all, event, at), queue);
const added = (...works: Work[]): Queue => fold(works.map((one) => ({ type: 'added', work: one })));
const turn = (queue: Queue): string =>
  inTurn(queue)
    .map(({ run }) => run)
    .join('');
const started = (run: string): QueueEntryEvent => ({ type: 'started', run });
const head = { v: 1, at: 0, author: 'bob' } as const;
const one = limitsOf(new Map(), 4, null);

describe('the queue of a runner', () => {
  it('starts as many as an address takes, the others say who is in front', () => {
    const queue = added(
      work('a'),
      work('b'),
      work('c', { addresses: ['embedded'] }),
      work('d', { addresses: [gpu, 'x:'] }),
    );
    const plan = planOf(queue, one, 0);
    assert.deepEqual(
      plan.start.map(({ run }) => run),
      ['a', 'c'],
    );
    assert.deepEqual(plan.waiting.get('b'), { kind: 'endpoint', address: gpu, runs: ['A'] });
    assert.deepEqual(plan.waiting.get('d'), { kind: 'endpoint', address: gpu, runs: ['A'] });
    const two = planOf(queue, limitsOf(new Map([[gpu, 2]]), 4, null), 0);
    assert.deepEqual(
      two.start.map(({ run }) => run),
      ['a', 'b', 'c'],
    );
    const narrow = planOf(fold([started('c')], queue), limitsOf(new Map(), 4, 1), 0);
    assert.deepEqual(narrow.start, []);
    assert.deepEqual(narrow.waiting.get('a'), { kind: 'room' });
  });

  it('gives half of the cores to models of this machine, and one at least', () => {
    assert.deepEqual(
      [1, 2, 3, 8].map((cores) => limitsOf(new Map(), cores, null).of('embedded')),
      [1, 1, 1, 4],
    );
    assert.equal(limitsOf(new Map([['embedded', 3]]), 2, null).of('embedded'), 3);
  });

  it('keeps a run waiting for others until they finished, and says when they cannot', () => {
    const queue = fold([started('a')], added(work('a'), work('b', { after: ['a'], addresses: [] })));
    assert.deepEqual(planOf(queue, one, 0).waiting.get('b'), { kind: 'after', runs: ['A'] });
    const done = fold([{ type: 'ended', run: 'a', outcome: 'finished', why: '' }], queue);
    assert.deepEqual(
      planOf(done, one, 0).start.map(({ run }) => run),
      ['b'],
    );
    const failed = fold([{ type: 'ended', run: 'a', outcome: 'failed', why: 'no' }], queue);
    const wait = planOf(failed, one, 0).waiting.get('b');
    assert.ok(wait);
    assert.deepEqual(wait, { kind: 'lost', runs: ['A'] });
    assert.equal(waitText(wait, 0), 'waits for “A”, which did not finish: queue that again, or remove this one');
    assert.ok(!isEmpty(queue) && !isEmpty(done));
  });

  it('has nothing more to do where all that waits, waits for runs that did not finish', () => {
    const queue = added(work('a'), work('b', { after: ['a'] }), work('c', { after: ['b'] }));
    const failed = fold([{ type: 'ended', run: 'a', outcome: 'failed', why: 'no' }], queue);
    assert.ok(isEmpty(failed));
    assert.equal(
      lostIn(failed)
        .map(({ run }) => run)
        .join(''),
      'bc',
    );
    assert.deepEqual([isEmpty(queue), lostIn(queue)], [false, []]);
    const other = fold([{ type: 'added', work: work('d') }], failed);
    assert.deepEqual([isEmpty(other), isEmpty(fold([started('d')], other))], [false, false]);
    assert.ok(!isEmpty(withRequests(failed, [{ ...head, type: 'retry', run: 'a' }])));
    assert.ok(isEmpty(withRequests(queue, [{ ...head, type: 'remove', run: 'a' }])));
  });

  it('needs no runner to say so', () => {
    const failed = fold([{ type: 'ended', run: 'a', outcome: 'failed', why: '' }], added(work('a')));
    const waiting = fold([{ type: 'added', work: work('b', { after: ['a'] }) }], failed);
    assert.deepEqual(
      waiting.map((entry) => lostBefore(entry, waiting)),
      [null, { kind: 'lost', runs: ['A'] }],
    );
  });

  it('starts nothing while the queue is paused, and says so', () => {
    const { start, waiting } = planOf(added(work('a')), one, 0, true);
    assert.deepEqual(start, []);
    assert.deepEqual([...waiting], [['a', { kind: 'held' }]]);
    assert.equal(waitText({ kind: 'held' }, 0), 'waits: the queue is paused');
    assert.equal(isHeldAfter([{ type: 'held' }, { type: 'started' }]), true);
    assert.equal(isHeldAfter([{ type: 'held' }, { type: 'released' }]), false);
  });

  it('orders by priority, then as they were put, and moves past another priority by taking it', () => {
    const queue = added(work('a'), work('b', { priority: 5 }), work('c'), work('d', { priority: 5 }));
    assert.equal(turn(queue), 'bdac');
    const asked = (run: string, to: 'up' | 'down' | 'first' | 'last') =>
      withRequests(queue, [{ ...head, type: 'move', run, to }]);
    assert.equal(turn(asked('c', 'up')), 'bdca');
    assert.equal(turn(asked('a', 'up')), 'badc');
    assert.equal(turn(asked('b', 'down')), 'dbac');
    assert.equal(turn(asked('d', 'last')), 'bacd');
    assert.equal(turn(asked('c', 'first')), 'cbda');
    assert.equal(turn(asked('b', 'first')), 'bdac');
    assert.equal(turn(withRequests(queue, [{ ...head, type: 'prioritise', run: 'c', priority: 9 }])), 'cbda');
  });

  it('refuses what cannot be done, each with its reason', () => {
    const queue = fold([started('a')], added(work('a'), work('b', { after: ['a'] })));
    const why = (request: Parameters<typeof answer>[1]) =>
      answer(queue, request).map((event) => (event.type === 'refused' ? event.why : event.type));
    assert.deepEqual(why({ ...head, type: 'remove', run: 'x' }), ['It is not in the queue.']);
    assert.deepEqual(why({ ...head, type: 'pause', run: 'x' }), ['It is not in the queue.']);
    assert.deepEqual(why({ ...head, type: 'add', work: [work('c', { member: 's' })] }), [
      'Its study is not in the queue.',
    ]);
    assert.deepEqual(why({ ...head, type: 'move', run: 'a', to: 'up' }), ['Only what waits has a place in the queue.']);
    assert.deepEqual(why({ ...head, type: 'add', work: [work('b')] }), ['It is in the queue already.']);
    assert.deepEqual(why({ ...head, type: 'add', work: [work('c', { after: ['z'] })] }), [
      'It should wait for z, which is not in the queue.',
    ]);
    const ended = fold([{ type: 'ended', run: 'a', outcome: 'paused', why: '' }], queue);
    const circle = answer(ended, { ...head, type: 'add', work: [work('a', { after: ['b'] })] });
    assert.match(JSON.stringify(circle), /It would wait for a run that waits for it/);
  });

  it('lets what waits leave at once and what runs once it has ended, a study with its runs', () => {
    const study = work('s', { study: '/s.study.json', addresses: [] });
    const members = ['a', 'b', 'c'].map((run) => work(run, { member: 's' }));
    const queue = fold([started('s'), started('a')], added(study, ...members, work('d')));
    for (const type of ['remove', 'pause'] as const) {
      const left = (run: string, of = queue) => {
        const request = { ...head, type, run };
        return [
          endedBy(of, request).join(''),
          withRequests(of, [request])
            .map((entry) => entry.run)
            .join(''),
        ];
      };
      assert.deepEqual(left('s'), ['sa', 'sad']);
      assert.deepEqual(left('a'), ['a', 'sabcd']);
      assert.deepEqual(left('d'), ['', 'sabc']);
      assert.deepEqual(left('s', withoutRunner(queue)), ['', 'd']);
      const ended = fold([{ type: 'ended', run: 's', outcome: 'paused', why: '' }], queue);
      assert.deepEqual(left('s', ended), ['a', type === 'remove' ? 'ad' : 'sad']);
    }
  });

  it('takes a study that waits anew where its file was edited, and not while it runs', () => {
    const copies = (text: string) => ({ study: text, base: '{}', inputs: {} });
    const add = (queue: Queue, over: Partial<Work>): QueueEntryEvent[] =>
      answer(queue, { v: 1, at: 0, type: 'add', work: [work('s', { study: '/s', ...over })], author: 'ann' });
    const queue = added(work('s', { study: '/s', copies: copies('old') }), work('b'));
    assert.equal(add(queue, { copies: copies('old') })[0]?.type, 'refused');
    assert.equal(add(queue, { copies: null })[0]?.type, 'refused');
    const renewed = fold(add(queue, { copies: copies('new') }), queue);
    assert.deepEqual(
      renewed.map(({ run, copies }) => [run, copies?.study]),
      [
        ['b', undefined],
        ['s', 'new'],
      ],
    );
    assert.equal(add(fold([started('s')], queue), { copies: copies('new') })[0]?.type, 'refused');
    // Of an older version: it was to be read when its turn comes.
    assert.equal(add(added(work('s', { study: '/s' })), { copies: copies('new') })[0]?.type, 'added');
  });

  it('tries a run that failed again after 2 s, 4 s, and ends it when its tries are used up', () => {
    let queue = fold([started('a')], added(work('a')));
    const land = (how: 'failed' | 'server', epoch: number, now: number): QueueEntryEvent => {
      const event = afterLanding(queue[0]!, { how, why: 'Boom.', epoch }, now);
      queue = fold([event], queue);
      return event;
    };
    assert.deepEqual(land('failed', 0, 1000), {
      ...{ type: 'delayed', run: 'a', delay: 'failure', why: 'Boom.', until: 3000, epoch: 0, lacks: null },
    });
    assert.equal(nextMoment(queue, 1000), 3000);
    assert.deepEqual(planOf(queue, one, 2999).start, []);
    assert.equal(planOf(queue, one, 3000).start.length, 1);
    // The clock was set back by hours: no wait is that long.
    assert.equal(planOf(queue, one, 3000 - 8 * 3_600_000).start.length, 1);
    assert.equal(nextMoment(queue, 3000 - 8 * 3_600_000), null);
    assert.match(JSON.stringify(land('failed', 0, 3000)), /"until":7000/);
    // An epoch was finished in between: the count begins anew.
    assert.match(JSON.stringify(land('failed', 1, 0)), /"until":2000/);
    assert.match(JSON.stringify(land('failed', 1, 0)), /"until":4000/);
    assert.deepEqual(land('failed', 1, 0), {
      ...{ type: 'ended', run: 'a', outcome: 'failed', why: 'After 3 tries: Boom.' },
    });
  });

  it('begins a run that missed a key in its own process less and less often, at most 10 minutes apart', () => {
    let queue = added(work('a', { retries: 0 }));
    const waits = Array.from({ length: 12 }, () => {
      const event = afterLanding(queue[0]!, { how: 'key', why: 'Not allowed yet.', epoch: 0 }, 0);
      queue = fold([event], fold([started('a')], queue));
      return event.type === 'delayed' && event.delay === 'key' ? (event.until ?? 0) / 1000 : null;
    });
    assert.deepEqual([...waits.slice(0, 3), ...waits.slice(-2)], [15, 30, 60, 600, 600]);
  });

  it('asks a server that is away again and again, at most 10 minutes apart', () => {
    let queue = added(work('a', { retries: 0 }));
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const event = afterLanding(queue[0]!, { how: 'server', why: 'Away.', epoch: 0 }, 0);
      if (event.type === 'delayed') waits.push((event.until ?? 0) / 1000);
      queue = fold([event], queue);
    }
    assert.deepEqual(waits, [15, 30, 60, 120, 240, 480, 600, 600]);
  });

  it('keeps the newest ended ones, and those that others wait for', () => {
    const runs = Array.from({ length: endedKept + 20 }, (_, i) => `r${i}`);
    let queue = added(work('r0'), work('waits', { after: ['r0'] }), ...runs.slice(1).map((run) => work(run)));
    queue = fold(
      runs.map((run) => ({ type: 'ended', run, outcome: 'finished', why: '' })),
      queue,
    );
    assert.equal(queue.length, endedKept + 2);
    assert.ok(queue.some(({ run }) => run === 'r0'));
    assert.ok(!queue.some(({ run }) => run === 'r1'));
  });
});
