/** Traces of any size: what is long is elided and opened by itself, in ranges. */
import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { traceSchema, type Trace } from '../../../src/shared/records/trace.ts';
import { api, experimentFile, landing, shown } from '../../support/host/api.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

describe('a large trace', function () {
  this.timeout(300_000);
  let parts: GenEnvApi;
  let run: RunDir;

  before(async () => {
    parts = await api();
    run = await parts.service.start(await experimentFile('large', { epochs: 1 }));
    await landing(parts, run);
    await shown(parts, run, ({ head }) => head.state === 'finished');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** A copy of the run whose first training trace says this. */
  async function runWith(name: string, messages: Trace['messages']): Promise<{ dir: RunDir; id: string }> {
    const dir = join(dirname(run), name);
    await cp(run, dir, { recursive: true });
    const manifest = join(dir, 'run.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replaceAll(basename(run), name));
    await rm(join(dir, 'index'), { recursive: true, force: true });
    const file = join(dir, 'traces.jsonl');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"purpose":"train"'));
    const trace = traceSchema.parse(JSON.parse(lines[at] ?? ''));
    lines[at] = JSON.stringify({ ...trace, messages });
    await writeFile(file, `${lines.join('\n')}\n`);
    await parts.catalog.refresh();
    return { dir, id: trace.id };
  }

  const opened = async (dir: RunDir, trace: string): Promise<vscode.TextDocument> => {
    await vscode.commands.executeCommand('genenv.openTrace', { run: dir, trace });
    const document = vscode.window.activeTextEditor?.document ?? assert.fail('no document is open');
    return document;
  };
  const linksIn = async ({ uri }: vscode.TextDocument): Promise<vscode.DocumentLink[]> =>
    vscode.commands.executeCommand('vscode.executeLinkProvider', uri);
  const front = (fits: (text: string) => boolean): Promise<vscode.TextDocument> =>
    until('the document is in front', () => {
      const document = vscode.window.activeTextEditor?.document;
      return document !== undefined && fits(document.getText()) && document;
    });

  it('of 400,000 lines in one turn opens at its beginning, and the turn by itself in parts', async () => {
    const lines = Array.from({ length: 400_000 }, (_, i) => `line ${i} calls f0 f1 f2`);
    const { dir, id } = await runWith('lines', [{ role: 'assistant', content: lines.join('\n') }]);
    const document = await opened(dir, id);
    assert.ok(document.getText().includes('line 999 calls'));
    assert.ok(!document.getText().includes('line 1000 calls'));
    assert.match(document.getText(), /… [\d,]+ more characters · Open This Turn/);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    const lens = lenses.find(({ command }) => command?.title === 'Open This Turn')?.command;
    assert.ok(lens);
    await driver.screenshot('trace-elided');
    const link = (await linksIn(document)).find(({ target }) => target?.query.includes('"of":"turn"'));
    assert.equal(link?.target?.toString(), String(lens.arguments?.[0]));
    // Asked for from outside, the editor gives its own name of the command.
    assert.match(lens.command, /^(?:vscode|_workbench)\.open$/);
    await vscode.commands.executeCommand('vscode.open', link.target);
    const first = await front((text) => text.includes('part 1 of 20'));
    await driver.screenshot('trace-turn');
    assert.ok(first.getText().includes('line 19999 calls'));
    const [next] = await linksIn(first);
    assert.ok(next?.target);
    await vscode.commands.executeCommand('vscode.open', next.target);
    const second = await front((text) => text.includes('part 2 of 20'));
    assert.match(second.getText(), /\n\nline 20000 calls/);
    assert.match(second.getText(), /Previous Part\nNext Part/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('of 50 MB in 50 turns opens, each turn at its beginning', async () => {
    const line = `${'call f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 '.repeat(3)}\n`;
    const messages = Array.from({ length: 50 }, () => ({ role: 'assistant' as const, content: line.repeat(10_000) }));
    const { dir, id } = await runWith('fifty', messages);
    const document = await opened(dir, id);
    assert.equal(document.getText().match(/Open This Turn/g)?.length, 50);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
