// `node scripts/bootstrap.mjs [--no-build] SCRIPT …`: makes a fresh clone ready (dependencies, build), then runs SCRIPT on
// the project's own Node. Plain JavaScript without dependencies: it must run on any Node ≥ 20, before anything is there.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFrom, fingerprint } from './sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = 24;
const lock = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
const marker = join(modules, '.genenv-installed');

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

/** @param {string} version */
const major = (version) => Number(version.replace(/^v/, '').split('.')[0]);

/**
 * Quiet while it goes well; all it said when it does not.
 * @param {string} notice @param {string} command @param {string[]} args
 */
function work(notice, command, args) {
  console.error(notice);
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error === undefined && status === 0) return;
  console.error(`${stdout ?? ''}${stderr ?? ''}`);
  const line = [basename(command), ...args.map((arg) => arg.replace(root, ''))].join(' ');
  fail(`${line} failed${error === undefined ? ` (exit code ${status})` : `: ${error.message}`}. See above for why.`);
}

/** npm as it was called, else the one on the path. @param {string[]} args @returns {[string, string[]]} */
function npm(args) {
  const cli = process.env.npm_execpath ?? '';
  return /^npm-cli\.c?js$/.test(basename(cli)) ? [process.execPath, [cli, ...args]] : ['npm', args];
}

/** Installs when the lock file is not the one that was installed. */
function install() {
  const locked = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === locked) return;
  // npm writes its own copy of the lock file last: newer than ours, someone has installed by hand since.
  const installed = statSync(join(modules, '.package-lock.json'), { throwIfNoEntry: false });
  if (installed === undefined || installed.mtimeMs < statSync(lock).mtimeMs) {
    work('Installing dependencies (once; a minute or two)…', ...npm(['ci', '--no-audit', '--no-fund']));
  }
  writeFileSync(marker, locked);
}

/** The project's Node; the one that runs this file where it is new enough. */
function findNode() {
  const own = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const { stdout, error } = spawnSync(own, ['--version'], { encoding: 'utf8' });
  const version = error === undefined ? (stdout ?? '').trim() : '';
  if (version !== '' && major(version) >= wanted) return own;
  if (major(process.version) >= wanted) return process.execPath;
  const found = version === '' ? `${own} is missing or does not start` : `${own} is ${version}`;
  fail(
    `This project runs on Node ${wanted}, which the package "node" brings by its install script; ${found}.\n` +
      'Let that script run with: npm rebuild node --ignore-scripts=false\n' +
      `Or start with a Node ${wanted} of your own (this is ${process.version}).`,
  );
}

/** Builds when the sources are not the ones that were built. @param {string} node */
function build(node) {
  const built = builtFrom(root);
  if (existsSync(built) && readFileSync(built, 'utf8') === fingerprint(root)) return;
  work('Building (a few seconds)…', node, [join(root, 'scripts', 'build.mjs')]);
}

/** @param {string | undefined} script */
const isCommandLine = (script) => script === join(root, 'dist', 'cli.js');

/** Runs the script in this process's place: same terminal, same signals, same exit. @param {string} node @param {string[]} args */
function become(node, args) {
  // npm starts scripts in the clone, and says where the person stands: files that they name lie there.
  const stands = isCommandLine(args[0]) ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd();
  const away = relative(root, stands);
  const prefix = away.startsWith('..') || isAbsolute(away) ? `--prefix ${relative(stands, root) || '.'} ` : '';
  const child = spawn(node, args, {
    cwd: stands,
    stdio: 'inherit',
    // How the command line should say it is called: it is not on the path of a clone.
    env: { GENENV_COMMAND: `npm ${prefix}run genenv --`, ...process.env },
  });
  child.on('error', (error) => fail(`${node} does not start: ${error.message}`));
  // A terminal gives Ctrl-C to the child as well; a supervisor gives its signals to this process alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 1 : constants.signals[signal]));
  });
}

const args = process.argv.slice(2);
const builds = args[0] !== '--no-build';
const [script, ...rest] = builds ? args : args.slice(1);
if (script === undefined) fail('Usage: node scripts/bootstrap.mjs [--no-build] SCRIPT …');
if (major(process.version) < 20) fail(`This needs Node 20 or newer to start; this is ${process.version}.`);
install();
const node = findNode();
if (builds) build(node);
become(node, [join(root, script), ...rest]);
