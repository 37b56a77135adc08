import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { traceUri } from '../../../src/host/documents/layout/place.ts';
import { NoteBook } from '../../../src/features/notes/host/noteBook.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { OpenRuns } from '../../../src/host/trees/openRuns.ts';
import type { RunsNode } from '../../../src/host/trees/runs/node.ts';
import { RunsProvider } from '../../../src/host/trees/runs/runsProvider.ts';
import { appendNote } from '../../../src/runs/records/notesFile.ts';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { noteEventSchema } from '../../../src/shared/records/note.ts';
import { api, experimentFile, landing, next } from '../../support/host/api.ts';
import { all } from '../../support/runs/tempRuns.ts';

describe('notes on turns', () => {
  let parts: GenEnvApi;
  let run: RunDir;
  let traces: Trace[];
  let open: OpenRuns;
  let book: NoteBook;
  let provider: RunsProvider;
  let comments: vscode.CommentController;

  before(async () => {
    parts = await api();
    run = await parts.service.start(await experimentFile('noted', { rollouts: { group: 4, baseShare: 0.25 } }));
    await landing(parts, run);
    while (parts.catalog.get(run)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    open = new OpenRuns(parts.catalog);
    book = new NoteBook({ now: () => Date.now() }, { tell: (_, error) => Promise.reject(new Error(String(error))) });
    provider = new RunsProvider(parts.catalog, parts.service, open, book);
    comments = vscode.comments.createCommentController('test', 'test');
    traces = await all((await open.open(run)).followed.reader.traces());
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const disposable of [provider, book, open, comments]) disposable.dispose();
  });

  const trained = (of: (trace: Trace) => boolean): Trace => {
    const found = traces.find((trace) => trace.purpose === 'train' && trace.epoch === 2 && of(trace));
    assert.ok(found);
    return found;
  };
  const written = async () =>
    (await readFile(runPaths(run).notes, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => noteEventSchema.parse(JSON.parse(line)));

  it('are kept in the run’s folder with their trace and turn', async () => {
    const trace = trained(({ task }) => task.startsWith('e2'));
    const uri = traceUri(run, trace.id);
    const { document } = await vscode.window.showTextDocument(uri);
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes('· turn 1'));
    const thread = comments.createCommentThread(uri, new vscode.Range(line, 0, line, 0), []);
    await vscode.commands.executeCommand('genenv.addNote', { thread, text: 'why not f3?' });
    const [note] = await written();
    assert.ok(note?.type === 'written');
    assert.deepEqual([note.trace, note.turn, note.text], [trace.id, 0, 'why not f3?']);
    assert.notEqual(note.author, '');
  });

  const below = async (node: RunsNode): Promise<RunsNode[]> => {
    const children = await provider.getChildren(node);
    return [...children, ...(await Promise.all(children.map(below))).flat()];
  };
  const described = async (node: RunsNode) => String((await provider.getTreeItem(node)).description);

  it('are counted in the tree, and what another process writes too', async () => {
    const trace = trained(({ task }) => task.startsWith('e2'));
    const node = await provider.model.locate({ run, trace: trace.id });
    assert.equal(node?.kind, 'trace');
    assert.match(await described(node), / · 1 note$/);
    const told = next(book.onDidChange);
    const thread = 'another';
    await appendNote(runPaths(run).notes, {
      ...{ v: 1, at: 5, author: 'somebody else', type: 'written', id: thread, thread },
      ...{ trace: trace.id, turn: 0, text: 'seen from elsewhere' },
    });
    assert.equal(await told, run);
    assert.match(await described(node), / · 2 notes$/);
    assert.match(await described(node.parent), / · 2 notes$/);
  });

  it('are a filter: tasks of families and base tasks', async () => {
    const base = trained(({ task }) => task.startsWith('base'));
    await book.write(run, { trace: base.id, turn: 0, thread: null }, 'a base task');
    provider.model.filter = { runs: {}, families: { run, noted: true } };
    const epochs = await provider.getChildren(provider.model.runNode(run));
    assert.deepEqual(
      epochs.map((node) => (node.kind === 'epoch' ? node.epoch : node.kind)),
      [2],
    );
    const shown = await below(provider.model.runNode(run));
    const families = shown.filter(({ kind }) => kind === 'family');
    assert.equal(families.length, 1);
    assert.deepEqual(
      shown.flatMap((node) => (node.kind === 'mixed' ? [node.task] : [])),
      [base.task],
    );
  });
});
