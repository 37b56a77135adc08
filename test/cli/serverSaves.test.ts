/** The commands of docs/endpoints.md that delete what a run saved on a server, as a person pastes them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { Workspace } from '../support/genenv.ts';
import { served, stop } from '../support/serve/served.ts';
import { skip } from '../support/skip.ts';

const docs = readFileSync(fileURLToPath(new URL('../../docs/endpoints.md', import.meta.url)), 'utf8');
const listed = z.object({
  checkpoints: z.array(z.object({ tinker_path: z.string(), size_bytes: z.int().positive() })),
});

describe('saves on a Tinker server', function () {
  this.timeout(120_000);
  const workspace = new Workspace();
  after(() => workspace.remove());

  it('are named in the run’s folder, all of them, and deleted as the page says', async function () {
    if (spawnSync('bash', ['-c', 'command -v curl sed grep']).status !== 0)
      skip(this, 'it needs bash, curl, sed and grep');
    const [, commands] = /### Saves that stay on the server\n[^]*?```sh\n([^]*?)```/.exec(docs) ?? [];
    assert.ok(commands !== undefined);
    const server = await served(workspace);
    const endpoint = (model: string) => ({ kind: 'tinker', url: server.url, key: null, model: `genenv/${model}` });
    workspace.write('saves.genenv.json', {
      ...{ version: 1, name: 'saves', preset: 'embedded', seed: 3, epochs: 2, validation: { tasks: 10 } },
      ...{ generation: { families: 8, variations: 2 }, rollouts: { group: 8 } },
      endpoints: { agent: endpoint('agent'), environment: endpoint('environment') },
    });
    const ran = await workspace.genenv('run', 'saves.genenv.json');
    assert.equal(ran.code, 0, ran.err);
    const saves = async (): Promise<string[]> => {
      const answer: unknown = await (await fetch(`${server.url}/api/v1/checkpoints?limit=1000`)).json();
      return listed.parse(answer).checkpoints.map(({ tinker_path }) => tinker_path);
    };
    const before = await saves();
    assert.ok(before.length >= 2, 'an update saves its training state and its version');
    const [id = ''] = readdirSync(workspace.runs).filter((name) => !name.startsWith('.'));
    const folder = join(workspace.runs, id);
    const [, run = ''] = /^tinker:\/\/([^/]+)\//.exec(before[0] ?? '') ?? [];
    // The last one is struck from the list.
    const kept = before.toSorted().at(-1);
    const text = commands
      .replace(/\bRUN\/endpoints/, `${folder}/endpoints`)
      .replace('TRAINING_RUN', run)
      .replace('# Strike', "cp saves.txt all.txt; sed -i.all '$d' saves.txt\n# Strike");
    const deleted = spawnSync('bash', ['-ec', text], {
      cwd: workspace.dir,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', URL: server.url, TINKER_API_KEY: 'any' },
    });
    assert.equal(deleted.status, 0, deleted.stderr);
    assert.match(deleted.stdout, /"size_bytes":\d+/);
    const named = readFileSync(join(workspace.dir, 'all.txt'), 'utf8').trim().split('\n');
    assert.deepEqual(named.toSorted(), before.toSorted());
    assert.deepEqual(await saves(), [kept]);
    const listing = await workspace.genenv('saves', id);
    assert.ok(listing.out.includes(kept ?? '') && !listing.out.includes(before.find((one) => one !== kept) ?? ''));
    const asked = await workspace.genenv('saves', id, '--delete', 'all');
    assert.match(asked.out, /Nothing is deleted yet\. To delete 1 save, add --yes\./);
    assert.deepEqual(await saves(), [kept]);
    const gone = await workspace.genenv('saves', id, '--delete', 'all', '--yes');
    assert.equal(gone.out, 'Deleted 1 save.\n', gone.err);
    assert.deepEqual(await saves(), []);
    assert.match(
      (await workspace.genenv('saves', id)).out,
      /Nothing of it is on its servers\.\n1 save deleted before\./,
    );
    await stop(server);
  });
});
