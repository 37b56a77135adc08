/** Cases of rewards in the Test Explorer: listed, run, watched, and what they covered. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { pinnedCase, withCase } from '../../../src/shared/rewards/cases.ts';
import { api, next, workspaceFolder } from '../../support/host/api.ts';
import { callOf } from '../../support/rewards/given.ts';
import { until } from '../../support/until.ts';

const script = `export function reward(_task: unknown, { answer }: { answer: string }) {
  if (answer === 'broken') throw new Error('not today');
  if (answer === 'never') {
    return 0.5;
  }
  return { success: answer === 'right', reward: answer === 'right' ? 1 : 0.25, parts: { letters: answer.length } };
}
`;

const caseOf = (answer: string, success: boolean) => pinnedCase(callOf(answer), { success }, null, answer);
const cases = [caseOf('right', true), caseOf('wrong', true), caseOf('broken', true)].reduce(withCase, '');

/** How each case of one run ended, with what was said of it. */
interface Told {
  states: Map<string, string>;
  messages: Map<string, vscode.TestMessage>;
  output: string;
  coverage: vscode.FileCoverage[];
}

describe('cases of rewards in the Test Explorer', function () {
  this.timeout(240_000);
  let tests: Awaited<GenEnvApi['caseTests']>;
  let folder = '';
  const mine = (): vscode.Uri => vscode.Uri.file(join(folder, 'mine.reward.ts'));
  const casesUri = (): vscode.Uri => vscode.Uri.file(join(folder, 'mine.reward.cases.jsonl'));
  const item = (): vscode.TestItem | undefined => tests.controller.items.get(mine().toString());
  const childrenOf = (of: vscode.TestItem | undefined) => [...(of?.children ?? [])].map(([, child]) => child);
  const child = (label: string): vscode.TestItem =>
    childrenOf(item()).find((one) => one.label === label) ?? assert.fail(`there is a case ${label}`);

  /** Runs them as a press on the button does; the messages to the editor are observed. */
  async function run(
    profile: vscode.TestRunProfile,
    include?: vscode.TestItem[],
    token = new vscode.CancellationTokenSource().token,
  ): Promise<Told> {
    const { told, stop } = listen();
    await profile.runHandler(new vscode.TestRunRequest(include ?? [item() ?? assert.fail()], [], profile), token);
    stop();
    return told;
  }

  function listen(): { told: Told; stop: () => void } {
    const told: Told = { states: new Map(), messages: new Map(), output: '', coverage: [] };
    const { controller } = tests;
    const create = controller.createTestRun.bind(controller);
    controller.createTestRun = (...given) => {
      const made = create(...given);
      const state =
        (name: string) =>
        (one: vscode.TestItem, said?: vscode.TestMessage | readonly vscode.TestMessage[]): void => {
          told.states.set(one.label, name);
          const [message] = [said ?? []].flat();
          if (message !== undefined) told.messages.set(one.label, message);
        };
      return {
        ...made,
        passed: (one) => state('passed')(one),
        failed: state('failed'),
        errored: state('errored'),
        skipped: state('skipped'),
        appendOutput: (text: string) => (told.output += text),
        addCoverage: (file: vscode.FileCoverage) => told.coverage.push(file),
      };
    };
    const stop = (): void => {
      controller.createTestRun = create;
    };
    return { told, stop };
  }

  before(async () => {
    folder = join(workspaceFolder(), `cases-${randomUUID().slice(0, 8)}`);
    await mkdir(folder);
    await writeFile(mine().fsPath, script);
    await writeFile(casesUri().fsPath, cases);
    // Under load the event of a new file may be lost; an open one is listed all the same.
    await vscode.workspace.openTextDocument(casesUri());
    tests = await (await api()).caseTests;
    await until('the reward in the list', () => item() !== undefined);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
    await until('the reward gone from the list', () => item() === undefined);
  });

  it('are none in a file that is not UTF-8, whose program says so', async () => {
    const [latin, program] = ['latin.reward.cases.jsonl', 'latin.reward.ts'].map((name) =>
      vscode.Uri.file(join(folder, name)),
    );
    assert.ok(latin !== undefined && program !== undefined);
    await writeFile(program.fsPath, script);
    await writeFile(latin.fsPath, withCase('', caseOf('größer', true)), 'latin1');
    await vscode.workspace.openTextDocument(latin);
    const listed = await until('the program', () => tests.controller.items.get(program.toString()));
    const told = await until('its fault', () => listed.error);
    assert.match(
      typeof told === 'string' ? told : told.value,
      /latin\.reward\.cases\.jsonl:1: The file cannot be read: it is not UTF-8\./,
    );
    assert.equal(listed.children.size, 0);
    await writeFile(latin.fsPath, withCase('', caseOf('größer', true)));
    await tests.controller.refreshHandler?.(new vscode.CancellationTokenSource().token);
    await until('its case', () => listed.error === undefined && listed.children.size === 1);
  });

  it('stand at their lines, and move with what is typed before them', async () => {
    const document = await vscode.workspace.openTextDocument(casesUri());
    await until('three cases', () => childrenOf(item()).length === 3);
    assert.deepEqual(
      childrenOf(item()).map(({ label, range }) => [label, range?.start.line]),
      [
        ['right', 0],
        ['wrong', 1],
        ['broken', 2],
      ],
    );
    const before = child('wrong');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(casesUri(), new vscode.Position(1, 0), '\n{"v": 2}\n');
    await vscode.workspace.applyEdit(edit);
    await until('the case at its line', () => child('wrong').range?.start.line === 3);
    assert.equal(child('wrong'), before, 'what was said of it stays with it');
    assert.deepEqual(
      childrenOf(item()).flatMap(({ error, range }) => (typeof error === 'string' ? [range?.start.line] : [])),
      [2],
    );
    const back = new vscode.WorkspaceEdit();
    back.delete(casesUri(), new vscode.Range(1, 0, 3, 0));
    await vscode.workspace.applyEdit(back);
    await document.save();
    await until('the case at its line', () => child('wrong').range?.start.line === 1);
  });

  it('are listed at once where the list is asked for again, and leave it so', async () => {
    const other = vscode.Uri.file(join(folder, 'other.reward.ts'));
    const refresh = async (): Promise<vscode.TestItem | undefined> => {
      await tests.controller.refreshHandler?.(new vscode.CancellationTokenSource().token);
      return tests.controller.items.get(other.toString());
    };
    await writeFile(other.fsPath, script);
    await writeFile(join(folder, 'other.reward.cases.jsonl'), cases);
    assert.equal((await refresh())?.label, 'other.reward.ts');
    await rm(other.fsPath);
    assert.equal(await refresh(), undefined);
  });

  it('pass, fail with what is expected, and have an exception at its line', async () => {
    const told = await run(tests.profiles.run);
    assert.deepEqual(Object.fromEntries(told.states), { right: 'passed', wrong: 'failed', broken: 'errored' });
    const wrong = told.messages.get('wrong');
    assert.deepEqual([wrong?.expectedOutput, wrong?.actualOutput], ['solved', 'not solved\n  letters: 5']);
    assert.deepEqual([wrong?.location?.uri.fsPath, wrong?.location?.range.start.line], [casesUri().fsPath, 1]);
    const broken = told.messages.get('broken');
    assert.equal(broken?.message, 'Error: not today');
    assert.deepEqual([broken.location?.uri.fsPath, broken.location?.range.start.line], [mine().fsPath, 1]);
    assert.match(told.output, /mine\.reward\.ts on right\r\n {2}verdict {2}solved/);
  });

  it('run alone, as they stand in the editor', async () => {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(mine(), new vscode.Range(0, 0, 0, 0), '// Another line.\n');
    await vscode.workspace.applyEdit(edit);
    const told = await run(tests.profiles.run, [child('broken')]);
    assert.deepEqual([...told.states], [['broken', 'errored']]);
    assert.equal(told.messages.get('broken')?.location?.range.start.line, 2);
  });

  it('show the branch that none of them takes as not covered', async () => {
    const { coverage } = await run(tests.profiles.coverage, [child('right'), child('wrong')]);
    const [file, ...more] = coverage;
    assert.deepEqual([file?.uri.fsPath, more.length], [mine().fsPath, 0]);
    assert.ok(file !== undefined);
    assert.deepEqual([file.declarationCoverage?.covered, file.declarationCoverage?.total], [1, 1]);
    const token = new vscode.CancellationTokenSource().token;
    const made = tests.controller.createTestRun(new vscode.TestRunRequest());
    const details = (await tests.profiles.coverage.loadDetailedCoverage?.(made, file, token)) ?? [];
    made.end();
    const statements = details.filter((one) => one instanceof vscode.StatementCoverage);
    const lineOf = ({ location }: vscode.StatementCoverage): number =>
      location instanceof vscode.Range ? location.start.line : location.line;
    assert.deepEqual(
      statements.map((one) => [lineOf(one), one.executed]),
      [
        [2, 2],
        [2, 0],
        [3, 2],
        [4, 0],
        [6, 2],
      ],
    );
    const ways = statements.find((one) => lineOf(one) === 3)?.branches ?? [];
    assert.deepEqual(
      ways.map(({ label, executed }) => [label, executed]),
      [
        ['if', 0],
        ['else', 2],
      ],
    );
  });

  it('stop at breakpoints where they are debugged, and are judged all the same', async () => {
    const { document } = await vscode.window.showTextDocument(mine());
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes("answer === 'never'"));
    const at = new vscode.Location(mine(), new vscode.Position(line, 0));
    const breakpoint = new vscode.SourceBreakpoint(at, true, "answer === 'wrong'");
    vscode.debug.addBreakpoints([breakpoint]);
    const stopped = next(vscode.debug.onDidChangeActiveStackItem, (item) => item instanceof vscode.DebugStackFrame);
    const running = run(tests.profiles.debug, [child('wrong'), child('right'), child('broken')]);
    await stopped;
    await vscode.commands.executeCommand('workbench.action.debug.continue');
    const { states } = await running;
    vscode.debug.removeBreakpoints([breakpoint]);
    assert.deepEqual(Object.fromEntries(states), { right: 'passed', wrong: 'failed', broken: 'errored' });
  });

  it('end at once when they are cancelled, whatever the reward is at', async () => {
    const hanging = vscode.Uri.file(join(folder, 'hanging.reward.js'));
    const begun = join(folder, 'begun');
    const text = `import { writeFileSync } from 'node:fs';
export const reward = () => { writeFileSync(${JSON.stringify(begun)}, ''); for (;;); };
`;
    await writeFile(hanging.fsPath, text);
    await writeFile(join(folder, 'hanging.reward.cases.jsonl'), withCase('', caseOf('any', true)));
    const other = await until('the other reward', () => tests.controller.items.get(hanging.toString()));
    const cancelling = new vscode.CancellationTokenSource();
    const running = run(tests.profiles.run, [other], cancelling.token);
    await until('a call under way', () => existsSync(begun));
    cancelling.cancel();
    assert.deepEqual([...(await running).states], [['any', 'skipped']]);
  });

  it('are run again when the reward is saved, for as long as they are watched', async () => {
    const watching = new vscode.CancellationTokenSource();
    const { told, stop } = listen();
    const request = new vscode.TestRunRequest([child('broken')], [], tests.profiles.run, true);
    await tests.profiles.run.runHandler(request, watching.token);
    const document = await vscode.workspace.openTextDocument(mine());
    const edit = new vscode.WorkspaceEdit();
    edit.delete(mine(), new vscode.Range(2, 0, 3, 0));
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await until('the second run', () => told.states.has('broken'));
    assert.deepEqual([...told.states], [['broken', 'failed']]);
    watching.cancel();
    stop();
  });
});
