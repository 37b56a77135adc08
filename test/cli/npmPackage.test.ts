/** The command line as npm installs it, in a folder that has nothing of the sources. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { packageCli } from '../../scripts/npm/packageCli.ts';
import '../support/built.ts';
import { ended, environment, Workspace, type Ended } from '../support/genenv.ts';
import { skip } from '../support/skip.ts';
import { tiny } from '../support/tiny.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const short = { ...tiny, epochs: 1 };
const study = {
  ...{ version: 1, name: 'two', base: 'tiny.genenv.json', seeds: [1], budget: { updates: 1 } },
  arms: { genenv: {}, random: { mode: 'random' } },
};
const reward = `import type { Result, Task, Trace } from './genenv-reward';
export function reward(task: Task, trace: Trace): Result {
  const right = trace.answer.trim() === task.gold;
  return { success: right, reward: right ? 1 : 0 };
}
`;

describe('genenv: installed from its npm package', function () {
  this.timeout(120_000);
  const workspace = new Workspace();
  const place = mkdtempSync(join(tmpdir(), 'genenv-installed-'));
  const installed = join(place, 'node_modules', 'genenv');
  // The program is started as a shell does, by its first line: that line finds this Node.
  const env = environment({ PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter) });
  const genenv = async (...args: string[]): Promise<Ended> =>
    ended(spawn(join(place, 'node_modules', '.bin', 'genenv'), args, { cwd: workspace.dir, env }));
  const done = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await genenv(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${err}`);
    return out;
  };

  before(async function () {
    if (process.platform === 'win32') skip(this, 'Windows starts no program by its first line');
    if (spawnSync('npm', ['--version']).error !== undefined) skip(this, 'there is no npm');
    const { file } = await packageCli(join(place, 'genenv.tgz'));
    const words = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', place, file];
    const { code, err } = await ended(spawn('npm', words, { cwd: place, env }));
    assert.equal(code, 0, err);
    workspace.write('tiny.genenv.json', short);
  });
  after(() => {
    workspace.remove();
    rmSync(place, { recursive: true, force: true });
  });

  it('names no dependency and no folder of this machine', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const { dependencies, private: isPrivate } = z
      .looseObject({ dependencies: z.unknown().optional(), private: z.unknown().optional() })
      .parse(manifest);
    assert.deepEqual([dependencies, isPrivate], [undefined, undefined]);
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), 'latin1');
      assert.ok(!text.includes(root), `${name} names ${root}`);
      assert.ok(!name.endsWith('.map'), name);
    }
  });

  it('has every page that its program names, and every file that a page leads to', () => {
    const missing = [];
    // Not those that an example writes: “> docs/mine.md”.
    for (const name of readdirSync(join(installed, 'dist', 'cli'))) {
      const code = readFileSync(join(installed, 'dist', 'cli', name), 'utf8');
      for (const [page] of code.matchAll(/(?<!> )\bdocs\/[\w/-]+\.md\b/g))
        if (!existsSync(join(installed, page))) missing.push(`${name}: ${page}`);
    }
    const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    for (const page of pages.filter((name) => name !== 'CHANGELOG.md')) {
      for (const [, link = ''] of readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)#\s:]+)[)#]/g))
        if (!existsSync(join(installed, dirname(page), link))) missing.push(`${page}: ${link}`);
    }
    assert.deepEqual(missing, []);
  });

  it('runs, shows and reports an experiment', async () => {
    assert.match(await done('--help'), /genenv/);
    await done('run', 'tiny.genenv.json', '--plain');
    const [id = ''] = readdirSync(workspace.runs);
    assert.match(await done('show', id), /tiny/);
    await done('report', id);
    assert.match(readFileSync(join(workspace.runs, id, 'report.html'), 'utf8'), /<html/);
  });

  it('runs a study whose attempts a TypeScript reward judges', async () => {
    workspace.write('mine.reward.ts', reward);
    workspace.write('tiny.genenv.json', { ...short, reward: { file: 'mine.reward.ts' } });
    workspace.write('two.study.json', study);
    await done('study', 'two.study.json');
    assert.match(await done('study', 'show', 'two.study.json'), /random/);
  });

  it('loads a domain that ships, in TypeScript below node_modules', async () => {
    assert.match(await done('check-domain', join(installed, 'dist', 'domains', 'stories.domain.ts')), /No problem/);
  });
});
