/** The table of runs in a real VS Code: it opens, and what is noted of a run reaches the catalog. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { api, workspaceFolder } from '../../support/host/api.ts';
import { eventually } from '../../support/until.ts';

describe('the table of runs in the editor', () => {
  it('opens from the palette, once', async () => {
    try {
      await vscode.commands.executeCommand('genenv.openRunTable');
      await vscode.commands.executeCommand('genenv.openRunTable', { study: 'none' });
      await eventually(async () => {
        const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
        assert.equal((await Promise.resolve(labels)).filter((label) => label === 'Table of Runs').length, 1);
      });
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('a label is seen at once, and by other windows through its file', async () => {
    const { catalog, service } = await api();
    const root = join(workspaceFolder(), '.genenv', 'runs');
    const log = { info: () => undefined, warn: () => undefined };
    const store = new RunStore(root, { clock: { now: () => Date.now() }, log, version: 'test' });
    const writer = await store.create({ experiment: resolveExperiment({ preset: 'embedded', name: 'labelled' }) });
    await writer.close();
    try {
      await catalog.refresh();
      await service.label(writer.dir, { name: 'the good one', tags: ['paper'] });
      await eventually(async () => {
        const head = await Promise.resolve(catalog.get(writer.dir)?.head);
        assert.deepEqual([head?.name, head?.experiment, head?.label.tags], ['the good one', 'labelled', ['paper']]);
      });
      const [own] = (await store.list()).filter(({ id }) => id === writer.id);
      assert.equal(own?.name, 'the good one');
    } finally {
      await rm(writer.dir, { recursive: true });
    }
  });
});
