/**
 * Runs mocha files inside the extension host of a real VS Code:
 *
 *     node test/vscode/run.ts [--vsix FILE] [--theme light] [--grep TEXT] test/vscode/host/foo.test.ts
 */
import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runInDesktop } from './desktop.ts';
import { optionsVariable, portVariable, type SuiteOptions } from './link.ts';
import { Runner } from './runner.ts';
import { runInServer } from './serverSuite.ts';
import { demoWorkspace } from './workspace.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Workspace folder; a copy of the demo when absent. */
    folder: { type: 'string' },
    /** Tests the packaged extension instead of the development folder. */
    vsix: { type: 'string' },
    theme: { type: 'string', default: 'dark' },
    /** Folders open in Restricted Mode. */
    trust: { type: 'boolean', default: false },
    grep: { type: 'string' },
    /** Milliseconds for one test. */
    timeout: { type: 'string', default: '240000' },
    /** How often a failed test is tried again. */
    retries: { type: 'string', default: '0' },
    /** Seconds for the whole suite. */
    limit: { type: 'string', default: '1800' },
    /** File to write the counts to. */
    output: { type: 'string' },
    /** Desktop VS Code: downloaded by @vscode/test-electron, or the one that VSCODE_EXECUTABLE names. */
    desktop: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

if (positionals.length === 0) throw new Error('Name the test files: test/vscode/host/*.test.ts');

const runner = new Runner();
const options: SuiteOptions = {
  files: positionals.map((file) => resolve(file)),
  timeout: Number(values.timeout),
  retries: Number(values.retries),
  color: process.stdout.isTTY,
  ...(values.grep !== undefined && { grep: values.grep }),
};
const env = { [portVariable]: String(await runner.listen()), [optionsVariable]: JSON.stringify(options) };
const folder = values.folder ?? (await demoWorkspace());
const inWindow = (values.desktop ? runInDesktop : runInServer)({
  folder,
  tests: fileURLToPath(new URL('entry.cjs', import.meta.url)),
  env,
  theme: values.theme,
  trust: values.trust,
  vsix: values.vsix,
  verbose: values.verbose,
  onWindow: (win) => runner.drives(win),
});
let trouble = 'the window closed before the suite was over';
const limit = sleep(Number(values.limit) * 1000, undefined, { ref: false }).then(() => {
  trouble = `it took longer than ${values.limit} s`;
});
await Promise.race([
  inWindow.catch((error: unknown) => {
    trouble = String(error instanceof Error ? error.stack : error);
  }),
  limit,
]);
// The last line may still be on its way.
const ended = await Promise.race([runner.counts, sleep(1000, undefined, { ref: false })]);
const counts = ended ?? runner.unfinished(trouble);
if (ended === undefined) console.error(`The suite ${counts.failed.at(-1) ?? ''}`);
if (values.output !== undefined) await writeFile(values.output, JSON.stringify(counts));
if (values.folder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(counts.failures === 0 ? 0 : 1);
