/** A rehearsal's findings on the reward, and on one task end to end. */
import { doubtsOfJudging } from '../../../domains/probes.ts';
import { doubtsOfSteadyJudging } from '../../../domains/steadiness.ts';
import { append } from '../../../shared/append.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import type { Check, Finding } from '../contract.ts';
import { done } from './check.ts';
import type { Places } from './findings.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { Trial } from './trial.ts';
import { plural } from './words.ts';

/** How many gold answers are judged: a custom reward may be slow. */
const goldsJudged = 8;

type Facts = Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>;

/** The part of a rehearsal for judging golds. */
type Judging = Pick<Rehearsal['ports'], 'scorer' | 'judge' | 'offlineTasks'> & {
  domain: Pick<Rehearsal['ports']['domain'], 'seeds'>;
};

/** The reward has to accept the gold answers of the run's own tasks, and not an empty one. */
export async function judgeGold({ ports }: { ports: Judging }, places: Places): Promise<Check> {
  const tasks = [...ports.domain.seeds('base'), ...(ports.offlineTasks ?? [])];
  const said = (task: Task): string | null => (ports.scorer.goldAnswer ? ports.scorer.goldAnswer(task) : task.gold);
  // Where a task has no gold, saying nothing may be right.
  const withGold = tasks.filter((task) => task.gold !== null && said(task) !== null);
  // Each domain's judge is tried.
  const golden = [...Map.groupBy(withGold, ({ domain }) => domain).values()].flatMap((own) =>
    own.slice(0, goldsJudged),
  );
  const field = ports.judge === undefined ? 'domain.name' : 'reward.file';
  const judge = (task: Task, content: string): Verdict | Promise<Verdict> => {
    const said = { messages: [{ role: 'assistant' as const, content }], stopReason: 'stop' as const };
    if (ports.judge === undefined) return ports.scorer.score(task, said);
    const { id, family, epoch } = task;
    const whose = { v: 1, id: `gold/${id}`, purpose: 'train', task: id, family, epoch, version: 'gold' } as const;
    return ports.judge.judge(task, { ...whose, ...said, sequences: [] });
  };
  const facts: Facts[] = [];
  for (const task of golden) {
    const verdict = await judge(task, said(task) ?? '');
    const why = verdict.error ?? verdict.note ?? `reward ${verdict.reward}`;
    if (verdict.success) continue;
    const message = `The reward does not accept the gold answer of task ${task.id}: ${why}.`;
    facts.push({ severity: 'warning', message, remedy: 'Correct the reward, or the gold.', field });
  }
  for (const [first] of Map.groupBy(golden, ({ domain }) => domain).values()) {
    if (first === undefined || !(await judge(first, '')).success) continue;
    const message = `The reward takes an empty answer to task ${first.id} for a success.`;
    facts.push({ severity: 'error', message, remedy: 'Correct the reward.', field });
  }
  const judged = { gold: (task: Task) => said(task) ?? '', field };
  append(facts, await doubtsOf(golden, judge, judged));
  const accepted = `It accepts the gold answers of ${plural(golden.length, 'task')}, and refuses an empty one.`;
  const sentence =
    golden.length === 0 ? 'It loads; no task has a gold answer to try it on.' : facts.length === 0 ? accepted : '';
  return done(
    'reward',
    sentence === '' ? 'It loads, but judges wrongly.' : sentence,
    facts.map((one) => places.finding(one)),
  );
}

/** A judge that tells no answers apart, in each domain. */
async function doubtsOf(
  golden: readonly Task[],
  judge: (task: Task, content: string) => Verdict | Promise<Verdict>,
  { gold, field }: { gold: (task: Task) => string; field: string },
): Promise<Facts[]> {
  const found: Facts[] = [];
  for (const own of Map.groupBy(golden, ({ domain }) => domain).values()) {
    for (const { message, remedy } of await doubtsOfJudging(own, judge, gold)) {
      found.push({ severity: 'error', message, remedy, field });
    }
    for (const { message, remedy } of await doubtsOfSteadyJudging(own, judge, gold)) {
      found.push({ severity: 'warning', message, remedy, field });
    }
  }
  return found;
}

/** Outcomes of `rejected` texts: `schema 2, unparseable 1`. */
const causes = (rejected: Readonly<Record<string, number>>): string =>
  Object.entries(rejected)
    .map(([cause, times]) => `${cause} ${times}`)
    .join(', ');

/** One task end to end. */
export function judgeTrial(experiment: Experiment, trial: Trial, places: Places): Check {
  const facts: Facts[] = [];
  const warn = (field: string, message: string, remedy: string): void => {
    facts.push({ severity: 'warning', message, remedy, field });
  };
  if (trial.written > 0 && trial.accepted === 0) {
    facts.push({
      severity: 'error',
      message: `None of ${plural(trial.written, 'text')} of the environment became a task (${causes(trial.rejected)}).`,
      remedy: 'See whether its model fits the domain, and generation.maxTokens: a run would end after its first epoch.',
      field: 'endpoints.environment',
    });
  }
  if (trial.accepted > 0 && trial.without.length > 0) {
    const names = trial.without.map((name) => `“${name}”`).join(' and ');
    const remedy = 'See what was rejected, and why: without tasks of its own it only gives its base tasks.';
    warn('domains', `No text of the environment became a task of ${names}.`, remedy);
  }
  if (trial.attempts > 0 && trial.truncated === trial.attempts) {
    const message = `Every answer of the agent was cut at rollouts.maxTokens = ${experiment.rollouts.maxTokens}.`;
    warn('rollouts.maxTokens', message, 'Raise it, or see whether the agent’s weights fit the domain.');
  } else if (trial.valid === 0) {
    const message = `None of ${plural(trial.attempts, 'answer')} of the agent could be read.`;
    warn('endpoints.agent', message, 'See whether the agent’s weights fit the domain.');
  }
  if (trial.checkerErrors > 0) {
    const message = `The reward failed on ${trial.checkerErrors} of ${plural(trial.attempts, 'answer')}.`;
    warn('domain.name', message, 'See the log for what it said.');
  }
  const became = trial.accepted === 1 ? '1 became a task' : `${trial.accepted} became tasks`;
  const written = trial.written === 0 ? '' : `The environment wrote ${plural(trial.written, 'text')}, ${became}. `;
  const solved = `The agent solved ${trial.solved} of ${plural(trial.attempts, 'attempt')}`;
  return done(
    'trial',
    `${written}${solved} (${trial.seconds.toFixed(1)}\u00A0s).`,
    facts.map((one) => places.finding(one)),
  );
}
