import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import { labelEventSchema } from '../../../src/shared/records/label.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { api, experimentFile, landing, next } from '../../support/host/api.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { driver } from '../driver.ts';

describe('labels on attempts', () => {
  let parts: GenEnvApi;
  let run: RunDir;
  let trace: Trace;

  before(async () => {
    parts = await api();
    run = await parts.service.start(await experimentFile('labelled', { rollouts: { group: 4 } }));
    await landing(parts, run);
    while (parts.catalog.get(run)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    const followed = await parts.catalog.follow(run);
    const judged = (await all(followed.reader.traces())).find(({ purpose }) => purpose === 'train');
    followed.dispose();
    assert.ok(judged !== undefined);
    trace = judged;
  });

  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  /** The opposite of the judge's verdict. */
  const contrary = () => (trace.verdict.success ? 'Fail' : 'Pass');
  const written = async () =>
    (await readFile(runPaths(run).attemptLabels, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => labelEventSchema.parse(JSON.parse(line)));
  const lensTitle = async (): Promise<string | undefined> => {
    const uri = traceUri(run, trace.id);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    return lenses.find(({ command }) => command?.command === 'genenv.labelAttempt')?.command?.title;
  };

  it('are ticked or typed above a trace, and stand there', async () => {
    await vscode.commands.executeCommand('genenv.openTrace', { run, trace: trace.id });
    assert.equal(await lensTitle(), 'Label…');
    const asked = vscode.commands.executeCommand('genenv.labelAttempt', { run, trace: trace.id });
    await driver.choose(contrary());
    await driver.press('quick input', 'Enter');
    await asked;
    const [event] = await written();
    assert.deepEqual([event?.trace, event?.verdict, event?.labels], [trace.id, contrary().toLowerCase(), []]);
    assert.match((await lensTitle()) ?? '', new RegExp(`^Label: ${contrary()} \\(.+\\)$`));
  });

  it('are compared with the judge’s verdicts, with links to the attempts that differ', async () => {
    await vscode.commands.executeCommand('genenv.showLabels', { run });
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'genenv-labels');
    assert.match(document.getText(), /They say the same of 0 of 1: 0/);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    assert.ok(links.some(({ range }) => document.getText(range) === trace.id));
  });

  it('are taken back where everything is unticked', async () => {
    const asked = vscode.commands.executeCommand('genenv.labelAttempt', { run, trace: trace.id });
    await driver.choose(contrary());
    await driver.press('quick input', 'Enter');
    await asked;
    const last = (await written()).at(-1);
    assert.deepEqual([last?.verdict, last?.labels], [null, []]);
    assert.equal(await lensTitle(), 'Label…');
  });
});
