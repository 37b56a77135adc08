import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { taskSchema } from '../../src/shared/records/task.ts';
import { traceSchema } from '../../src/shared/records/trace.ts';
import { sums } from '../support/domains/sums.ts';
import { Workspace } from '../support/genenv.ts';
import { FakeServer } from '../support/openai/fakeServer.ts';
import { model } from '../support/openai/quirks.ts';

/** Products, made of the sums: another domain with words and golds of its own. */
const products = sums['sums.domain.py']
  .replaceAll(' + ', ' * ')
  .replaceAll(String.raw` \+ `, String.raw` \* `)
  .replace('"gold": 2 * n', '"gold": n * n')
  .replace('"gold": 18', '"gold": 81')
  .replace('another sum', 'another product')
  .replace('it is no sum', 'it is no product');

describe('genenv: a run of several domains', function () {
  this.timeout(240_000);
  const workspace = new Workspace();
  const server = new FakeServer('vllm');
  let id = '';
  const linesOf = <T>(run: string, file: string, schema: z.ZodType<T>): T[] =>
    readFileSync(join(workspace.runs, run, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => schema.parse(JSON.parse(line)));

  before(async () => {
    server.context = 1_000_000;
    await server.start();
    server.says = (seed, { messages = [] }) => {
      const text = messages.at(-1)?.content ?? '';
      const [, a, sign, b] = /How much is (\d+) ([+*]) (\d+)\?/.exec(text) ?? [];
      if (a !== undefined)
        return { content: String((sign === '+' ? Number(a) + Number(b) : Number(a) * Number(b)) + (seed % 2)) };
      if (/another sum/.test(text)) return { content: `${10 + (seed % 40)} + ${seed % 9}` };
      if (/another product/.test(text)) return { content: `${2 + (seed % 8)} * ${2 + (seed % 7)}` };
      return { content: 'hello' };
    };
    workspace.write('sums.domain.ts', sums['sums.domain.ts']);
    workspace.write('products.domain.py', products);
    const endpoint = { kind: 'openai', url: server.url, model };
    workspace.write('mixed.genenv.json', {
      ...{ name: 'mixed', mode: 'random', epochs: 2, agent: { train: false } },
      domains: [
        { file: 'sums.domain.ts', share: 2 },
        { file: 'products.domain.py', share: 1 },
        { name: 'storekeeper', share: 1 },
      ],
      endpoints: { agent: endpoint, environment: endpoint },
      ...{ generation: { families: 4, variations: 2, attempts: 2 }, rollouts: { group: 2 }, validation: { tasks: 4 } },
    });
    const { code, err } = await workspace.genenv('run', 'mixed.genenv.json');
    assert.equal(code, 0, err);
    id = readdirSync(workspace.runs).at(-1) ?? '';
  });
  after(async () => {
    await server.stop();
    workspace.remove();
  });

  it('validates each domain, and names the entry that is wrong', async () => {
    assert.equal((await workspace.genenv('validate', 'mixed.genenv.json')).code, 0);
    const other = '[{"file":"sums.domain.ts","share":1},{"file":"lost.domain.ts","share":1}]';
    const lost = await workspace.genenv('validate', 'mixed.genenv.json', '--set', `domains=${other}`);
    assert.equal(lost.code, 2);
    assert.match(lost.err, /lost\.domain\.ts/);
  });

  it('writes, poses and judges each task by its own domain, and keeps the files of each', () => {
    const tasks = linesOf(id, 'tasks.jsonl', taskSchema);
    const accepted = tasks.filter(({ status }) => status === 'accepted');
    for (const name of ['sums', 'products'])
      assert.ok(
        accepted.some(({ domain }) => domain === name),
        name,
      );
    for (const { domain, prompt } of accepted) {
      assert.match(prompt[0]?.content ?? '', domain === 'sums' ? /^\d+ \+ \d+$/ : /^\d+ \* \d+$/);
    }
    assert.ok(tasks.some(({ domain, cause }) => domain === 'storekeeper' && cause !== undefined));
    const goldOf = new Map(tasks.map((task) => [task.id, task.gold]));
    const traces = linesOf(id, 'traces.jsonl', traceSchema);
    for (const { task, domain, verdict, messages } of traces.filter((trace) => goldOf.has(trace.task))) {
      assert.ok(domain === 'sums' || domain === 'products');
      assert.equal(verdict.success, messages.at(-1)?.content === goldOf.get(task));
    }
    assert.ok(traces.some(({ verdict }) => verdict.success) && traces.some(({ verdict }) => !verdict.success));
    for (const path of ['sums/domain/sums.domain.ts', 'sums/seeds.jsonl', 'products/domain.json']) {
      assert.ok(existsSync(join(workspace.runs, id, 'inputs', 'domains', path)), path);
    }
  });

  it('shows figures of each domain, and finds its traces', async () => {
    const { out } = await workspace.genenv('show', id);
    assert.match(out, /Epoch 2 by domain/);
    for (const name of ['sums', 'products', 'storekeeper']) assert.match(out, new RegExp(`^ *${name} `, 'm'));
    const found = await workspace.genenv('search', id, 'domain:products purpose:train', '--json', '--limit', '1000');
    const hits = found.out.trimEnd().split('\n');
    const traces = linesOf(id, 'traces.jsonl', traceSchema);
    const own = traces.filter(({ domain, purpose }) => domain === 'products' && purpose === 'train');
    assert.equal(hits.length, own.length, found.err);
    assert.ok(own.length > 0);
  });

  it('tells what each domain wrote, by cause and how diverse, and has the families of each', async () => {
    const { out } = await workspace.genenv('show', id, '--written');
    for (const name of ['sums', 'products', 'storekeeper'])
      assert.match(out, new RegExp(`^Of the domain ${name}$`, 'm'));
    const told = z
      .object({
        epochs: z.array(z.object({ domains: z.array(z.object({ domain: z.string(), written: z.number() })) })),
      })
      .parse(JSON.parse((await workspace.genenv('show', id, '--written', '--json')).out));
    const texts = linesOf(id, 'tasks.jsonl', taskSchema).filter(
      ({ epoch, domain }) => epoch === 2 && domain === 'sums',
    );
    assert.equal(told.epochs[1]?.domains.find(({ domain }) => domain === 'sums')?.written, texts.length);
    assert.match((await workspace.genenv('show', id, '--families')).out, /^family +domain /m);
    assert.equal((await workspace.genenv('report', id)).code, 0);
  });

  it('verifies an edited task by its own domain, before it is attempted and before it is kept', async () => {
    const task = linesOf(id, 'tasks.jsonl', taskSchema).find(
      ({ domain, status }) => domain === 'products' && status === 'accepted',
    );
    assert.ok(task !== undefined);
    workspace.write('large.json', { gold: '1000' });
    const large = await workspace.genenv('reattempt', id, '--task', task.id, '--edit', 'large.json');
    assert.match(large.err, /the sum is 100 or more/);
    workspace.write('small.json', { gold: '99' });
    const small = await workspace.genenv('reattempt', id, '--task', task.id, '--edit', 'small.json', '--json');
    assert.equal(small.code, 0, small.err);
    const edited = await workspace.genenv('edit', id, '--task', task.id, '--gold', '1000');
    assert.equal(edited.code, 2);
    assert.match(edited.err, /That gold does not verify: the sum is 100 or more/);
    assert.equal((await workspace.genenv('edit', id, '--task', task.id, '--gold', '98')).code, 0);
  });

  it('gives its tasks to a file that names the domain of each, and each is checked', async () => {
    const made = await workspace.genenv('make-tasks', id, '--out', 'made.jsonl');
    assert.equal(made.code, 0, made.err);
    const lines = readFileSync(join(workspace.dir, 'made.jsonl'), 'utf8').trimEnd().split('\n');
    const named = lines.map((line) => z.looseObject({ domain: z.string() }).parse(JSON.parse(line)).domain);
    assert.deepEqual([...new Set(named)].sort(), ['products', 'sums']);
    const checked = await workspace.genenv('check', 'mixed.genenv.json');
    assert.match(checked.out, /sums.*products.*storekeeper/s);
  });

  it('is branched with the domains of its parent', async () => {
    const fixed = await workspace.genenv('branch', id, '--epoch', '1', '--set', 'domains=[]');
    assert.notEqual(fixed.code, 0);
    assert.match(fixed.err, /cannot be changed in a branch/);
    const { code, err } = await workspace.genenv('branch', id, '--epoch', '1', '--set', 'epochs=2');
    assert.equal(code, 0, err);
    const branch = readdirSync(workspace.runs).find((name) => name !== id) ?? '';
    const ids = (run: string): string[] =>
      linesOf(run, 'tasks.jsonl', taskSchema)
        .filter(({ epoch }) => epoch === 1)
        .map((task) => task.id);
    assert.deepEqual(ids(branch), ids(id));
    assert.ok(existsSync(join(workspace.runs, branch, 'inputs', 'domains', 'sums', 'domain', 'sums.domain.ts')));
  });
});
