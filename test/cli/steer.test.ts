import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventSchema, type JournalEvent } from '../../src/shared/journal/events.ts';
import { ended, Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

describe('genenv: a run steered from elsewhere', () => {
  const workspace = new Workspace();
  const events = (id: string): JournalEvent[] =>
    readFileSync(join(workspace.runs, id, 'journal.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => eventSchema.parse(JSON.parse(line)));
  after(() => workspace.remove());

  it('takes a changed setting, pauses when asked, and goes on with the setting', async () => {
    workspace.write('longer.genenv.json', { ...tiny, name: 'longer', epochs: 8 });
    const child = workspace.start(['run', 'longer.genenv.json']);
    const end = ended(child);
    await new Promise<void>((done) => {
      child.stdout?.on('data', (bytes: Buffer) => {
        if (bytes.toString().includes('epoch 1/8')) done();
      });
    });
    const id = readdirSync(workspace.runs).at(-1) ?? '';
    const set = await workspace.genenv('change', id, '--set', 'curriculum.alpha=0.6');
    assert.equal(set.out, 'α (curriculum.alpha) becomes 0.6 with the next scoring.\n', set.err);
    const paused = await workspace.genenv('pause', id);
    assert.match(paused.out, /^Asked\. .* pauses at its next phase boundary; resume with: /);
    assert.equal((await end).code, 130);
    assert.match((await workspace.genenv('list')).out, /paused/);
    assert.match((await workspace.genenv('pause', id)).out, /is not running: it is paused/);

    assert.equal((await workspace.genenv('resume', id)).code, 0);
    const all = events(id);
    const change = all.find((event) => event.type === 'settings.changed');
    assert.deepEqual(change?.changes, [{ field: 'curriculum.alpha', from: 0.5, to: 0.6 }]);
    const last = all.findLast((event) => event.type === 'epoch.started');
    assert.equal(last?.settings.alpha, 0.6);
    assert.deepEqual(readdirSync(join(workspace.runs, id, 'inbox')), []);

    const late = await workspace.genenv('change', id, '--set', 'curriculum.alpha=0.4');
    assert.equal(late.code, 2);
    assert.match(late.err, /The run is finished: nothing comes after it that could change\. Branch from/);
  });

  it('refuses what is part of the run, and what does not fit, by name', async () => {
    workspace.write('one.genenv.json', { ...tiny, name: 'one', epochs: 1 });
    assert.equal((await workspace.genenv('run', 'one.genenv.json')).code, 0);
    const id = readdirSync(workspace.runs).find((name) => name.endsWith('-one')) ?? '';
    assert.equal((await workspace.genenv('branch', id, '--epoch', '0')).code, 0);
    const branch =
      readdirSync(workspace.runs).find((name) => name.endsWith('-one-2')) ??
      readdirSync(workspace.runs).findLast((name) => name.includes('-one')) ??
      '';
    const fixed = await workspace.genenv('change', branch, '--set', 'seed=2');
    assert.equal(fixed.code, 2);
    assert.match(fixed.err, /seed cannot change while a run goes: it is part of what the run is\./);
    const wrong = await workspace.genenv('change', branch, '--set', 'curriculum.alpha=7');
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /curriculum\.alpha/);
  });
});
