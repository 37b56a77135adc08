/**
 * Guards over versions that were compared with each other (`crossPlay`): an agent that forgets, versions that go in a circle,
 * an environment that alone moves. Rates of false alarms and of hits are held by `test/unit/runs/crossPlayGuards.test.ts`.
 */
import * as l10n from '@vscode/l10n';
import { exactMcNemar } from '../../../engine/math/paired/mcnemar.ts';
import { pairedDifference } from '../../../engine/math/paired/proportions.ts';
import { outcomeTries } from '../../../engine/math/paired/taskTries.ts';
import type { EventOf, JournalEvent } from '../../../shared/journal/events.ts';
import { measureChange } from '../../../shared/journal/measures.ts';
import { changesOf } from '../../journal/experimentNow.ts';
import { countsOf } from '../crossPlay.ts';
import type { GuardFinding } from './guardFinding.ts';
import { Streak } from './streak.ts';
import { fixed } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';

type Check = EventOf<'cross.played'>;

/** Two-sided levels of one check, each to be met by two checks in a row; fewer points lost harm little. */
const levels = { forgetting: 0.02, cycling: 0.05, points: 0.1 };
/** Checks in a row. */
const inARow = 2;
/**
 * |z| between first and today's tasks, one of each family; checks whose pairs are taken together; points that the agent is
 * shown not to have gained.
 */
const alone = { z: 2.8, checks: 6, points: 0.1 };

interface Compared {
  older: string;
  newer: string;
}

const join = (parts: readonly Compared[]): Compared => ({
  older: parts.map(({ older }) => older).join(''),
  newer: parts.map(({ newer }) => newer).join(''),
});

const changeOf = ({ older, newer }: Compared) => pairedDifference(outcomeTries(older), outcomeTries(newer));

/** Outcomes of an agent at an epoch's tasks in this check, by the tasks' ids; empty where they were not attempted. */
function outcomesOf({ cells, rows }: Check, tasks: number, agent: number): Map<string, string> {
  const outcomes = cells.find((cell) => cell.tasks === tasks && cell.agent === agent)?.outcomes ?? '';
  const ids = rows.find((row) => row.tasks === tasks)?.ids ?? [];
  return new Map(ids.slice(0, outcomes.length).map((id, i) => [id, outcomes.charAt(i)]));
}

/** The same tasks by two agents. */
function compared(older: ReadonlyMap<string, string>, newer: ReadonlyMap<string, string>): Compared {
  const both = { older: '', newer: '' };
  for (const [id, then] of older) {
    const now = newer.get(id);
    if (now === undefined) continue;
    both.older += then;
    both.newer += now;
  }
  return both;
}

export class CrossPlayGuards {
  /** Outcomes of each checked epoch's own agent at its tasks. */
  readonly #then = new Map<number, Map<string, string>>();
  readonly #forgets = new Streak();
  readonly #cycles = new Streak();
  #gains: Compared[] = [];
  readonly #alone = new Streak();
  /** Findings in words, made when they are shown: a fold may be older than the language. */
  readonly #said = { forgetting: nothing, cycling: nothing, alone: nothing };

  add(event: JournalEvent): void {
    // Successes of earlier agents are not measured as today's will be.
    if (event.type === 'settings.changed' && measureChange('attempts', changesOf(event)) !== null) this.#then.clear();
    if (event.type !== 'cross.played') return;
    this.#then.set(event.epoch, outcomesOf(event, event.epoch, event.epoch));
    this.#lookForForgetting(event);
    this.#lookForCycles(event);
    this.#lookForOneSide(event);
  }

