/** Attempts that programs led, in the editor: their branches, searched, attempted again and judged again. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { GenEnvApi } from '../../../src/extension.ts';
import { traceUri } from '../../../src/host/documents/layout/place.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { readReattempts } from '../../../src/runs/records/reattemptsFile.ts';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { cli } from '../../support/built.ts';
import { api, experimentFile, shown, workspaceFolder } from '../../support/host/api.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import type { RescoreState } from '../../../src/features/rescore/contract/page.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

/** Reads, forgets most of it as agents with a small context do, and answers. */
const agent = `
import json, os, sys, time, urllib.request
base, key, model = (os.environ["OPENAI_" + name] for name in ("BASE_URL", "API_KEY", "MODEL"))
task = json.load(sys.stdin)
def ask(*messages):
    body = json.dumps({"model": model, "messages": messages}).encode()
    headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(base + "/chat/completions", body, headers)) as answer:
        return {"role": "assistant", "content": json.load(answer)["choices"][0]["message"]["content"]}
user = lambda text: {"role": "user", "content": text}
system = {"role": "system", "content": "You mind a warehouse."}
first = ask(system, user("Look around the warehouse, shelf by shelf."))
ask(system, user("Look around the warehouse, shelf by shelf."), first, user("And behind the wardrobe?"))
if task["prompt"][0]["content"].startswith("Slowly"):
    time.sleep(8)
for _ in range(600):
    if not os.path.exists(HELD): break
    time.sleep(0.1)
last = ask(system, user("You saw a wardrobe and two shelves. " + task["prompt"][0]["content"]))
print(json.dumps({"reward": float(last["content"].endswith("2"))}))
`;
const domain = `
export const seeds = (split) => [{ prompt: split === 'base' ? 'How many shelves are there?' : 'How many wardrobes?', gold: '2' }];
export const environmentPrompt = () => 'Write a task.';
export const parse = (text) => ({ prompt: text, gold: '2' });
export const program = () => ({ command: ['python3', 'agent.py'] });
`;

