/** Domains under the debugger of a real VS Code: breakpoints in their functions stop on a text, a task, a trace. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DomainOutcome } from '../../../src/domains/triedSubject.ts';
import { api, workspaceFolder } from '../../support/host/api.ts';
import { sums } from '../../support/domains/sums.ts';
import { pythonWithDebugpy } from '../../support/host/debugpyVenv.ts';
import { Stops } from '../../support/host/stops.ts';
import { skip } from '../../support/skip.ts';
import { driver } from '../driver.ts';

describe('domains under the debugger', function () {
  this.timeout(240_000);
  let folder = '';
  let stops: Stops;
  const file = (name: string): vscode.Uri => vscode.Uri.file(join(folder, name));
  const debug = (name: string, on: string) =>
    vscode.commands.executeCommand<readonly DomainOutcome[] | undefined>('genenv.debugDomain', file(name), on);
  /** @param at in the line that it is set in; @returns the line, from 1 */
  function breakAt(text: string, name: string, at: string): number {
    const line = text.split('\n').findIndex((one) => one.includes(at));
    assert.ok(line >= 0, at);
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(new vscode.Location(file(name), new vscode.Position(line, 0))),
    ]);
    return line + 1;
  }

  before(async () => {
    await api();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    folder = join(workspaceFolder(), `domain-${randomUUID().slice(0, 8)}`);
    await mkdir(folder);
    for (const [name, text] of Object.entries(sums)) await writeFile(file(name).fsPath, text);
  });
  beforeEach(() => {
    stops = new Stops();
  });
  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.debug.stopDebugging();
    stops.dispose();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  it('stop in parse, on a text that is typed, which is then verified', async () => {
    const name = 'sums.domain.ts';
    await vscode.window.showTextDocument(file(name));
    const inParse = breakAt(sums[name], name, 'if (a === undefined');
    const debugging = debug(name, 'text');
    await driver.choose('Type a text');
    await driver.typeInto('A text as the environment may write it', '70 + 40');
    const stop = await stops.next();
    assert.deepEqual([stop.file, stop.line], [file(name).fsPath, inParse]);
    assert.equal(await stop.evaluate('text'), "'70 + 40'");
    await stop.go('continue');
    const [outcome] = (await debugging) ?? [];
    assert.ok(outcome?.kind === 'text');
    assert.deepEqual(
      [outcome.draft?.gold, outcome.verification],
      ['110', { ok: false, cause: 'gold', note: 'the sum is 100 or more' }],
    );
    assert.match(stops.printed, /“70 \+ 40”: rejected: the sum is 100 or more/);
  });

  it('stop where the function begins that has no breakpoint', async () => {
    const name = 'sums.domain.ts';
    const debugging = debug(name, 'task');
    await driver.choose('9 + 9');
    const stop = await stops.next();
    const line = sums[name].split('\n').findIndex((one) => one.startsWith('export const verify'));
    assert.deepEqual([stop.file, stop.line], [file(name).fsPath, line + 1]);
    await stop.go('continue');
    const [outcome] = (await debugging) ?? [];
    assert.deepEqual(outcome?.kind === 'task' ? outcome.verification : outcome, { ok: true });
    assert.match(stops.printed, /sums\.domain\.ts has no breakpoint: it stops at line \d+/);
    assert.deepEqual(vscode.debug.breakpoints, [], 'what was set for it is gone');
  });

  it('in Python stop by debugpy', async function () {
    const { interpreter, reason } = await pythonWithDebugpy();
    if (interpreter === null) return skip(this, reason);
    const name = 'sums.domain.py';
    const settings = vscode.workspace.getConfiguration('genenv');
    await settings.update('python', interpreter, vscode.ConfigurationTarget.Global);
    try {
      const line = breakAt(sums[name], name, 'if found is None');
      await vscode.env.clipboard.writeText('3 + 4');
      const debugging = debug(name, 'text');
      await driver.choose('The text in the clipboard');
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], [file(name).fsPath, line]);
      assert.equal(await stop.evaluate('text'), "'3 + 4'");
      await stop.go('continue');
      const [outcome] = (await debugging) ?? [];
      assert.equal(outcome?.kind === 'text' ? outcome.draft?.gold : outcome, '7');
    } finally {
      await settings.update('python', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
