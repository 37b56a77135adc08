import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
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
    await driver.command('GenEnv: Focus on Endpoints View');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const file of files) await rm(file.fsPath);
    await stop(server);
    elsewhere.remove();
  });

  it('are listed by address, with how they are and what is missing', async () => {
    const address = server.url.replace('http://', '');
    await rows((text) => new RegExp(`Embedded[^]*${address}answers · Tinker`).test(text));
    await rows((text) => /127\.0\.0\.1:9no key · Tinker/.test(text));
    await driver.press('ArrowDown', 'ArrowDown', 'ArrowRight');
    await rows((text) => /genenv\/agentserved · context 256 tokens/.test(text));
    await driver.screenshot('endpoints');
  });

  it('are examined into a document that can be pasted', async () => {
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
