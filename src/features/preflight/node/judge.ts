/** A rehearsal's findings on the reward, and on one task end to end. */
import * as l10n from '@vscode/l10n';
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
import { fixed } from '../../../shared/text/figures/numbers.ts';

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
    const why = verdict.error ?? verdict.note ?? l10n.t('reward {0}', verdict.reward);
    if (verdict.success) continue;
    const message = l10n.t('The reward does not accept the gold answer of task {0}: {1}.', task.id, why);
    facts.push({ severity: 'warning', message, remedy: l10n.t('Correct the reward, or the gold.'), field });
  }
  for (const [first] of Map.groupBy(golden, ({ domain }) => domain).values()) {
    if (first === undefined || !(await judge(first, '')).success) continue;
    const message = l10n.t('The reward takes an empty answer to task {0} for a success.', first.id);
    facts.push({ severity: 'error', message, remedy: l10n.t('Correct the reward.'), field });
  }
  const judged = { gold: (task: Task) => said(task) ?? '', field };
  append(facts, await doubtsOf(golden, judge, judged));
  return done(
    'reward',
    judgedText(golden.length, facts.length),
    facts.map((one) => places.finding(one)),
  );
}

function judgedText(golds: number, faults: number): string {
  if (golds === 0) return l10n.t('It loads; no task has a gold answer to try it on.');
  if (faults > 0) return l10n.t('It loads, but judges wrongly.');
  return golds === 1
    ? l10n.t('It accepts the gold answers of 1 task, and refuses an empty one.')
    : l10n.t('It accepts the gold answers of {0} tasks, and refuses an empty one.', golds);
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
      message:
        trial.written === 1
          ? l10n.t('None of 1 text of the environment became a task ({0}).', causes(trial.rejected))
          : l10n.t('None of {0} texts of the environment became a task ({1}).', trial.written, causes(trial.rejected)),
      remedy: l10n.t(
        'See whether its model fits the domain, and generation.maxTokens: a run would end after its first epoch.',
      ),
      field: 'endpoints.environment',
    });
  }
  if (trial.accepted > 0 && trial.without.length > 0) {
    const names = trial.without.map((name) => `“${name}”`).join(l10n.t(' and '));
    const remedy = l10n.t('See what was rejected, and why: without tasks of its own it only gives its base tasks.');
    warn('domains', l10n.t('No text of the environment became a task of {0}.', names), remedy);
  }
  if (trial.attempts > 0 && trial.truncated === trial.attempts) {
    const message = l10n.t(
      'Every answer of the agent was cut at rollouts.maxTokens = {0}.',
      experiment.rollouts.maxTokens,
    );
    warn('rollouts.maxTokens', message, l10n.t('Raise it, or see whether the agent’s weights fit the domain.'));
  } else if (trial.valid === 0) {
    const message =
      trial.attempts === 1
        ? l10n.t('None of 1 answer of the agent could be read.')
        : l10n.t('None of {0} answers of the agent could be read.', trial.attempts);
    warn('endpoints.agent', message, l10n.t('See whether the agent’s weights fit the domain.'));
  }
  if (trial.checkerErrors > 0) {
    const message =
      trial.attempts === 1
        ? l10n.t('The reward failed on {0} of 1 answer.', trial.checkerErrors)
        : l10n.t('The reward failed on {0} of {1} answers.', trial.checkerErrors, trial.attempts);
    warn('domain.name', message, l10n.t('See the log for what it said.'));
  }
  return done(
    'trial',
    [writtenText(trial), solvedText(trial)].filter((text) => text !== '').join(' '),
    facts.map((one) => places.finding(one)),
  );
}

function writtenText({ written, accepted }: Trial): string {
  if (written === 0) return '';
  const became = accepted === 1 ? l10n.t('1 became a task') : l10n.t('{0} became tasks', accepted);
  return written === 1
    ? l10n.t('The environment wrote 1 text, {0}.', became)
    : l10n.t('The environment wrote {0} texts, {1}.', written, became);
}

function solvedText({ solved, attempts, seconds }: Trial): string {
  const took = `${fixed(seconds, 1)}\u00A0s`;
  return attempts === 1
    ? l10n.t('The agent solved {0} of 1 attempt ({1}).', solved, took)
    : l10n.t('The agent solved {0} of {1} attempts ({2}).', solved, attempts, took);
}
