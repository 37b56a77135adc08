/** Curriculum files: written from the palette, cases in the Test Explorer, stopped in by F5's command, refused without trust. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { CurriculumCaseResult } from '../../../src/rewards/curricula/testCases.ts';
import { driver } from '../driver.ts';
import { api, workspaceFolder } from '../../support/host/api.ts';
import { until } from '../../support/until.ts';

const curriculum = `export function rewards(families: { successes: number; judged: number }[]) {
  return families.map(({ successes, judged }) => {
    if (judged === 3) throw new Error('not three');
    return judged === 0 ? null : 1 - successes / judged;
  });
}
`;
const line = (note: string, attempts: string, expected: number | null): string =>
  `${JSON.stringify({ v: 1, note, families: [{ tasks: [{ attempts }] }], expected: [expected] })}\n`;
const cases = line('right', '10', 0.5) + line('wrong', '1000', 0.5) + line('broken', '111', 0) + 'no case\n';

const textOf = (told: vscode.TestMessage | undefined): string =>
  typeof told?.message === 'string' ? told.message : (told?.message.value ?? '');

describe('curriculum files in the editor', function () {
  this.timeout(240_000);
  let tests: Awaited<GenEnvApi['curriculumCases']>;
  let folder = '';
  const file = (name: string): vscode.Uri => vscode.Uri.file(join(folder, name));
  const itemOf = (name: string): vscode.TestItem | undefined => tests.controller.items.get(file(name).toString());

  async function run(profile: vscode.TestRunProfile, name: string) {
    const states = new Map<string, string>();
    const messages = new Map<string, vscode.TestMessage>();
    const { controller } = tests;
    const create = controller.createTestRun.bind(controller);
    controller.createTestRun = (...given) => {
      const made = create(...given);
      const state =
        (word: string) =>
        (one: vscode.TestItem, said?: vscode.TestMessage | readonly vscode.TestMessage[]): void => {
          states.set(one.label, word);
          const [message] = [said ?? []].flat();
          if (message !== undefined) messages.set(one.label, message);
        };
      return {
        ...made,
        passed: (one) => state('passed')(one),
        ...{ failed: state('failed'), errored: state('errored'), skipped: state('skipped') },
      };
    };
    try {
      const item = itemOf(name) ?? assert.fail('it is listed');
      const { token } = new vscode.CancellationTokenSource();
      await profile.runHandler(new vscode.TestRunRequest([item], [], profile), token);
      return { states: Object.fromEntries(states), messages };
    } finally {
      controller.createTestRun = create;
    }
  }

  /** Stops, each continued at once. */
  async function stopping<T>(work: () => Thenable<T>): Promise<{ result: T; stops: number }> {
    let stops = 0;
    const tracker = vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: () => ({
        onDidSendMessage: ({ type, event }: { type: string; event?: string }) => {
          if (type !== 'event' || event !== 'stopped') return;
          stops += 1;
          void vscode.commands.executeCommand('workbench.action.debug.continue');
        },
      }),
    });
    const at = new vscode.SourceBreakpoint(new vscode.Location(file('mine.curriculum.ts'), new vscode.Position(2, 0)));
    vscode.debug.addBreakpoints([at]);
    try {
      return { result: await work(), stops };
    } finally {
      vscode.debug.removeBreakpoints([at]);
      tracker.dispose();
    }
  }

  before(async () => {
    folder = join(workspaceFolder(), `curricula-${randomUUID().slice(0, 8)}`);
    await mkdir(folder);
    await writeFile(file('mine.curriculum.ts').fsPath, curriculum);
    await writeFile(file('mine.curriculum.cases.jsonl').fsPath, cases);
    await vscode.workspace.openTextDocument(file('mine.curriculum.cases.jsonl'));
    tests = await (await api()).curriculumCases;
    await until('the curriculum is listed', () => itemOf('mine.curriculum.ts') !== undefined);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('have their cases run, wrong ones at their line, failures at the line of the file', async () => {
    const { states, messages } = await run(tests.profiles.run, 'mine.curriculum.ts');
    assert.deepEqual(states, {
      ...{ right: 'passed', wrong: 'failed', broken: 'errored' },
      'Line 4 holds no case': 'errored',
    });
    const wrong = messages.get('wrong');
    assert.match(textOf(wrong), /\[0\.5\] is expected, and it gave \[0\.75\]/);
    assert.deepEqual([wrong?.expectedOutput, wrong?.actualOutput], ['[0.5]', '[0.75]']);
    const broken = messages.get('broken');
    assert.match(textOf(broken), /not three/);
    assert.deepEqual(
      [broken?.location?.uri.fsPath, broken?.location?.range.start.line],
      [file('mine.curriculum.ts').fsPath, 2],
    );
  });

  it('stop under the debugger, from the Test Explorer and from F5', async () => {
    const { result, stops } = await stopping(() => run(tests.profiles.debug, 'mine.curriculum.ts'));
    assert.deepEqual([result.states['right'], result.states['wrong'], result.states['broken']], ['passed', 'failed', 'errored']); // prettier-ignore
    assert.ok(stops >= 3, `${stops} stops`);
    const again = await stopping(() =>
      vscode.commands.executeCommand<readonly CurriculumCaseResult[]>(
        'genenv.debugCurriculum',
        file('mine.curriculum.ts'),
      ),
    );
    assert.deepEqual(again.result.map(({ name }) => name), ['right', 'wrong', 'broken', 'line 4']); // prettier-ignore
    assert.ok(again.stops >= 3, `${again.stops} stops`);
  });

  it('are written by New Curriculum…, with types and cases that pass', async () => {
    const writing = vscode.commands.executeCommand<vscode.Uri>('genenv.newCurriculum', vscode.Uri.file(folder));
    await driver.choose('TypeScript');
    await driver.typeInto('New curriculum', 'fresh');
    const uri = await writing;
    assert.match(uri.path, /\.curriculum\.ts$/);
    assert.match(await readFile(file('genenv-curriculum.d.ts').fsPath, 'utf8'), /export type Rewards/);
    const name = uri.path.split('/').at(-1) ?? '';
    await until('it is listed', () => itemOf(name) !== undefined);
    const { states } = await run(tests.profiles.run, name);
    assert.deepEqual(Object.values(states), ['passed', 'passed', 'passed']);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.deepEqual(lenses.map(({ command }) => command?.title), ['Debug on Its Cases']); // prettier-ignore
  });
});
