import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { isLostRow, titleCommands } from '../../../src/host/commands/lostRow.ts';

const entries = z.array(z.object({ command: z.string() }));
const manifestSchema = z.object({
  contributes: z.object({ menus: z.object({ 'view/title': entries, 'view/item/context': entries }) }),
});

describe('host: a row that VS Code lost', () => {
  it('is none for a command of rows, and is not asked about as from the palette', () => {
    for (const lost of [
      [undefined, null],
      [null, undefined],
      [undefined, [{}]],
    ])
      assert.equal(isLostRow('genenv.playTask', lost), true);
    for (const given of [[], [undefined], [{ run: '/r' }, null], [{ run: '/r' }, [{}]], [{ run: '/r' }]])
      assert.equal(isLostRow('genenv.playTask', given), false);
    // Its button above the view is called the same way where no row has the focus.
    assert.equal(isLostRow('genenv.compareRuns', [undefined, null]), false);
  });

  it('can be one of every command of rows that has no button above its view', async () => {
    const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
    const { menus } = manifestSchema.parse(JSON.parse(manifest)).contributes;
    assert.deepEqual([...titleCommands].toSorted(), [
      ...new Set(menus['view/title'].map(({ command }) => command).toSorted()),
    ]);
    const names = new Set(menus['view/item/context'].map(({ command }) => command));
    assert.ok([...names].filter((name) => isLostRow(name, [undefined, null])).includes('genenv.deleteRun'));
  });

  it('is looked for by everything that registers a command', async () => {
    const root = new URL('../../../src/', import.meta.url);
    const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const found: string[] = [];
    for (const file of files) {
      const source = await readFile(fileURLToPath(new URL(file, root)), 'utf8');
      if (source.includes('vscode.commands.registerCommand')) found.push(file);
    }
    // The two buttons of a text that is being edited stand in no tree.
    assert.deepEqual(found.toSorted(), ['features/reattempt/host/editTurn.ts', 'host/commands/registerCommand.ts']);
  });
});
