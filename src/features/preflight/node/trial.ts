/**
 * One task family written by the environment policy and attempted by the agent, in the run's own phases on its own
 * endpoints: shows faults, and the lengths of texts and answers, before any cost.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tasksOfDomain } from '../../../engine/byDomain.ts';
import { learnerAt, type Loop } from '../../../engine/loop.ts';
import { openLoop } from '../../../engine/openLoop.ts';
import { attempt } from '../../../engine/phases/attempts/attempt.ts';
import { tokensOf } from '../../../engine/phases/attempts/traceTokens.ts';
import { generate } from '../../../engine/phases/generate.ts';
import { planTokens } from '../../../engine/phases/written/planTokens.ts';
import { textTokens } from '../../../engine/phases/written/textTokens.ts';
import type { Policy } from '../../../engine/ports.ts';
import { useOfPlan, usesOfText, useOfTrace } from '../../../engine/spending/billed.ts';
import { emptyState } from '../../../engine/state.ts';
import { checkpointFile } from '../../../runs/store/checkpoints.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Lengths } from '../../../shared/experiment/workload.ts';
import { sum } from '../../../shared/sum.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Enough for a first idea of lengths, little enough for an endpoint that is paid for. */
const mostTasks = 4;
/** Texts after which nothing usable means that the environment cannot write tasks, and was not merely unlucky. */
const enoughTexts = 16;
/** Seconds after which no further family is tried. */
const patience = 20;

export interface Trial {
  /** Texts of the environment, and their outcomes; 0 where the mode writes none. */
  written: number;
  accepted: number;
  rejected: Readonly<Record<string, number>>;
  /** Of several domains, those none of whose texts became a task. */
  without: readonly string[];
  attempts: number;
  solved: number;
  /** Answers that could be read; whose checker failed; that were cut at their length. */
  valid: number;
  checkerErrors: number;
  truncated: number;
  seconds: number;
  lengths: Lengths;
  /** Mean bytes of a record on disk: a text, an attempt, an attempt without its token ids (validation), a checkpoint. */
  bytes: { text: number; attempt: number; validation: number; checkpoint: number };
}

/** @throws the endpoints' errors */
export async function tryOne(experiment: Experiment, rehearsal: Rehearsal): Promise<Trial> {
  const { ports, traces } = rehearsal;
  const began = ports.clock.now();
  const [agent, environment] = await Promise.all([
    begin(ports.agent, 'agent@0'),
    begin(ports.environment, 'environment@0'),
  ]);
  const open = await openLoop(experiment, ports, emptyState, {
    agent: await learnerAt(ports.agent, agent, false),
    environment: await learnerAt(ports.environment, environment, false),
  });
  try {
    const hurries = (): boolean => ports.clock.now() - began > patience * 1000;
    const written = experiment.mode === 'offline' ? null : await write(open.loop, hurries);
    const offline = (ports.offlineTasks ?? []).slice(0, mostTasks);
    const own = rehearsal.tasks.filter(({ status }) => status === 'accepted');
    const tasks = own.length > 0 ? own : offline;
    const { groups } = await attempt(open.loop, {
      purpose: 'train',
      epoch: 1,
      tasks: [...tasks, ...basesOf(open.loop).flatMap(({ base }) => base.slice(0, mostTasks))],
      group: 1,
      minimum: 1,
      closed: false,
      temperature: experiment.rollouts.temperature,
      keepSequences: true,
    });
    const length = (some: typeof groups): number => {
      const own = some.flatMap((group) => group.traces);
      return per(
        own.reduce((sum, trace) => sum + tokensOf(trace), 0),
        own.length,
      );
    };
    const given = length(groups.slice(tasks.length));
    const accepted = written === null || written.written === 0 ? 1 : written.accepted / written.written;
    return {
      written: written?.written ?? 0,
      accepted: written?.accepted ?? 0,
      rejected: written?.rejected ?? {},
      without: (written?.domains ?? []).filter(({ accepted }) => accepted === 0).map(({ domain }) => domain),
      attempts: traces.length,
      solved: traces.filter(({ verdict }) => verdict.success).length,
      valid: traces.filter(({ verdict }) => verdict.valid).length,
      checkerErrors: traces.filter(({ verdict }) => verdict.error !== undefined).length,
      truncated: traces.filter(({ stopReason }) => stopReason === 'length').length,
      seconds: (ports.clock.now() - began) / 1000,
      lengths: {
        text: per(written?.tokens ?? 0, written?.written ?? 0),
        attempt: tasks.length > 0 ? length(groups.slice(0, tasks.length)) : given,
        given,
        accepted,
        billedPerToken: billedPerToken(rehearsal),
      },
      bytes: await bytesOf(rehearsal, [agent.checkpoint, environment.checkpoint]),
    };
  } finally {
    await open.close();
  }
}

const per = (sum: number, count: number): number => (count === 0 ? 0 : sum / count);

function billedPerToken({ tasks, traces, completions }: Rehearsal): number {
  const plans = completions.filter(({ kind }) => kind === 'plan');
  const uses = [...tasks.flatMap(usesOfText), ...plans.map(useOfPlan), ...traces.map(useOfTrace)];
  const counted = [...tasks.map(textTokens), planTokens(plans, tasks), ...traces.map(tokensOf)];
  return per(sum(uses.map(({ prompt, sampled }) => prompt + sampled)), sum(counted)) || 1;
}

/** Publishes and saves a policy, as the start of a run does. */
async function begin(policy: Policy, name: string) {
  const version = await policy.publish(name);
  const checkpoint = await policy.checkpoint(name);
  const initial = { version, checkpoint };
  return { ...initial, initial, published: [{ epoch: 0, ...initial }], updates: 0 };
}

/** Base tasks of each domain; '' is the name of the only one. */
const basesOf = ({ base, domains }: Loop): { name: string; base: readonly Task[] }[] =>
  domains?.map(({ name }) => ({ name, base: tasksOfDomain(base, name) })) ?? [{ name: '', base }];

/** One family of each domain; while none is usable, further ones of other seeds. Earlier texts count too. */
async function write(loop: Loop, hurries: () => boolean) {
  const { generation, curriculum } = loop.experiment;
  const variations = Math.min(mostTasks, generation.variations);
  let written: Awaited<ReturnType<typeof generate>> | null = null;
  for (const { name, base } of basesOf(loop)) {
    const before = { accepted: written?.accepted ?? 0, written: written?.written ?? 0 };
    for (const [f, seed] of base.slice(0, enoughTexts).entries()) {
      const context = { seed, recentSuccess: null, target: curriculum.alpha };
      written = await generate(loop, 1, [{ id: `check.${name}f${f}`, context, variations }]);
      if (written.accepted > before.accepted || written.written - before.written >= enoughTexts || hurries()) break;
    }
  }
  return written;
}

async function bytesOf({ tasks, traces, dir }: Rehearsal, refs: readonly { name: string; handle: string }[]) {
  const size = (records: readonly object[]): number =>
    per(
      records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)) + 1, 0),
      records.length,
    );
  const bare = traces.map((trace) => ({
    ...trace,
    sequences: trace.sequences.map((sequence) => ({ ...sequence, tokens: [], logprobs: [] })),
  }));
  const files = refs.map((ref) => checkpointFile(join(dir, 'checkpoints'), ref)).filter((file) => file !== null);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return {
    text: size(tasks),
    attempt: size(traces),
    validation: size(bare),
    checkpoint: sizes.reduce((sum, one) => sum + one, 0) / refs.length,
  };
}
