/** `genenv study report` on a study that ran. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

describe('genenv study report', function () {
  this.timeout(240_000);
  let workspace: Workspace;
  beforeEach(() => {
    workspace = new Workspace();
    workspace.write('base.genenv.json', { ...tiny, name: 'base', epochs: 1 });
    workspace.write('two.study.json', {
      ...{ version: 1, name: 'two arms', base: 'base.genenv.json', seeds: [1, 2], budget: { updates: 1 } },
      arms: { genenv: {}, random: { mode: 'random' } },
    });
  });
  afterEach(() => workspace.remove());

  it('writes one file with the results, and never over what it is made of', async () => {
    const ran = await workspace.genenv('study', 'two.study.json');
    assert.equal(ran.code, 0, ran.err);
    const made = await workspace.genenv('study', 'report', 'two.study.json');
    assert.equal(made.code, 0, made.err);
    const path = join(workspace.dir, 'two.study', 'report.html');
    assert.equal(made.out, `${path}\n`);
    const html = readFileSync(path, 'utf8');
    assert.match(html, /default-src 'none'/);
    assert.match(html, /<title>two arms · GenEnv study report<\/title>/);
    assert.match(html, /"finished":4/);
    assert.match(html, /"name":"genenv","value":"\d/);

    assert.equal((await workspace.genenv('study', 'report', 'two.study.json', '--out', 'x.html')).code, 0);
    const again = await workspace.genenv('study', 'report', 'two.study.json', '--out', 'x.html', '--json');
    assert.deepEqual(JSON.parse(again.out), { study: 'two arms', report: join(workspace.dir, 'x.html') });
    const over = await workspace.genenv('study', 'report', 'two.study.json', '--out', 'two.study.json');
    assert.equal(over.code, 2);
    assert.match(over.err, /is a file that is read/);
    assert.match(readFileSync(join(workspace.dir, 'two.study.json'), 'utf8'), /two arms/);
    assert.equal((await workspace.genenv('study', 'show', 'two.study.json', '--out', 'x.html')).code, 2);

    appendFileSync(join(workspace.dir, 'two.study', 'members.jsonl'), '{"type":"unknown"}\n');
    const damaged = await workspace.genenv('study', 'report', 'two.study.json');
    assert.equal(damaged.code, 2);
    assert.match(damaged.err, /members\.jsonl/);
    assert.equal(readFileSync(path, 'utf8'), html);
  });
});