describe('attempts that programs led', function () {
  this.timeout(240_000);
  let parts: GenEnvApi;
  let folder = '';
  /** While this file is there, programs wait before their last question. */
  const held = (): string => `${folder}.held`;
  let server: FakeServer;
  let run: RunDir;
  let trace: Trace;
  let started: (name: string, more: object) => Promise<RunDir>;
  /** How the environment's texts begin. */
  let pace = 'H';

  before(async () => {
    parts = await api();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const name = `programs-${randomUUID().slice(0, 8)}`;
    folder = join(workspaceFolder(), name);
    await mkdir(folder);
    await writeFile(join(folder, 'agent.py'), agent.replace('HELD', JSON.stringify(held())));
    await writeFile(join(folder, 'shelves.domain.js'), domain);
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    server.says = (seed, { messages = [] }) =>
      messages.at(-1)?.content === 'Write a task.'
        ? { content: `${pace}ow many shelves are there in room ${seed}?` }
        : { content: messages.length > 2 ? 'Nothing but dust.' : `I count ${1 + (seed % 2)}` };
    await server.start();
    const endpoint = { kind: 'openai', url: server.url, model };
    const settings = {
      ...{ preset: 'default', mode: 'random', epochs: 1, domain: { file: `${name}/shelves.domain.js` } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
      ...{ generation: { families: 2, variations: 1 }, rollouts: { group: 4, maxTurns: 4 } },
      ...{ validation: { tasks: 1 }, reward: { network: true } },
    };
    started = (of, more) => experimentFile(of, { ...settings, ...more }).then((file) => parts.service.start(file));
    run = await started(name, {});
    await shown(parts, run, ({ head }) => head.state === 'finished');
    const followed = await parts.catalog.follow(run);
    const traces = await all(followed.reader.traces());
    followed.dispose();
    const found = traces.find(({ purpose, verdict }) => purpose === 'train' && verdict.success);
    assert.ok(found, `one of ${traces.length} solved its task`);
    trace = found;
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await server.stop();
    await rm(`${folder}.genenv.json`);
    await rm(`${folder}-slow.genenv.json`);
    await rm(folder, { recursive: true, force: true });
  });

  const tasksOf = async (of: RunDir) => {
    const followed = await parts.catalog.follow(of);
    const tasks = await all(followed.reader.tasks());
    followed.dispose();
    return tasks;
  };
  const document = async (): Promise<vscode.TextDocument> => {
    await vscode.commands.executeCommand('genenv.openTrace', { run, trace: trace.id });
    return vscode.window.activeTextEditor?.document ?? assert.fail('no document is open');
  };

  it('are shown with what was rewritten, as branches whose turns are numbered on', async () => {
    const opened = await document();
    const text = opened.getText();
    assert.match(text, /^length .*· 1 branch$/m);
    assert.match(text, /── Attempt ─+\nsystem · turn 1\n {2}You mind a warehouse\.\n\nuser · turn 2\n {2}You saw/);
    assert.match(
      text,
      /assistant · turn 3 · final action\n {2}I count 2\n\n── Branch 1 ─+\nUp to turn 1 as before, then:\n/,
    );
    assert.match(text, /user · turn 4\n {2}Look around.*\n\nassistant · turn 5\n.*\n\nuser · turn 6\n {2}And behind/);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      opened.uri,
    );
    const branch = symbols.find(({ name }) => name === 'Branch 1');
    assert.deepEqual(
      branch?.children.map(({ name }) => name),
      ['user · turn 4', 'assistant · turn 5', 'user · turn 6', 'assistant · turn 7'],
    );
    await driver.screenshot('program-trace');
  });

  it('are found by what was said in a branch alone, and opened there', async () => {
    const asked = vscode.commands.executeCommand('genenv.searchTraces', { run, query: 'dust' });
    await driver.choose('Search for dust');
    await asked;
    await until('what was found', async () => (await driver.treeItems()).includes('Nothing but dust.'));
    await vscode.commands.executeCommand('genenv.search.focus');
    // The run, its epoch, the task, the attempt, where it says so.
    await driver.press('tree', 'Home', ...Array.from({ length: 4 }, () => 'ArrowDown'), 'Enter');
    const editor = await until('the word, selected', () => {
      const active = vscode.window.activeTextEditor;
      return active !== undefined && active.document.getText(active.selection) === 'dust' && active;
    });
    const heading = editor.document.lineAt(editor.selection.active.line - 1).text;
    assert.match(heading, /^assistant · turn [57]/);
    await vscode.commands.executeCommand('genenv.clearSearch');
  });

  it('stand side by side, branches in rows of their own', async () => {
    await vscode.commands.executeCommand('genenv.openAttempts', { run, task: trace.task, epoch: trace.epoch });
    let text = '';
    await until('the branches', async () => {
      text = await driver.pageText('attempts').catch(() => '');
      return text.includes('Branch 1, turn 4');
    });
    assert.match(text, /Branch 1[^,]*after turn 1/);
    await driver.screenshot('program-attempts');
  });

  it('are seen while they are under way', async () => {
    pace = 'Slowly: h';
    const slow = await started(`${basename(folder)}-slow`, {
      ...{ generation: { families: 1, variations: 1 }, rollouts: { group: 2, maxTurns: 4 }, validation: { every: 0 } },
    });
    const said = async () => (await parts.service.active.get(slow)?.said('e1.f0.v0'))?.attempts;
    await until('two that said something', async () => (await said()) === 2);
    await vscode.commands.executeCommand('genenv.openAttempts', { run: slow, task: 'e1.f0.v0' });
    const page = () => driver.pageText('attempts').catch(() => '');
    const isUnderWay = (text: string): boolean => /Under way: 2\s+r0 · \d turns?.*Nothing but dust\./s.test(text);
    await until('two attempts under way', async () => isUnderWay(await page()));
    await driver.screenshot('attempts-under-way');
    await shown(parts, slow, ({ head }) => head.state === 'finished');
    await until(
      'both, recorded',
      async () => /2\/\d|\d\/2 solved/.test(await page()) && !/Under way/.test(await page()),
    );
  });

  it('are seen while a runner makes them, before and after it was killed, by none but a page that shows them', async () => {
    const configuration = vscode.workspace.getConfiguration('genenv');
    const where = (value: string) => configuration.update('runs.where', value, vscode.ConfigurationTarget.Workspace);
    const runs = join(workspaceFolder(), '.genenv', 'runs');
    const genenv = (...words: string[]) => promisify(execFile)(process.execPath, [cli, ...words, '--root', runs]);
    const runner = async (): Promise<number> => {
      const text = await readFile(join(runs, '.runner', 'lease'), 'utf8');
      return z.looseObject({ pid: z.int().positive() }).parse(JSON.parse(text)).pid;
    };
    pace = 'H';
    await writeFile(held(), '');
    await where('runner');
    try {
      const slow = await started(`${basename(folder)}-slow`, {
        ...{ generation: { families: 1, variations: 1 }, rollouts: { group: 2, maxTurns: 4 } },
        validation: { every: 0 },
      });
      await until('its task', async () => (await tasksOf(slow)).length > 0);
      await vscode.commands.executeCommand('genenv.openAttempts', { run: slow, task: 'e1.f0.v0' });
      const page = () => driver.pageText('attempts').catch(() => '');
      const isUnderWay = async (): Promise<boolean> =>
        /Under way: 2\s+r0 · \d turns?.*Nothing but dust\./s.test(await page());
      await until('two attempts under way', isUnderWay);
      await driver.screenshot('attempts-of-runner');

      const active = parts.service.active.get(slow) ?? assert.fail('the runner executes it');
      const said = active.said.bind(active);
      let asked = 0;
      active.said = (task) => {
        asked += 1;
        return said(task);
      };
      await until('a question', () => asked > 0);
      await vscode.commands.executeCommand('genenv.openRunTable');
      const shownTab = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
      await until('the page to be hidden', () => !shownTab().includes('Attempts'));
      asked = 0;

      const first = await runner();
      process.kill(first, 'SIGKILL');
      await until('another runner', async () => (await runner().catch(() => first)) !== first);
      assert.equal(asked, 0);
      await vscode.commands.executeCommand('genenv.openAttempts', { run: slow, task: 'e1.f0.v0' });
      await until('two attempts under way again', isUnderWay);

      await parts.service.pause(slow, 'now');
      await shown(parts, slow, ({ head, writer }) => head.state === 'paused' && writer === null);
      await genenv('queue', 'remove', basename(slow)).catch(() => undefined);
      const other = genenv('resume', basename(slow));
      await until('a sentence', async () => (await page()).includes('Another process executes this run.'));
      await driver.screenshot('attempts-elsewhere');
      await rm(held());
      await other;
      await until(
        'both, recorded',
        async () => /\d\/2 solved/.test(await page()) && !/Under way|Another process/.test(await page()),
      );
    } finally {
      await rm(held(), { force: true });
      await genenv('runner', 'stop');
      await where('host');
    }
  });

  it('are made again by their program', async () => {
    const before = server.bodies.length;
    const asking = vscode.commands.executeCommand('genenv.reattemptTask', { run, task: trace.task });
    await driver.typeInto('Re-attempt', '3');
    await asking;
    const { reattempts } = await readReattempts(runPaths(run).reattempts);
    const after = reattempts[0]?.traces.after ?? [];
    assert.equal(reattempts[0]?.state, 'finished', reattempts[0]?.message ?? 'none');
    assert.deepEqual(
      after.map(({ branches }) => branches?.length),
      [1, 1, 1],
    );
    assert.ok(server.bodies.length >= before + 9);
    const again = await vscode.workspace.openTextDocument(traceUri(run, after[0]?.id ?? ''));
    assert.match(again.getText(), /── Branch 1 ─/);
  });

  it('are judged again by a reward, which reads their branches', async () => {
    const file = vscode.Uri.file(join(folder, 'branched.reward.js'));
    const said = `trace.branches.map(({ of, after, messages }) => [of, after, messages.length].join()).join() === '0,1,4'`;
    await writeFile(file.fsPath, `export const reward = (task, trace) => (${said} ? 1 : 0);\n`);
    await vscode.window.showTextDocument(file);
    const { result } = await vscode.commands.executeCommand<RescoreState>('genenv.rescoreRun', { run });
    assert.ok(result !== null && result.attempts > 8);
    assert.equal(result.rows.error, 0);
    assert.equal(result.faults.length, 0);
    const followed = await parts.catalog.follow(run);
    const unsolved = (await all(followed.reader.traces())).filter(({ verdict }) => !verdict.success);
    followed.dispose();
    // Whatever was not solved is now, and nothing that was solved is lost.
    assert.equal(result.rows.flips, unsolved.length);
  });
});
