/** Whole runs whose answers are spoilt on their way, told beside an undisturbed one. */
import type { Landing } from '../../../src/launch/launch.ts';
import type { JsonObject } from '../../../src/shared/experiment/resolve.ts';
import { Spoiler } from '../../faults/spoiler/proxy.ts';
import { dist } from '../built.ts';
import { FastTime } from '../endpoints/fastTime.ts';
import { VerlRun } from '../ray/verlRun.ts';
import { contentsOf, RemoteRun } from './remoteRun.ts';

export const endpointKinds = ['tinker', 'openai', 'verl'] as const;
export type EndpointKind = (typeof endpointKinds)[number];

export interface Weather {
  /** Of the answers, 0…1. */
  share: number;
  seed: string;
  /** After how many answers the server is started anew; empty: never. */
  restartAfter?: readonly number[];
}

export interface Night {
  landing: Landing;
  /** Results that must equal those of an undisturbed night, for any server. */
  left: Readonly<Record<string, string>>;
  answers: number;
  spoilt: ReadonlyMap<string, number>;
  /** Work that the servers did: tokens sampled and read (tinker, openai), completions (verl), jobs (verl). */
  paid: Readonly<Record<string, number>>;
  notes: readonly string[];
}

/** How often a person resumes a run that paused: a night has one morning. */
const mornings = 1;

async function landed(run: { start(): Promise<Landing>; resume(): Promise<Landing> }): Promise<Landing> {
  let landing = await run.start();
  for (let resumed = 0; landing.state === 'paused' && resumed < mornings; resumed++) landing = await run.resume();
  return landing;
}

type Contents = Readonly<Record<string, string>>;

/** Lines as answers came, which is another order each time. */
const inNoOrder = (text = ''): string =>
  text
    .replaceAll(/genenv-\d{8}-\d{6}-[a-z]+/g, 'genenv-run')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
    .split('\n')
    .toSorted()
    .join('\n');

const every = (text: string | undefined, field: RegExp): string[] => text?.match(field) ?? [];

/** A server without sessions answers each request by its seed; what is said of all of them follows the order they came in. */
const leftBySamples = (contents: Contents): Contents => ({
  events: every(contents['journal.jsonl'], /"type":"[a-z.]+"/g).join(),
  tasks: inNoOrder(contents['tasks.jsonl']),
  traces: inNoOrder(contents['traces.jsonl']),
});

/** A job's own draws follow the order of its rows. */
const leftByJobs = (contents: Contents): Contents => ({
  ...leftBySamples(contents),
  traces: every(contents['traces.jsonl'], /^\{"v":1,"id":"[^"]+"/gm)
    .toSorted()
    .join('\n'),
});

const together = (spoilers: readonly Spoiler[]): Pick<Night, 'answers' | 'spoilt'> => {
  const spoilt = new Map<string, number>();
  for (const { counts } of spoilers) {
    for (const [kind, count] of counts.spoilt) spoilt.set(kind, (spoilt.get(kind) ?? 0) + count);
  }
  return { answers: spoilers.reduce((sum, { counts }) => sum + counts.answers, 0), spoilt };
};

/** On `genenv serve`, by its training protocol or as a server that only samples. */
async function served(kind: 'tinker' | 'openai', weather: Weather): Promise<Night> {
  const run = new RemoteRun(dist);
  // It waits ten minutes for an answer that stalls, and no longer than it is patient for a server that is started anew.
  if (kind === 'openai') run.time = new FastTime(weather.restartAfter === undefined ? 150 : 40);
  await run.serve();
  let before = 0;
  const restart = async (): Promise<void> => {
    before += await run.spent();
    await run.restart();
  };
  const spoiler = await Spoiler.start({ target: run.server.url, restart, ...weather });
  try {
    run.through = spoiler.url;
    const sampling = (name: string) => ({ kind: 'openai', url: `${spoiler.url}/v1`, model: `genenv/${name}` });
    const over: JsonObject =
      kind === 'tinker'
        ? {}
        : {
            mode: 'random',
            agent: { train: false },
            ...{ epochs: 4, validation: { tasks: 20 }, generation: { families: 6, variations: 2 } },
            endpoints: { agent: sampling('agent'), environment: sampling('environment') },
          };
    const landing = await landed({ start: () => run.start(over), resume: () => run.resume() });
    const contents = await run.contents();
    return {
      ...{ landing, notes: run.notes, ...together([spoiler]) },
      left: kind === 'tinker' ? contents : leftBySamples(contents),
      paid: { tokens: before + (await run.spent()) },
    };
  } finally {
    await spoiler.stop();
    await run.remove();
  }
}

/** On a stand-in for a Ray cluster, with its servers for samples. */
async function onCluster({ restartAfter = [], ...weather }: Weather): Promise<Night> {
  const run = new VerlRun();
  await run.serve();
  const restart = async (): Promise<void> => {
    await run.ray.away();
    await run.ray.start();
  };
  const spoilers: Spoiler[] = [];
  const at = new Map<string, string>();
  try {
    for (const server of run.servers) {
      const { origin, pathname } = new URL(server);
      const restarts = server === run.ray.url ? { restart, restartAfter } : {};
      const spoiler = await Spoiler.start({ target: origin, ...weather, ...restarts });
      spoilers.push(spoiler);
      at.set(server, spoiler.url + (pathname === '/' ? '' : pathname));
    }
    run.through = (url) => at.get(url) ?? url;
    const one = { epochs: 1, validation: { tasks: 6 } };
    const landing = await landed({ start: () => run.start({}, one), resume: () => run.resume() });
    return {
      ...{ landing, notes: run.notes, ...together(spoilers) },
      left: leftByJobs(await contentsOf(await run.dir())),
      paid: { completions: run.sampled, jobs: run.ray.submissions.length },
    };
  } finally {
    for (const spoiler of spoilers) await spoiler.stop();
    await run.remove();
  }
}

export const night = (kind: EndpointKind, weather: Weather): Promise<Night> =>
  kind === 'verl' ? onCluster(weather) : served(kind, weather);

export const calm: Weather = { share: 0, seed: '' };

/** The faults and their costs, in one paragraph. */
export function inWords(kind: EndpointKind, { answers, spoilt, paid, landing }: Night, quiet: Night): string {
  const count = [...spoilt.values()].reduce((sum, one) => sum + one, 0);
  const kinds = [...spoilt].toSorted(([, a], [, b]) => b - a).map(([name, one]) => `${one} ${name}`);
  const twice = Object.entries(paid).map(([name, one]) => `${one - (quiet.paid[name] ?? 0)} ${name}`);
  const share = answers === 0 ? 0 : (100 * count) / answers;
  return (
    `${kind}: ${landing.state}; ${answers} answers, ${count} of them spoilt (${share.toFixed(0)} %): ${kinds.join(', ')}; ` +
    `${answers - quiet.answers} asked for again; paid for twice: ${twice.join(', ')}`
  );
}
