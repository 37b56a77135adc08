/** A trace opens on what matters, and other attempts open where the reader stands. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { api, experimentFile, landing, shown } from '../../support/host/api.ts';
import { editedRun } from '../../support/host/editedRun.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

describe('a trace opens on what matters', function () {
  this.timeout(300_000);
  let parts: GenEnvApi;
  let run: RunDir;
  let traces: Trace[];

  before(async () => {
    parts = await api();
    run = await parts.service.start(await experimentFile('answers', { epochs: 1 }));
    await landing(parts, run);
    await shown(parts, run, ({ head }) => head.state === 'finished');
    const followed = await parts.catalog.follow(run);
    traces = await all(followed.reader.traces());
    followed.dispose();
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
  });
  after(async () => {
    await driver.width(1400);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const opened = async (dir: RunDir, trace: string): Promise<vscode.TextEditor> => {
    await vscode.commands.executeCommand('genenv.openTrace', { run: dir, trace });
    return vscode.window.activeTextEditor ?? assert.fail('no document is open');
  };
  const sectionsOf = ({ document }: vscode.TextEditor): string[] =>
    [...document.getText().matchAll(/^── (.+) ──$/gm)].map(([, title = '']) => title);
  const isOpen = ({ visibleRanges }: vscode.TextEditor, line: number): boolean =>
    visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line);
  /** As nearly as the editor scrolls: lenses and sticky lines stand between. */
  const onTop = ({ visibleRanges }: vscode.TextEditor, line: number): boolean =>
    Math.abs((visibleRanges[0]?.start.line ?? -99) - line) <= 12;
  const lineOf = ({ document }: vscode.TextEditor, text: string): number =>
    document
      .getText()
      .split('\n')
      .findIndex((line) => line.startsWith(text));

  it('verdict, reward and its parts, answer and gold; prompt and tools are folded', async () => {
    const trace = traces.find(({ purpose, verdict }) => purpose === 'train' && !verdict.success);
    assert.ok(trace);
    const editor = await opened(run, trace.id);
    assert.deepEqual(sectionsOf(editor), ['Attempt', 'Gold', 'Prompt', 'Tools', 'Evaluation']);
    const head = editor.document.getText().split('\n').slice(0, 5).join('\n');
    assert.match(head, /^Trace .*\nverdict +not solved.*\nreward +0\.\d\d.*\nreward parts +\S+ .*\nanswer +.*gold/);
    await until('prompt and tools are folded', () => {
      const prompt = lineOf(editor, '── Prompt');
      return isOpen(editor, prompt) && !isOpen(editor, prompt + 1) && !isOpen(editor, lineOf(editor, '── Tools') + 1);
    });
    for (const width of [1440, 900]) {
      await driver.width(width);
      await driver.screenshot(`trace-answers-${width}`);
    }
  });

  describe('of many turns', () => {
    const says = (trace: Trace, turn: number): string =>
      `${trace.id} says this in turn ${turn + 1}\n`.repeat(1 + Number(trace.id.at(-1))).trim();
    let dir: RunDir;
    let first: Trace;
    const attempt = (number: number): string => first.id.replace(/r\d+$/, `r${number}`);

    before(async () => {
      const training = traces.filter(({ purpose }) => purpose === 'train');
      first = training.find(({ id }) => id.endsWith('/r0')) ?? assert.fail('no training trace');
      dir = await editedRun(parts, run, 'turns', (trace) => {
        if (trace.task !== first.task || trace.purpose !== 'train') return null;
        const turns = Array.from({ length: 24 }, (_, turn) =>
          turn % 2 === 0
            ? { role: 'assistant' as const, content: turn < 6 ? `look ${turn}` : says(trace, turn) }
            : { role: 'tool' as const, name: 'shop', content: `ok ${turn}` },
        );
        return { messages: [...turns, { role: 'assistant', content: trace.messages.at(-1)?.content ?? '' }] };
      });
    });

    it('begins with the last answer and the gold, above the turns', async () => {
      const editor = await opened(dir, first.id);
      assert.deepEqual(sectionsOf(editor).slice(0, 5), ['Answer', 'Gold', 'Prompt', 'Tools', 'Attempt']);
    });

    it('keeps the turn from one attempt to the next', async () => {
      const editor = await opened(dir, first.id);
      const turn = lineOf(editor, 'assistant · turn 15');
      editor.selection = new vscode.Selection(turn + 1, 4, turn + 1, 4);
      editor.revealRange(new vscode.Range(turn, 0, turn, 0), vscode.TextEditorRevealType.AtTop);
      await until('the turn is on top', () => onTop(editor, turn));
      // Each one further: nothing adds up.
      for (const number of [1, 2, 3]) {
        await vscode.commands.executeCommand('genenv.nextAttempt');
        const next = vscode.window.activeTextEditor ?? assert.fail('no document is open');
        assert.ok(next.document.getText().startsWith(`Trace ${attempt(number)}\n`));
        const there = lineOf(next, 'assistant · turn 15');
        assert.notEqual(there, turn);
        await until('the same turn is on top', () => onTop(next, there));
        assert.deepEqual([next.selection.active.line, next.selection.active.character], [there + 1, 4]);
      }
      await driver.screenshot('trace-next-same-turn');
    });

    it('keeps it in the diff editor, which folds what is equal', async () => {
      const editor = await opened(dir, first.id);
      const turn = lineOf(editor, 'assistant · turn 15');
      editor.selection = new vscode.Selection(turn, 0, turn, 0);
      editor.revealRange(new vscode.Range(turn, 0, turn, 0), vscode.TextEditorRevealType.AtTop);
      await until('the turn is on top', () => onTop(editor, turn));
      const comparing = vscode.commands.executeCommand('genenv.compareAttempt');
      await driver.choose('r2');
      await comparing;
      const right = await until('the other attempt', () =>
        vscode.window.visibleTextEditors.find(({ document }) => document.uri.query.includes(attempt(2))),
      );
      await until('the same turn', () => right.selection.active.line === lineOf(right, 'assistant · turn 15'));
      for (const width of [1440, 900]) {
        await driver.width(width);
        await driver.screenshot(`trace-diff-${width}`);
      }
      await vscode.commands.executeCommand('cursorTop');
      await driver.screenshot('trace-diff-top');
    });
  });
});
