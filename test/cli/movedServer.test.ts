/** A run whose server is at another address now. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Workspace } from '../support/genenv.ts';
import { served, stop } from '../support/serve/served.ts';

describe('a run whose Tinker server moved', function () {
  this.timeout(120_000);
  const workspace = new Workspace();
  after(() => workspace.remove());

  it('continues as a branch with the new address, from the policies that it had', async () => {
    const before = await served(workspace);
    const endpoint = (model: string) => ({ kind: 'tinker', url: before.url, key: null, model: `genenv/${model}` });
    workspace.write('moved.genenv.json', {
      ...{ version: 1, name: 'moved', preset: 'embedded', seed: 3, epochs: 1, validation: { tasks: 10 } },
      ...{ generation: { families: 8, variations: 2 }, rollouts: { group: 8 }, curriculum: { filter: 'off' } },
      endpoints: { agent: endpoint('agent'), environment: endpoint('environment') },
    });
    const ran = await workspace.genenv('run', 'moved.genenv.json');
    assert.equal(ran.code, 0, ran.err);
    await stop(before);
    const [id = ''] = readdirSync(workspace.runs).filter((name) => !name.startsWith('.'));
    const server = await served(workspace);
    assert.notEqual(server.url, before.url);
    const changes = ['agent', 'environment'].flatMap((role) => ['--set', `endpoints.${role}.url=${server.url}`]);
    const branched = await workspace.genenv('branch', id, '--epoch', '1', '--set', 'epochs=2', ...changes, '--run');
    assert.equal(branched.code, 0, branched.err);
    const [branch = ''] = readdirSync(workspace.runs).filter((name) => !name.startsWith('.') && name !== id);
    const journal = readFileSync(join(workspace.runs, branch, 'journal.jsonl'), 'utf8');
    assert.match(journal, /"epoch":2,"type":"agent\.updated".*"version":\{"name":"agent@2"/);
    const wrong = await workspace.genenv('branch', id, '--epoch', '1', '--set', 'endpoints.agent.model=genenv/other');
    assert.match(wrong.err, /endpoints\.agent\.model cannot be changed in a branch/);
    await stop(server);
  });
});
