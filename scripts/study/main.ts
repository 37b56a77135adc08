/**
 * `npm run study`: the paper's claims in miniature. Every arm from the same start, at the same rollout budget, on the
 * same seeds; writes docs/study.md. Runs that are finished are not run again; a run that was cut off is resumed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { environmentKeys } from '../../src/launch/access/keys.ts';
import { launch } from '../../src/launch/launch.ts';
import { RunStore } from '../../src/runs/store/runStore.ts';
import type { JournalEvent } from '../../src/shared/journal/events.ts';
import { armExperiment, arms, offlineFile, type Arm } from './arms.ts';
import { measure } from './measure.ts';
import { greedyValidation } from './greedy.ts';
import { studyPage, type StudyMeasures } from './page.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '8' },
    rollouts: { type: 'string', default: '51200' },
    parallel: { type: 'string', default: '2' },
    root: { type: 'string', default: '.genenv/study' },
    out: { type: 'string', default: 'docs/study.md' },
  },
});
const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);
const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: (message: string) => console.warn(message) };
const store = new RunStore(values.root, { clock, log, version: 'study' });
const dist = new URL('../../dist/', import.meta.url);

await mkdir(values.root, { recursive: true });
await writeFile(`${values.root}/offline.jsonl`, offlineFile());

interface Job {
  arm: Arm;
  seed: number;
}

/** The finished run of a job, made or completed when there is none. */
async function runJob({ arm, seed }: Job): Promise<string> {
  const experiment = armExperiment(arm, seed, Number(values.rollouts));
  const known = (await store.list()).filter(({ name }) => name === experiment.name);
  for (const head of known) {
    const reader = await store.openReader(head.id);
    const same = JSON.stringify(reader.manifest.experiment) === JSON.stringify(experiment);
    await reader.close();
    if (!same) continue;
    if (head.state !== 'finished') await complete({ resume: head.id });
    return head.id;
  }
  return complete({ experiment, directory: values.root });
}

async function complete(start: Parameters<typeof launch>[0]['start']): Promise<string> {
  const landing = await launch({
    ...{ store, start, dist, clock, log, keys: environmentKeys(process.env) },
    signal: new AbortController().signal,
  });
  if (landing.state !== 'finished') throw landing.error ?? new Error(`Run ${landing.id} ended ${landing.state}.`);
  return landing.id;
}

async function eventsOf(id: string): Promise<JournalEvent[]> {
  const reader = await store.openReader(id);
  try {
    return await Array.fromAsync(reader.events());
  } finally {
    await reader.close();
  }
}

const results = new Map<Arm, Map<number, StudyMeasures>>(arms.map((arm) => [arm, new Map()]));
const jobs = seeds.flatMap((seed) => arms.map((arm) => ({ arm, seed })));
let done = 0;
const next = jobs.values();
async function work(): Promise<void> {
  for (const job of next) {
    const id = await runJob(job);
    const events = await eventsOf(id);
    const measures = { ...measure(events), greedyEnd: await greedyValidation(`${values.root}/${id}`, events, dist) };
    results.get(job.arm)?.set(job.seed, measures);
    done += 1;
    console.log(
      `${done}/${jobs.length} ${job.arm} seed ${job.seed}: validation ${measures.validationStart.toFixed(3)} → ` +
        `${measures.validationEnd.toFixed(3)}, p̂ ${measures.successFirst.toFixed(2)} → ${measures.successLate.toFixed(2)}`,
    );
  }
}
await Promise.all(Array.from({ length: Number(values.parallel) }, work));
await writeFile(values.out, studyPage(results, seeds, Number(values.rollouts)));
console.log(`Written: ${values.out}`);
