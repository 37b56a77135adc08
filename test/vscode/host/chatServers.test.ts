import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Workspace } from '../../support/genenv.ts';
import { api, experimentFile } from '../../support/host/api.ts';
import { rows } from '../../support/host/onScreen.ts';
import { served, stop, type Served } from '../../support/serve/served.ts';
import { driver } from '../driver.ts';

describe('an OpenAI-compatible server, in the editor', () => {
  const elsewhere = new Workspace();
  let server: Served;
  let file: vscode.Uri;
  const url = () => `${server.url}/v1`;

  before(async () => {
    await api();
    server = await served(elsewhere);
    const environment = { kind: 'openai', url: url(), key: null, model: 'genenv/environment' };
    ({ file } = await experimentFile('on-a-chat-server', { mode: 'random', endpoints: { environment } }));
    await driver.command('GenEnv: Focus on Endpoints View');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(file.fsPath);
    await stop(server);
    elsewhere.remove();
  });

  it('is examined by what it does', async () => {
    await rows((text) => /\/v1not allowed yet · OpenAI-compatible/.test(text));
    await vscode.commands.executeCommand('genenv.endpointDoctor', { kind: 'server', id: `openai ${url()}` });
    await rows((text) => /\/v1reachable · OpenAI-compatible/.test(text));
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^# Endpoint Doctor: openai at http:\S+, model genenv\/environment$/m);
    assert.match(text, /✓ \*\*Stop texts\*\*/);
    assert.match(text, /✓ \*\*Frozen\*\*/);
    assert.doesNotMatch(text, /^- ✗/m);
    await driver.screenshot('doctor-chat');
  });
});
