import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ended, type Ended } from '../support/genenv.ts';

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));

/** A project of one source file, whose npm and build only note that they were called. */
class Clone {
  readonly dir = mkdtempSync(join(tmpdir(), 'genenv-clone-'));
  /** Where the person who calls npm stands; null: in the clone. */
  stands: string | null = null;
  readonly #bin = join(this.dir, 'fake-bin');

  constructor() {
    for (const folder of ['scripts', 'src', 'fake-bin']) mkdirSync(join(this.dir, folder));
    for (const name of ['bootstrap.mjs', 'sources.mjs'])
      copyFileSync(join(scripts, name), join(this.dir, 'scripts', name));
    this.write('package-lock.json', '{"lockfileVersion": 3}');
    this.write('src/a.ts', 'export const a = 1;');
    this.write(
      'scripts/build.mjs',
      `import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { builtFrom, fingerprint } from './sources.mjs';
const root = new URL('..', import.meta.url).pathname;
if (existsSync(root + 'broken')) { console.log('the compiler says why'); process.exit(3); }
mkdirSync(root + 'dist', { recursive: true });
writeFileSync(builtFrom(root), fingerprint(root));
appendFileSync(root + 'log', 'build\\n');`,
    );
    this.write('scripts/hello.mjs', `console.log('hello', process.argv.slice(2).join(' ')); process.exit(7);`);
    this.write(
      'scripts/wait.mjs',
      `process.on('SIGINT', () => process.exit(130)); console.log('ready'); setInterval(() => {}, 1000);`,
    );
    // npm ci: notes itself, and brings the project's Node.
    const npm = `#!/bin/sh
echo "npm $*" >> log
if [ -e no-network ]; then echo "no network"; exit 1; fi
mkdir -p node_modules/node/bin && ln -sf '${process.execPath}' node_modules/node/bin/node && cp package-lock.json node_modules/.package-lock.json
`;
    writeFileSync(join(this.#bin, 'npm'), npm, { mode: 0o755 });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.dir, name), text);
  }

  get log(): string[] {
    const path = join(this.dir, 'log');
    return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  }

  start(...args: string[]): ReturnType<typeof spawn> {
    const env = { ...process.env };
    // The npm that runs these tests is not the one to be called.
    delete env['npm_execpath'];
    delete env['INIT_CWD'];
    delete env['GENENV_COMMAND'];
    return spawn(process.execPath, [join(this.dir, 'scripts', 'bootstrap.mjs'), ...args], {
      cwd: this.dir,
      env: {
        ...env,
        ...(this.stands === null ? {} : { INIT_CWD: this.stands }),
        PATH: `${this.#bin}${delimiter}${process.env['PATH'] ?? ''}`,
      },
    });
  }

  run(...args: string[]): Promise<Ended> {
    return ended(this.start(...args));
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

describe('the set-up of a fresh clone', () => {
  let clone: Clone;
  beforeEach(() => (clone = new Clone()));
  afterEach(() => clone.remove());

  it('installs, builds and runs the script with its arguments and its exit code', async () => {
    const { code, out, err } = await clone.run('scripts/hello.mjs', '--a', 'b c');
    assert.deepEqual([code, out], [7, 'hello --a b c\n']);
    assert.deepEqual(clone.log, ['npm ci --no-audit --no-fund', 'build']);
    assert.match(err, /^Installing dependencies .*\nBuilding .*\n$/);
  });

  it('does nothing the second time, and only what is needed after a change', async () => {
    await clone.run('scripts/hello.mjs');
    const again = await clone.run('scripts/hello.mjs');
    assert.deepEqual([again.err, clone.log.length], ['', 2]);
    clone.write('src/a.ts', 'export const a = 22;');
    await clone.run('scripts/hello.mjs');
    assert.deepEqual(clone.log.slice(2), ['build']);
    clone.write('package-lock.json', '{"lockfileVersion": 3, "name": "changed"}');
    const later = new Date(Date.now() + 5000);
    utimesSync(join(clone.dir, 'package-lock.json'), later, later);
    await clone.run('--no-build', 'scripts/hello.mjs');
    assert.deepEqual(clone.log.slice(3), ['npm ci --no-audit --no-fund']);
  });

  it('runs the command line where the person stands, and says how it is called from there', async () => {
    mkdirSync(join(clone.dir, 'dist'));
    clone.write('dist/cli.js', `console.log(process.cwd() + ' | ' + process.env.GENENV_COMMAND);`);
    assert.equal((await clone.run('dist/cli.js')).out, `${clone.dir} | npm run genenv --\n`);
    mkdirSync(join(clone.dir, 'src', 'deeper'));
    clone.stands = join(clone.dir, 'src', 'deeper');
    assert.equal((await clone.run('dist/cli.js')).out, `${clone.stands} | npm run genenv --\n`);
    const own = mkdtempSync(join(tmpdir(), 'genenv-own-'));
    clone.stands = own;
    const prefix = `--prefix ../${basename(clone.dir)} `;
    assert.equal((await clone.run('dist/cli.js')).out, `${own} | npm ${prefix}run genenv --\n`);
    rmSync(own, { recursive: true });
  });

  it('takes what was installed by hand', async () => {
    mkdirSync(join(clone.dir, 'node_modules', 'node', 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(clone.dir, 'node_modules', 'node', 'bin', 'node'));
    clone.write('node_modules/.package-lock.json', '{}');
    await clone.run('scripts/hello.mjs');
    assert.deepEqual(clone.log, ['build']);
  });

  it('shows what failed, and does not run the script', async () => {
    clone.write('no-network', '');
    const offline = await clone.run('scripts/hello.mjs');
    assert.deepEqual([offline.code, offline.out], [1, '']);
    assert.match(offline.err, /no network\n\n+npm ci .* failed \(exit code 1\)/);
    rmSync(join(clone.dir, 'no-network'));
    clone.write('broken', '');
    const broken = await clone.run('scripts/hello.mjs');
    assert.deepEqual([broken.code, broken.out], [1, '']);
    assert.match(broken.err, /the compiler says why\n\n+.*build\.mjs failed \(exit code 3\)/);
    rmSync(join(clone.dir, 'broken'));
    assert.equal((await clone.run('scripts/hello.mjs')).code, 7);
  });

  it('passes signals on', async () => {
    const child = clone.start('scripts/wait.mjs');
    const end = ended(child);
    await new Promise((ready) => child.stdout?.once('data', ready));
    child.kill('SIGINT');
    assert.equal((await end).code, 130);
  });
});
