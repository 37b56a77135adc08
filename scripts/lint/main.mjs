// Lint: rules, with types, layers and words among them (oxlint), form (oxfmt), nothing unused (knip).
// `npm run lint` runs them one after another, `npm test` beside its suites.
import { spawnSync } from 'node:child_process';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

// The type checker below oxlint needs 2.4 GB; told to, it manages with 1.7, and takes 97 s of processor time instead of 60.
process.env.GOMEMLIMIT ??= totalmem() > 12e9 ? '3GiB' : '1400MiB';

/** @type {{ name: string, tool: string, args: string[] }[]} */
export const lintChecks = [
  { name: 'lint', tool: 'oxlint', args: [] },
  { name: 'format', tool: 'oxfmt', args: ['--check'] },
  { name: 'unused', tool: 'knip', args: [] },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const failed = lintChecks.filter(({ name, tool, args }) => {
    console.log(`- ${name}`);
    return spawnSync(`${root}node_modules/.bin/${tool}`, args, { cwd: root, stdio: 'inherit' }).status !== 0;
  });
  if (failed.length > 0) console.error(`Failed: ${failed.map(({ name }) => name).join(', ')}.`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
