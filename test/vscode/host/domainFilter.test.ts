/** A run of two domains in the editor: `domain:` finds the traces, and lists the tasks, of one of them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { factsOf } from '../../../src/features/pools/host/poolItems.ts';
import { poolFacts } from '../../../src/features/pools/host/poolFacts.ts';
import { OpenRuns } from '../../../src/host/trees/openRuns.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { sums } from '../../support/domains/sums.ts';
import { api, experimentFile, shown, workspaceFolder } from '../../support/host/api.ts';
import { pageSays, rows } from '../../support/host/onScreen.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { driver } from '../driver.ts';

/** Products, made of the sums. */
const products = sums['sums.domain.ts']
  .replaceAll(' + ${n}', ' * ${n}')
  .replace('gold: 2 * n', 'gold: n * n')
  .replace("'9 + 9', gold: 18", "'9 * 9', gold: 81")
  .replace('another sum', 'another product')
  .replace(String.raw` \+ `, String.raw` \* `)
  .replace('gold: Number(a) + Number(b)', 'gold: Number(a) * Number(b)');

describe('a run of two domains, filtered by the domain', function () {
  this.timeout(240_000);
  const server = new FakeServer('vllm');
  let parts: GenEnvApi;
  let folder = '';
  let run: RunDir;
  let traces: readonly Trace[];
  let tasks: readonly Task[];

  before(async () => {
    parts = await api();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const name = `two-${randomUUID().slice(0, 8)}`;
    folder = join(workspaceFolder(), name);
    await mkdir(folder);
    await writeFile(join(folder, 'sums.domain.ts'), sums['sums.domain.ts']);
    await writeFile(join(folder, 'products.domain.ts'), products);
    server.context = 1_000_000;
    server.says = (seed, { messages = [] }) => {
      const text = messages.at(-1)?.content ?? '';
      const [, a, sign, b] = /How much is (\d+) ([+*]) (\d+)\?/.exec(text) ?? [];
      if (a !== undefined) {
        const right = sign === '+' ? Number(a) + Number(b) : Number(a) * Number(b);
        return { content: String(right + (seed % 2)) };
      }
      const content = /another sum/.test(text)
        ? `${10 + (seed % 40)} + ${seed % 9}`
        : `${2 + (seed % 8)} * ${1 + (seed % 9)}`;
      return { content };
    };
    await server.start();
    const endpoint = { kind: 'openai', url: server.url, model };
    run = await parts.service.start(
      await experimentFile(name, {
        ...{ preset: 'default', mode: 'random', epochs: 1, agent: { train: false } },
        domains: [
          { file: `${name}/sums.domain.ts`, share: 3 },
          { file: `${name}/products.domain.ts`, share: 1 },
        ],
        endpoints: { agent: endpoint, environment: endpoint },
        ...{ generation: { families: 4, variations: 2, attempts: 4 }, rollouts: { group: 2 } },
        validation: { tasks: 2 },
      }),
    );
    await shown(parts, run, ({ head }) => head.state === 'finished');
    const followed = await parts.catalog.follow(run);
    traces = (await all(followed.reader.traces())).filter(({ purpose }) => purpose === 'train');
    tasks = await all(followed.reader.tasks());
    followed.dispose();
  });
  after(async () => {
    await vscode.commands.executeCommand('genenv.clearSearch');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await server.stop();
    await rm(`${folder}.genenv.json`);
    await rm(folder, { recursive: true, force: true });
  });

  const attemptedOf = (domain: string): string[] => [
    ...new Set(traces.flatMap((trace) => (trace.domain === domain ? [trace.task] : []))),
  ];

  for (const [query, own, other] of [
    ['domain:sums', 'sums', 'products'],
    ['domain:prod*', 'products', 'sums'],
    ['-domain:products', 'sums', 'products'],
  ] as const) {
    it(`finds by ${query} every trace of ${own}, and none of ${other}`, async () => {
      const [mine, theirs] = [attemptedOf(own), attemptedOf(other)];
      // Counts that differ tell one search from the one before it.
      assert.ok(
        mine.length > 0 && theirs.length > 0 && mine.length !== theirs.length,
        `${mine.length}, ${theirs.length}`,
      );
      const whole = `${query} purpose:train`;
      const asked = vscode.commands.executeCommand('genenv.searchTraces', { run, query: whole });
      await driver.choose(`Search for ${whole}`);
      await asked;
      const count = traces.filter(({ domain }) => domain === own).length;
      await vscode.commands.executeCommand('genenv.openSearchPage');
      const page = await pageSays('search', new RegExp(`\\b${count} traces`));
      for (const id of theirs) assert.ok(!page.includes(id), `${id} in ${page}`);
      await driver.screenshot('search-domain');
    });
  }

  it('lists in the task editor the tasks of one domain', async () => {
    await vscode.commands.executeCommand('genenv.editTasks', { run });
    await pageSays('tasks', /\d+ tasks/);
    for (const name of ['sums', 'products']) {
      const written = tasks.filter(({ domain, origin }) => domain === name && origin === 'generated').length;
      assert.ok(written > 0, name);
      await driver.pageType('tasks', 'textbox', 'Filter tasks', `domain:${name} origin:generated`);
      await pageSays('tasks', new RegExp(`\\b${written} of \\d+ tasks`));
    }
  });

  it('has the domains apart in the Runs tree, with their p̂, tasks and traces, and shows one that is asked for', async () => {
    const [task] = attemptedOf('products').filter((id) => id.startsWith('e1.'));
    const trace = traces.find((one) => one.task === task)?.id ?? assert.fail('a trace of a product');
    await parts.runsTree.reveal({ run, trace });
    const shown = await rows((text) => text.includes('r0') && text.includes('sums'));
    assert.match(shown, /Epoch 1[^]*sums *p̂ \d[^\n]*families kept[^]*products *p̂ \d[^\n]*families kept[^]*r0/);
    await driver.screenshot('runs-domains');
    const asking = vscode.commands.executeCommand('genenv.filterRuns');
    await driver.choose('Domain…');
    await driver.type('prod');
    await asking;
    await rows((text) => text.includes('products') && !/sums *p̂/.test(text));
    await vscode.commands.executeCommand('genenv.clearFilter');
    await rows((text) => /sums *p̂/.test(text));
  });

  it('has the parts of each domain in the Data Pools tree', async () => {
    const open = new OpenRuns(parts.catalog);
    try {
      const { facts, followed } = await open.open(run);
      const { domains, environment } = poolFacts(facts, followed.state);
      const held = ['sums', 'products'].map(
        (name) => domains.find(({ domain }) => domain === name) ?? assert.fail(name),
      );
      for (const part of held) {
        const written = tasks.filter(
          ({ domain, status, origin }) => domain === part.domain && status === 'accepted' && origin === 'generated',
        );
        assert.equal(part.written, written.length, part.domain);
        assert.equal(part.attempts, traces.filter(({ domain }) => domain === part.domain).length);
        assert.ok(part.base > 0);
      }
      assert.equal(
        held.reduce((sum, part) => sum + part.environment.instances, 0),
        environment.count,
      );
      const words = factsOf('agent', poolFacts(facts, followed.state), '').map((fact) => fact.join(': '));
      assert.match(words.join('\n'), /Domain products: \d+ tasks written · \d+ attempts/);
    } finally {
      open.dispose();
    }
  });
});
