import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { taskUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { Expansion } from '../../../src/host/trees/expansion.ts';
import { OpenRuns } from '../../../src/host/trees/openRuns.ts';
import type { RunsNode } from '../../../src/host/trees/runs/node.ts';
import { everything } from '../../../src/host/trees/runs/treeFilter.ts';
import { RunsProvider } from '../../../src/host/trees/runs/runsProvider.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { successRate } from '../../../src/engine/math/successRate.ts';
import type { FamilyScore } from '../../../src/shared/journal/events.ts';
import { api, experimentFile, landing, next, shown, workspaceFolder } from '../../support/host/api.ts';
import { rows } from '../../support/host/onScreen.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { driver } from '../driver.ts';

const ofKind = <K extends RunsNode['kind']>(nodes: readonly RunsNode[], kind: K) =>
  nodes.filter((node): node is Extract<RunsNode, { kind: K }> => node.kind === kind);

describe('trees', () => {
  let parts: GenEnvApi;
  let open: OpenRuns;
  let provider: RunsProvider;
  let finished: RunDir;

  const start = async (name: string, settings = {}): Promise<RunDir> =>
    parts.service.start(await experimentFile(name, settings));

  before(async () => {
    parts = await api();
    open = new OpenRuns(parts.catalog);
    provider = new RunsProvider(parts.catalog, parts.service, open);
    finished = await start('recorded', { rollouts: { group: 4, baseShare: 0.25 } });
    await landing(parts, finished);
    while (parts.catalog.get(finished)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
  });

  after(async () => {
    provider.dispose();
    open.dispose();
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
  });

  const store = (): RunStore =>
    new RunStore(join(workspaceFolder(), '.genenv', 'runs'), {
      clock: { now: () => Date.now() },
      log: { info: () => undefined, warn: () => undefined },
      version: 'test',
    });
  const item = async (node: RunsNode): Promise<vscode.TreeItem> => provider.getTreeItem(node);

  it('remember rows that the editor asks for children of: that they were opened it may not have told', async () => {
    const kept = new Map<string, unknown>();
    const memory = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    const drawn = (): RunsProvider =>
      new RunsProvider(parts.catalog, parts.service, open, null, new Expansion(memory, 'open'));
    const [first, second] = [drawn(), drawn()];
    const row = first.model.runNode(finished);
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    assert.equal((await first.getTreeItem(row)).collapsibleState, Collapsed);
    const [epoch] = await first.getChildren(row);
    assert.equal((await second.getTreeItem(second.model.runNode(finished))).collapsibleState, Expanded);
    const [again] = ofKind(await second.getChildren(second.model.runNode(finished)), 'epoch');
    assert.ok(again !== undefined && again.id === epoch?.id);
    assert.equal((await second.getTreeItem(again)).collapsibleState, Collapsed);
    first.dispose();
    second.dispose();
  });

  it('say of a finished run how it went, in its row, aloud and when hovered', async () => {
    const node = provider.model.runNode(finished);
    const row = await item(node);
    assert.equal(row.label, 'recorded');
    assert.equal(row.contextValue, 'run.finished.none');
    // When it began, not how long ago that was when the row was made: rows stand for hours.
    assert.match(
      String(row.description),
      /^p̂ \d\.\d\d \[\d\.\d\d, \d\.\d\d\] · epoch 2\/2 · \d+ % in band · .*\b\d{4}, \d\d:\d\d$/,
    );
    assert.match(
      row.accessibilityInformation?.label ?? '',
      /^Run recorded, finished, epoch 2\/2, success rate 0\.\d\d,/,
    );
    const { tooltip } = await provider.resolveTreeItem(row, node);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    // Marks that Markdown would read are written by their numbers.
    const shown = tooltip.value.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
    assert.match(shown, /All 2 epochs are done/);
    assert.match(shown, /embedded/);
    assert.match(shown, /Next: /);
  });

  it('gather a study’s runs below its row, closed until one of them is asked for', async () => {
    const writer = await store().create({
      experiment: (await experimentFile('member')).experiment,
      study: { name: 'curricula', arm: 'a', seed: 1 },
    });
    await writer.session({ type: 'paused', reason: 'a test' });
    await writer.close();
    await shown(parts, writer.dir, ({ head }) => head.state === 'paused');
    const [study] = ofKind(await provider.getChildren(), 'study');
    assert.ok(study !== undefined);
    const row = await item(study);
    assert.deepEqual([row.label, row.description, row.contextValue], ['curricula', '1 paused', 'study']);
    assert.equal(row.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    await vscode.commands.executeCommand('genenv.runs.focus');
    await rows((text) => text.includes('curricula') && !text.includes('member'));
    await parts.runsTree.reveal({ run: writer.dir });
    await rows((text) => text.includes('member'));
    provider.model.filter = { runs: { text: 'member' }, families: {} };
    const [found] = ofKind(await provider.getChildren(), 'study');
    assert.ok(found !== undefined);
    assert.equal((await item(found)).collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    provider.model.filter = everything;
    await parts.service.remove(writer.dir, 'for-good');
  });

  it('lead from a run to its traces, which open as documents with their task', async () => {
    const epoch = await provider.model.locate({ run: finished, epoch: 2 });
    assert.equal(epoch?.kind, 'epoch');
    const asides = ofKind(await provider.getChildren(epoch), 'aside');
    const mixed = asides.find(({ aside }) => aside === 'mixed');
    const [task] = await provider.getChildren(mixed);
    assert.equal(task?.kind, 'mixed');
    const [trace] = await provider.getChildren(task);
    assert.equal(trace?.kind, 'trace');
    await vscode.commands.executeCommand('genenv.openTrace', trace);
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no document is open');
    assert.equal(document.uri.scheme, 'genenv-trace');
    assert.equal(document.languageId, 'genenv-record');
    assert.ok(document.getText().startsWith(`Trace ${trace.trace}\n`));
    // The task was not written by the run: it comes from what the run was started with.
    assert.match(document.getText(), /MENU .+ REQ .+/);
    assert.match(document.getText(), /── Gold /);
    await vscode.commands.executeCommand('genenv.openTask', task);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.ok(text.startsWith(`Task ${task.task}\n`));
    assert.match(text, new RegExp(`origin +base task`));
    assert.match(text, /── Attempts in epoch 2 ─+\nr0 +(?:not )?solved +/);
  });

  it('show a pool a page at a time', async () => {
    await vscode.commands.executeCommand('genenv.openPool', { run: finished, pool: 'agent', from: 500 });
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no document is open');
    assert.equal(document.uri.scheme, 'genenv-pool');
    const lines = document.getText().trimEnd().split('\n');
    assert.ok(lines.length <= 100);
    assert.match(lines[0] ?? '', /^\{"v":1,"kind":"base","task":"base\.500"/);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    assert.match(lenses[0]?.command?.title ?? '', /^D_train 501–\d+ of /);
  });

  it('grow with a run that goes on, and keep every node', async () => {
    const dir = await start('growing', { epochs: 3 });
    const run = provider.model.runNode(dir);
    const ended = landing(parts, dir);
    const seen = new Map<number, RunsNode>();
    const told = new Set<RunsNode | undefined>();
    const subscription = provider.onDidChangeTreeData((changed) => {
      for (const node of changed ?? [undefined]) told.add(node);
    });
    while (seen.size < 3) {
      for (const node of ofKind(await provider.getChildren(run), 'epoch')) {
        assert.equal(seen.get(node.epoch) ?? node, node);
        seen.set(node.epoch, node);
      }
      await wait(100);
    }
    await ended;
    // Changes arrive a moment later, several at once.
    while (!told.has(run)) await wait(50);
    subscription.dispose();
    const epochs = ofKind(await provider.getChildren(run), 'epoch');
    assert.deepEqual(
      epochs.map(({ epoch }) => epoch),
      [3, 2, 1],
    );
  });

  it('are taken to a place that someone asks for', async () => {
    const [trace] = (await all((await open.open(finished)).followed.reader.traces())).filter(
      ({ purpose, epoch }) => purpose === 'train' && epoch === 1,
    );
    await parts.runsTree.reveal({ run: finished, trace: trace!.id });
    const shown = await rows((text) => text.includes('r0'));
    assert.match(shown, /recorded/);
    assert.match(shown, /Epoch 1/);
  });

  it('show only what is asked for, say so, and show all again', async () => {
    await parts.runsTree.filter(finished, { epochs: [2, 2], successRate: [0, 1] });
    const shown = await rows((text) => text.includes('Epoch 2') && !text.includes('Epoch 1'));
    assert.ok(!shown.includes('growing'));
    await vscode.commands.executeCommand('genenv.clearFilter');
    await rows((text) => text.includes('growing'));
  });

  it('keep a filter under a name, to be chosen again', async () => {
    await parts.runsTree.filter(finished, { epochs: [1, 1] });
    await rows((text) => text.includes('Epoch 1') && !text.includes('Epoch 2'));
    const saving = vscode.commands.executeCommand('genenv.saveFilter');
    await driver.type('only the first');
    await saving;
    await vscode.commands.executeCommand('genenv.clearFilter');
    await rows((text) => text.includes('Epoch 2'));
    const choosing = vscode.commands.executeCommand('genenv.filterRuns');
    await driver.choose('only the first');
    await choosing;
    await rows((text) => text.includes('Epoch 1') && !text.includes('Epoch 2'));
    await vscode.commands.executeCommand('genenv.clearFilter');
  });

  it('show a change of settings on the epoch that it was made in', async () => {
    const dir = await start('changed', { epochs: 500 });
    await next(parts.service.onDidProgress, (run) => run.dir === dir && run.state.summaries.length > 0);
    await parts.service.change(dir, ['curriculum.beta=17']);
    const { facts } = await open.open(dir);
    const changed = () => [...facts.epochs.values()].find(({ changes }) => changes.length > 0);
    while (changed() === undefined) await wait(100);
    await parts.service.stop(dir);
    const epoch = changed()?.epoch ?? 0;
    const node = await provider.model.locate({ run: dir, epoch });
    assert.ok(node);
    assert.match(String((await item(node)).description), /β \d+ → 17/);
    const after = await provider.model.factsOf({ run: dir, epoch: epoch + 1 });
    if (after !== undefined) assert.equal(after.curriculum.beta, 17);
  });

  it('exclude a task by hand, journaled with its reason, and bring it back', async () => {
    const [scored] = (await open.open(finished)).followed.scoredEpochs;
    assert.ok(scored);
    const [family] = await (await open.open(finished)).families(scored);
    const task = family?.tasks[0]?.id ?? '';
    const node = await provider.model.locate({ run: finished, epoch: scored, family: family?.id ?? '', task });
    assert.ok(node?.kind === 'task');
    assert.equal((await item(node)).contextValue, 'task');
    const asking = vscode.commands.executeCommand('genenv.excludeTask', node);
    await driver.typeInto('Exclude Task', 'two readings');
    await asking;
    const excluded = async () => (await item(node)).contextValue === 'task.excluded';
    while (!(await excluded())) await wait(100);
    assert.match(String((await item(node)).description), /excluded: two readings/);
    const document = await vscode.workspace.openTextDocument(taskUri(finished, task));
    assert.match(document.getText(), /excluded by hand: two readings/);
    await vscode.commands.executeCommand('genenv.restoreTask', node);
    while (await excluded()) await wait(100);
    const journaled = (await all((await open.open(finished)).followed.reader.events())).flatMap((event) =>
      event.type === 'tasks.edited' ? event.edits : [],
    );
    assert.deepEqual(journaled, [
      { action: 'exclude', task, reason: 'two readings' },
      { action: 'restore', task },
    ]);
  });

  it('show an epoch of 10,000 tasks a page at a time', async () => {
    const { followed } = await open.open(finished);
    const events = await all(followed.reader.events());
    const families = Array.from({ length: 2500 }, (_, f): FamilyScore => {
      const rate = successRate(0, 32);
      const tasks = Array.from({ length: 4 }, (_, v) => ({
        ...{ id: `e1.f${f}.v${v}`, successes: 0, attempts: 8, environmentReward: 0.1, weight: 0 },
      }));
      return {
        ...{ id: `e1.f${f}`, seed: null, origin: 'generated', plan: '', tasks, successRate: rate, estimate: 0 },
        ...{ environmentReward: 0.1, kept: 0, weight: 0, complexity: {} },
      };
    });
    const { experiment } = followed.manifest;
    const { agent, environment } = experiment.endpoints;
    const endpoints = { agent: { ...agent, pricePerHour: 36_000 }, environment };
    const writer = await store().create({ experiment: { ...experiment, endpoints } });
    for (const event of events) {
      await writer.append(event.type === 'families.scored' && event.epoch === 1 ? { ...event, families } : event);
      if (event.type === 'epoch.finished') break;
    }
    await writer.session({ type: 'paused', reason: 'asked' });
    await writer.close();
    await parts.runsTree.reveal({ run: writer.dir, epoch: 1, family: 'e1.f2200' });
    await rows((text) => text.includes('e1.f2200'));
    // Of a run that is not over: the time and money left.
    const run = provider.model.runNode(writer.dir);
    const { tooltip } = await provider.resolveTreeItem(await item(run), run);
    const shown = tooltip instanceof vscode.MarkdownString ? tooltip.value : '';
    assert.match(shown, /Time left&nbsp;&nbsp; \| about \d+ s/);
    assert.match(shown, /Cost&nbsp;&nbsp; \| \S+ about \S+ left/);
    // The pages before it are drawn with it, and one more follows.
    const node = await provider.model.locate({ run: writer.dir, epoch: 1, family: 'e1.f10' });
    assert.equal(node?.kind, 'family');
    const page = await provider.getChildren(node.parent);
    const more = page.at(-1);
    assert.equal(more?.kind, 'more');
    assert.equal(page.length, 501);
    assert.equal((await item(more)).label, 'Show 500 more…');
    assert.equal((await item(more)).description, '2,000 not shown');
  });

  it('list folders that are no run, with what is wrong', async () => {
    const folder = join(workspaceFolder(), '.genenv', 'runs', 'no-run');
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(folder));
    while (!parts.catalog.problems.some(({ dir }) => dir === folder)) await parts.catalog.refresh();
    const problem = ofKind(await provider.getChildren(), 'problem').find(({ run }) => run === folder);
    assert.ok(problem);
    const row = await item(problem);
    assert.equal(row.label, 'no-run');
    const { tooltip } = await provider.resolveTreeItem(row, problem);
    assert.match(typeof tooltip === 'string' ? tooltip : '', /this folder is not a run.*move the folder away/);
  });

  it('tell what the embedded endpoint is, and which runs use it', async () => {
    await vscode.commands.executeCommand('genenv.endpoints.focus');
    // Where a run of another suite has a server, this one is closed at first.
    await rows((text) => text.includes('Embedded'));
    await vscode.commands.executeCommand('list.focusFirst');
    await vscode.commands.executeCommand('list.expand');
    const shown = await rows((text) => text.includes('Agent model') && text.includes('Used by'));
    assert.match(shown, /Embedded/);
    assert.match(shown, /Agent model\s*[\d,]+ parameters · weights [0-9a-f]{8}/);
  });

  it('list pools, the built-in domain and the adapters of the workspace, and mark one that is broken', async () => {
    await vscode.commands.executeCommand('genenv.data.focus');
    await rows((text) => text.includes('storekeeper'));
    const file = vscode.Uri.file(join(workspaceFolder(), 'mine.adapter.json'));
    const write = (text: string) => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    await write('{ "name": "My benchmark" }');
    assert.match(await rows((text) => text.includes('My benchmark')), /mine\.adapter\.json/);
    await write('{\n  "name": oops\n}');
    await rows((text) => text.includes('line 2'));
    await vscode.workspace.fs.delete(file);
    await rows((text) => !text.includes('line 2'));
  });

  it('export a pool to a file that is asked for', async () => {
    // Of a single epoch it is not asked which; every family is kept.
    const dir = await start('kept', { epochs: 1, curriculum: { filter: 'off' } });
    await landing(parts, dir);
    const target = join(workspaceFolder(), 'exported.jsonl');
    const exporting = vscode.commands.executeCommand('genenv.exportPool', { run: dir, pool: 'environment' });
    await driver.choose('Lines of GenEnv');
    const preview = await driver.message('of D_env as jsonl');
    assert.match(preview, /[\d,]+ rows of D_env as jsonl, [\d,]+ left out/);
    const shown = vscode.window.activeTextEditor?.document;
    assert.ok(shown !== undefined && !shown.isUntitled);
    assert.match(shown.getText(), /^# [\d,]+ rows of the environment pool as jsonl\n/);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', shown.uri);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['$(export) Write to a File…'],
    );
    await driver.answer('of D_env as jsonl', 'Write to a File…');
    // The editor's own dialog for files takes a while to fill itself in, and what is typed before that is lost.
    for (let tries = 0; tries < 5 && !existsSync(target); tries++) {
      await wait(2000);
      await driver.type(target);
      for (let waited = 0; waited < 20 && !existsSync(target); waited++) await wait(100);
    }
    assert.match(await driver.message('lines of D_env'), /exported\.jsonl/);
    await driver.answer('lines of D_env', 'Open');
    await exporting;
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.file(target)));
    const { facts } = await open.open(dir);
    assert.ok(facts.environmentPool().instances > 0);
    assert.equal(text.trimEnd().split('\n').length, facts.environmentPool().instances);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, target);
  });
});
