/** Cases of domains and of adapters in the Test Explorer: listed, run, and what is wrong at its line. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { quizAdapter } from '../../support/adapters/quizAdapter.ts';
import { api, workspaceFolder } from '../../support/host/api.ts';
import { until } from '../../support/until.ts';

const domain = `export const seeds = () => [{ prompt: '1 + 1', gold: 2 }];
export const environmentPrompt = () => 'Write a sum.';
export function parse(text: string) {
  if (text === 'broken') throw new Error('not today');
  const [, a, b] = /^(\\d+) \\+ (\\d+)$/.exec(text) ?? [];
  if (a === undefined || b === undefined) return { reject: 'it is no sum' };
  return { prompt: text, gold: Number(a) + Number(b), difficulty: {} };
}
`;
const line = (one: object): string => `${JSON.stringify({ v: 1, call: 'parse', ...one })}\n`;
const cases =
  line({ note: 'right', text: '3 + 4', expected: { accepted: true, gold: '7' } }) +
  line({ note: 'wrong', text: '3 + 4', expected: { accepted: true, gold: '8' } }) +
  line({ note: 'broken', text: 'broken', expected: { accepted: false } }) +
  'no case\n';

const textOf = (told: vscode.TestMessage | undefined): string =>
  typeof told?.message === 'string' ? told.message : (told?.message.value ?? '');

describe('cases of domains in the Test Explorer', function () {
  this.timeout(240_000);
  let tests: Awaited<GenEnvApi['domainCases']>;
  let folder = '';
  const file = (name: string): vscode.Uri => vscode.Uri.file(join(folder, name));
  const itemOf = (name: string): vscode.TestItem | undefined => tests.controller.items.get(file(name).toString());
  const childrenOf = (item: vscode.TestItem | undefined) => [...(item?.children ?? [])].map(([, child]) => child);

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
      return { states, messages };
    } finally {
      controller.createTestRun = create;
    }
  }

  before(async () => {
    folder = join(workspaceFolder(), `domain-cases-${randomUUID().slice(0, 8)}`);
    await mkdir(folder);
    await writeFile(file('sums.domain.ts').fsPath, domain);
    await writeFile(file('sums.domain.cases.jsonl').fsPath, cases);
    await writeFile(file('train.jsonl').fsPath, '{"question":"Which city is it?","answer":"Oslo"}\n');
    await writeFile(file('test.jsonl').fsPath, '{"question":"Which town is it?","answer":"Bern"}\n');
    await writeFile(file('quiz.adapter.json').fsPath, JSON.stringify(quizAdapter()));
    const text = JSON.stringify({ question: 'Which other city is it?', answer: 'Rome' });
    const quiz = line({ note: 'a task', text, expected: { accepted: true, gold: 'Rome' } });
    await writeFile(
      file('quiz.adapter.cases.jsonl').fsPath,
      quiz + line({ note: 'no task', text: 'no', expected: { accepted: true } }),
    );
    for (const name of ['sums.domain', 'quiz.adapter'])
      await vscode.workspace.openTextDocument(file(`${name}.cases.jsonl`));
    tests = await (await api()).domainCases;
    await until('the domain is listed', () => itemOf('sums.domain.ts') !== undefined);
    await until('the adapter is listed', () => itemOf('quiz.adapter.json') !== undefined);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are run, and say what is wrong at the line that failed, else at the case’s own', async () => {
    const { states, messages } = await run(tests.profiles.run, 'sums.domain.ts');
    assert.deepEqual(Object.fromEntries(states), {
      ...{ right: 'passed', wrong: 'failed', broken: 'errored' },
      'Line 4 holds no case': 'errored',
    });
    const wrong = messages.get('wrong');
    assert.match(textOf(wrong), /accepted, gold 8 is expected, and it is: accepted, gold 7\./);
    assert.deepEqual([wrong?.expectedOutput, wrong?.actualOutput], ['accepted, gold 8', 'accepted, gold 7']);
    assert.equal(wrong?.location?.range.start.line, 1);
    const broken = messages.get('broken');
    assert.match(textOf(broken), /not today/);
    assert.deepEqual(
      [broken?.location?.uri.fsPath, broken?.location?.range.start.line],
      [file('sums.domain.ts').fsPath, 3],
    );
    assert.deepEqual(
      childrenOf(itemOf('sums.domain.ts')).map(({ label, range }) => [label, range?.start.line]),
      [
        ['right', 0],
        ['wrong', 1],
        ['broken', 2],
        ['Line 4 holds no case', 3],
      ],
    );
  });

  it('are run of an adapter’s recipe, too', async () => {
    const { states, messages } = await run(tests.profiles.run, 'quiz.adapter.json');
    assert.deepEqual(Object.fromEntries(states), { 'a task': 'passed', 'no task': 'failed' });
    assert.match(textOf(messages.get('no task')), /rejected: there is no JSON object in the text/);
  });

  it('are run under the debugger, each once, which stops in the function', async () => {
    const stopped: string[] = [];
    const tracker = vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: ({ type, event }: { type: string; event?: string }) => {
          if (type !== 'event' || event !== 'stopped') return;
          stopped.push(session.name);
          void vscode.commands.executeCommand('workbench.action.debug.continue');
        },
      }),
    });
    const at = new vscode.SourceBreakpoint(new vscode.Location(file('sums.domain.ts'), new vscode.Position(4, 0)));
    vscode.debug.addBreakpoints([at]);
    try {
      const { states } = await run(tests.profiles.debug, 'sums.domain.ts');
      assert.deepEqual(
        [states.get('right'), states.get('wrong'), states.get('broken')],
        ['passed', 'failed', 'errored'],
      );
      assert.ok(stopped.length >= 2, `${stopped.length} stops`);
    } finally {
      vscode.debug.removeBreakpoints([at]);
      tracker.dispose();
    }
  });
});
