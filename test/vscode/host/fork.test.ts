import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import type { Reattempt } from '../../../src/shared/records/reattempt.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { until } from '../../support/until.ts';
import { api, experimentFile, landing, next } from '../../support/host/api.ts';
import { driver } from '../driver.ts';

describe('forks of a trace', () => {
  let parts: GenEnvApi;
  let finished: RunDir;
  let trace: Trace;

  before(async () => {
    parts = await api();
    finished = await parts.service.start(
      await experimentFile('fork', {
        generation: { families: 8, variations: 2 },
        rollouts: { group: 8, maxTurns: 6 },
      }),
    );
    await landing(parts, finished);
    while (parts.catalog.get(finished)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    const followed = await parts.catalog.follow(finished);
    const traces = await all(followed.reader.traces());
    followed.dispose();
    const long = traces.find(
      ({ purpose, messages }) =>
        purpose === 'train' && messages.filter(({ role }) => role === 'assistant').length === 3,
    );
    assert.ok(long !== undefined, 'some attempt has three turns of the agent');
    trace = long;
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
  });

  const agentTurns = (): number[] => trace.messages.flatMap(({ role }, i) => (role === 'assistant' ? [i] : []));
  const uri = (): vscode.Uri => traceUri(finished, trace.id);
  const textOf = (): string =>
    vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri().toString())?.getText() ?? '';

  it('are begun above a turn, by the version and as often as asked', async () => {
    await vscode.commands.executeCommand('genenv.openTrace', { run: finished, trace: trace.id });
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri());
    const here = lenses.filter(({ command }) => command?.title === 'Fork Here…');
    assert.equal(here.length, trace.messages.length);
    const [, second = 0] = agentTurns();
    const begun = vscode.commands.executeCommand<Reattempt[]>(
      'genenv.forkTrace',
      here[second]?.command?.arguments?.[0],
    );
    await driver.choose('Sample this turn again');
    await driver.choose('agent@0');
    await driver.typeInto(`Fork ${trace.id}`, '6');
    const [fork] = await begun;
    assert.deepEqual([fork?.version, fork?.fork?.turn, fork?.traces.after.length], ['agent@0', second, 6]);
  });

  it('go on from a turn that was edited, by the buttons above its text', async () => {
    const [first = 0] = agentTurns();
    const begun = vscode.commands.executeCommand<Reattempt[]>('genenv.forkTrace', {
      ...{ run: finished, trace: trace.id, turns: [first], version: 'agent@0', attempts: 4 },
    });
    await driver.choose('Edit it, then continue after it');
    const edited = () =>
      vscode.workspace.textDocuments.find(({ uri: { scheme }, isClosed }) => scheme === 'untitled' && !isClosed);
    await until('the turn in an editor', () => edited()?.getText() === trace.messages[first]?.content);
    const [take] = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      edited()?.uri,
    );
    assert.equal(take?.command?.title, 'Fork with This Text');
    const text = trace.messages[first]?.content.replace(/\w+$/, '4') ?? '';
    const whole = new vscode.Range(0, 0, 0, text.length);
    await vscode.window.activeTextEditor?.edit((edit) => edit.replace(whole, text));
    await driver.screenshot('fork-edit');
    await vscode.commands.executeCommand(take.command.command);
    const [fork] = await begun;
    assert.equal(fork?.fork?.text, text);
    await until('the fork in the trace', () => textOf().includes(`from turn ${first + 1}, edited`));
  });

  it('at every turn say which decided, in the trace itself', async () => {
    await vscode.commands.executeCommand('genenv.openTrace', { run: finished, trace: trace.id });
    const forks = await vscode.commands.executeCommand<Reattempt[]>('genenv.forkTrace', {
      ...{ run: finished, trace: trace.id, turns: agentTurns(), text: null, version: 'agent@0', attempts: 8 },
    });
    assert.equal(forks.length, 3);
    await until('the forks in the trace', () =>
      agentTurns().every((turn) => textOf().includes(`from turn ${turn + 1} `)),
    );
    const text = textOf();
    for (const turn of agentTurns()) assert.match(text, new RegExp(`from turn ${turn + 1} .*p̂ \\d`));
    assert.match(text, /Turn \d+ decided for agent@\d+: with it, p̂ changes by|No turn decided clearly/);
    const editor = vscode.window.activeTextEditor;
    const line = text.split('\n').findIndex((one) => one.startsWith('── Forks'));
    editor?.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenter);
    await driver.screenshot('fork-trace');
  });
});
