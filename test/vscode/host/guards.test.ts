import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { sendJson, TestServer } from '../../support/endpoints/httpServer.ts';
import { api, experimentFile, next, shown, workspaceFolder } from '../../support/host/api.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
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

  it('tell of tasks that mean the same in other words, by an embedding server', async () => {
    const policy = new FakeServer('vllm');
    policy.context = 1_000_000;
    policy.says = (seed, { messages = [] }) => {
      const asked = messages.at(-1)?.content ?? '';
      const word = (n: number): string => (n % 46_656).toString(36).padStart(3, 'x');
      if (!asked.startsWith('Write')) return { content: seed % 2 === 0 ? 'yes' : 'no' };
      return { content: [1, 3, 5, 7, 11].map((n) => word(seed * n + n)).join(' ') };
    };
    await policy.start();
    // Seeds have directions of their own; whatever else is written has one.
    const embeddings = await TestServer.start((response, { body }) => {
      const { input } = z.object({ input: z.array(z.string()) }).parse(JSON.parse(body));
      const vectorOf = (text: string): number[] => {
        const [, seed] = /^seed (\d)/.exec(text) ?? [];
        return Array.from({ length: 9 }, (_, at) => (at === (seed === undefined ? 8 : Number(seed)) ? 1 : 0));
      };
      sendJson(response, { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) });
    });
    const name = `meaning-${randomUUID().slice(0, 8)}`;
    const domain = vscode.Uri.joinPath(vscode.Uri.file(workspaceFolder()), `${name}.domain.js`);
    await vscode.workspace.fs.writeFile(
      domain,
      new TextEncoder().encode(`
export const seeds = (split) => split !== 'base' ? [] : [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ prompt: 'seed ' + n + ' a b c', gold: 'yes' }));
export const environmentPrompt = ({ seed }) => 'Write another than ' + seed.prompt[0].content;
export const parse = (text) => ({ prompt: text, gold: 'yes' });
export const judge = ({ gold }, { answer }) => answer === gold;
`),
    );
    const endpoint = { kind: 'openai', url: policy.url, model };
    const embedding = { embeddingUrl: `${embeddings.url}/v1`, embeddingModel: 'directions' };
    const { experiment, file } = await experimentFile(name, {
      ...{ preset: 'default', mode: 'random', epochs: 500, domain: { file: `${name}.domain.js` } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
      ...{ generation: { families: 8, variations: 3, attempts: 1, ...embedding }, rollouts: { group: 2 } },
      validation: { every: 0 },
    });
    try {
      const dir = await parts.service.start({ experiment, file });
      const found = () => vscode.languages.getDiagnostics(file).find(({ code }) => code === 'collapse-of-meaning');
      while (found() === undefined) await next(vscode.languages.onDidChangeDiagnostics);
      const said = found()?.message ?? '';
      assert.match(said, /Collapse by meaning: 100 % of epoch \d+’s tasks mean nearly the same/);
      assert.match(said, /Raise generation\.temperature.*since epoch 1/s);
      assert.ok(
        !vscode.languages.getDiagnostics(file).some(({ code }) => code === 'collapse' || code === 'drift-of-meaning'),
      );
      await parts.service.stop(dir);
    } finally {
      await policy.stop();
      await embeddings.stop();
      await vscode.workspace.fs.delete(domain);
      await vscode.workspace.fs.delete(file);
    }
  });
});
