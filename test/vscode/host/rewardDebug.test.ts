/** Rewards under the debugger of a real VS Code: breakpoints stop on recorded traces, and the verdict comes after. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { pinnedCase } from '../../../src/shared/rewards/cases.ts';
import type { RewardOutcome } from '../../../src/shared/rewards/outcome.ts';
import { api, experimentFile, landing, next, workspaceFolder } from '../../support/host/api.ts';
import { pythonWithDebugpy } from '../../support/host/debugpyVenv.ts';
import { Stops } from '../../support/host/stops.ts';
import { callOf } from '../../support/rewards/given.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { skip } from '../../support/skip.ts';
import { driver } from '../driver.ts';

const typescript = `interface Given { id: string; answer: string }

export function reward(task: { gold: string }, trace: Given): { success: boolean; reward: number } {
  const length: number = trace.answer.length;
  const right = trace.answer.trim() === task.gold;
  return { success: right, reward: right ? 1 : 0.1 };
}
`;
const python = `def reward(task, trace):
    length = len(trace["answer"])
    right = trace["answer"].strip() == task["gold"]
    return {"success": right, "reward": 1 if right else 0.1}
`;

type Outcomes = readonly RewardOutcome[] | undefined;

describe('rewards under the debugger', function () {
  this.timeout(240_000);
  let run: RunDir;
  let traces: readonly Trace[];
  let families: readonly { id: string; failing: readonly string[] }[];
  let folder = '';
  let stops: Stops;
  const file = (name: string): vscode.Uri => vscode.Uri.file(join(folder, name));
  const debug = (command: string, argument: unknown): Thenable<Outcomes> =>
    vscode.commands.executeCommand<Outcomes>(command, argument);

  async function open(name: string, text: string): Promise<vscode.TextDocument> {
    await writeFile(file(name).fsPath, text);
    const { document } = await vscode.window.showTextDocument(file(name), { preview: false });
    return document;
  }
  function breakAt(name: string, line: number, condition?: string): void {
    const at = new vscode.Location(file(name), new vscode.Position(line - 1, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(at, true, condition)]);
  }
  /** As a person's launch.json does. */
  function begin(asked: Readonly<Record<string, unknown>>): Thenable<boolean> {
    const [home] = vscode.workspace.workspaceFolders ?? [];
    return vscode.debug.startDebugging(home, { type: 'genenv-reward', request: 'launch', name: 'mine', ...asked });
  }
  const failing = (): string => traces.find(({ verdict }) => !verdict.success)?.id ?? assert.fail('none fails');

  before(async () => {
    const parts = await api();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    folder = join(workspaceFolder(), `debugged-${randomUUID().slice(0, 8)}`);
    await mkdir(folder);
    run = await parts.service.start(await experimentFile('debugged', { epochs: 1, rollouts: { group: 2 } }));
    await landing(parts, run);
    const followed = await parts.catalog.follow(run);
    traces = (await all(followed.reader.traces())).filter(({ purpose }) => purpose === 'train');
    while (!followed.scoredEpochs.includes(1)) await next(followed.onDidAppend);
    families = (await followed.familiesOf(1)).map(({ id, tasks }) => ({
      id,
      failing: tasks.flatMap((task) =>
        traces.filter((one) => one.task === task.id && !one.verdict.success).map((one) => one.id),
      ),
    }));
    followed.dispose();
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

  it('stop at a breakpoint, with what the trace holds, and step', async () => {
    await open('one.reward.ts', typescript);
    breakAt('one.reward.ts', 5);
    const trace = failing();
    const debugging = debug('genenv.debugReward', { run, trace });
    const stop = await stops.next();
    assert.deepEqual([stop.file, stop.line], [file('one.reward.ts').fsPath, 5]);
    assert.equal(await stop.evaluate('trace.id'), `'${trace}'`);
    const seen = await stop.variables();
    assert.ok(seen.has('task') && seen.has('trace'));
    assert.equal(seen.get('length'), await stop.evaluate('trace.answer.length'));
    await stop.go('next');
    const after = await stops.next();
    assert.equal(after.line, 6);
    assert.match((await after.variables()).get('right') ?? '', /^(?:true|false)$/);
    await after.go('continue');
    const outcomes = await debugging;
    assert.equal(outcomes?.length, 1);
    assert.equal(outcomes[0]?.fault, null);
    assert.match(stops.printed, new RegExp(`${trace}: (?:solved|not solved|failed).*, reward`));
    // As the key does, with no question.
    const again = debug('genenv.debugReward', 'again');
    const repeated = await stops.next();
    assert.equal(await repeated.evaluate('trace.id'), `'${trace}'`);
    const root = vscode.debug.activeDebugSession?.parentSession?.parentSession;
    assert.deepEqual(
      [vscode.debug.activeDebugSession?.name, root?.name, root?.configuration.request],
      [root?.name, `${trace.replace(/^(.+)\/(r\d+)$/, '$2 · $1')} · one.reward.ts`, 'launch'],
    );
    await repeated.go('continue');
    assert.equal((await again)?.length, 1);
  });

  it('stop at the first line where there is no breakpoint, and run as they are edited', async () => {
    const document = await open('two.reward.ts', typescript);
    const first = debug('genenv.debugReward', { run, trace: failing() });
    const stop = await stops.next();
    assert.deepEqual([stop.file, stop.line], [file('two.reward.ts').fsPath, 4]);
    assert.match(stops.printed, /two\.reward\.ts has no breakpoint: it stops at line 4/);
    await stop.go('continue');
    await first;
    assert.deepEqual(vscode.debug.breakpoints, [], 'what was set for it is gone');
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, document.lineAt(5).range, '  return { success: length < 0, reward: 0.25 };');
    await vscode.workspace.applyEdit(edit);
    const ended = next(vscode.debug.onDidTerminateDebugSession, ({ parentSession }) => parentSession === undefined);
    const again = begin({ reward: '${file}', run: basename(run) });
    await driver.choose('not solved');
    assert.ok(await again);
    await (await stops.next()).go('continue');
    await ended;
    assert.match(stops.printed, /e1\.\S+: not solved, reward 0\.25/);
    assert.equal(document.isDirty, false);
  });

  it('stop once on every failing trace of a family, and again after a restart, as the file is then', async () => {
    const document = await open('three.reward.ts', typescript);
    breakAt('three.reward.ts', 6);
    const family = families.find((one) => one.failing.length > 1) ?? assert.fail('a family fails twice');
    const debugging = debug('genenv.debugFailing', { run, family: family.id, epoch: 1 });
    const through = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) {
        const stop = await stops.next();
        assert.equal(await stop.evaluate('trace.id'), `'${id}'`);
        await stop.go('continue');
      }
    };
    await through(family.failing.slice(0, -1));
    await stops.next();
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, document.lineAt(5).range, '  return { success: length < 0, reward: 0.75 };');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await vscode.commands.executeCommand('workbench.action.debug.restart');
    await through(family.failing);
    assert.deepEqual(
      (await debugging)?.map(({ verdict }) => verdict.reward),
      family.failing.map(() => 0.75),
    );
  });

  it('are debugged on a case by a debug configuration, and pass a breakpoint whose condition does not hold', async () => {
    await open('five.reward.ts', typescript);
    breakAt('five.reward.ts', 5, "trace.answer === 'another'");
    breakAt('five.reward.ts', 6, "trace.answer === 'it'");
    const made = pinnedCase(callOf('it'), { success: true }, null, 'says it');
    await writeFile(file('five.reward.cases.jsonl').fsPath, `${JSON.stringify(made)}\n`);
    const ended = next(vscode.debug.onDidTerminateDebugSession, ({ parentSession }) => parentSession === undefined);
    const reward = `\${workspaceFolder}/${vscode.workspace.asRelativePath(file('five.reward.ts'), false)}`;
    assert.ok(await begin({ reward, case: 'says it', stopOnEntry: true }));
    const entry = await stops.next();
    assert.deepEqual([entry.line, await entry.evaluate('trace.answer')], [4, "'it'"]);
    await entry.go('continue');
    const stop = await stops.next();
    assert.equal(stop.line, 6);
    await stop.go('continue');
    await ended;
    assert.match(stops.printed, /says it: solved, reward 1/);
  });

  it('in Python say what is missing where the interpreter has no debugpy', async () => {
    const interpreter = file('python-without').fsPath;
    await writeFile(interpreter, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const settings = vscode.workspace.getConfiguration('genenv');
    await settings.update('python', interpreter, vscode.ConfigurationTarget.Global);
    try {
      await open('bare.reward.py', python);
      assert.equal(await debug('genenv.debugReward', { run, trace: failing() }), undefined);
      await driver.answer('python-without has no debugpy', 'Copy Install Command');
    } finally {
      await settings.update('python', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('in Python stop, step and begin again by debugpy', async function () {
    const { interpreter, reason } = await pythonWithDebugpy();
    if (interpreter === null) return skip(this, reason);
    const settings = vscode.workspace.getConfiguration('genenv');
    await settings.update('python', interpreter, vscode.ConfigurationTarget.Global);
    try {
      const document = await open('six.reward.py', python);
      breakAt('six.reward.py', 3);
      const trace = failing();
      const debugging = debug('genenv.debugReward', { run, trace });
      const stop = await stops.next();
      assert.deepEqual([stop.file, stop.line], [file('six.reward.py').fsPath, 3]);
      const seen = await stop.variables();
      assert.ok(seen.has('task') && seen.has('trace'));
      assert.equal(await stop.evaluate('trace["id"]'), `'${trace}'`);
      assert.equal(seen.get('length'), await stop.evaluate('len(trace["answer"])'));
      await stop.go('next');
      assert.equal((await stops.next()).line, 4);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, document.lineAt(3).range, '    return {"success": False, "reward": 0.5}');
      await vscode.workspace.applyEdit(edit);
      await document.save();
      await vscode.commands.executeCommand('workbench.action.debug.restart');
      await (await stops.next()).go('continue');
      assert.deepEqual(
        (await debugging)?.map(({ verdict }) => verdict.reward),
        [0.5],
      );
      assert.match(stops.printed, new RegExp(`${trace}: .*reward 0\\.5`));
    } finally {
      await settings.update('python', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
