import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { api, experimentFile, next, shown } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

/** No family lies in so narrow a band: the environment is never updated. */
const narrow = { epochs: 500, curriculum: { kMin: 0.001 }, validation: { every: 0 } };

function problems(file: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(file).filter(({ code }) => code === 'environment-skipped');
}

async function problemsOf(file: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  while (problems(file).length !== count) await next(vscode.languages.onDidChangeDiagnostics);
  return problems(file);
}

describe('guards in the editor', () => {
  let parts: GenEnvApi;
  const settings = () => vscode.workspace.getConfiguration('genenv');

  before(async () => {
    parts = await api();
  });
  afterEach(async () => {
    for (const dir of [...parts.service.active.keys()]) await parts.service.stop(dir);
    await settings().update('guards.pause', undefined);
  });

  const paused = (dir: RunDir) => shown(parts, dir, ({ head, writer }) => head.state === 'paused' && writer === null);

  it('are told in the Problems panel where the setting is written, until the run is over', async () => {
    const { experiment, file } = await experimentFile('narrow', narrow);
    const dir = await parts.service.start({ experiment, file });
    const [problem] = await problemsOf(file, 1);
    assert.ok(problem);
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(problem.range), '"kMin"');
    assert.equal(problem.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(problem.message, /not been updated for \d+ epochs.*curriculum\.kMin.*“narrow”, since epoch 1/s);
    assert.ok(parts.service.active.has(dir), 'nobody asked for a pause');
    await parts.service.stop(dir);
    await problemsOf(file, 0);
  });

  it('pause a run when a person chose so, and once', async () => {
    await settings().update('guards.pause', ['environment-skipped']);
    const { experiment, file } = await experimentFile('stopped', narrow);
    const dir = await parts.service.start({ experiment, file });
    await driver.message('was paused by a guard');
    const { head } = await paused(dir);
    assert.ok(head.epoch < 20, `it ran ${head.epoch} epochs`);
    await problemsOf(file, 1);
    await driver.answer('was paused by a guard', 'Resume');
    await next(parts.service.onDidProgress, (run) => run.dir === dir && run.state.summaries.length > head.epoch + 3);
    assert.ok(parts.service.active.has(dir), 'what was seen does not pause it again');
  });
});
