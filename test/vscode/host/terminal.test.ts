/** The command line that the extension brings, in a real terminal of a real VS Code. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { api, experimentFile, workspaceFolder } from '../../support/host/api.ts';
import { until } from '../../support/until.ts';
import { driver } from '../driver.ts';

describe('a terminal with genenv', () => {
  let terminal: vscode.Terminal;

  before(async () => {
    const opened = await vscode.commands.executeCommand<vscode.Terminal | undefined>('genenv.openTerminal');
    assert.ok(opened);
    terminal = opened;
  });
  after(() => terminal.dispose());

  /** The output of a command, once it has ended. */
  const said = async (words: string): Promise<string> => {
    const file = join(workspaceFolder(), 'said.txt');
    const ended = join(workspaceFolder(), `ended-${words.replaceAll(/\W/g, '')}`);
    terminal.sendText(`${words} > said.txt 2>&1; echo $? > "${ended}"`);
    await until(words, () => existsSync(ended));
    return readFile(file, 'utf8');
  };

  /** A picture of the output of commands that have ended. */
  const pictured = async (words: string, picture: string): Promise<void> => {
    const ended = join(workspaceFolder(), `${picture}-ended`);
    terminal.sendText(`clear; ${words}; touch "${ended}"`);
    await until(words, () => existsSync(ended));
    await driver.screenshot(picture);
  };

  it('runs it by its name, and it names itself so', async () => {
    assert.match(await said('genenv --version'), /^\d+\.\d+\.\d+\n$/);
    assert.match(await said('genenv check nothing.genenv.json'), /nothing\.genenv\.json/);
    await pictured('genenv --help | head -20', 'terminal');
  });

  it('runs an experiment in the folder, which the editor finds', async () => {
    const { catalog } = await api();
    await experimentFile('typed', { epochs: 1, validation: { tasks: 8 } });
    const told = await said('genenv run typed.genenv.json');
    await until(told, () => catalog.runs.some(({ head }) => head.name === 'typed' && head.state === 'finished'));
    await pictured('genenv list', 'terminal-list');
  });
});
