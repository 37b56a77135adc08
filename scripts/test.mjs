// Everything that must hold: types, lint, tests, in lanes. Ends with what did not run and why, what failed, and one line
// over all of them, `N passed, N failed`.
import { spawn } from 'node:child_process';
import { glob, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { held, inLanes, lanesOf, say } from './lanes.ts';
import { lintChecks } from './lint/main.mjs';

const root = new URL('..', import.meta.url).pathname;
const bin = (name) => join(root, 'node_modules', '.bin', name);
/**
 * TypeScript 7 checks in a quarter of the time; tests read sources by the interface of the one before. Its threads check what
 * they share several times, and the other lanes need the cores.
 */
const tsc = [join(root, 'node_modules/typescript-7/bin/tsc'), '--noEmit', '--singleThreaded'];
const results = join(tmpdir(), `genenv-test-${process.pid}`);

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`The tests run on Node 24, not ${process.version}: start them with "npm test".`);
  process.exit(1);
}

// Hundreds of processes load the same sources: what one has compiled, or stripped of its types, the others read.
process.env.NODE_COMPILE_CACHE = `${results}-compiled`;

function run(command, args) {
  return new Promise((done) => {
    const later = held();
    const child = spawn(command, args, {
      cwd: root,
      stdio: later === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    for (const said of [child.stdout, child.stderr]) said?.on('data', (bytes) => later.push(bytes));
    child.on('close', (code) => done(code ?? 1));
  });
}

/** The package that the suites `vsix` and `ui` install. */
process.env.GENENV_VSIX = `${results}.vsix`;

let passed = 0;
let failed = 0;
/** Failures, repeated at the end: a log of two thousand tests is often kept by its tail alone. */
const failures = [];
/** Tests that needed a second try: shown at the end, so that a flaky test is seen and fixed. */
const retried = [];
/** Skipped tests: titles by suite and reason. @type {Map<string, string[]>} */
const skips = new Map();

/** How long it took, beside the other lanes. */
const seconds = (began) => `${((performance.now() - began) / 1000).toFixed(0)} s`;

/** A check that passes or fails as a whole. */
async function check(name, command, args) {
  const began = performance.now();
  const code = await run(command, args);
  if (code === 0) passed += 1;
  else {
    failed += 1;
    failures.push(name);
  }
  say(`${code === 0 ? '✔' : '✘'} ${name} (${seconds(began)})\n`);
}

/** Tests counted one by one in a file that the runner writes. A runner that dies without a count fails. */
async function counted(name, command) {
  const file = `${results}-${name}.json`;
  const began = performance.now();
  const code = await run(process.execPath, command(file));
  const counts = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  await rm(file, { force: true });
  passed += counts?.passes ?? 0;
  const failing = counts?.failures ?? 0;
  for (const test of counts?.failed ?? []) failures.push(`${name}: ${test}`);
  for (const test of counts?.retried ?? []) retried.push(`${name}: ${test}`);
  // A load error or a killed process leaves a bad exit code without a failing test.
  if (failing === 0 && code !== 0) failures.push(`${name} ended with code ${code}`);
  failed += failing === 0 && code !== 0 ? 1 : failing;
  const skipped = counts?.skipped ?? [];
  for (const { title, reason } of skipped) {
    const why = `${name}: ${reason}`;
    skips.set(why, [...(skips.get(why) ?? []), title]);
  }
  const told = `${counts?.passes ?? 0} passed, ${failing} failed, ${skipped.length} skipped`;
  say(`${code === 0 ? '✔' : '✘'} ${name}: ${told} (${seconds(began)})\n`);
}

/**
 * The editor, a browser and other processes answer when they like: on a busy machine one of hundreds of clicks comes too
 * early, or one of hundreds of kills. Such a test is tried once more, and named at the end.
 */
const secondTry = ['--retries', '1'];

/** A mocha suite in plain Node. */
const suite = (name, specs, extra = []) =>
  counted(name, (file) => [
    bin('mocha'),
    ...['--no-config', '--forbid-only', '--fail-zero', '--exit'],
    ...['--reporter', join(root, 'test/support/reporter.cjs'), '--reporter-option', `output=${file}`],
    ...extra,
    ...specs,
  ]);

/** A mocha suite inside the extension host of a real VS Code. */
const inVsCode = (name, files, extra = []) =>
  counted(name, (file) => [join(root, 'test/vscode/run.ts'), '--output', file, ...extra, ...files]);

// VS Code runs in a Chromium; without one its own desktop is downloaded for what runs inside it.
const { findChromium } = await import('../test/support/chromium.ts');
const inBrowser = findChromium() !== undefined;
const desktop = inBrowser ? [] : ['--desktop'];
if (!inBrowser) skips.set('ui: there is no Chromium; CHROMIUM_PATH names one', ['all of test/ui']);
const { benchmarkFolders, noData } = await import('../test/support/benchmarks/data.ts');
if (benchmarkFolders('bfcl').every(({ isSmall }) => isSmall))
  skips.set(`unit: ${noData}`, ['what is tested over our small files, over the benchmarks’ own too']);

/** The files of a folder in so many jobs: a long one that began late would run alone. @returns {Promise<string[][]>} */
async function inParts(count, pattern) {
  const files = (await Array.fromAsync(glob(pattern, { cwd: root }))).sort();
  return Array.from({ length: count }, (_, part) => files.filter((_, i) => i % count === part));
}

/** A suite in parts, each a job. */
const partsOf = async (name, count, pattern, job, extra, kind = suite) =>
  (await inParts(count, pattern)).map((files, i) => {
    const part = `${name} ${i + 1} of ${count}`;
    return { ...job, name: part, run: () => kind(part, files, extra) };
  });

/** What no other may wait for. */
const first = Number.POSITIVE_INFINITY;
const built = ['build'];
const editor = { draws: true, needs: [...built, 'package', ...(inBrowser ? ['VS Code'] : [])] };

await inLanes(
  [
    { name: 'build', seconds: first, run: () => check('build', process.execPath, [join(root, 'scripts/build.mjs')]) },
    // Once, before two lanes start it.
    ...(inBrowser
      ? [
          {
            name: 'VS Code',
            seconds: first,
            run: () => check('VS Code', process.execPath, [join(root, 'test/vscode/install.ts')]),
          },
        ]
      : []),
    {
      name: 'package',
      seconds: first,
      needs: built,
      run: () =>
        check('package', process.execPath, [join(root, 'scripts/package.ts'), '--out', process.env.GENENV_VSIX]),
    },
    { name: 'types', seconds: 20, run: () => check('types', process.execPath, tsc) },
    {
      name: 'types of webviews',
      seconds: 10,
      run: () => check('types of webviews', process.execPath, [...tsc, '-p', 'webview/tsconfig.json']),
    },
    ...lintChecks.map(({ name, tool, args }) => ({ name, seconds: 20, run: () => check(name, bin(tool), args) })),
    {
      name: 'unit',
      seconds: 600,
      run: () =>
        suite('unit', ['test/unit/**/*.test.ts'], ['--timeout', '240000', '--require', 'test/support/oneProcess.ts']),
    },
    ...(await partsOf('crash', 2, 'test/crash/**/*.test.ts', { seconds: 250, needs: built }, [
      '--timeout',
      '900000',
      ...secondTry,
    ])),
    ...(await partsOf('cli', 2, 'test/cli/**/*.test.ts', { seconds: 200, needs: built }, [
      '--timeout',
      '240000',
      ...secondTry,
    ])),
    ...(await partsOf('webview', 3, 'test/webview/**/*.test.ts', { seconds: 200, needs: built, draws: true }, [
      ...['--timeout', '240000'],
      ...secondTry,
    ])),
    {
      name: 'vsix',
      seconds: 30,
      ...editor,
      run: () =>
        inVsCode('vsix', ['test/vscode/host/activation.test.ts'], ['--vsix', process.env.GENENV_VSIX, ...desktop]),
    },
    {
      name: 'process',
      seconds: 450,
      needs: built,
      run: () => suite('process', ['test/process/**/*.test.ts'], ['--timeout', '240000', ...secondTry]),
    },
    // A part in one window, one test after the other: in the same order on every machine.
    ...(await partsOf(
      'host',
      3,
      'test/vscode/host/*.test.ts',
      { seconds: 300, ...editor },
      [...secondTry, ...desktop],
      inVsCode,
    )),
    {
      name: 'faults',
      seconds: 500,
      needs: built,
      run: () => suite('faults', ['test/faults/**/*.test.ts'], ['--timeout', '240000', ...secondTry]),
    },
    ...(inBrowser
      ? await partsOf('ui', 3, 'test/ui/**/*.test.ts', { seconds: 350, ...editor }, [
          ...['--timeout', '300000'],
          ...secondTry,
        ])
      : []),
  ],
  lanesOf({ cores: availableParallelism(), bytes: Math.min(totalmem(), process.constrainedMemory() || Infinity) }),
);

await rm(process.env.NODE_COMPILE_CACHE, { recursive: true, force: true });
await rm(process.env.GENENV_VSIX, { force: true });
for (const [why, titles] of skips)
  console.log(`\n- not run, ${why}\n${titles.map((title) => `    ${title}`).join('\n')}`);
for (const test of retried) console.log(`\n↻ needed a second try, ${test}`);
for (const failure of failures) console.log(`\n✘ ${failure}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
