import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAdapter } from '../../../../src/benchmarks/adapter/readAdapter.ts';
import { StorekeeperDomain } from '../../../../src/benchmarks/storekeeper/domain.ts';
import { readTokens } from '../../../../src/features/evaluation/node/answerTokens.ts';
import { evaluate } from '../../../../src/features/evaluation/node/evaluate.ts';
import { readEvaluation } from '../../../../src/features/evaluation/node/evaluationFolder.ts';
import { livingAt } from '../../../../src/features/evaluation/node/openRequest.ts';
import type { PolicyChoice } from '../../../../src/features/evaluation/node/openChoice.ts';
import { tokensOfAnswer } from '../../../../src/features/tokens/node/tokensOfAnswer.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { endpointDefaults } from '../../../../src/shared/experiment/endpoints/endpoint.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { launchHere } from '../../../support/launchHere.ts';
import { FakeServer } from '../../../support/openai/fakeServer.ts';
import { onlyRun } from '../../../support/runContents.ts';
import { tiny } from '../../../support/tiny.ts';

const tools = {
  ...{ dist, clock: { now: () => 1_763_769_600_000 }, keys: environmentKeys({}) },
  ...{ log: { info: () => undefined, warn: () => undefined }, signal: new AbortController().signal },
};

describe('the tokens of an evaluation’s answer', function () {
  this.timeout(240_000);
  let dir = '';
  let adapterFile = '';

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-answer-tokens-'));
    adapterFile = join(dir, 'stores.adapter.json');
    const adapter = {
      ...{ version: 1, name: 'Stores' },
      data: { folder: 'stores', obtain: 'here', format: 'jsonl', splits: { test: { files: ['*.jsonl'] } } },
      task: { id: '/record/id', prompt: [{ messages: '/record/messages' }], gold: '/record/gold' },
      answer: { kind: 'text' },
      scorer: { kind: 'contains', compare: 'trimmed' },
    };
    await writeFile(adapterFile, JSON.stringify(adapter));
    await mkdir(join(dir, 'stores'));
    const domain = await StorekeeperDomain.open({ baseTasks: 1, validationTasks: 3, multiTurn: false });
    const lines = domain
      .seeds('validation')
      .map((task) => ({ id: task.id, messages: domain.agentPrompt(task), gold: 'first' }));
    await writeFile(join(dir, 'stores', 'a.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  const evaluated = async (policy: PolicyChoice): Promise<{ folder: string; id: string }> => {
    const { adapter } = readAdapter(await readFile(adapterFile, 'utf8'), adapterFile);
    assert(adapter !== null);
    const { folder } = await evaluate(
      {
        ...{ adapter, adapterFile, data: join(dir, 'stores'), splits: [], sample: null, seed: 1, attempts: 2 },
        ...{ temperature: 1, maxTokens: 40, folderOf: (name) => join(dir, 'evaluations', name), policy },
      },
      tools,
    );
    const { answers } = await readEvaluation(folder);
    return { folder, id: answers[0]?.id ?? assert.fail('no answer') };
  };
  const told = async ({ folder, id }: { folder: string; id: string }, version: string | null = null) =>
    (await tokensOfAnswer({ folder, trace: id, version }, tools)) ?? assert.fail('no such answer');

  it('of the shipped agent are recorded, and it gives their log-probabilities again', async () => {
    const made = await evaluated({ kind: 'shipped' });
    const { answers } = await readEvaluation(made.folder);
    for (const { id, messages, sequences } of answers) {
      assert(
        sequences.every(({ tokens }) => tokens.length === 0),
        'the answers themselves stay small',
      );
      const shown = await told({ ...made, id });
      const tokens = shown.answers.flatMap((answer) => answer.tokens);
      const words = tokens.map(({ text }) => text).filter((word) => word !== '<end>');
      assert.equal(words.join(' '), messages[0]?.content);
      assert(tokens.every(({ sampled, entropy }) => sampled !== null && entropy !== null));
      assert(shown.recomputed !== null && shown.recomputed < 1e-5, `${shown.recomputed}`);
      assert.deepEqual([shown.of, shown.sampledBy, shown.versions], ['evaluation', 'agent@0', ['agent@0']]);
      assert.equal(shown.why.advantage, 'not-trained');
    }
    assert.equal(await tokensOfAnswer({ folder: made.folder, trace: 'b0/none/r0', version: null }, tools), null);
    await assert.rejects(told(made, 'agent@3'), { name: 'ReattemptError' });
  });

  it('of a run’s agent are held against its other versions, until the run is deleted', async () => {
    const root = join(dir, 'runs');
    const { state } = await launchHere(
      { root, notes: [] },
      { experiment: resolveExperiment({ version: 1, ...tiny }), directory: root },
      {},
    );
    assert.equal(state, 'finished');
    const run = await new RunStore(root, { clock: tools.clock, log: tools.log, version: 'test' }).openReader(
      await onlyRun(root),
    );
    const made = await evaluated({ kind: 'run', run, version: null });
    await run.close();
    const shown = await told(made, 'agent@0');
    assert.match(shown.sampledBy, /^agent@[1-9]/);
    assert.deepEqual([shown.other, shown.recomputed !== null && shown.recomputed < 1e-5], ['agent@0', true]);
    assert(shown.answers.flatMap(({ tokens }) => tokens).every(({ ratio }) => ratio !== null));
    await rename(run.dir, join(dir, 'gone'));
    const gone = await told(made);
    assert(
      gone.answers
        .flatMap(({ tokens }) => tokens)
        .every(({ sampled, entropy }) => sampled !== null && entropy === null),
    );
    assert.deepEqual([gone.why.entropy, gone.without], ['failed', null]);
    assert.match(gone.message ?? '', /./);
  });

  it('of a server are those that it told: its weights are not asked', async () => {
    const server = await new FakeServer('vllm').start();
    server.context = 4096;
    try {
      const endpoint = { ...endpointDefaults.openai, url: server.url, model: 'qwen' };
      const shown = await told(await evaluated(livingAt('mine', endpoint)));
      const tokens = shown.answers.flatMap((answer) => answer.tokens);
      assert(tokens.length > 0 && tokens.every(({ sampled }) => sampled !== null));
      assert.deepEqual([shown.why.entropy, shown.why.now, shown.why.text], ['server', 'server', 'no-words']);
      assert.deepEqual([shown.versions, shown.other, shown.without], [[], null, null]);
    } finally {
      await server.stop();
    }
  });

  it('say why there are none: an official answer, an evaluation that kept none', async () => {
    const gold = await told(await evaluated({ kind: 'gold' }));
    assert.deepEqual([gold.answers, gold.without], [[], 'written']);
    const made = await evaluated({ kind: 'shipped' });
    await unlink(join(made.folder, 'tokens.jsonl'));
    const older = await told(made);
    assert.deepEqual([older.answers, older.without], [[], 'older']);
  });

  it('are those of the answer that counts, where a killed evaluation asked twice or tore a line', async () => {
    const folder = join(dir, 'twice');
    await mkdir(folder);
    const line = (id: string, token: number) =>
      `${JSON.stringify({ v: 1, id, sequences: [{ tokens: [token], spans: [[0, 1]], logprobs: [-1] }] })}\n`;
    const file = join(folder, 'tokens.jsonl');
    assert.equal(await readTokens(folder, 'b0/a/r1'), null);
    await writeFile(file, line('b0/a/r1', 1) + line('b0/a/r10', 2) + line('b0/a/r1', 3));
    await appendFile(file, line('b0/a/r1', 4).slice(0, 40));
    assert.deepEqual((await readTokens(folder, 'b0/a/r1'))?.[0]?.tokens, [3]);
    assert.equal(await readTokens(folder, 'b0/a/r2'), null);
  });
});
