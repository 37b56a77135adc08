import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import * as z from 'zod';
import { api, experimentFile } from '../../support/host/api.ts';
import { rows } from '../../support/host/onScreen.ts';
import { Workspace } from '../../support/genenv.ts';
import { served, stop, type Served } from '../../support/serve/served.ts';
import { driver } from '../driver.ts';

describe('endpoints, in the editor', () => {
  const elsewhere = new Workspace();
  let server: Served;
  const files: vscode.Uri[] = [];

  before(async () => {
    await api();
    server = await served(elsewhere);
    const on = (url: string, role: string, key: string | null) => ({
      kind: 'tinker',
      url,
      key,
      model: `genenv/${role}`,
    });
    for (const [name, url, key] of [
      ['on-a-server', server.url, null],
      ['away', 'http://127.0.0.1:9', '${secret:gpu}'],
    ] as const) {
      const endpoints = { agent: on(url, 'agent', key), environment: on(url, 'environment', key) };
      files.push((await experimentFile(name, { endpoints })).file);
    }
    // Only rows in sight are drawn, and what other tests opened leaves room for few.
    await driver.command('GenEnv: Focus on Endpoints View');
    for (const view of ['runs', 'endpoints'])
      await vscode.commands.executeCommand(`workbench.actions.treeView.genenv.${view}.collapseAll`);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.getConfiguration('genenv').update('endpoints', undefined, true);
    // A second try of a test has pushed its file again.
    for (const file of files) await rm(file.fsPath, { force: true });
    await stop(server);
    elsewhere.remove();
  });

  it('are asked nothing before a person allows it, whatever a file names', async () => {
    const address = server.url.replace('http://', '');
    await rows((text) => new RegExp(`Embedded[^]*${address}not allowed yet · Tinker`).test(text));
    await rows((text) => /127\.0\.0\.1:9not allowed yet · Tinker/.test(text));
    await driver.screenshot('endpoints-to-allow');
  });

  it('are listed by address, with how they are', async () => {
    const address = server.url.replace('http://', '');
    await vscode.commands.executeCommand('genenv.allowEndpoint', { kind: 'server', id: `tinker ${server.url}` });
    await rows((text) => new RegExp(`Embedded[^]*${address}reachable · Tinker`).test(text));
    await rows((text) => /127\.0\.0\.1:9not allowed yet · Tinker/.test(text));
    // Runs of other tests may have servers of their own above this one.
    const lines = (await driver.treeItems()).split('\n').filter((line) => line !== '');
    const below =
      lines.findIndex((line) => line.includes(address)) - lines.findIndex((line) => line.startsWith('Embedded'));
    await driver.press('tree', ...new Array<string>(below + 1).fill('ArrowDown'), 'ArrowRight');
    await rows((text) => /genenv\/agentserved · context 256 tokens/.test(text));
    await driver.screenshot('endpoints');
  });

  it('are kept under a name, checked at once, and put into an order', async () => {
    const kept = () =>
      z
        .array(z.looseObject({ name: z.string(), key: z.string().nullish() }))
        .parse(vscode.workspace.getConfiguration('genenv').get('endpoints'));
    await driver.command('GenEnv: Add Endpoint…');
    await driver.choose('Tinker or SkyRL');
    await driver.choose('SkyRL or another server');
    await driver.typeInto('Address of the server', server.url);
    await driver.choose('No key');
    await driver.choose('genenv/environment');
    await driver.typeInto('Name of the endpoint', 'my GPU');
    assert.match(await driver.message('“my GPU” is saved'), /and it answers/);
    assert.deepEqual(
      kept().map(({ name, key }) => [name, key]),
      [['my GPU', null]],
    );
    // Its row is selected, and open unless the tree was refreshed while it opened.
    await rows((text) => /Embedded[^]*my GPUreachable · Tinker/.test(text));
    await wait(2000);
    if (!(await driver.treeItems()).includes('Addresshttp')) {
      await driver.command('GenEnv: Focus on Endpoints View');
      await driver.press('tree', 'ArrowRight');
    }
    await rows((text) => /my GPUreachable · Tinker[^]*Addresshttp[^]*served · context 256/.test(text));
    await driver.screenshot('endpoints-kept');
    // Its row is selected: closed, the others are in sight.
    await driver.command('Notifications: Clear All Notifications');
    await driver.command('GenEnv: Focus on Endpoints View');
    await driver.press('tree', 'ArrowLeft');

    await vscode.workspace
      .getConfiguration('genenv')
      .update('endpoints', [...kept(), { name: 'literal', kind: 'tinker', url: server.url, key: 'tml-secret' }], true);
    const shown = await rows((text) => /literal[^]*never written into a file/.test(text));
    assert.doesNotMatch(shown, /tml-secret/);
    await driver.screenshot('endpoints-refused');
    await vscode.workspace
      .getConfiguration('genenv')
      .update(
        'endpoints',
        [...kept().slice(0, 1), { name: 'second', kind: 'tinker', url: 'http://127.0.0.1:9' }],
        true,
      );
    await rows((text) => /my GPU[^]*second/.test(text));
    await vscode.commands.executeCommand('genenv.moveEndpointDown', { kind: 'server', id: 'named my GPU' });
    await rows((text) => /second[^]*my GPU/.test(text));
    assert.deepEqual(
      kept().map(({ name }) => name),
      ['second', 'my GPU'],
    );
    void vscode.commands.executeCommand('genenv.renameEndpoint', { kind: 'server', id: 'named second' });
    await driver.typeInto('Name of the endpoint', 'away');
    await rows((text) => /away[^]*my GPU/.test(text));
  });

  it('are edited field by field, each change checked as a file’s is and written as it is made', async () => {
    const editing = vscode.commands.executeCommand('genenv.editEndpoint', { kind: 'server', id: 'named my GPU' });
    await driver.choose('LoRA rank');
    await driver.typeInto('LoRA rank', '16');
    await driver.choose('Most requests in flight');
    await driver.typeInto('Most requests in flight', '3');
    await driver.choose('Name');
    await driver.typeInto('Name of the endpoint', 'rented');
    await rows((text) => /away[^]*rented/.test(text));
    await driver.press('quick input', 'Escape');
    await editing;
    const [, rented] = z
      .array(z.looseObject({ name: z.string() }))
      .parse(vscode.workspace.getConfiguration('genenv').get('endpoints'));
    assert.deepEqual([rented?.name, rented?.['rank'], rented?.['inFlight']], ['rented', 16, 3]);
  });

  it('are written into an experiment, where it can be undone', async () => {
    const { file } = await experimentFile('takes-one');
    files.push(file);
    void vscode.commands.executeCommand('genenv.useEndpoint', { kind: 'server', id: 'named rented' });
    await driver.choose('takes-one');
    await driver.choose('Environment');
    const wanted = {
      ...{ kind: 'tinker', url: server.url, key: null, model: 'genenv/environment' },
      ...{ rank: 16, inFlight: 3 },
    };
    const document = await vscode.workspace.openTextDocument(file);
    for (let text = ''; !text.includes('endpoints'); text = document.getText()) await wait(100);
    const { endpoints } = z
      .object({ endpoints: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(document.getText()));
    assert.deepEqual(endpoints, { environment: wanted });
    for (; document.isDirty;) await wait(100);
  });

  it('are examined into a document that can be pasted', async () => {
    await vscode.workspace.getConfiguration('genenv').update('endpoints', undefined, true);
    await rows((text) => text.includes(server.url.replace('http://', '')));
    const node = { kind: 'server', id: `tinker ${server.url}` };
    await vscode.commands.executeCommand('genenv.endpointDoctor', node);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'markdown');
    const text = document.getText();
    assert.match(text, /^# Endpoint Doctor: tinker at http:\S+, model genenv\/agent$/m);
    assert.match(text, /^# Endpoint Doctor: tinker at http:\S+, model genenv\/environment$/m);
    assert.match(text, /✓ \*\*Published weights are those just trained\*\*/);
    assert.doesNotMatch(text, /^- ✗/m);
    await driver.screenshot('doctor');
  });
});
