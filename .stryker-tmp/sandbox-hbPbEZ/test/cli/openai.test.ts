import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { taskSchema } from '../../src/shared/records/task.ts';
import { traceSchema } from '../../src/shared/records/trace.ts';
import { tiny, Workspace, type Ended } from '../support/genenv.ts';
import { startGateway } from '../support/openai/gateway.ts';
import { served, stop, type Served } from '../support/serve/served.ts';

function readRun<T>({ runs }: Workspace, file: string, schema: z.ZodType<T>): T[] {
  const text = readFileSync(join(runs, readdirSync(runs)[0] ?? '', file), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));
}

describe('genenv: a run on an OpenAI-compatible server', () => {
  const home = new Workspace();
  let server: Served;
  let workspace: Workspace;

  before(async () => {
    server = await served(home);
  });
  after(async () => {
    await stop(server);
    home.remove();
  });
  beforeEach(() => {
    workspace = new Workspace();
  });
  afterEach(() => workspace.remove());

  const endpoint = (name: string, url = `${server.url}/v1`) => ({ kind: 'openai', url, model: `genenv/${name}` });

  async function run(over: object): Promise<Ended> {
    workspace.write('run.genenv.json', { ...tiny, ...over });
    return workspace.genenv('run', 'run.genenv.json');
  }

  it('has a frozen environment write there, and trains the agent on this machine', async () => {
    const { code, out, err } = await run({ mode: 'random', endpoints: { environment: endpoint('environment') } });
    assert.equal(code, 0, err);
    assert.match(out, /All 2 epochs are done/);
    const types = readRun(workspace, 'journal.jsonl', z.looseObject({ type: z.string() })).map(({ type }) => type);
    assert.ok(types.includes('agent.updated') && !types.includes('environment.updated'));
    const tasks = readRun(workspace, 'tasks.jsonl', taskSchema);
    assert.ok(tasks.filter(({ status }) => status === 'accepted').length >= 8);
    for (const { generation } of tasks) {
      assert.equal(generation?.version, 'environment@0');
      assert.ok(generation.tokens.length > 0 && generation.logprobs.length > 0);
    }
  });

  it('measures a frozen agent where nothing but texts is told', async () => {
    const gateway = await startGateway(server.url);
    try {
      const url = `${gateway.url}/v1`;
      const endpoints = { agent: endpoint('agent', url), environment: endpoint('environment', url) };
      const { code, err } = await run({ mode: 'random', agent: { train: false }, endpoints });
      assert.equal(code, 0, err);
      const tasks = readRun(workspace, 'tasks.jsonl', taskSchema);
      assert.ok(tasks.filter(({ status }) => status === 'accepted').length >= 8);
      const traces = readRun(workspace, 'traces.jsonl', traceSchema);
      assert.ok(traces.some(({ verdict }) => verdict.success));
      for (const { messages } of traces) assert.ok(messages.every(({ tokens }) => tokens === undefined));
    } finally {
      await gateway.stop();
    }
  });

  it('refuses to train what only samples, and names the modes that work', async () => {
    const { code, err } = await run({ endpoints: { agent: endpoint('agent'), environment: endpoint('environment') } });
    assert.equal(code, 2);
    assert.match(err, /only samples\.\n.*"random", "static" or "release"/);
    assert.match(err, /only samples\.\n.*agent\.train to false/);
  });
});
