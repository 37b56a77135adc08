/**
 * Our loop beside those of others on one server with the same answers: `genenv serve` whose models take drawn times. Real time, so a
 * quiet machine is needed; the others' packages, too, which `npm run peers` installs.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peerPython, peers } from '../../test/support/peers/pythons.ts';
import type { Figure } from './figure.ts';
import { BenchServer, type Counts } from './peers/benchServer.ts';
import { runOurs } from './peers/ours.ts';
import { withFolder } from './withFolder.ts';

const sizes = { group: 8, groups: 64, steps: 4, slots: 64 };
const rollouts = sizes.group * sizes.groups;
/** Milliseconds of a median answer, and of the mean one of a log-normal with σ = 1. */
const median = 400;
const mean = median * Math.exp(0.5);
/** An update takes a quarter of the time that a step’s answers take on full slots. */
const datum = (0.25 * mean) / sizes.slots;

/** Runs one loop against a server of its own. */
async function loop(run: (url: string) => Promise<unknown>): Promise<Counts> {
  const server = await BenchServer.start({ slots: sizes.slots, median, datum });
  try {
    await run(server.url);
    return await server.counts();
  } finally {
    await server.stop();
  }
}

/** A script of this folder, by the Python of a peer. */
const script = (python: string, name: string, given: readonly (string | number)[]) => (url: string) =>
  withFolder((dir) =>
    promisify(execFile)(
      python,
      [fileURLToPath(new URL(`./peers/${name}.py`, import.meta.url)), url, join(dir, 'log'), ...given.map(String)],
      {
        ...{ maxBuffer: 1e8, timeout: 300_000 },
        env: {
          ...process.env,
          ...{ TINKER_API_KEY: 'tml-local', HF_ENDPOINT: url, HF_HOME: dir, HF_HUB_DISABLE_TELEMETRY: '1' },
          ...{ WANDB_MODE: 'disabled', KEY: 'tml-local' },
        },
      },
    ),
  );

const secondsOf = ({ first, last, updated }: Counts): number => (Math.max(last, updated) - first) / 1000;

function figuresOf(name: string, counts: Counts, ours: number, more = ''): Figure[] {
  const seconds = secondsOf(counts) / sizes.steps;
  const { answers, scored, data, updates, busy } = counts;
  const work = `${answers} answers, ${data} sequences learned from in ${updates} updates`;
  const scores = scored === 0 ? '' : `, ${scored} scored`;
  return [
    { name: `slots busy: ${name}`, value: (100 * busy) / sizes.slots / secondsOf(counts) / 1000, unit: '%' },
    {
      ...{ name: `a step: ${name}`, value: seconds, unit: 's', reference: ours },
      note: `${work}${scores}${more}`,
    },
  ];
}

/** Another’s loop; null where it broke twice. One broken connection does not cost the figures of the others. */
async function others(name: string, run: (url: string) => Promise<unknown>): Promise<Counts | null> {
  for (let tries = 1; tries <= 2; tries++) {
    try {
      return await loop(run);
    } catch (error) {
      console.error(`\n!!! ${name} broke (try ${tries} of 2): ${String(error).slice(-2000)}\n`);
    }
  }
  return null;
}

export async function benchPeers(): Promise<Figure[]> {
  const [cookbook, verifiers] = [await peerPython('tinker-cookbook'), await peerPython('verifiers')];
  for (const [name, found] of Object.entries({ 'tinker-cookbook': cookbook, verifiers })) {
    if ('why' in found) console.error(`\n!!! NOT MEASURED: ${name} cannot be installed here: ${found.why}\n`);
  }
  const strict = await loop((url) => runOurs(url, sizes, { staleness: 0, order: 'drawn' }));
  const ours = secondsOf(strict) / sizes.steps;
  const figures = figuresOf('GenEnv, staleness 0', strict, ours);
  const streamed = await loop((url) => runOurs(url, sizes, { staleness: 0, order: 'drawn' }, 8));
  figures.push(...figuresOf('GenEnv, staleness 0, 8 streamed minibatches', streamed, ours));
  for (const late of [0, 0.25]) {
    const counts = await loop((url) => runOurs(url, sizes, { staleness: 1, order: 'longest', late }));
    const name = `GenEnv, staleness 1, order longest${late === 0 ? '' : `, late ${late}`}`;
    figures.push(...figuresOf(name, counts, ours));
  }
  const { group, groups, steps, slots } = sizes;
  if ('python' in cookbook) {
    const { version } = peers['tinker-cookbook'];
    for (const [how, told] of [
      ['sync', 'synchronous'],
      ['stream', 'synchronous, 8 streamed minibatches'],
      ['async', 'async, 1 step off-policy'],
    ] as const) {
      const name = `tinker-cookbook ${version}, ${told}`;
      const counts = await others(name, script(cookbook.python, 'given_training', [group, groups, steps, how]));
      if (counts !== null) figures.push(...figuresOf(name, counts, ours));
    }
  }
  if ('python' in verifiers) {
    const name = `verifiers ${peers.verifiers.version}, rollouts alone, ${2 * slots} episodes at once`;
    const given = [group, groups * steps, 2 * slots];
    const counts = await others(name, script(verifiers.python, 'given_rollouts', given));
    if (counts !== null)
      figures.push(...figuresOf(name, counts, ours, '; without updates, so no step waits for another'));
  }
  return figures;
}

export const peersMethod =
  `One server, \`genenv serve\` whose models compute nothing: ${sizes.slots} slots, answers of log-normal times (σ = 1, median ${median} ms) by ` +
  `their number, so that every loop meets the same ones; who finds no slot waits, in order. ${sizes.steps} steps of ${sizes.groups} tasks × ${sizes.group} ` +
  `attempts, one update each of a quarter of the time that ${rollouts} answers take on full slots. Tasks are given in all loops. Times are the server’s, from ` +
  'the first answer’s begin to the last update’s end: starts of programs do not count. “Against reference” is the time against GenEnv’s at staleness 0.';
