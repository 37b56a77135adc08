import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { api, experimentFile, landing, next, workspaceFolder } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('commands', () => {
  it('Run the Demo takes a file that says the same, else writes one, and keeps what a person made of it', async () => {
    const { service } = await api();
    const file = join(workspaceFolder(), 'demo.genenv.json');
    const equal = join(workspaceFolder(), 'embedded.genenv.json');
    const start = async (): Promise<string> => {
      const changed = next(service.onDidChangeActive, () => service.active.size > 0);
      await vscode.commands.executeCommand('genenv.runDemo');
      await changed;
      const [dir = ''] = service.active.keys();
      await service.stop(dir);
      return dir;
    };
    const first = await start();
    assert.ok(!existsSync(file), 'the equal file was taken');
    assert.match(await readFile(join(first, 'run.json'), 'utf8'), /embedded\.genenv\.json/);
    await vscode.workspace.fs.delete(vscode.Uri.file(equal));
    await start();
    const written = await readFile(file, 'utf8');
    assert.equal(written, await readFile(new URL('../../../demo/embedded.genenv.json', import.meta.url), 'utf8'));
    const changed = written.replace('"seed": 1', '"seed": 7');
    await vscode.workspace.fs.writeFile(vscode.Uri.file(file), new TextEncoder().encode(changed));
    const dir = await start();
    assert.equal(await readFile(file, 'utf8'), changed);
    assert.match(await readFile(join(dir, 'run.json'), 'utf8'), /"seed": 7/);
    // Other tests of this window find the demo as it was.
    await vscode.workspace.fs.delete(vscode.Uri.file(file));
    await vscode.workspace.fs.writeFile(vscode.Uri.file(equal), new TextEncoder().encode(written));
  });

  it('Pause, Resume and Stop take the only run that fits without a question', async () => {
    const parts = await api();
    const dir = await parts.service.start(await experimentFile('only', { epochs: 500 }));
    const paused = landing(parts, dir);
    await parts.catalog.refresh();
    await driver.command('GenEnv: Pause at Phase Boundary');
    assert.equal((await paused).landing.state, 'paused');
    const stopped = landing(parts, dir);
    await vscode.commands.executeCommand('genenv.resumeRun', { run: dir });
    await next(parts.service.onDidProgress, (run) => run.dir === dir && run.phases.length > 0);
    await driver.command('GenEnv: Stop Run');
    assert.equal((await stopped).landing.state, 'stopped');
  });
});
