import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAsked, readRequest } from '../../../../src/features/evaluation/node/asked.ts';
import { evaluate } from '../../../../src/features/evaluation/node/evaluate.ts';
import { readEvaluation } from '../../../../src/features/evaluation/node/evaluationFolder.ts';
import { listEvaluations } from '../../../../src/features/evaluation/node/evaluations.ts';
import { openRequest } from '../../../../src/features/evaluation/node/openRequest.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { endpointDefaults } from '../../../../src/shared/experiment/endpoints/endpoint.ts';
import { evaluationState, failuresIn } from '../../../../src/features/evaluation/host/evaluationState.ts';
import type { EvaluationRequest } from '../../../../src/shared/records/evaluation.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';

const clock = { now: () => 1_763_769_600_000 };
const log = { info: () => undefined, warn: () => undefined };

const quiz = {
  ...{ version: 1, name: 'Quiz' },
  data: { folder: 'data', obtain: 'here', format: 'jsonl', splits: { a: { files: ['a.jsonl'] } } },
  task: { id: '/record/id', prompt: [{ role: 'user', content: '/record/question' }], gold: '/record/gold' },
  answer: { kind: 'text' },
  scorer: { kind: 'exact', compare: 'trimmed' },
};

describe('an evaluation’s folder', () => {
  let dir = '';
  let request: EvaluationRequest;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-asked-'));
    await mkdir(join(dir, 'data'));
    await writeFile(join(dir, 'quiz.adapter.json'), JSON.stringify(quiz));
    const records = Array.from({ length: 5 }, (_, i) => ({ id: `q${i}`, question: `Say ${i}`, gold: `${i}` }));
    await writeFile(join(dir, 'data', 'a.jsonl'), records.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const answers = records.map(({ id, gold }, i) => ({ id, text: i < 3 ? gold : 'no' }));
    await writeFile(join(dir, 'answers.jsonl'), answers.map((one) => `${JSON.stringify(one)}\n`).join(''));
    request = {
      ...{ adapter: join(dir, 'quiz.adapter.json'), data: join(dir, 'data'), splits: [], sample: null, seed: 1 },
      ...{ attempts: 1, temperature: 0, maxTokens: 40, judge: null },
      policy: { kind: 'answers', path: join(dir, 'answers.jsonl') },
    };
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function evaluated(asked: EvaluationRequest, into?: string) {
    const tools = { dist, clock, log, keys: environmentKeys({}), signal: new AbortController().signal };
    const opened = await openRequest(asked, tools);
    try {
      return await evaluate({ ...opened.ask, folderOf: (name) => into ?? join(dir, 'made', name) }, tools);
    } finally {
      await opened.close();
    }
  }

  it('tells what was asked and posed, so that it can be carried on and shown from there alone', async () => {
    const { folder, outcomes } = await evaluated(request);
    assert.equal(outcomes.filter(({ successes }) => successes === 1).length, 3);
    assert.deepEqual(await readRequest(folder), request);
    const { tasks } = await readEvaluation(folder);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['q0', 'q1', 'q2', 'q3', 'q4'],
    );

    const path = join(folder, 'answers.jsonl');
    const whole = await readFile(path, 'utf8');
    await writeFile(path, whole.split('\n').slice(0, 2).join('\n'));
    const [cut] = await listEvaluations(join(dir, 'made'));
    assert.deepEqual([cut?.folder, cut?.answered, cut?.asked], [folder, 1, 5], 'a torn line is no answer');
    const state = evaluationState(folder, await readEvaluation(folder), { running: false, canContinue: true });
    assert.deepEqual([state.answered, state.asked, state.canContinue, state.finished], [2, 5, true, false]);
    assert.equal(state.all.asked, 2, 'what was lost is not wrong');

    const asked = await readRequest(folder);
    assert.ok(asked !== null);
    await evaluated(asked, folder);
    const stored = await readEvaluation(folder);
    const done = evaluationState(folder, stored, { running: false, canContinue: true });
    assert.deepEqual(
      [done.answered, done.canContinue, done.failing],
      [5, false, 2],
      'a whole one has nothing to go on with',
    );
    assert.equal(done.all.pass[0]?.value, 0.6);
    assert.deepEqual(
      failuresIn(stored.answers).map(({ id, task, kind }) => [id, task, kind]),
      [
        ['b0/q3/r0', 'q3', 'wrong'],
        ['b0/q4/r0', 'q4', 'wrong'],
      ],
    );
  });

  it('shows as wrong what was not answered, why, and no total of a sample or of broken data', async () => {
    const lines = [0, 1].map((i) => JSON.stringify({ id: `q${i}`, text: `${i}` })).join('\n');
    await writeFile(join(dir, 'answers.jsonl'), lines);
    const records = (await readFile(join(dir, 'data', 'a.jsonl'), 'utf8')).trimEnd();
    await writeFile(join(dir, 'data', 'a.jsonl'), `${records}\n{"id": "q9"}\n`);
    const { folder, unofficial } = await evaluated(request);
    assert.ok(unofficial.some(({ kind }) => kind === 'problems'));
    const state = evaluationState(folder, await readEvaluation(folder), { running: false, canContinue: true });
    assert.deepEqual([state.finished, state.all.asked, state.all.attempts, state.all.successes], [true, 5, 2, 2]);
    assert.deepEqual([state.all.pass[0]?.value, state.all.answered], [0.4, 1]);
    assert.deepEqual(state.unanswered, [{ cause: 'The file has no answer to it.', count: 3 }]);
    assert.deepEqual(state.unofficial, unofficial);
    await rm(join(folder, 'data.json'));
    const older = evaluationState(folder, await readEvaluation(folder), { running: false, canContinue: true });
    assert.ok(older.unofficial.some(({ kind }) => kind === 'untold'));
  });

  it('keeps an endpoint as it is written down anywhere, its key as a reference', async () => {
    const endpoint = { ...endpointDefaults.openai, url: 'http://127.0.0.1:9', model: 'm', key: '${env:QUIZ_KEY}' };
    const judge = { name: 'judge', endpoint };
    const remote: EvaluationRequest = { ...request, judge, policy: { kind: 'endpoint', name: 'mine', endpoint } };
    const opened = await openRequest(remote, { clock, log });
    await keepAsked(dir, { ...opened.ask, folderOf: () => dir }, []);
    await opened.close();
    assert.deepEqual(await readRequest(dir), remote);
  });

  it('lists what can be read, and no folder that is none', async () => {
    const { folder } = await evaluated(request);
    await mkdir(join(dir, 'made', 'empty'));
    await mkdir(join(dir, 'made', 'torn'));
    await writeFile(join(dir, 'made', 'torn', 'manifest.json'), '{"v": 9');
    assert.deepEqual(
      (await listEvaluations(join(dir, 'made'))).map((head) => head.folder),
      [folder],
    );
    assert.deepEqual(await listEvaluations(join(dir, 'nowhere')), []);
  });
});