  /** Today's agent against each earlier epoch's own agent, on that epoch's tasks, all together. */
  #lookForForgetting(check: Check): void {
    const { epoch, cells, version } = check;
    const older = cells.filter(({ tasks, agent }) => tasks < epoch && agent === epoch);
    const change = changeOf(
      join(older.map(({ tasks }) => compared(this.#then.get(tasks) ?? new Map(), outcomesOf(check, tasks, epoch)))),
    );
    const lost = change !== null && -change.difference >= levels.points;
    const clear = lost && exactMcNemar(change.gained, change.lost) <= levels.forgetting;
    this.#forgets.add(epoch, clear);
    if (change === null) return;
    this.#said.forgetting = () =>
      l10n.t(
        'The agent forgets: {0} solves {1} of {2} tasks of earlier epochs, and the agents of those epochs solved {3} of the same tasks.',
        version,
        solved(change.after, change.tasks),
        change.tasks,
        solved(change.before, change.tasks),
      );
  }

  /** Each earlier agent against today's, on today's tasks. */
  #lookForCycles(check: Check): void {
    const { epoch, cells, version } = check;
    const today = outcomesOf(check, epoch, epoch);
    const older = cells.filter(({ tasks, agent }) => tasks === epoch && agent !== epoch);
    let best: { version: string; before: number; after: number; tasks: number; p: number } | null = null;
    for (const cell of older) {
      const change = changeOf(compared(outcomesOf(check, epoch, cell.agent), today));
      if (change === null || -change.difference < levels.points) continue;
      const p = exactMcNemar(change.gained, change.lost) * older.length;
      if (p <= levels.cycling && p < (best?.p ?? Infinity)) best = { ...change, version: cell.version, p };
    }
    this.#cycles.add(epoch, best !== null);
    if (best === null) return;
    const { version: earlier, before, after, tasks } = best;
    this.#said.cycling = () =>
      l10n.t(
        'Versions go in a circle: the earlier {0} solves {1} of today’s tasks, {2} {3}.',
        earlier,
        solved(before, tasks),
        version,
        solved(after, tasks),
      );
  }

  /** Tasks changed for one and the same agent, which is not better at them than the agent of the start. */
  #lookForOneSide(check: Check): void {
    const { epoch, cells, version } = check;
    const first = cells.find(({ tasks, agent }) => tasks === 1 && agent === epoch);
    const today = cells.find(({ tasks, agent }) => tasks === epoch && agent === epoch);
    const start = cells.find(({ tasks, agent }) => tasks === epoch && agent === 0);
    if (first === undefined || today === undefined || start === undefined || epoch === 1) return;
    const gain = compared(outcomesOf(check, epoch, 0), outcomesOf(check, epoch, epoch));
    this.#gains = [...this.#gains, gain].slice(-alone.checks);
    const [then, now] = [first, today].map(({ tasks, outcomes }) =>
      countsOf(outcomes.slice(0, check.rows.find((row) => row.tasks === tasks)?.families)),
    );
    if (then === undefined || now === undefined) return;
    const gained = changeOf(join(this.#gains));
    const z = difference(then, now);
    const clear = gained !== null && Math.abs(z) >= alone.z && gained.high < alone.points;
    this.#alone.add(epoch, clear);
    if (gained === null) return;
    const checks = this.#gains.length;
    this.#said.alone = () =>
      l10n.t(
        'Only the environment moved: {0} solves {1} of the first tasks and {2} of today’s, which became {3}; over {4} checks it solves {5} points more of them than the agent of the start (at most {6}).',
        version,
        solved(then.successes, then.attempts),
        solved(now.successes, now.attempts),
        z > 0 ? l10n.t('easier') : l10n.t('harder'),
        checks,
        fixed(100 * gained.difference, 0),
        fixed(100 * gained.high, 0),
      );
  }

  findings(): (GuardFinding | null)[] {
    const spoke = ({ since, length }: Streak): number | null => (length < inARow ? null : since);
    return [
      finding('forgetting', spoke(this.#forgets), this.#said.forgetting, {
        remedy: l10n.t('Raise rollouts.poolShare, so that earlier tasks are trained on again, or agent.klCoefficient.'),
        field: 'rollouts.poolShare',
      }),
      finding('cycling', spoke(this.#cycles), this.#said.cycling, {
        remedy: l10n.t('Raise environment.bufferEpochs and rollouts.poolShare, or lower both learning rates.'),
        field: 'environment.bufferEpochs',
      }),
      finding('environment-alone', spoke(this.#alone), this.#said.alone, {
        remedy: l10n.t(
          'See whether the agent learns at all: raise agent.learningRate or rollouts.group, and look at what teaches.',
        ),
        field: 'agent.learningRate',
      }),
    ];
  }
}

const finding = (
  guard: GuardFinding['guard'],
  since: number | null,
  said: () => string,
  what: Pick<GuardFinding, 'remedy' | 'field'>,
): GuardFinding | null => (since === null ? null : { guard, since, message: said(), ...what });

const nothing = (): string => '';

/** Standard errors by which the second share is larger, were both the same. */
function difference(
  first: { successes: number; attempts: number },
  second: { successes: number; attempts: number },
): number {
  const pooled = (first.successes + second.successes) / (first.attempts + second.attempts);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / first.attempts + 1 / second.attempts));
  const apart = second.successes / second.attempts - first.successes / first.attempts;
  return error > 0 ? apart / error : 0;
}

const solved = (of: number, all: number): string => percent(of / Math.max(1, all));
