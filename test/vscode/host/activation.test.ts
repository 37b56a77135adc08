/** The manifest's promises hold, in the development window and in the packaged extension alike. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as z from 'zod';

const command = z.object({ command: z.string(), title: z.string(), category: z.string() });
const place = z.object({ command: z.string(), when: z.string().optional() });
const manifestSchema = z.object({
  contributes: z.object({
    commands: z.array(command),
    menus: z.record(z.string(), z.array(place)),
    views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
  }),
});

function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension('genenv.genenv');
  assert.ok(found);
  return found;
}

/** Rows of the trees run them when they are opened, by a click or the Enter key. */
const ofRows = ['genenv.openTask', 'genenv.openTrace', 'genenv.showMore', 'genenv.showInRuns'];

describe('the extension', () => {
  const { contributes } = manifestSchema.parse(extension().packageJSON);

  it('activates', async () => {
    await extension().activate();
    assert.ok(extension().isActive);
  });

  it('registers every command of its manifest, and no other', async () => {
    const registered = (await vscode.commands.getCommands(true)).filter((id) => /^genenv\.(?!\w+\.)\w+$/.test(id));
    // VS Code adds one that focuses each view and the like.
    assert.deepEqual(registered.toSorted(), contributes.commands.map(({ command: id }) => id).toSorted());
  });

  it('offers every command in the palette, in a menu or on a row: all within reach of the keyboard', () => {
    const { commandPalette = [], ...menus } = contributes.menus;
    const hidden = new Set(commandPalette.filter(({ when }) => when === 'false').map(({ command: id }) => id));
    const elsewhere = Object.values(menus).flatMap((places) => places.map(({ command: id }) => id));
    const reachable = new Set([...elsewhere, ...ofRows]);
    for (const { command: id } of contributes.commands) assert.ok(!hidden.has(id) || reachable.has(id), id);
  });

  it('offers at most eight commands while there is no run and no file of ours', () => {
    const conditions = new Set((contributes.menus['commandPalette'] ?? []).map(({ command: id }) => id));
    const always = contributes.commands.map(({ command: id }) => id).filter((id) => !conditions.has(id));
    assert.ok(always.length <= 8, always.join(' '));
  });

  it('translates every text of its manifest', () => {
    assert.doesNotMatch(JSON.stringify(contributes), /"%[\w.]+%"/);
  });
});
