import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { ShownTokens } from '../../../src/features/tokens/contract.ts';
import { traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { until } from '../../support/until.ts';
import { api, experimentFile, landing, next } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('the tokens of a trace', () => {
  let parts: GenEnvApi;
  let finished: RunDir;
  let trace: Trace;

  before(async () => {
    parts = await api();
    finished = await parts.service.start(
      await experimentFile('tokens', {
        agent: { loss: 'ppo' },
        generation: { families: 8, variations: 2 },
        rollouts: { group: 8 },
      }),
    );
    await landing(parts, finished);
    while (parts.catalog.get(finished)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    const followed = await parts.catalog.follow(finished);
    const traces = (await all(followed.reader.traces())).filter(({ purpose }) => purpose === 'train');
    followed.dispose();
    const taught = traces.find((one) =>
      traces.some(({ task, epoch, verdict }) => {
        const beside = task === one.task && epoch === one.epoch;
        return beside && verdict.reward !== one.verdict.reward;
      }),
    );
    assert.ok(taught !== undefined, 'some group teaches');
    trace = taught;
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
  });

  it('open above the trace, computed by the versions that the run keeps', async () => {
    await vscode.commands.executeCommand('genenv.openTrace', { run: finished, trace: trace.id });
    const uri = traceUri(finished, trace.id);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const lens = lenses.find(({ command }) => command?.title === 'Tokens');
    const shown = await vscode.commands.executeCommand<ShownTokens>('genenv.showTokens', lens?.command?.arguments?.[0]);
    assert.deepEqual([shown.trace, shown.sampledBy, shown.loss], [trace.id, trace.version, 'ppo']);
    const tokens = shown.answers.flatMap((answer) => answer.tokens);
    assert.deepEqual(
      tokens.map(({ sampled }) => sampled),
      trace.sequences.flatMap(({ logprobs }) => logprobs),
    );
    assert(shown.recomputed !== null && shown.recomputed < 1e-5);
    assert(tokens.every(({ entropy, ratio, advantage }) => entropy !== null && ratio !== null && advantage !== null));
    await until('the page', () => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputWebview && input.viewType.endsWith('genenv.tokens');
    });
    await driver.screenshot('tokens');
  });

  it('are shown once, and from the trace in front', async () => {
    await vscode.commands.executeCommand('vscode.open', traceUri(finished, trace.id));
    await until('the trace', () => vscode.window.activeTextEditor?.document.uri.scheme === 'genenv-trace');
    const shown = await vscode.commands.executeCommand<ShownTokens>('genenv.showTokens');
    assert.equal(shown.trace, trace.id);
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    assert.equal(open.filter(({ label }) => label === `Tokens: ${trace.id} · tokens`).length, 1);
  });
});
