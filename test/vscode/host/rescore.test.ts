/** A run under an edited reward, in the editor: what flips, side by side, applied, and taken back. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { KeptRescore } from '../../../src/features/rescore/node/keptRescore.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import type { RescoreState } from '../../../src/features/rescore/contract/page.ts';
import { dist } from '../../support/built.ts';
import { api, experimentFile, landing, workspaceFolder } from '../../support/host/api.ts';
import { pageSays } from '../../support/host/onScreen.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

describe('rescoring a run, in the editor', function () {
  this.timeout(240_000);
  let parts: GenEnvApi;
  let run: RunDir;
  let traces: Trace[];
  let reward = '';

  before(async () => {
    parts = await api();
    reward = join(workspaceFolder(), `flip-${randomUUID().slice(0, 8)}.reward.js`);
    run = await parts.service.start(await experimentFile('rescored', { epochs: 1 }));
    await landing(parts, run);
    const followed = await parts.catalog.follow(run);
    traces = await all(followed.reader.traces());
    followed.dispose();
    await writeFile(reward, 'export function reward() {\n  return 0;\n}\n');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(reward, { force: true });
  });

  const fails = ({ purpose, id }: Trace): boolean => purpose === 'train' && id.endsWith('r2');
  const solves = ({ id }: Trace): boolean => id.endsWith('r1');
  const journal = (): Promise<string> => readFile(join(run, 'journal.jsonl'), 'utf8');
  const text = (trace: Trace): string | undefined =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === traceUri(run, trace.id).toString())?.getText();

  it('shows exactly the flips of the reward as it stands in the editor, and opens them side by side', async () => {
    const document = await vscode.workspace.openTextDocument(reward);
    await vscode.window.showTextDocument(document);
    const edit = new vscode.WorkspaceEdit();
    const body = `export function reward(task, trace) {
  if (trace.id.endsWith('r2')) throw new Error('not today');
  return trace.id.endsWith('r1') ? 1 : 0;
}
`;
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), body);
    await vscode.workspace.applyEdit(edit);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    assert.ok(lenses.some(({ command }) => command?.command === 'genenv.rescoreRun'));
    const { result } = await vscode.commands.executeCommand<RescoreState>('genenv.rescoreRun', { run });
    const flips = traces.filter((trace) => fails(trace) || solves(trace) !== trace.verdict.success);
    assert.equal(document.isDirty, false);
    assert.equal(result?.attempts, traces.length);
    assert.equal(result.rows.flips, flips.length);
    assert.equal(result.rows.error, traces.filter(fails).length);
    assert.deepEqual(
      result.faults.map(({ place, attempts }) => [place?.replace(/^.*\.reward/, '*.reward'), attempts]),
      [['*.reward.js:2:38', traces.filter(fails).length]],
    );
    await pageSays('rescore', new RegExp(`${flips.length} of ${traces.length} attempts flip.*${flips[0]?.id ?? ''}`));
    await driver.screenshot('rescore-page');
    const [first = assert.fail('something flips')] = flips;
    await driver.pagePress('rescore', 'row', first.id, 'Enter');
    await until('trace and reward side by side', () => {
      const shown = vscode.window.visibleTextEditors.map(({ document: { uri } }) => uri.toString());
      return shown.includes(traceUri(run, first.id).toString()) && shown.includes(document.uri.toString());
    });
  });

  it('lays the verdicts over the recorded ones: documents and journal say so, until they are taken back', async () => {
    const trace = traces.find((one) => solves(one) && !one.verdict.success) ?? assert.fail('one is solved now');
    const recorded = (await vscode.workspace.openTextDocument(traceUri(run, trace.id))).getText();
    assert.match(recorded, /^verdict +not solved/m);
    await vscode.window.showTextDocument(traceUri(run, trace.id), { preview: false });
    const followed = await parts.catalog.follow(run);
    const kept = await KeptRescore.make(
      { run: followed.reader, file: reward, epochs: { first: 0, last: Infinity } },
      { dist, signal: new AbortController().signal },
    );
    const { draft } = kept;
    const { reward: judging, summary } = kept.rescored;
    const made = { draft, reward: judging, flips: summary.flips, errors: summary.fates.after.error };
    const { rescoring } = await parts.service.applyRescoring(run, made);
    await kept.dispose();
    followed.dispose();
    assert.equal(rescoring, '1');
    await until('the document says both', () =>
      /^verdict +solved \(rescored by flip-\w+\.reward\.js; recorded: not solved\)/m.test(text(trace) ?? ''),
    );
    assert.match(
      await journal(),
      /"type":"verdicts.rescored".*"rescoring":"1".*"files":\{"flip-\w+\.reward\.js":"[0-9a-f]{64}"\}/,
    );
    await driver.screenshot('rescored-trace');
    await vscode.commands.executeCommand('genenv.takeBackRescoring', { run });
    await until('the recorded one counts again', () => text(trace) === recorded);
    assert.match(await journal(), /"type":"rescoring.withdrawn".*"rescoring":"1"/);
  });
});
