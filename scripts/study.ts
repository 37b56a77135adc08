/**
 * `npm run study`: makes what the studies of docs/studies start from (warm starts by seed, tasks written beforehand; kept
 * in docs/studies/made), then runs them, one after the other. Options are those of `genenv study`; what is made or finished stays.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const studies = join(root, 'docs', 'studies');
const made = join(studies, 'made');
const cli = join(root, 'dist', 'cli.js');

function node(...words: string[]): void {
  const { status, signal } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
}

const pretrain = (folder: string, ...words: string[]): void => {
  const out = join(made, folder);
  if (existsSync(join(out, 'agent.bin'))) return;
  node(join(root, 'scripts', 'pretrain.ts'), '--only', 'agent', '--out', out, ...words);
};

for (const seed of ['2', '3', '4', '5']) pretrain(`warm/${seed}`, '--seed', seed);
for (const seed of ['1', '2', '3', '4', '5']) {
  pretrain(`smooth/${seed}`, '--seed', seed, '--lengths', 'uniform', '--steps', '400');
}
// Written by the frozen environment, attempted by the agent before training: those solved now and then.
for (const [name, variations] of [
  ['offline-1x', '10'],
  ['offline-2x', '20'],
] as const) {
  const out = join(made, `${name}.jsonl`);
  if (existsSync(out)) continue;
  const from = join(studies, 'storekeeper.genenv.json');
  const words = ['--variations', variations, '--attempts', '8', '--solved', '0.1..0.9', '--out', out];
  node(cli, 'make-tasks', from, ...words);
}
for (const name of ['curricula', 'growth'])
  node(cli, 'study', join(studies, `${name}.study.json`), ...process.argv.slice(2));
