/**
 * Versions against each other: today's agent on tasks of earlier epochs, earlier agents on today's tasks. Where both
 * policies move, p̂ alone cannot show who did: it stays where it is when both improve and when neither does.
 *
 * Nothing else in the run reads what is measured here: its attempts are no records, count in no budget, and draw from random
 * streams of their own. A check that is cut off is made again as a whole.
 */
import type { EventOf } from '../../shared/journal/events.ts';
import type { CrossPlayCell } from '../../shared/journal/crossPlay.ts';
import type { Task } from '../../shared/records/task.ts';
import { timed, type Learner, type Loop } from '../loop.ts';
import { attempt } from '../phases/attempts/attempt.ts';
import { triesOf } from '../phases/groups.ts';
import { isDue, outcome } from '../phases/measuring/validate.ts';
import type { PublishedVersion } from '../state.ts';
import { Rng, seedFrom } from '../random.ts';
import { planCheck, spreadOverFamilies } from './plan.ts';

type Outcome = Omit<EventOf<'cross.played'>, 'v' | 'seq' | 'at' | 'epoch'>;
type Sampler = Pick<Learner, 'policy' | 'version'>;

/** Whether versions are compared after an epoch: every `every` epochs and the `last`. */
export const isChecked = ({ experiment }: Loop, epoch: number, last: boolean): boolean =>
  isDue(experiment.crossPlay.every, epoch, last);

/** @throws what the endpoint throws when it is away: the run pauses, and the check is made again */
export async function crossPlay(loop: Loop, epoch: number): Promise<Outcome> {
  const { result, seconds } = await timed(loop, () => new Check(loop, epoch).run());
  return { type: 'cross.played', ...result, seconds };
}

class Check {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #cells: CrossPlayCell[] = [];
  readonly #absent: { agent: number; version: string; reason: string }[] = [];
  #rollouts = 0;
  #tokens = 0;

  constructor(loop: Loop, epoch: number) {
    this.#loop = loop;
    this.#epoch = epoch;
  }

  async run(): Promise<Omit<Outcome, 'type' | 'seconds'>> {
    const { agent, state, experiment } = this.#loop;
    const plan = planCheck(
      this.#epoch,
      state.checks.map(({ epoch }) => epoch),
      experiment.crossPlay.rollouts,
    );
    const rows = new Map<number, readonly Task[]>();
    for (const row of plan.rows) {
      const tasks = await this.#tasksOf(row);
      if (tasks.length > 0) rows.set(row, tasks.slice(0, plan.tasks));
    }
    for (const [row, tasks] of rows) await this.#play(row, tasks, this.#epoch, agent);
    const today = rows.get(this.#epoch) ?? [];
    for (const older of today.length === 0 ? [] : this.#olderAgents(plan.agents)) {
      await this.#playOlder(older, today);
    }
    return {
      version: agent.version.name,
      rows: [...rows].map(([row, tasks]) => ({
        tasks: row,
        families: new Set(tasks.map(({ family }) => family)).size,
        ids: tasks.map(({ id }) => id),
      })),
      cells: this.#cells,
      ...(this.#absent.length > 0 && { absent: this.#absent }),
      ...{ rollouts: this.#rollouts, tokens: this.#tokens },
    };
  }

  /** Accepted tasks of an epoch, in an order that is the same at every check. */
  async #tasksOf(epoch: number): Promise<Task[]> {
    const written = (await this.#loop.tasksOf(epoch)).filter(({ status }) => status === 'accepted');
    return spreadOverFamilies(written, Rng.from(this.#loop.experiment.seed, 'cross-play tasks', epoch));
  }

  /** Agents of earlier checks and of the start, without those that are today's. */
  #olderAgents(epochs: readonly number[]): PublishedVersion[] {
    const { checks, agent } = this.#loop.state;
    const start = agent === null ? [] : [{ epoch: 0, ...agent.initial }];
    const names = new Set([this.#loop.agent.version.name]);
    return [...start, ...checks].filter(({ epoch, version: { name } }) => {
      if (!epochs.includes(epoch) || names.has(name)) return false;
      names.add(name);
      return true;
    });
  }

  async #playOlder({ epoch, version, checkpoint }: PublishedVersion, today: readonly Task[]): Promise<void> {
    const { policy, initial } = this.#loop.agent;
    if (initial.version.name === version.name) return this.#play(this.#epoch, today, epoch, initial);
    // Each in an instance of its own: the one that is trained stays as it is.
    const older = await policy.restore(checkpoint).catch((error: unknown) => {
      if (!isGone(error)) throw error;
      this.#absent.push({ agent: epoch, version: version.name, reason: error.message });
      return null;
    });
    if (older === null) return;
    try {
      await this.#play(this.#epoch, today, epoch, { policy: older, version: await older.publish(version.name) });
    } finally {
      await older.dispose();
    }
  }

  async #play(row: number, tasks: readonly Task[], agent: number, sampler: Sampler): Promise<void> {
    const { experiment, ports } = this.#loop;
    const { name } = sampler.version;
    const { groups, tokens } = await attempt(
      {
        experiment: { seed: seedFrom(experiment.seed, 'cross-play', name, row), rollouts: experiment.rollouts },
        agent: sampler,
        ports: {
          ...ports,
          records: { appendTraces: () => Promise.resolve(), tracesOf: () => Promise.resolve([]) },
          onProgress: (now) => ports.onProgress?.({ ...now, phase: 'cross-play' }),
        },
      },
      {
        ...{ purpose: 'benchmark', epoch: this.#epoch, tasks, group: 1, minimum: 0, closed: false },
        ...{ temperature: experiment.rollouts.temperature, keepSequences: false },
      },
    );
    const tries = groups.map(({ traces }) => triesOf(traces));
    const outcomes = tries.map(({ successes, attempts }) => outcome(successes, attempts)).join('');
    this.#cells.push({ tasks: row, agent, version: name, outcomes });
    this.#rollouts += groups.reduce((sum, { traces }) => sum + traces.length, 0);
    this.#tokens += tokens;
  }
}

/** The checkpoint is not there any more; an endpoint that is away is another matter. */
const isGone = (error: unknown): error is Error =>
  error instanceof Error && 'reason' in error && error.reason === 'checkpoint';
