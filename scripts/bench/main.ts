/**
 * `npm run bench`: the budgets, measured in one run, printed as a table and kept in docs/benchmarks.md; `npm run bench -- peers` is a
 * section that is measured only by its name.
 * `npm run bench -- extension` measures one section and leaves the others as they are, `npm run bench -- scale "10,000 attempts"`
 * one part of a section that takes long.
 */
import { benchAlfworld } from './alfworld.ts';
import { benchBfcl } from './bfcl.ts';
import { benchBfclFile } from './bfclFile.ts';
import { benchEditor } from './editor.ts';
import { benchEmbedded } from './embedded.ts';
import { benchEndpoints } from './endpoints.ts';
import { benchFootprint } from './footprint.ts';
import type { Figure } from './figure.ts';
import { benchLoop } from './loop.ts';
import { keepSections, type Section } from './page.ts';
import { benchPeers, peersMethod } from './peers.ts';
import { benchPipeline } from './pipeline.ts';
import { benchOpenenv } from './openenv.ts';
import { benchPrograms } from './programs.ts';
import { benchRewards } from './rewards.ts';
import { benchRunner } from './runner.ts';
import { benchRuns } from './runs.ts';
import { benchTasks } from './tasks.ts';
import { benchScale } from './scale.ts';
import { benchSearch } from './search.ts';

interface Bench {
  title: string;
  /** How it measures, in full sentences. */
  method: string;
  run: (part: string) => Promise<Figure[]>;
  /** Whether `run` can measure what begins with `part` alone. */
  inParts?: boolean;
  /** Only where it is named: it installs what others made. */
  named?: boolean;
}

const benches: Bench[] = [
  {
    title: 'Embedded endpoint, one thread',
    method: 'The shipped models in one worker, nothing else running.',
    run: benchEmbedded,
  },
  { title: 'Loop', method: 'The loop against a policy that answers after a fixed time.', run: benchLoop },
  {
    title: 'Epochs of uneven answers',
    method:
      'Twenty whole epochs in virtual time: 256 slots sample for both policies, answers take log-normal times (σ = 1), both ' +
      'updates a quarter of an epoch’s sampling on full slots. Start and end of the run included. Settings are compared where half ' +
      'of the variance of ln(time) is the base task’s own and half of the families lie outside the band; “what counts” leaves ' +
      'out groups that fell out.',
    run: benchPipeline,
  },
  { title: 'Peers: loops beside ours', method: peersMethod, run: benchPeers, named: true },
  {
    title: 'Endpoint of fixed latency over HTTP: share of the ideal throughput',
    method: 'The loop, the scheduler and the HTTP client against a server in a process of its own.',
    run: benchEndpoints,
  },
  {
    title: 'ALFWorld',
    method:
      'Commands carried out and answered, with the list of what can be done next, by processor time of one thread.',
    run: benchAlfworld,
  },
  {
    title: 'BFCL',
    method: 'Answers as models write them, read and checked against what is expected, by processor time of one thread.',
    run: benchBfcl,
  },
  {
    title: 'File of BFCL answers',
    method:
      '`genenv score bfcl` from a file to a file: the processor time of whole processes, reading and the start of Node ' +
      'included, in turn with the official checker.',
    run: benchBfclFile,
  },
  {
    title: 'Rewards of one’s own',
    method: 'Trivial reward functions in one process each, tasks and traces there and verdicts back, in order.',
    run: benchRewards,
  },
  {
    title: 'Program interception',
    method:
      'Attempts that ask the agent through the address of programs, recorded as in a run; clients in another thread, no ' +
      'processes started, processor time of the loop’s thread.',
    run: benchPrograms,
  },
  {
    title: 'OpenEnv bridge',
    method:
      'Episodes on an OpenEnv server in another thread, a session each, against a policy that answers at once; tools are ' +
      'asked for in each episode, as in a run.',
    run: benchOpenenv,
  },
  { title: 'Run folder', method: 'Writing and opening runs on this machine’s disk.', run: benchRuns },
  {
    title: 'Queue and runner',
    method:
      'The editor’s runner from order to readiness; a queue of 40 processes that are done at once; a run that tells where it ' +
      'is twice a second, without and with windows that look on, by processor time.',
    run: benchRunner,
  },
  {
    title: 'Scale',
    method:
      'The loop, the scheduler and the HTTP client against stand-in servers in a process of their own, recorded as a run; runs of ' +
      'very many short traces, written and then opened by another process.',
    run: benchScale,
    inParts: true,
  },
  {
    title: 'Tasks',
    method:
      'The tasks of runs of three sizes as the task editor holds them, each in a process of its own; ordering, ' +
      'filtering, excluding and the longest hold are counted in processor time of the thread, the others by the clock.',
    run: benchTasks,
  },
  {
    title: 'Search of traces',
    method:
      'Through the worker thread that the editor has, warm, up to 10,000 hits; times from the question on. Hits come the ' +
      'newest first.',
    run: benchSearch,
  },
  {
    title: 'Footprint of the extension',
    method:
      'Inside a real VS Code whose workbench a headless Chromium shows: processor time of the extension host’s thread until the ' +
      'extension is there, memory of its process and code that it has loaded while the demo runs; sizes of what is shipped.',
    run: benchFootprint,
  },
  {
    title: 'Extension',
    method:
      'Inside a real VS Code whose workbench a headless Chromium shows. What holds the editor is counted in processor time ' +
      'of the extension host’s thread, which other programs do not lengthen; what a person waits for, by the clock, the ' +
      'editor’s own work included.',
    run: benchEditor,
  },
];

const number = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

function verdict({ value, budget, better = 'higher' }: Figure): string {
  if (budget === undefined) return '';
  const kept = better === 'higher' ? value >= budget : value <= budget;
  return `${better === 'higher' ? '≥' : '≤'} ${number(budget)}: ${kept ? 'kept' : '**missed**'}`;
}

function against({ value, reference }: Figure): string {
  return reference === undefined ? '' : `${(value / reference).toFixed(2)} × ${number(reference)}`;
}

const measured: Section[] = [];
let missed = 0;
const wanted = process.argv[2]?.toLowerCase() ?? '';
const chosen = benches.filter(
  ({ title, named = false }) => title.toLowerCase().startsWith(wanted) && (wanted !== '' || !named),
);
if (chosen.length === 0) {
  console.error(`No section begins with "${wanted}". There are: ${benches.map(({ title }) => title).join('; ')}.`);
  process.exit(2);
}
const part = process.argv[3] ?? '';
const whole = chosen.find(({ inParts = false }) => part !== '' && !inParts);
if (whole !== undefined) {
  console.error(`${whole.title} is measured as a whole.`);
  process.exit(2);
}
for (const { title, method, run } of chosen) {
  const figures = await run(part);
  const rows = figures.map((figure) => {
    const { name, value, unit, note = '' } = figure;
    if (verdict(figure).includes('missed')) missed += 1;
    return `| ${name} | ${number(value)} ${unit} | ${verdict(figure)} | ${against(figure)} | ${note} |`;
  });
  measured.push({ title, method, rows, isPart: part !== '' });
  console.log(`${title}\n${rows.join('\n')}\n`);
}
await keepSections(
  measured,
  benches.map(({ title }) => title),
);
console.log(missed === 0 ? 'Every budget is kept.' : `${missed} budgets are missed.`);
