import assert from 'node:assert/strict';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { openLink } from '../../../src/features/links/host/openLink.ts';
import { taskUri, traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { traceSchema, type Trace } from '../../../src/shared/records/trace.ts';
import { api, experimentFile, landing, next } from '../../support/host/api.ts';
import { all } from '../../support/runs/tempRuns.ts';

const textInFront = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';

describe('links and copies', () => {
  let parts: GenEnvApi;
  let run: RunDir;
  let trace: Trace;
  let task: Task;

  before(async () => {
    parts = await api();
    run = await parts.service.start(await experimentFile('linked', { epochs: 1 }));
    await landing(parts, run);
    while (parts.catalog.get(run)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    const followed = await parts.catalog.follow(run);
    const found = (await all(followed.reader.traces())).find(
      ({ purpose, task: id }) => purpose === 'train' && id.startsWith('e1'),
    );
    assert.ok(found);
    trace = found;
    const recorded = await followed.reader.task(trace.task);
    assert.ok(recorded);
    task = recorded;
    followed.dispose();
  });

  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const copied = async (command: string, argument?: unknown): Promise<string> => {
    await vscode.env.clipboard.writeText('');
    await vscode.commands.executeCommand(command, argument);
    return vscode.env.clipboard.readText();
  };
  const follow = (link: string) => openLink(vscode.Uri.parse(link), { catalog: parts.catalog, tree: parts.runsTree });

  it('copy the record of a trace and of a task', async () => {
    const record: unknown = JSON.parse(await copied('genenv.copyJson', { run, trace: trace.id, task: trace.task }));
    assert.deepEqual({ ...traceSchema.parse(record) }, { ...trace });
    assert.match(await copied('genenv.copyJson', taskUri(run, task.id)), new RegExp(`"id": "${task.id}"`));
  });

  it('copy a document as Markdown', async () => {
    await vscode.window.showTextDocument(traceUri(run, trace.id));
    const text = await copied('genenv.copyMarkdown');
    const headings = text.split('\n').filter((line) => line.startsWith('#'));
    assert.deepEqual(headings.slice(0, 4), [
      ...[`# Trace ${trace.id}`, '## Attempt', '### assistant · turn 1 · final action', '## Gold'],
    ]);
    assert.ok(headings.includes('### user'));
    assert.ok(text.includes(`\`\`\`\n${trace.messages[0]?.content ?? ''}\n\`\`\``), text);
    assert.equal((text.match(/^```$/gm)?.length ?? 1) % 2, 0, 'every quotation ends');
  });

  it('copy an address that leads back', async () => {
    const link = await copied('genenv.copyLink', traceUri(run, trace.id));
    const address = `${vscode.env.uriScheme}://genenv.genenv/run/${basename(run)}/trace/${trace.id}`;
    assert.equal(link, vscode.Uri.parse(address).toString());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await follow(link);
    assert.ok(textInFront().startsWith(`Trace ${trace.id}\n`));
    const toTask = await copied('genenv.copyLink', { run, task: task.id, epoch: 1 });
    await follow(toTask);
    assert.ok(textInFront().startsWith(`Task ${task.id}\n`));
    await follow(await copied('genenv.copyLink', { run, epoch: 1, family: trace.family }));
  });

  it('say what is missing', async () => {
    const base = `${vscode.env.uriScheme}://genenv.genenv`;
    await assert.rejects(follow(`${base}/run/nobody/trace/e1/x/r0`), /The run “nobody” is in no folder of this window/);
    await assert.rejects(follow(`${base}/elsewhere/x`), /leads to no run, task or trace/);
  });
});
