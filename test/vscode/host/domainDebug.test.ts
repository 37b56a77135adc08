/** Domains under the debugger of a real VS Code: breakpoints in their functions stop on a text, a task, a trace. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { DomainOutcome } from '../../../src/domains/triedSubject.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { rewardCall } from '../../../src/shared/rewards/given.ts';
import { api, experimentFile, shown, workspaceFolder } from '../../support/host/api.ts';
import { sums } from '../../support/domains/sums.ts';
import { pythonWithDebugpy } from '../../support/host/debugpyVenv.ts';
import { Stops } from '../../support/host/stops.ts';
import { makeTask, makeTrace } from '../../support/runs/records.ts';
import { until } from '../../support/until.ts';
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

  it('stop by a launch configuration, whose session has its name', async () => {
    const name = 'sums.domain.ts';
    const inParse = breakAt(sums[name], name, 'if (a === undefined');
    const begin = (asked: object): Thenable<boolean> => {
      const configuration = {
        type: 'genenv-domain',
        request: 'launch',
        name: 'Sums on a text',
        domain: file(name).fsPath,
      };
      return vscode.debug.startDebugging(undefined, { ...configuration, ...asked });
    };
    assert.ok(await begin({ text: '70 + 40' }));
    const stop = await stops.next();
    assert.deepEqual([stop.file, stop.line], [file(name).fsPath, inParse]);
    assert.match(vscode.debug.activeDebugSession?.name ?? '', /Sums on a text$/);
    await stop.go('continue');
    await until('what came of it is said', () => /“70 \+ 40”: rejected: the sum is 100 or more/.test(stops.printed));
    await writeFile(
      file('sums.domain.cases.jsonl').fsPath,
      `${JSON.stringify({ v: 1, note: 'small', call: 'parse', text: '3 + 4', expected: { accepted: true } })}\n`,
    );
    assert.ok(await begin({ case: 'small', name: 'Sums on a case' }));
    const second = await stops.next();
    assert.equal(await second.evaluate('text'), "'3 + 4'");
    assert.match(vscode.debug.activeDebugSession?.name ?? '', /Sums on a case$/);
    await second.go('continue');
  });

  const task = makeTask({
    ...{ seed: null, prompt: [{ role: 'user', content: '3 + 4' }], evaluation: { kind: 'domain' }, gold: '7' },
  });
  const trace = makeTrace({
    messages: [{ role: 'assistant', content: '8' }],
    verdict: { success: true, reward: 1, valid: true },
  });
  /** As a person's launch.json does. */
  const begin = (asked: object): Thenable<boolean> => {
    const [home] = vscode.workspace.workspaceFolders ?? [];
    const named = { name: 'Sums', domain: file('sums.domain.ts').fsPath };
    return vscode.debug.startDebugging(home, { type: 'genenv-domain', request: 'launch', ...named, ...asked });
  };
  const lineOf = (at: string): number =>
    1 + sums['sums.domain.ts'].split('\n').findIndex((line) => line.startsWith(at));

  it('stop by a launch configuration on a worked case of each function', async () => {
    const name = 'sums.domain.ts';
    const call = rewardCall(task, trace);
    const cases = [
      { call: 'parse', note: 'a text', text: '3 + 4', expected: { accepted: true, gold: '7' } },
      {
        ...{ call: 'verify', note: 'a task', task: { prompt: task.prompt, gold: '200' } },
        expected: { verified: false },
      },
      { call: 'judge', note: 'an attempt', ...call, expected: { success: false } },
    ];
    const lines = cases.map((one) => `${JSON.stringify({ v: 1, ...one })}\n`);
    await writeFile(file('sums.domain.cases.jsonl').fsPath, lines.join(''));
    for (const [of, begins, expression, value, outcome] of [
      ['a text', 'export function parse', 'text', "'3 + 4'", /a text: a task, gold 7/],
      ['a task', 'export const verify', 'gold', "'200'", /a task: does not verify: the sum is 100 or more/],
      ['an attempt', 'export const judge', 'answer', "'8'", /an attempt: not solved, reward 0/],
    ] as const) {
      assert.ok(await begin({ case: of }), of);
      const stop = await stops.next();
      assert.equal(stop.file, file(name).fsPath);
      assert.ok(stop.line >= lineOf(begins) && stop.line <= lineOf(begins) + 1, `${of}: line ${stop.line}`);
      assert.equal(await stop.evaluate(expression), value);
      await stop.go('continue');
      await until(`${of} has an outcome`, () => outcome.test(stops.printed));
    }
  });

  it('stop by a launch configuration on a recorded trace, which is judged as the file is now', async () => {
    const parts = await api();
    const { experiment } = await experimentFile('debugged-domain');
    const deps = { clock: { now: () => Date.now() }, log: { info: () => undefined, warn: () => undefined } };
    const store = new RunStore(join(workspaceFolder(), '.genenv', 'runs'), { ...deps, version: 'test' });
    const writer = await store.create({ experiment });
    try {
      await writer.session({ type: 'started' });
      await writer.appendTasks([task]);
      await writer.appendTraces([trace]);
      await parts.catalog.refresh();
      await shown(parts, writer.dir, () => true);
      const name = 'sums.domain.ts';
      const inJudge = breakAt(sums[name], name, 'success: answer.trim()');
      assert.ok(await begin({ run: basename(writer.dir), trace: trace.id }));
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], [file(name).fsPath, inJudge]);
      assert.equal(await stop.evaluate('answer'), "'8'");
      await stop.go('continue');
      await until('the verdict is said, and the recorded one', () =>
        stops.printed.includes(`${trace.id}: not solved, reward 0 (recorded: solved)`),
      );
    } finally {
      await writer.close();
    }
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
