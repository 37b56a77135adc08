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
import { timeInOrder } from './pipeline/bestOrder.ts';
import { leastTime, workOf } from './pipeline/bound.ts';
import { baseOf, counting, countingScorer } from './pipeline/counting.ts';
import { latencyWith } from './pipeline/latency.ts';
import { slotPolicy, Slots, type Served } from './pipeline/slots.ts';
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
  spare?: number;
  late?: number;
  /** Optimiser steps of the agent's update, were all groups to teach; the environment's then takes a tenth as long. */
  minibatches?: number;
  stream?: boolean;
  /** The agent learns in no time. */
  instant?: boolean;
  /** Share of the variance of ln(time) that is the base task's own. */
  own?: number;
  /** Families outside the band: half of these always fail, half always succeed. Others are a toss. */
  outside?: number;
}

function experimentOf(one: Case): Experiment {
  const { rollouts, staleness = 0, order = 'drawn', cutOff = 'off', spare = 0 } = one;
  const { late = 0, minibatches = 1, stream = false } = one;
  return experimentSchema.parse(
    withPreset({
      ...{ preset: 'embedded', name: 'pipeline', epochs, validation: { every: 0 } },
      generation: { families: rollouts / group / variations, variations, heldOutRun: null },
      rollouts: { group, staleness, late, order, cutOff, spare, baseShare: 0, poolShare: 0 },
      agent: { minibatch: Math.ceil(rollouts / minibatches), passes: 1, stream },
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
  /** Milliseconds of the whole run, of the answers that count, and of those in groups that fell out. */
  time: number;
  work: number;
  wasted: number;
  /** Share of the slots' time that is spent on answers. */
  share: number;
  /** The most that it could be with the same answers, strictly on-policy. */
  bound: number;
  /** Milliseconds at that bound, and in the best order that knows the mean of each base task’s answers. */
  least: number;
  best: number;
}

async function busyOf(one: Case): Promise<Busy> {
  const time = new VirtualTime();
  const slots = new Slots(time, slotCount);
  const update = updateShare * (one.rollouts / slotCount) * median * meanOfMedian;
  const { minibatches = 1, instant = false } = one;
  const sampling = { latency: latencyWith({ median, own: one.own ?? 0 }), speed };
  // Where minibatches matter, every group teaches.
  const says = (request: SampleRequest, index: number): string =>
    one.minibatches === undefined ? verdictOf(request, one.outside ?? 0) : index % 2 === 0 ? 'right' : 'wrong';
  const agent = slotPolicy(slots, time, { ...sampling, update: instant ? 0 : update / minibatches, says });
  const environment = slotPolicy(slots, time, {
    ...{ ...sampling, update: minibatches === 1 ? update : update / 10, says: ({ seed }, index) => `${seed} ${index}` },
  });
  const [tasks, traces]: [Task[], Trace[]] = [[], []];
  const ports: Ports = {
    ...{ agent, environment, domain: counting, scorer: countingScorer, clock: time },
    journal: { append: () => Promise.resolve() },
    records: {
      appendTasks: (some) => Promise.resolve(void tasks.push(...some)),
      appendTraces: (some) => Promise.resolve(void traces.push(...some)),
      tasksOf: (epoch) => Promise.resolve(tasks.filter((task) => task.epoch === epoch)),
      tracesOf: (epoch) => Promise.resolve(traces.filter((trace) => trace.epoch === epoch)),
      appendCompletions: () => Promise.resolve(),
      completionsOf: () => Promise.resolve([]),
    },
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
  };
  const events = coevolve(experimentOf(one), ports);
  const out = new Set<string>();
  for await (const event of events) {
    if (event.type === 'rollouts.finished') for (const { task } of event.dropped?.groups ?? []) out.add(task);
  }
  const counted = slots.served.filter((answer) => !out.has(taskOf(answer)));
  const work = workOf(counted);
  const how = { slots: slotCount, update };
  const least = leastTime(slots.served, how);
  const seeds = new Map(tasks.map(({ id, seed }) => [id, seed ?? id]));
  const baseTask = (answer: Served): string => seeds.get(taskOf(answer)) ?? '';
  const byBase = Map.groupBy(slots.served, baseTask);
  const means = new Map([...byBase].map(([base, own]) => [base, workOf(own) / own.length]));
  return {
    ...{ time: time.now(), work, least },
    wasted: workOf(slots.served) - work + workOf(slots.ended),
    share: work / slotCount / time.now(),
    bound: workOf(slots.served) / slotCount / least,
    best: timeInOrder(slots.served, how, (answer) => means.get(baseTask(answer)) ?? 0),
  };
}

/** The task that a text became, or that an attempt is at. */
const taskOf = ({ id, index }: Served): string => (id.includes('/') ? `${id.split('/')[0] ?? ''}.v${index}` : id);

const percent = (name: string, share: number, budget?: number): Figure => ({
  ...{ name, value: 100 * share, unit: '%' },
  ...(budget === undefined ? {} : { budget }),
});

const figure = (name: string, value: number): Figure => ({ name, value, unit: '×' });

/** Half of the variance of ln(time) is the base task's own, half of the families lie outside the band. */
const mixedWorld = { own: 0.5, outside: 0.5 } as const;

/** Attempts of an epoch: two, eight and 24 a slot. */
const [few, some, many] = [512, 2048, 6144];

const settings: readonly (Omit<Case, 'rollouts'> & { name: string; at: readonly number[]; budget?: number })[] = [
  { name: 'default', at: [few, some, many] },
  { name: 'order longest', order: 'longest', at: [few, many] },
  { name: 'cut-off', cutOff: 'band', at: [few, many] },
  { name: 'spare 0.1', spare: 0.1, at: [few, many] },
  { name: 'spare 0.25', spare: 0.25, at: [few] },
  { name: 'order longest, spare 0.1', order: 'longest', spare: 0.1, at: [few] },
  { name: 'staleness 1', staleness: 1, at: [few, some, many] },
  { name: 'staleness 1, order longest', staleness: 1, order: 'longest', at: [few, some, many], budget: 95 },
  { name: 'staleness 1, spare 0.1', staleness: 1, spare: 0.1, at: [few, many] },
  { name: 'staleness 1, late 0.25', staleness: 1, late: 0.25, at: [few, some, many] },
  { name: 'staleness 1, late 0.25, order longest', staleness: 1, late: 0.25, order: 'longest', at: [some, many] },
  { name: 'staleness 2', staleness: 2, at: [few, some] },
  { name: 'staleness 2, late 0.25', staleness: 2, late: 0.25, at: [few] },
];

export async function benchPipeline(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rollouts of [few, some, many]) {
    const usual = await busyOf({ rollouts, ...mixedWorld });
    for (const { name, at, budget, ...own } of settings) {
      if (!at.includes(rollouts)) continue;
      const busy = name === 'default' ? usual : await busyOf({ rollouts, ...mixedWorld, ...own });
      const what = `${rollouts} rollouts, ${name}`;
      figures.push(percent(`slots busy with what counts: ${what}`, busy.share, rollouts === many ? budget : undefined));
      figures.push({
        ...figure(`time, default = 1: ${what}`, busy.time / usual.time),
        note: `answers by their time, default = 1: ${(busy.work / usual.work).toFixed(2)}${busy.wasted === 0 ? '' : `, and ${(busy.wasted / usual.work).toFixed(2)} that fell out`}`,
      });
    }
  }
  for (const [rollouts, stalenesses] of [
    [512, [0, 1, 8]],
    [6144, [1]],
  ] as const) {
    for (const staleness of stalenesses) {
      const { share } = await busyOf({ rollouts, staleness });
      const budget = staleness === 1 && rollouts === 6144 ? 95 : undefined;
      figures.push(percent(`slots busy, nothing known: ${rollouts} rollouts, staleness ${staleness}`, share, budget));
    }
  }
  return [...figures, ...(await benchStream()), ...(await benchOrder())];
}

/** Strictly on-policy, every group teaches. */
async function benchStream(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rollouts of [512, 6144]) {
    const waiting = await busyOf({ rollouts, minibatches: 16 });
    const streamed = await busyOf({ rollouts, minibatches: 16, stream: true });
    const none = await busyOf({ rollouts, minibatches: 16, instant: true });
    const note = `without any update of the agent ${(none.time / waiting.time).toFixed(3)} ×`;
    const what = `${rollouts} rollouts in 16 minibatches`;
    figures.push(percent(`slots busy, minibatches after all attempts: ${what}`, waiting.share));
    figures.push(percent(`slots busy, minibatches streamed: ${what}`, streamed.share));
    figures.push({
      ...figure(`time, minibatches after all attempts = 1: ${what}, streamed`, streamed.time / waiting.time),
      note,
    });
  }
  return figures;
}

/** Strictly on-policy, half of the variance of ln(time) known from earlier answers. */
async function benchOrder(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const rollouts of [1536, 6144]) {
    const what = `${rollouts} rollouts, lengths half by their base task`;
    for (const order of ['longest'] as const) {
      const { time, bound, least, best } = await busyOf({ rollouts, order, own: 0.5 });
      const note = `that bound is ${(100 * bound).toFixed(1)} % of the slots`;
      figures.push({
        ...percent(`share of the bound that knows every answer: ${what}, order ${order}`, least / time),
        note,
      });
      figures.push(percent(`the best order that knows each base task’s mean, from the start: ${what}`, least / best));
      figures.push(percent(`order longest, share of that best order: ${what}`, best / time, 97));
    }
  }
  return figures;
}
