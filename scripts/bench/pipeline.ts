/**
 * How busy a sampler of 256 slots is over whole epochs (writing, attempts, scoring, updates) when answers take
 * log-normal times (σ = 1) and trainers have processors of their own. In virtual time: scheduling alone is measured.
 */
import { coevolve } from '../../src/engine/coevolve.ts';
import type { Ports, SampleRequest } from '../../src/engine/ports.ts';
import { Rng } from '../../src/engine/random.ts';
import { withPreset } from '../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../src/shared/experiment/schema.ts';
import type { Task } from '../../src/shared/records/task.ts';
import type { Trace } from '../../src/shared/records/trace.ts';
import type { Figure } from './figure.ts';
import { leastTime, workOf } from './pipeline/bound.ts';
import { baseOf, counting, countingScorer } from './pipeline/counting.ts';
import { latencyWith } from './pipeline/latency.ts';
import { slotPolicy, Slots } from './pipeline/slots.ts';
import { VirtualTime } from './pipeline/virtualTime.ts';

const slotCount = 256;
const epochs = 20;
const group = 8;
const variations = 8;
/** Milliseconds of a median answer, and its tokens by the millisecond. */
const median = 1000;
const speed = 0.02;
/** Both updates together take this share of an epoch's sampling on full slots. */
const updateShare = 0.25;
/** The mean of a log-normal with σ = 1, in medians. */
const meanOfMedian = Math.exp(0.5);

interface Case {
  /** Attempts of an epoch. */
  rollouts: number;
  staleness?: number;
  order?: Experiment['rollouts']['order'];
  cutOff?: Experiment['rollouts']['cutOff'];
  /** Share of the variance of ln(time) that is the base task's own. */
  own?: number;
  /** Families outside the band: half of these always fail, half always succeed. Others are a toss. */
  outside?: number;
}

function experimentOf({ rollouts, staleness = 0, order = 'drawn', cutOff = 'off' }: Case): Experiment {
  return experimentSchema.parse(
    withPreset({
      ...{ preset: 'embedded', name: 'pipeline', epochs, validation: { every: 0 } },
      generation: { families: rollouts / group / variations, variations, heldOutRun: null },
      rollouts: { group, staleness, order, cutOff, baseShare: 0, poolShare: 0 },
      agent: { minibatch: rollouts, passes: 1 },
      environment: { steps: 1, bufferEpochs: 1, baseShare: 0, klCoefficient: 0 },
    }),
  );
}

function verdictOf({ seed, messages }: SampleRequest, outside: number): string {
  const rng = Rng.from('difficulty', ...messages.map(({ content }) => baseOf(content)));
  const isRight = rng.next() < outside ? rng.next() < 0.5 : seed % 2 === 0;
  return isRight ? 'right' : 'wrong';
}

interface Busy {
  /** Milliseconds of the whole run, and of all answers. */
  time: number;
  work: number;
  /** Share of the slots' time that is spent on answers. */
  share: number;
  /** The most that it could be with the same answers, strictly on-policy. */
  bound: number;
}

async function busyOf(one: Case): Promise<Busy> {
  const time = new VirtualTime();
  const slots = new Slots(time, slotCount);
  const update = updateShare * (one.rollouts / slotCount) * median * meanOfMedian;
  const sampling = { latency: latencyWith({ median, own: one.own ?? 0 }), update, speed };
  const agent = slotPolicy(slots, time, { ...sampling, says: (request) => verdictOf(request, one.outside ?? 0) });
  const environment = slotPolicy(slots, time, { ...sampling, says: ({ seed }, index) => `${seed} ${index}` });
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
  const events = coevolve(experimentOf(one), ports);
  while ((await events.next()).done !== true);
  const work = workOf(slots.served) / slotCount;
  return {
    time: time.now(),
    work: work * slotCount,
    share: work / time.now(),
    bound: work / leastTime(slots.served, { slots: slotCount, update }),
  };
}

const percent = (name: string, share: number, budget?: number): Figure => ({
  ...{ name, value: 100 * share, unit: '%' },
  ...(budget === undefined ? {} : { budget }),
});

export async function benchPipeline(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [rollouts, stalenesses] of [
    [512, [0, 1, 8]],
    [6144, [0, 1, 2, 8]],
  ] as const) {
    for (const staleness of stalenesses) {
      const { share } = await busyOf({ rollouts, staleness });
      const budget = staleness === 1 && rollouts === 6144 ? 95 : undefined;
      figures.push(percent(`slots busy, ${rollouts} rollouts an epoch, staleness ${staleness}`, share, budget));
    }
  }
  return [...figures, ...(await benchOrder()), ...(await benchCutOff())];
}

/** Strictly on-policy, half of the variance of ln(time) known from earlier answers. */
async function benchOrder(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rollouts of [512, 1536, 6144]) {
    const what = `${rollouts} rollouts an epoch, lengths half by their base task`;
    for (const order of ['drawn', 'longest'] as const) {
      const { share, bound } = await busyOf({ rollouts, order, own: 0.5 });
      figures.push(percent(`slots busy, ${what}, order ${order}`, share));
      const budget = order === 'longest' ? 97 : undefined;
      figures.push(
        percent(
          `share of its own bound (${(100 * bound).toFixed(1)} %), ${what}, order ${order}`,
          share / bound,
          budget,
        ),
      );
    }
  }
  return figures;
}

/** Half of the families outside the band, all by failures or by successes. */
async function benchCutOff(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rollouts of [512, 6144]) {
    const whole = await busyOf({ rollouts, outside: 0.5 });
    const cut = await busyOf({ rollouts, outside: 0.5, cutOff: 'band' });
    const what = `${rollouts} rollouts an epoch, half of the families outside`;
    figures.push(percent(`slots busy, ${what}, no cut-off`, whole.share));
    figures.push(percent(`slots busy, ${what}, cut off`, cut.share));
    figures.push(percent(`answers with cut-off, by their time, ${what}`, cut.work / whole.work));
    figures.push(percent(`time with cut-off, ${what}`, cut.time / whole.time));
  }
  return figures;
}
