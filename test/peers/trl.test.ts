/** Exported pools in the hands of pyarrow, `datasets` and TRL, whose trainers make two steps on each of them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { Workspace } from '../support/genenv.ts';
import { FakeServer } from '../support/openai/fakeServer.ts';
import { model } from '../support/openai/quirks.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { onlyRun } from '../support/runContents.ts';
import { skip } from '../support/skip.ts';
import { tiny } from '../support/tiny.ts';

const beside = (name: string): string => fileURLToPath(new URL(`../support/peers/${name}`, import.meta.url));

const steps = z.object({ moved: z.int(), losses: z.array(z.number()), steps: z.int() });
const toldSchema = z.object({
  files: z.record(
    z.string(),
    z.object({ rows: z.array(z.record(z.string(), z.unknown())), types: z.record(z.string(), z.string()) }),
  ),
  grpo: z.array(
    steps.extend({
      ...{ columns: z.array(z.string()), tasks: z.array(z.string()) },
      ...{ prompts: z.array(z.string()), tables: z.array(z.string()) },
    }),
  ),
  sft: z.array(steps.extend({ texts: z.array(z.string()) })),
});
const surveySchema = z.looseObject({ format: z.string(), rollouts: z.int(), steps: z.array(z.unknown()) });

/** Every task has tools, of schemas that differ, and text that files are apt to spoil. */
const domain = `
const tools = (i) => [{ name: 'note' + i, description: 'Keeps ü, "quotes" and 🙂.', parameters: { type: 'object',
  properties: { ['value' + i]: { type: i % 2 ? 'integer' : 'string' } }, required: ['value' + i] } }];
export const seeds = (split) => Array.from({ length: 4 }, (_, i) =>
  ({ prompt: split + ' ' + i + ' – ü\\n🙂', gold: i % 2 ? null : String(i), ...(i < 3 && { tools: tools(i) }) }));
export const environmentPrompt = ({ seed }) => 'Vary ' + seed.prompt[0].content;
export const parse = (text) => ({ prompt: text, gold: null, tools: tools(text.length) });
export const judge = (_, { answer }) => answer.length % 2 === 0;
`;

describe('exported pools in TRL, datasets and pyarrow', function () {
  this.timeout(900_000);
  let python = '';
  let workspace: Workspace;
  let server: FakeServer;
  before(async function () {
    this.timeout(2_400_000);
    const found = await peerPython('torch');
    if ('why' in found) skip(this, `TRL cannot be installed: ${found.why}`);
    python = found.python;
  });
  beforeEach(async () => {
    workspace = new Workspace();
    server = await new FakeServer('vllm').start();
    server.context = 1_000_000;
    server.tools = 'says';
    server.says = (seed) => ({ content: `said ${'x'.repeat(seed % 5)}` });
  });
  afterEach(async () => {
    await server.stop();
    workspace.remove();
  });

  const genenv = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await workspace.genenv(...args);
    assert.equal(code, 0, `${out}${err}`);
    return out;
  };

  /** Runs an experiment in a folder of its own. @returns the words that name it */
  async function ran(name: string, experiment: object): Promise<string[]> {
    workspace.write(`${name}.genenv.json`, { version: 1, name, ...experiment });
    const root = join(workspace.dir, `${name}-runs`);
    await genenv('run', `${name}.genenv.json`, '--root', root);
    return [await onlyRun(root), '--root', root];
  }

  /** Exports a pool in both forms of a file. @returns the parquet file */
  async function exported(name: string, words: readonly string[]): Promise<string> {
    await genenv('export', ...words, '--out', `${name}.jsonl`);
    await genenv('export', ...words, '--out', `${name}.parquet`);
    return join(workspace.dir, `${name}.parquet`);
  }

  it('are read as they were written, and trained on', async () => {
    workspace.write('armed.domain.js', domain);
    const endpoint = { kind: 'openai', url: server.url, model };
    const armed = await ran('armed', {
      ...{ preset: 'default', mode: 'random', epochs: 1, domain: { file: 'armed.domain.js' } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
      ...{ generation: { families: 2, variations: 2 }, rollouts: { group: 4 }, validation: { tasks: 2, every: 0 } },
    });
    const both = await ran('both', tiny);
    const agent = ['--pool', 'agent', '--format', 'messages'];
    const environment = ['--pool', 'environment', '--format', 'messages'];
    const plan = {
      ...{ model: join(workspace.dir, 'model'), out: join(workspace.dir, 'trained') },
      grpo: [await exported('armed', [...armed, ...agent]), await exported('plain', [...both, ...agent])],
      sft: [
        await exported('solved', [...armed, ...agent, '--rows', 'attempts']),
        await exported('plain-solved', [...both, ...agent, '--rows', 'attempts']),
        await exported('written', [...both, ...environment]),
        await exported('weighted', [...both, ...environment, '--weights', 'column']),
      ],
    };
    mkdirSync(plan.out);
    workspace.write('plan.json', plan);
    await promisify(execFile)(python, [beside('byte_model.py'), plan.model]);
    await promisify(execFile)(python, [beside('trl_steps.py'), join(workspace.dir, 'plan.json')], {
      env: { ...process.env, HF_HUB_OFFLINE: '1', TRL_EXPERIMENTAL_SILENCE: '1' },
      maxBuffer: 64 << 20,
    });
    const told = toldSchema.parse(JSON.parse(readFileSync(join(plan.out, 'told.json'), 'utf8')));

    for (const path of [...plan.grpo, ...plan.sft]) {
      const { rows } = told.files[path] ?? assert.fail(path);
      const lines = readFileSync(path.replace('.parquet', '.jsonl'), 'utf8').trim().split('\n');
      assert.deepEqual(
        rows,
        lines.map((line): unknown => JSON.parse(line)),
        path,
      );
      assert(rows.length >= 4, path);
    }
    for (const { moved, losses, steps: made } of [...told.grpo, ...told.sft]) {
      assert.equal(made, 2);
      assert.equal(losses.length, 2);
      assert(losses.every(Number.isFinite));
      assert(moved > 10, `${moved} tensors moved`);
    }
    for (const { columns, tasks, prompts } of told.grpo) {
      for (const column of ['family', 'epoch', 'origin', 'tools']) assert(columns.includes(column), column);
      assert(tasks.length > 0);
      assert(prompts.every((prompt) => prompt !== ''));
    }
    const [solved] = told.sft;
    assert(solved?.texts.some((text) => /<tools>\[\{"type": "function", "function": \{"name": "note/.test(text)));

    // And back: the tables of completions that its trainer leaves are read as rollouts.
    for (const [i, { tables }] of told.grpo.entries()) {
      assert.equal(tables.length, 2);
      const survey = surveySchema.parse(
        JSON.parse(await genenv('import', join(plan.out, `grpo${i}`), '--rollouts', '--preview', '--json')),
      );
      assert.deepEqual([survey.format, survey.rollouts, survey.steps.length], ['trl', 8, 2]);
    }
  });
});
