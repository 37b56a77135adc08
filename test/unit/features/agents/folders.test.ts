import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentContext } from '../../../../src/features/agents/node/agentContext.ts';
import { answerOf } from '../../../../src/features/agents/node/answer.ts';
import { startRun } from '../../../../src/features/agents/node/tools/act.ts';
import { listRuns } from '../../../../src/features/agents/node/tools/runs.ts';
import { withNamed } from '../../../../src/features/agents/node/withNamed.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { experiment } from '../../../support/runs/tempRuns.ts';

const log = { info: () => undefined, warn: () => undefined };

describe('folders of tools for agents', () => {
  let dir: string;
  let contexts: AgentContext[];
  const ids: string[] = [];

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'genenv-agent-folders-'));
    contexts = [];
    for (const [i, name] of ['a', 'b'].entries()) {
      const folder = join(dir, name);
      const root = join(folder, '.genenv', 'runs');
      mkdirSync(folder);
      const clock = { now: () => Date.UTC(2026, 0, 1 + i) };
      const place = { folder, root, dist: pathToFileURL(join(dir, 'program/')), mayAct: true };
      contexts.push(await AgentContext.open({ ...place, scheme: 'vscode', version: 'test', by: 'A test', clock, log }));
      const writer = await new RunStore(root, { clock, log, version: 'test' }).create({ experiment });
      await writer.close();
      ids.push(writer.id);
    }
    writeFileSync(join(dir, 'b', 'mine.genenv.json'), '{}');
  });
  after(() => rmSync(dir, { recursive: true }));

  const chosen = async (input: unknown): Promise<string[]> =>
    (await withNamed(contexts, input)).map(({ place }) => place.folder.slice(-1));

  it('are chosen by the file or the run that a call names', async () => {
    assert.deepEqual(await chosen({ file: 'mine.genenv.json' }), ['b']);
    assert.deepEqual(await chosen({ experiment: 'mine.genenv.json' }), ['b']);
    assert.deepEqual(await chosen({ file: 'new.genenv.json' }), ['a', 'b']);
    assert.deepEqual(await chosen({ run: ids[1] }), ['b']);
    assert.deepEqual(await chosen({ runs: [ids[0]] }), ['a']);
    assert.deepEqual(await chosen({ run: 'none' }), ['a', 'b']);
    assert.deepEqual(await chosen({}), ['a', 'b']);
    await assert.rejects(withNamed(contexts, { run: '2026' }), /“2026” is the id of runs in several folders/);
  });

  it('hide no run where the system refuses another folder', async function () {
    const [context] = contexts;
    assert.ok(context !== undefined);
    const { root } = context.place;
    symlinkSync('second', join(root, 'first'));
    symlinkSync('first', join(root, 'second'));
    mkdirSync(join(root, 'closed'));
    chmodSync(join(root, 'closed'), 0);
    const { text, refused } = await answerOf(listRuns, context, {});
    chmodSync(join(root, 'closed'), 0o700);
    assert.equal(refused, false, text);
    assert.ok(text.includes(ids[0] ?? 'none'), text);
    for (const name of ['first', 'second', 'closed']) rmSync(join(root, name), { recursive: true, force: true });
  });

  it('say which file is not there', async () => {
    const [context] = contexts;
    assert.ok(context !== undefined);
    const { text, refused } = await answerOf(startRun, context, { experiment: 'none.genenv.json' });
    assert.ok(refused);
    assert.match(text, /There is no file “none\.genenv\.json”/);
    mkdirSync(join(context.place.folder, 'folder.genenv.json'));
    const other = await answerOf(startRun, context, { experiment: 'folder.genenv.json' });
    assert.match(other.text, /could not be read \(EISDIR\)/);
  });
});
