/**
 * `npm run peers`: what GenEnv is used with, tried with the real packages of others. They are installed once, into `.peers/`.
 * What this machine cannot have is named loudly and fails nothing. `npm run peers -- verifiers` tries one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { peers } from '../../test/support/peers/pythons.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const reportSchema = z.object({
  passes: z.int(),
  failures: z.int(),
  skipped: z.array(z.object({ title: z.string(), reason: z.string() })),
});

const all = (await Array.fromAsync(glob('test/peers/*.test.ts', { cwd: root }))).sort();
const wanted = process.argv[2] ?? '';
const chosen = all.filter((file) => basename(file).startsWith(wanted));
if (chosen.length === 0) {
  const names = all.map((file) => basename(file, '.test.ts')).join(', ');
  console.error(`There are no tests of “${wanted}”. There are: ${names}.`);
  process.exit(2);
}
const versions = Object.entries(peers).map(([name, { version }]) => `${name} ${version}`);
console.log(
  `Against ${versions.join(', ')}, in .peers/. What is missing there is installed first: some minutes, 1.5 GB; tinkerCookbook and skyrl stand on torch, 6 GB more.`,
);

const output = join(tmpdir(), `genenv-peers-${process.pid}.json`);
const mocha = spawn(
  process.execPath,
  [
    join(root, 'node_modules/.bin/mocha'),
    ...['--no-config', '--forbid-only', '--fail-zero', '--exit', '--timeout', '600000'],
    ...['--reporter', join(root, 'test/support/reporter.cjs'), '--reporter-option', `output=${output}`, ...chosen],
  ],
  { cwd: root, stdio: 'inherit' },
);
await once(mocha, 'exit');
const report = reportSchema.parse(JSON.parse(await readFile(output, 'utf8')));
await rm(output, { force: true });
for (const { title, reason } of report.skipped) console.log(`\n!!! NOT TRIED: ${title}\n!!! ${reason}`);
console.log(`\n${report.passes} passed, ${report.failures} failed, ${report.skipped.length} not tried`);
process.exit(mocha.exitCode ?? 1);
