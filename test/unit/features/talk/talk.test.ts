import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  awaitsPrompt,
  continued,
  notesOf,
  readBy,
  readTalk,
  saidBy,
  stopReasonOf,
  talkText,
  withExchange,
  type Answer,
  type Talk,
} from '../../../../src/features/talk/core/talk.ts';
import { Talker } from '../../../../src/features/talk/node/talker.ts';
import { TalkError } from '../../../../src/features/talk/core/talkError.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import type { RunReader } from '../../../../src/runs/store/runReader.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { RemoteRun } from '../../../support/faults/remoteRun.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { launchHere } from '../../../support/launchHere.ts';
import { onlyRun } from '../../../support/runContents.ts';
import { tiny } from '../../../support/tiny.ts';

const clock = { now: () => 1_763_769_600_000 };
const log = { info: () => undefined, warn: () => undefined };
const { signal } = new AbortController();
const tools = { dist, clock, log, keys: environmentKeys({}), signal };

const begun = (over: Partial<Talk> = {}): Talk => ({
  ...{ version: 1, run: 'runs/a', policies: ['agent@1'], task: null, temperature: 1, maxTokens: 24, seed: 0 },
  exchanges: [],
  ...over,
});

async function openOnly(root: string): Promise<RunReader> {
  return new RunStore(root, { clock, log, version: 'test' }).openReader(await onlyRun(root));
}

async function acceptedTask(run: RunReader): Promise<string> {
  const found = (await run.tasksOf(1)).find(({ status }) => status === 'accepted');
  assert.ok(found !== undefined);
  return found.id;
}

describe('a conversation’s file', () => {
  it('is read as it was written, and says what is wrong with another', () => {
    const answers = [[{ role: 'assistant' as const, content: 'a' }], []];
    const talk = begun({
      policies: ['agent@1', 'agent@0'],
      exchanges: [{ you: 'x', by: ['agent@1', 'agent@0'], answers }],
    });
    assert.deepEqual(readTalk(talkText(talk)), { talk, problem: null });
    assert.deepEqual(readBy(talk, { name: 'agent@1', side: 0 }), [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'a' },
    ]);
    assert.deepEqual(readBy(talk, { name: 'agent@0', side: 1 }), [{ role: 'user', content: 'x' }]);
    assert.match(readTalk(talkText({ ...talk, policies: [] })).problem ?? '', /^policies: /);
    assert.notEqual(readTalk('{').problem, null);
    assert.deepEqual([awaitsPrompt(talk), awaitsPrompt(begun({ task: 't' }))], [false, true]);
  });
});

describe('a conversation whose versions change', () => {
  const said = (content: string, stopReason: 'stop' | 'length' = 'stop'): Answer => ({
    messages: [{ role: 'assistant', content }],
    stopReason,
  });
  const texts = (messages: ReturnType<typeof readBy>): string => messages.map(({ content }) => content).join();
  let talk = begun({ policies: ['agent@0'], task: 't' });
  talk = withExchange(talk, null, [said('a')]);
  talk = withExchange({ ...talk, policies: ['agent@0', 'agent@3'] }, 'sure?', [said('b', 'length'), said('c')]);
  talk = withExchange({ ...talk, policies: ['agent@3', 'agent@0'] }, 'why?', [said('d'), said('e')]);

  it('follows each version, and gives a new one what the first said before', () => {
    assert.equal(texts(readBy(talk, { name: 'agent@3', side: 0 })), 'a,sure?,c,why?,d');
    assert.equal(texts(readBy(talk, { name: 'agent@0', side: 1 })), 'a,sure?,b,why?,e');
    assert.deepEqual(notesOf(talk, 1, 1), ['agent@3 read what agent@0 said before.']);
    assert.deepEqual(notesOf(talk, 1, 0), ['The answer was cut off.']);
    assert.deepEqual([notesOf(talk, 0, 0), notesOf(talk, 2, 0), notesOf(talk, 2, 1)], [[], [], []]);
  });

  it('has a version judged on its own turns, as its last one ended', () => {
    assert.equal(texts(saidBy(talk, { name: 'agent@3', side: 0 })), 'sure?,c,why?,d');
    assert.equal(texts(saidBy(talk, { name: 'agent@0', side: 1 })), 'a,sure?,b,why?,e');
    const before = { ...talk, exchanges: talk.exchanges.slice(0, 2) };
    assert.equal(stopReasonOf(before, { name: 'agent@0', side: 0 }), 'length');
    assert.equal(stopReasonOf(before, { name: 'agent@3', side: 1 }), 'stop');
    assert.equal(stopReasonOf(talk, { name: 'agent@0', side: 1 }), 'stop');
  });

  it('keeps settings changed during an answer, and overwrites no edited conversation', () => {
    const after = withExchange(talk, 'so?', [said('f'), said('g')]);
    const now = { ...talk, policies: ['agent@3'], temperature: 0, seed: 5 };
    assert.deepEqual(continued(talk, after, now), { ...now, exchanges: after.exchanges });
    for (const other of [null, { ...talk, task: 'u' }, { ...talk, exchanges: talk.exchanges.slice(1) }]) {
      assert.throws(
        () => continued(talk, after, other),
        (error) => TalkError.is(error, 'changed'),
      );
    }
  });

  it('keeps one version in two columns apart', () => {
    const twice = withExchange(begun({ policies: ['agent@0', 'agent@0'] }), 'x', [said('a'), said('b')]);
    assert.equal(texts(readBy(twice, { name: 'agent@0', side: 1 })), 'x,b');
  });
});

