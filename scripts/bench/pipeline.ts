/**
 * How busy a sampler of 256 slots is over whole epochs (writing, attempts, scoring, updates) when answers take
 * log-normal times (σ = 1) and trainers have processors of their own. In virtual time: scheduling alone is measured.
 */
import { coevolve } from '../../src/engine/coevolve.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { withPreset } from '../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../src/shared/experiment/schema.ts';
import type { Task } from '../../src/shared/records/task.ts';
import type { Trace } from '../../src/shared/records/trace.ts';
import type { Figure } from './figure.ts';
import { counting, countingScorer } from './pipeline/counting.ts';
import { slotPolicy, Slots } from './pipeline/slots.ts';
import { VirtualTime } from './pipeline/virtualTime.ts';

const slotCount = 256;
const epochs = 20;
const group = 8;
const variations = 8;
/** Milliseconds of a median answer. */
const median = 1000;
/** Both updates together take this share of an epoch's sampling on full slots. */
const updateShare = 0.25;
/** The mean of a log-normal with σ = 1, in medians. */
const meanOfMedian = Math.exp(0.5);

function experimentOf(rollouts: number, staleness: number): Experiment {
  return experimentSchema.parse(
    withPreset({
      ...{ preset: 'embedded', name: 'pipeline', epochs, validation: { every: 0 } },
      generation: { families: rollouts / group / variations, variations, heldOutRun: null },
      rollouts: { group, staleness, baseShare: 0, poolShare: 0 },
      agent: { minibatch: rollouts, passes: 1 },
      environment: { steps: 1, bufferEpochs: 1, baseShare: 0, klCoefficient: 0 },
    }),
  );
}

/** Share of the slots' time that is spent on answers. */
async function busyShare(rollouts: number, staleness: number): Promise<number> {
  const time = new VirtualTime();
  const slots = new Slots(time, slotCount);
  const update = updateShare * (rollouts / slotCount) * median * meanOfMedian;
  const agent = slotPolicy(slots, time, { median, update, says: (seed) => (seed % 2 === 0 ? 'right' : 'wrong') });
  const environment = slotPolicy(slots, time, { median, update, says: (seed, index) => `${seed} ${index}` });
  const [tasks, traces]: [Task[], Trace[]] = [[], []];
  const ports: Ports = {
    ...{ agent, environment, domain: counting, scorer: countingScorer, clock: time },
    journal: { append: () => Promise.resolve() },
    records: {
      appendTasks: (some) => Promise.resolve(void tasks.push(...some)),
      appendTraces: (some) => Promise.resolve(void traces.push(...some)),
      tasksOf: (epoch) => Promise.resolve(tasks.filter((task) => task.epoch === epoch)),
      tracesOf: (epoch) => Promise.resolve(traces.filter((trace) => trace.epoch === epoch)),
    },
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  };
  const events = coevolve(experimentOf(rollouts, staleness), ports);
  while ((await events.next()).done !== true);
  const work = slots.served.reduce((sum, { start, end }) => sum + end - start, 0);
  return work / (slotCount * time.now());
}

export async function benchPipeline(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [rollouts, stalenesses] of [
    [512, [0, 1, 8]],
    [6144, [0, 1, 2, 8]],
  ] as const) {
    for (const staleness of stalenesses) {
      figures.push({
        name: `slots busy, ${rollouts} rollouts an epoch, staleness ${staleness}`,
        value: 100 * (await busyShare(rollouts, staleness)),
        unit: '%',
        ...(staleness === 1 && rollouts === 6144 ? { budget: 95 } : {}),
      });
    }
  }
  return figures;
}
