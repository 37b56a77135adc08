/** Mocha inside the extension host: the report goes to the runner line by line, and so do the counts. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { connectDriver, driver, tell } from './driver.ts';
import { optionsSchema, optionsVariable, portVariable, type Counts } from './link.ts';
import { skippedFor } from '../support/skip.ts';

export async function runSuite(): Promise<void> {
  const socket = connect(Number(process.env[portVariable]), '127.0.0.1');
  await once(socket, 'connect');
  connectDriver(socket);
  const { files, ...options } = optionsSchema.parse(JSON.parse(process.env[optionsVariable] ?? '{}'));
  const say = (...args: unknown[]): void => tell({ kind: 'line', text: format(...args) });
  Mocha.reporters.Base.consoleLog = say;
  // VS Code seals the properties of its own console.
  const spoken = new Set<string | symbol>(['log', 'info', 'warn', 'error']);
  globalThis.console = new Proxy(console, {
    get: (target, key): unknown => (spoken.has(key) ? say : Reflect.get(target, key)),
  });
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', forbidOnly: true, failZero: true, ...options });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  // Notifications with buttons stay, and the editor shows three at once: a suite begins with none of another's.
  for (const suite of mocha.suite.suites) {
    suite.beforeAll(async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
    });
  }
  // A test that is tried again begins without what it left asking or unsaved: a dialog would stop all tests after it.
  mocha.suite.afterEach(async function () {
    if (this.currentTest?.isPassed() === true || this.currentTest?.isPending() === true) return;
    await driver.screenshot(`failed-${this.currentTest?.title ?? ''}`.replaceAll(/[^\p{L}\p{N}]+/gu, '-'));
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });
  const failed: string[] = [];
  const skipped: Counts['skipped'] = [];
  const retried: string[] = [];
  let last = '';
  const failures = await new Promise<number>((resolve) => {
    const tellCounts = (hasEnded: boolean): void => {
      const { passes = 0, failures = 0 } = runner.stats ?? {};
      tell({ kind: 'counts', counts: { last, passes, failures, failed, skipped, retried }, hasEnded });
    };
    const runner = mocha.run((count) => {
      tellCounts(true);
      resolve(count);
    });
    // A window that dies takes no other count with it than that of its last test.
    runner.on('test end', (test) => {
      last = test.fullTitle();
      tellCounts(false);
    });
    runner.on('pending', (test) => skipped.push({ title: test.fullTitle(), reason: skippedFor(test) }));
    runner.on('retry', (test: Mocha.Test, error: Error) => {
      retried.push(`${test.fullTitle()}: ${error.message}`);
    });
    runner.on('fail', (test, error: Error) => failed.push(`${test.fullTitle()}\n${error.stack ?? error.message}`));
  });
  // The window closes when this returns: let the last lines out first.
  await new Promise<void>((resolve) => socket.end(resolve));
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}
