import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { taskUri, traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { until } from '../../support/until.ts';
import { api, experimentFile, landing, next, shown, workspaceFolder } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('trace and task documents', () => {
  let parts: GenEnvApi;
  let finished: RunDir;
  let traces: Trace[];

  before(async () => {
    parts = await api();
    finished = await parts.service.start(
      await experimentFile('read', {
        generation: { families: 8, variations: 2 },
        rollouts: { group: 8 },
        agent: { advantageNorm: 'group-std' },
      }),
    );
    await landing(parts, finished);
    while (parts.catalog.get(finished)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    const followed = await parts.catalog.follow(finished);
    traces = await all(followed.reader.traces());
    followed.dispose();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
  });

  /** A training trace of a group that taught something. */
  const taught = (): Trace => {
    const groups = Map.groupBy(
      traces.filter(({ purpose }) => purpose === 'train'),
      ({ task, epoch }) => `${epoch} ${task}`,
    );
    const group = [...groups.values()].find((one) => new Set(one.map(({ verdict }) => verdict.reward)).size > 1);
    assert.ok(group, 'some group has both rewards');
    return group[0]!;
  };

  const openTrace = async (trace: Trace): Promise<vscode.TextEditor> => {
    await vscode.commands.executeCommand('genenv.openTrace', { run: finished, trace: trace.id });
    return vscode.window.activeTextEditor ?? assert.fail('no document is open');
  };
  const asked = <T>(command: string, ...args: unknown[]): Promise<T> =>
    Promise.resolve(vscode.commands.executeCommand<T>(command, ...args));
  const lineOf = (document: vscode.TextDocument, start: string | RegExp): number => {
    const lines = document.getText().split('\n');
    const at = lines.findIndex((line) => (typeof start === 'string' ? line.startsWith(start) : start.test(line)));
    assert.ok(at >= 0, `${start} in\n${document.getText()}`);
    return at;
  };

  it('are read-only files whose language is known by their name', async () => {
    const { document } = await openTrace(taught());
    assert.equal(document.languageId, 'genenv-record');
    assert.ok(document.getText().startsWith('Trace '));
    assert.equal(vscode.workspace.fs.isWritableFileSystem('genenv-trace'), false);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, new Uint8Array()));
  });

  it('have an outline: sections, turns, and the calls of a turn', async () => {
    const trace = taught();
    const { document } = await openTrace(trace);
    const symbols = await asked<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    const names = symbols.map(({ name }) => name);
    assert.deepEqual(names, [`Trace ${trace.id}`, 'Attempt', 'Gold', 'Prompt', 'Tools', 'Evaluation']);
    const [turn] = symbols.find(({ name }) => name === 'Attempt')?.children ?? [];
    assert.match(turn?.name ?? '', /^assistant · turn 1 · final action$/);
    assert.equal(turn?.range.start.line, lineOf(document, 'assistant · turn 1'));
    const said = trace.messages[0]?.content ?? '';
    const calls = said.match(/\bf\d\b/g) ?? [];
    assert.deepEqual(
      turn.children.map(({ name, range }) => [name, document.getText(range)]),
      calls.map((name) => [name, name]),
    );
  });

  it('fold by part', async () => {
    const { document } = await openTrace(taught());
    const folds = await asked<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', document.uri);
    const starts = folds.map(({ start }) => document.lineAt(start).text);
    assert.ok(starts.some((text) => text.startsWith('── Attempt')));
    assert.ok(starts.some((text) => text.startsWith('assistant · turn 1')));
  });

  it('lead to the task, and to family and run in the tree', async () => {
    const trace = taught();
    const { document } = await openTrace(trace);
    const links = await asked<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    const texts = links.map(({ range }) => document.getText(range));
    assert.equal(texts[0], trace.task);
    assert.equal(links[0]?.target?.toString(), taskUri(finished, trace.task, trace.epoch).toString());
    assert.equal(texts[1], trace.family);
    assert.match(texts[2] ?? '', /^read \(/);
    const reveal = links.slice(1).map(({ target }) => target?.toString() ?? '');
    for (const target of reveal) assert.match(target, /^command:genenv\.showInRuns\?/);
  });

  it('explain a call by its schema and a reward by its computation', async () => {
    const trace = taught();
    const { document } = await openTrace(trace);
    const hover = async (line: number, text: string): Promise<string> => {
      const position = new vscode.Position(line, document.lineAt(line).text.indexOf(text) + 1);
      const hovers = await asked<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, position);
      return hovers
        .flatMap(({ contents }) => contents)
        .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
        .join('\n');
    };
    const [call = ''] = /\bf\d\b/.exec(trace.messages[0]?.content ?? '') ?? [];
    const schema = await hover(lineOf(document, 'assistant · turn 1') + 1, call);
    assert.match(schema, /"enum"/);
    assert.match(schema, /required/);
    const reward = await hover(lineOf(document, /^reward /), trace.verdict.reward.toFixed(2));
    assert.match(reward, /Mean of the group of 8 attempts: /);
    const group = traces.filter(
      ({ task, epoch, purpose }) => task === trace.task && epoch === trace.epoch && purpose === 'train',
    );
    const mean = group.reduce((sum, { verdict }) => sum + verdict.reward, 0) / group.length;
    const deviation = Math.sqrt(
      group.reduce((sum, { verdict }) => sum + (verdict.reward - mean) ** 2, 0) / (group.length - 1),
    );
    const advantage = (trace.verdict.reward - mean) / deviation;
    assert.ok(reward.includes(`**${advantage < 0 ? '−' : '+'}${Math.abs(advantage).toFixed(2)}**`), reward);
  });

  it('hint at advantage, tokens and surprise', async () => {
    const trace = taught();
    const { document } = await openTrace(trace);
    const range = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await asked<vscode.InlayHint[]>('vscode.executeInlayHintProvider', document.uri, range);
    const labels = hints.map(({ label }) => (typeof label === 'string' ? label.replaceAll('\u00a0', ' ') : ''));
    assert.ok(
      labels.some((label) => /^advantage [+−]\d/.test(label)),
      labels.join('\n'),
    );
    const [{ logprobs } = { logprobs: [] }] = trace.sequences;
    const most = Math.max(...logprobs.map((logprob) => -logprob));
    const turn = labels.find((label) => label.includes('tokens'));
    assert.match(turn ?? '', new RegExp(`^reward [\\d.]+ · ${logprobs.length} tokens · surprise `));
    assert.ok(turn?.endsWith(`at most ${String(Number(most.toPrecision(3)))}`), turn);
    // A bare number between the words would read as one of them.
    assert.deepEqual(
      labels.filter((label) => /^[\d.]+$/.test(label)),
      [],
    );
  });

  it('offer the task, another attempt, and the next and the one before', async () => {
    const trace = taught();
    const { document } = await openTrace(trace);
    const lenses = await asked<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
    const rows = Map.groupBy(lenses, ({ range }) => document.lineAt(range.start.line).text.split(/\s/)[0] ?? '');
    const offered = [...rows].map(([line, row]) => [line, ...row.map(({ command }) => command?.command ?? '')]);
    // One row of all would be cut in a narrow editor.
    assert.deepEqual(
      offered,
      [
        ...[['Trace', 'previousAttempt', 'nextAttempt', 'compareAttempt', 'forkTrace', 'showTokens']],
        ...[['verdict', 'labelAttempt', 'scoreWithReward', 'debugReward', 'pinCase']],
        ...[['task', 'openTask', 'openAttempts', 'reattemptTask', 'playTask']],
        ['assistant', 'forkTrace'],
      ].map(([line, ...names]) => [line, ...names.map((name) => `genenv.${name}`)]),
    );
    await vscode.commands.executeCommand('genenv.nextAttempt');
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^Trace .*\/r1\n/);
    await vscode.commands.executeCommand('genenv.previousAttempt');
    await vscode.commands.executeCommand('genenv.previousAttempt');
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^Trace .*\/r7\n/);
  });

  it('are compared with another attempt in the diff editor', async () => {
    const trace = taught();
    await openTrace(trace);
    const comparing = vscode.commands.executeCommand('genenv.compareAttempt');
    await driver.choose('r2');
    await comparing;
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.toString(), traceUri(finished, trace.id).toString());
    assert.match(input.modified.query, /r2/);
  });

  it('say of a trace that is not there which one', async () => {
    void vscode.commands.executeCommand('genenv.openTrace', { run: finished, trace: 'e9/nothing/r0' });
    assert.match(await driver.message('The trace was not opened'), /This run has no trace “e9\/nothing\/r0”/);
  });

  it('grow with a run under way, and keep the cursor', async () => {
    const log = { info: () => undefined, warn: () => undefined };
    const root = join(workspaceFolder(), '.genenv', 'runs');
    const store = new RunStore(root, { clock: { now: () => Date.now() }, log, version: 'test' });
    const followed = await parts.catalog.follow(finished);
    const events = await all(followed.reader.events());
    const { experiment } = followed.manifest;
    const tasks = await all(followed.reader.tasks());
    followed.dispose();
    const { task, epoch } = taught();
    const group = traces.filter((trace) => trace.purpose === 'train' && trace.task === task && trace.epoch === epoch);
    const writer = await store.create({ experiment });
    try {
      for (const event of events) {
        if (event.type === 'rollouts.finished') break;
        await writer.append(event);
      }
      await writer.appendTasks(tasks.filter(({ id }) => id === task));
      // The later ones first: what comes then stands above them.
      await writer.appendTraces(group.slice(4));
      await shown(parts, writer.dir, (known) => known.writer === 'here');
      const uri = taskUri(writer.dir, task, epoch);
      const editor = await vscode.window.showTextDocument(uri);
      const { document } = editor;
      const attempts = () => document.getText().match(/^r\d .*$/gm) ?? [];
      assert.equal(attempts().length, group.length - 4);
      const at = lineOf(document, 'r5 ');
      editor.selection = new vscode.Selection(at, 3, at, 3);
      await writer.appendTraces(group.slice(0, 4));
      await until('all attempts', () => attempts().length === group.length);
      assert.equal(lineOf(document, 'r5 '), at + 4);
      const cursor = () => editor.selection.active;
      await until('the cursor on its attempt', () => cursor().line === at + 4 && cursor().character === 3);
    } finally {
      await writer.session({ type: 'paused', reason: 'asked' });
      await writer.close();
    }
  });
});
