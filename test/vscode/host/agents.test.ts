/** Coding agents in a real VS Code: its tools, the server that it would start, and proposals that a person answers. */
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import { editorToolName, toolNames } from '../../../src/features/agents/core/toolNames.ts';
import type { WaitingProposal } from '../../../src/features/agents/host/proposalsView.ts';
import { ProposalFolder } from '../../../src/features/agents/node/proposals.ts';
import { api, experimentFile, landing, next, workspaceFolder } from '../../support/host/api.ts';
import { rows } from '../../support/host/onScreen.ts';
import { driver } from '../driver.ts';

const textOf = ({ content }: vscode.LanguageModelToolResult): string =>
  content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');

describe('coding agents', () => {
  let parts: GenEnvApi;
  let run: string;
  let file: vscode.Uri;
  let folder: ProposalFolder;

  const ask = async (name: string, input: object): Promise<string> =>
    textOf(await vscode.lm.invokeTool(editorToolName(name), { input, toolInvocationToken: undefined }));
  /** As the server writes it, in another process. */
  const propose = async (text: string, name = basename(file.fsPath)): Promise<WaitingProposal> => {
    const { id } = await folder.propose({ file: name, text, why: 'A test asks.', by: 'a test' });
    const known = (): WaitingProposal | undefined =>
      parts.agents.proposals.waiting.find(({ proposal }) => proposal.id === id);
    while (known() === undefined) await next(parts.agents.proposals.onDidChangeTreeData);
    const waiting = known();
    assert.ok(waiting);
    return waiting;
  };
  const onDisk = (): Promise<string> => readFile(file.fsPath, 'utf8');
  const changed = async (seed: number): Promise<string> => (await onDisk()).replace(/"seed":\s*\d+/, `"seed": ${seed}`);

  before(async () => {
    parts = await api();
    const made = await experimentFile('agents', { epochs: 1 });
    ({ file } = made);
    run = await parts.service.start(made);
    await landing(parts, run);
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    folder = new ProposalFolder(workspaceFolder(), join(run, '..'), { now: () => Date.now() });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder.dir, { recursive: true, force: true });
  });

  it('have their tools among the editor’s, and the tools answer', async () => {
    const names = vscode.lm.tools.map(({ name }) => name);
    for (const name of toolNames) assert.ok(names.includes(editorToolName(name)), name);
    assert.match(await ask('list_runs', {}), new RegExp(`\\[${basename(run)}\\]\\(${vscode.env.uriScheme}://genenv`));
    assert.match(await ask('read_run', { run: basename(run) }), /## Epochs/);
    assert.match(await ask('read_run', { run: '../x' }), /there is no run/);
    assert.match(await ask('search_docs', { question: 'interval of p̂' }), /docs\/method\.md:\d+/);
  });

  it('are given a server for the folder, which starts and reads its runs', async () => {
    const [definition] = parts.agents.definitions.provideMcpServerDefinitions();
    assert.ok(definition);
    const env = Object.fromEntries(Object.entries(definition.env).map(([name, value]) => [name, String(value)]));
    const own = Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const client = new Client({ name: 'a test', version: '1' });
    const { command, args } = definition;
    await client.connect(new StdioClientTransport({ command, args, env: { ...Object.fromEntries(own), ...env } }));
    try {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [...toolNames],
      );
      const answer = JSON.stringify(await client.callTool({ name: 'list_runs', arguments: {} }));
      assert.ok(answer.includes(basename(run)), answer);
    } finally {
      await client.close();
    }
  });

  it('may start runs by a setting of the machine alone', async () => {
    assert.match(
      await ask('start_run', { experiment: basename(file.fsPath) }),
      /may not start.*genenv\.agents\.mayStart/,
    );
    const settings = vscode.workspace.getConfiguration('genenv');
    await assert.rejects(async () => settings.update('agents.mayStart', true, vscode.ConfigurationTarget.Workspace));
    const flags = (): string[] =>
      parts.agents.definitions.provideMcpServerDefinitions().flatMap(({ args }) => args.slice(5));
    assert.deepEqual(flags(), []);
    const told = next(parts.agents.definitions.onDidChangeMcpServerDefinitions);
    await settings.update('agents.mayStart', true, vscode.ConfigurationTarget.Global);
    try {
      await told;
      assert.deepEqual(flags(), ['--may-start']);
    } finally {
      await settings.update('agents.mayStart', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.deepEqual(flags(), []);
  });

  it('propose, and a person sees the difference and accepts it', async () => {
    const text = await changed(11);
    const waiting = await propose(text);
    assert.notEqual(await onDisk(), text);
    await vscode.commands.executeCommand('genenv.data.focus');
    await rows((shown) => /Proposals1[^]*A test asks/.test(shown));
    assert.equal(parts.agents.proposals.badge?.value, 1);
    await driver.screenshot('proposals');
    await vscode.commands.executeCommand('genenv.openProposal', waiting);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.fsPath, file.fsPath);
    assert.equal((await vscode.workspace.openTextDocument(input.modified)).getText(), text);
    // From the button of the difference, which gives its document.
    await vscode.commands.executeCommand('genenv.acceptProposal', input.modified);
    assert.equal(await onDisk(), text);
    assert.deepEqual(parts.agents.proposals.waiting, []);
    assert.equal((await folder.all()).proposals[0]?.answer, 'accepted');
    const shown = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input: one }) => one));
    assert.ok(!shown.some((one) => one instanceof vscode.TabInputTextDiff), 'The difference is closed.');
  });

  it('are refused without a change', async () => {
    const before = await onDisk();
    const waiting = await propose(await changed(12));
    await vscode.commands.executeCommand('genenv.refuseProposal', waiting);
    assert.equal(await onDisk(), before);
    assert.equal((await folder.all()).proposals[0]?.answer, 'refused');
  });

  it('overwrite neither what has changed since nor what is not saved yet', async () => {
    const waiting = await propose(await changed(13));
    const mine = `${await changed(14)}\n`;
    await writeFile(file.fsPath, mine);
    void vscode.commands.executeCommand('genenv.acceptProposal', waiting);
    // The refusal is a message that waits for a person; what counts is that the file and the proposal are as they were.
    const how = await import('../../../src/features/agents/host/answerProposals.ts');
    await assert.rejects(how.acceptProposal(parts.agents.proposals, waiting), /has changed since this was proposed/);
    assert.equal(await onDisk(), mine);
    // A row stays itself when the proposals are read anew while a person clicks.
    await parts.agents.proposals.look();
    await vscode.commands.executeCommand('genenv.refuseProposal', waiting);
    const second = await propose(await changed(15));
    const editor = await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    await assert.rejects(how.acceptProposal(parts.agents.proposals, second), /changes that are not saved/);
    assert.equal(await onDisk(), mine);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('genenv.refuseProposal', second);
  });

  it('propose new files, compared with nothing', async () => {
    const waiting = await propose(await changed(16), 'fresh.genenv.json');
    await vscode.commands.executeCommand('genenv.openProposal', waiting);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), '');
    await vscode.commands.executeCommand('genenv.acceptProposal', waiting);
    assert.equal(await readFile(join(workspaceFolder(), 'fresh.genenv.json'), 'utf8'), await changed(16));
  });
});
