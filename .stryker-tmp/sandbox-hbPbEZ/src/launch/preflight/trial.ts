/**
 * One task family written by the environment policy and attempted by the agent, by the run's own phases on its own
 * endpoints: what is broken shows here, and how long texts and answers are is known before anything is paid for.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { learnerAt, type Loop } from '../../engine/loop.ts';
import { openLoop } from '../../engine/openLoop.ts';
import { attempt, tokensOf } from '../../engine/phases/attempt.ts';
import { generate } from '../../engine/phases/generate.ts';
import type { Policy } from '../../engine/ports.ts';
import { emptyState } from '../../engine/state.ts';
import { checkpointFile } from '../../runs/checkpoints.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Lengths } from '../../shared/experiment/workload.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Enough for a first idea of lengths, little enough for an endpoint that is paid for. */
const mostTasks = 4;

export interface Trial {
  /** Texts of the environment, and what became of them; 0 where the mode has none written. */
  written: number;
  accepted: number;
  rejected: Readonly<Record<string, number>>;
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

/** @throws what the endpoints throw */
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
    const written = experiment.mode === 'offline' ? null : await write(open.loop);
    const offline = (ports.offlineTasks ?? []).slice(0, mostTasks);
    const own = rehearsal.tasks.filter(({ status }) => status === 'accepted');
    const tasks = own.length > 0 ? own : offline;
    const { groups } = await attempt(open.loop, {
      purpose: 'train',
      epoch: 1,
      tasks: [...tasks, ...open.loop.base.slice(0, mostTasks)],
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
      },
      bytes: await bytesOf(rehearsal, [agent.checkpoint, environment.checkpoint]),
    };
  } finally {
    await open.close();
  }
}

const per = (sum: number, count: number): number => (count === 0 ? 0 : sum / count);

/** Publishes and saves a policy, as the start of a run does. */
async function begin(policy: Policy, name: string) {
  const version = await policy.publish(name);
  const checkpoint = await policy.checkpoint(name);
  return { version, checkpoint, initial: { version, checkpoint }, updates: 0 };
}

function write(loop: Loop) {
  const { generation, curriculum } = loop.experiment;
  const [seed] = loop.base;
  if (seed === undefined) return null;
  const context = { seed, recentSuccess: null, target: curriculum.alpha };
  return generate(loop, 1, [{ id: 'check.f0', context, variations: Math.min(mostTasks, generation.variations) }]);
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
