/** Tasks that measure are not trained on, in whichever domain of the run they stand. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { heldOutLike } from '../../../src/launch/inputs/heldOutLike.ts';
import { loadInputs } from '../../../src/launch/inputs/inputs.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import { taskSchema } from '../../../src/shared/records/task.ts';

const line = (id: string, content: string, over: object = {}): string =>
  JSON.stringify({
    ...{ id, prompt: [{ role: 'user', content }], evaluation: { kind: 'domain' }, gold: '2', ...over },
  });

describe('tasks that one of several domains holds out', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-leaks-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const two = (over: object = {}): Experiment =>
    experimentSchema.parse(
      withPreset({
        ...{ preset: 'embedded', name: 'two', mode: 'random', agent: { train: false } },
        domains: [
          { file: 'a.domain.ts', share: 1 },
          { file: 'b.domain.ts', share: 1 },
        ],
        ...over,
      }),
    );
  const byProgram = (text: string) => ({ text, given: [], leftOut: [] });
  const given = (a: [base: string, heldOut: string], b: [base: string, heldOut: string]) =>
    new Map([
      ['a', { base: byProgram(a[0]), heldOut: byProgram(a[1]) }],
      ['b', { base: byProgram(b[0]), heldOut: byProgram(b[1]) }],
    ]);
  const problemsOf = async (work: Promise<unknown>): Promise<string[]> => {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof InputError, String(error));
      return error.problems.map(({ field, message }) => `${field}: ${message}`);
    }
    return [];
  };

  it('are no base tasks of another, in either order, and in any case and spacing', async () => {
    const leak = given([line('one', '1 + 1?'), line('x', '9 + 9')], [line('two', '4 + 4'), line('y', '1  +  1?')]);
    assert.deepEqual(await problemsOf(loadInputs(two(), dir, leak)), [
      'prompt: The task base.one is the held-out task b.validation.y: it asks for the same.',
    ]);
    const other = given([line('one', '4 + 4'), line('y', '1 + 1?')], [line('two', '1 + 1?'), line('x', '9 + 9')]);
    assert.deepEqual(await problemsOf(loadInputs(two(), dir, other)), [
      'prompt: The task base.two is the held-out task a.validation.y: it asks for the same.',
    ]);
    const clean = given([line('one', '4 + 4'), line('y', '1 + 1?')], [line('two', '4 + 4'), line('x', '9 + 9')]);
    assert.deepEqual(await problemsOf(loadInputs(two(), dir, clean)), []);
  });

  it('are no tasks made elsewhere for another', async () => {
    await writeFile(
      join(dir, 'made.jsonl'),
      `${line('m1', '3 + 3', { domain: 'a' })}\n${line('m2', '9 + 9', { domain: 'a' })}\n`,
    );
    const experiment = two({ mode: 'offline', generation: { offlineFile: 'made.jsonl' } });
    const files = given([line('one', '4 + 4'), line('y', '5 + 5')], [line('two', '4 + 4'), line('x', '9 + 9')]);
    const [problem, ...more] = await problemsOf(loadInputs(experiment, dir, files));
    assert.match(problem ?? '', /^prompt: The task \S+m2 is the held-out task b\.validation\.x/);
    assert.deepEqual(more, []);
  });

  it('are those that the storekeeper brings, too', async () => {
    const [leak] = new StorekeeperDomain({ validationTasks: 1 }).seeds('validation');
    assert.ok(leak !== undefined);
    const { prompt, evaluation, gold } = leak;
    const base = JSON.stringify({ id: 'one', prompt, evaluation, gold });
    const experiment = two({
      domains: [
        { file: 'a.domain.ts', share: 1 },
        { name: 'storekeeper', share: 1 },
      ],
    });
    const [problem] = await problemsOf(
      loadInputs(experiment, dir, new Map([['a', { base: byProgram(base), heldOut: null }]])),
    );
    assert.match(problem ?? '', /^prompt: The task base\.one is the held-out task storekeeper\./);
  });

  it('are left out of tasks that are made for another', async () => {
    const task = (id: string, domain: string) =>
      taskSchema.parse({
        ...{ v: 1, id, family: id, epoch: 0, origin: 'base', seed: null, status: 'accepted', domain },
        ...{
          prompt: [{ role: 'user', content: '1 + 1?' }],
          evaluation: { kind: 'domain' },
          gold: '2',
          complexity: {},
          plan: '',
        },
      });
    const like = await heldOutLike(two(), [{ ...task('y', 'b'), origin: 'validation' }], true);
    assert.equal(like(task('one', 'a'))?.id, 'y');
  });
});