describe('versions that answer a person', function () {
  this.timeout(240_000);
  let root = '';
  let run: RunReader;
  let talker: Talker;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-talk-'));
    const experiment = resolveExperiment({ version: 1, ...tiny, rollouts: { ...tiny.rollouts, maxTurns: 6 } });
    const { state } = await launchHere({ root, notes: [] }, { experiment, directory: root }, {});
    assert.equal(state, 'finished');
    run = await openOnly(root);
  });
  beforeEach(() => (talker = new Talker(run, tools)));
  afterEach(() => talker.close());
  after(async () => {
    await run.close();
    await rm(root, { recursive: true, force: true });
  });

  const files = async (): Promise<string[]> => {
    const names = (await readdir(run.dir, { recursive: true })).sort();
    return [...names, (await readFile(join(run.dir, 'journal.jsonl'))).toString('base64')];
  };

  it('have a task’s tools live, each its own, and leave the run as it is', async () => {
    const task = await acceptedTask(run);
    const before = await files();
    const talk = begun({ policies: ['agent@1', 'agent@0'], task });
    const first = await talker.answer(talk, null, signal);
    const [exchange] = first.talk.exchanges;
    assert.deepEqual([exchange?.you, first.failures], [null, [null, null]]);
    for (const answers of exchange?.answers ?? []) {
      assert.equal(answers[0]?.role, 'assistant');
      assert.equal(answers[0].tokens, undefined);
      assert.equal(answers[1]?.role, 'tool');
    }
    assert.equal((await talker.promptOf(talk)).at(-1)?.role, 'user');
    // The same seed and the same weights say the same; a conversation is continued after it was read from its file.
    const again = new Talker(run, tools);
    assert.deepEqual(await again.answer(talk, null, signal), first);
    const { talk: read } = readTalk(talkText(first.talk));
    assert.ok(read !== null);
    const second = await again.answer(read, 'first get f2 milk CALL', signal);
    assert.deepEqual([second.talk.exchanges.length, second.talk.exchanges[1]?.answers.length], [2, 2]);
    await again.close();
    assert.deepEqual(await files(), before);
  });

  it('are judged by the task’s own judge, which changes nothing of the run', async () => {
    const task = await acceptedTask(run);
    const gold = ((await run.task(task))?.gold ?? '').replace(/\s*<end>$/, '');
    const before = await files();
    await assert.rejects(talker.judge(begun({ task }), signal), (error) => TalkError.is(error, 'unjudged'));
    const answers = [
      [{ role: 'assistant' as const, content: gold }],
      [{ role: 'assistant' as const, content: 'x' }],
      [],
    ];
    const exchanges = [{ you: null, by: ['agent@1', 'agent@0', 'agent@0'], answers }];
    const judged = await talker.judge(begun({ task, exchanges }), signal);
    const { verdicts } = judged.exchanges[0] ?? {};
    assert.deepEqual(
      verdicts?.map((verdict) => verdict && [verdict.success, verdict.reward]),
      [[true, 1], [false, 0], null],
    );
    assert.deepEqual(readTalk(talkText(judged)).talk, judged);
    assert.deepEqual(await files(), before);
  });

  it('are cut off and judged as in a run', async () => {
    const task = await acceptedTask(run);
    const { talk } = await talker.answer(begun({ task, maxTokens: 1 }), null, signal);
    assert.deepEqual(talk.exchanges[0]?.stopReasons, ['length']);
    const content = ((await run.task(task))?.gold ?? '').replace(/\s*<end>$/, '');
    const exchange = { you: null, by: ['agent@1'], answers: [[{ role: 'assistant' as const, content }]] };
    const exchanges = [{ ...exchange, stopReasons: ['length' as const] }];
    const judged = await talker.judge(begun({ task, exchanges }), signal);
    const [verdict] = judged.exchanges[0]?.verdicts ?? [];
    assert.deepEqual([verdict?.success, verdict?.note], [false, 'the answer was cut off']);
  });

  it('may be of either policy, and one that cannot answer leaves the other', async () => {
    const talk = begun({ policies: ['environment@1', 'agent@9'] });
    const { talk: answered, failures } = await talker.answer(talk, 'first count milk', signal);
    assert.equal(answered.exchanges[0]?.answers[0]?.[0]?.role, 'assistant');
    assert.deepEqual(answered.exchanges[0].answers[1], []);
    assert.match(failures[1] ?? '', /^agent@9: This run has no agent@9/);
    await assert.rejects(
      talker.answer(begun({ policies: ['agent@9'] }), 'first', signal),
      (error) => TalkError.is(error, 'unanswered') && /no agent@9/.test(error.message),
    );
  });
});

describe('a checkpoint on a server that answers', function () {
  this.timeout(240_000);

  it('is asked with the settings of the conversation', async () => {
    const remote = new RemoteRun(dist);
    await remote.serve();
    assert.equal((await remote.start()).state, 'finished');
    const run = await openOnly(remote.root);
    const talker = new Talker(run, tools);
    try {
      const task = await acceptedTask(run);
      const talk = begun({ policies: ['agent@1', 'agent@0'], task, temperature: 0, maxTokens: 5 });
      const { talk: answered, failures } = await talker.answer(talk, null, signal);
      assert.deepEqual(failures, [null, null]);
      for (const answers of answered.exchanges[0]?.answers ?? []) {
        assert.ok((answers[0]?.content ?? '').split(' ').length <= 5, answers[0]?.content);
      }
    } finally {
      await talker.close();
      await run.close();
      await remote.remove();
    }
  });
});
