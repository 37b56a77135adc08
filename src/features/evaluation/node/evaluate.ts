/** A policy on a benchmark: every task of its splits, n attempts each, kept as they come. */
import * as l10n from '@vscode/l10n';
import { sha256 } from '../../../runs/files/sha256.ts';
import { GivenTasks } from '../../../benchmarks/given/domain.ts';
import { outcomesOf, type Outcome } from '../../../benchmarks/evaluate/outcome.ts';
import { unofficial } from '../../../benchmarks/evaluate/unofficial.ts';
import { careful } from '../../../engine/carefulScorer.ts';
import { attempt } from '../../../engine/phases/attempts/attempt.ts';
import type { Attempts } from '../../../engine/phases/attempts/attemptPlan.ts';
import type { Progress } from '../../../engine/ports.ts';
import { UnansweredCount } from '../../../engine/unanswered.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import type { Unanswered } from '../../../shared/journal/events.ts';
import type { EvaluationSettings, Unofficial } from '../../../shared/records/evaluation.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import type { AgentTools } from '../../../launch/policies/newestAgent.ts';
import { isShippedAdapter } from '../../../launch/adapters/adapterPath.ts';
import { openRules } from '../../../launch/scoring/openRules.ts';
import { cutOffIn } from './cutOff.ts';
import { EvaluationError } from './evaluationError.ts';
import { appendAnswer, beginEvaluation, keepData, keepEnd } from './evaluationFolder.ts';
import { keepAsked } from './asked.ts';
import { dataOf, digestOf, evaluationTasks } from '../../../launch/inputs/evaluationTasks.ts';
import type { IdleAnswers } from './idleAnswers.ts';
import { openJudge, type OpenJudge } from './openJudge.ts';
import { openChoice, type OpenChoice } from './openChoice.ts';
import type { EvaluationAsk } from './evaluationAsk.ts';
import { inEnglish } from '../../../launch/language.ts';

export interface EvaluationTools extends AgentTools {
  onProgress?: (progress: Progress) => void;
  /** Once the folder is there and before anything is asked; `kept`: attempts that it has already. */
  onBegun?: (folder: string, kept: number) => void;
}

export interface Evaluation extends Pick<Attempts, 'tokens' | 'unanswered'> {
  folder: string;
  settings: EvaluationSettings;
  outcomes: readonly Outcome[];
  /** Records of the data that do not fit: they were not evaluated. */
  problems: readonly Problem[];
  /** Why figures over these tasks are not the benchmark's own: less was asked, or the data is broken. */
  unofficial: readonly Unofficial[];
  /** Attempts that ended at the limit of tokens an answer. */
  cutOff: number;
  /** Failures of the checker itself. */
  unjudged: Unanswered | null;
  /** Of answers of a file: those that answer nothing here. */
  idle?: IdleAnswers;
}

/**
 * Carries on where the same evaluation stopped: answered attempts are not requested again.
 * @throws EvaluationError, DataError, RunError, ReattemptError; LoopError `endpoint` when nothing was answered; the
 * endpoint's own errors and the signal's reason; answers so far are kept
 */
export function evaluate(ask: EvaluationAsk, tools: EvaluationTools): Promise<Evaluation> {
  return inEnglish(() => evaluated(ask, tools));
}

async function evaluated(ask: EvaluationAsk, tools: EvaluationTools): Promise<Evaluation> {
  const { adapter, adapterFile, data, splits, sample, seed } = ask;
  const shipped = adapterFile !== undefined && isShippedAdapter(adapterFile, tools.dist);
  const outside = shipped || ask.outside === true;
  const { signal } = tools;
  const found = await evaluationTasks(adapter, { folder: data, splits, sample, seed, signal, outside });
  const { tasks, problems } = found;
  if (tasks.length === 0) {
    const first = problems[0] === undefined ? '' : l10n.t(' The first problem: {0}', problems[0].message);
    const message = l10n.t('No record of {0} in {1} becomes a task.{2}', adapter.name, data, first);
    throw new EvaluationError('no-tasks', message, adapter.data.obtain);
  }
  const rules = await openRules(tasks, tools.dist);
  const judging = await openJudge(ask, tools, rules);
  const agent = await openChoice(ask.policy, tools, { tasks, attempts: ask.attempts, scorer: rules });
  try {
    const settings = settingsOf(ask, tasks, agent, judging);
    const folder = ask.folderOf(nameOf(settings));
    const { answers } = await beginEvaluation(folder, settings, tools.clock.now());
    await keepAsked(folder, ask, tasks);
    await keepData(folder, dataOf(found));
    tools.onBegun?.(folder, answers.length);
    const made = await attempt(
      {
        // An episode knows its own limit.
        experiment: { seed, rollouts: { ...presets.embedded.rollouts, maxTokens: ask.maxTokens, maxTurns: Infinity } },
        agent,
        ports: {
          domain: new GivenTasks(tasks, rules),
          scorer: careful(rules),
          signal,
          ...(judging !== null && { judge: judging.judge }),
          ...defined({ onProgress: tools.onProgress }),
          records: {
            tracesOf: () => Promise.resolve([...answers]),
            appendTraces: async (traces) => {
              for (const trace of traces) await appendAnswer(folder, trace);
            },
          },
        },
      },
      {
        ...{ purpose: 'benchmark', epoch: 0, tasks, group: ask.attempts, minimum: 0, closed: false },
        ...{ temperature: ask.temperature, keepSequences: true },
      },
    );
    const { tokens, unanswered } = made;
    const traces = made.groups.flatMap((group) => group.traces);
    const answered = traces.length;
    await keepEnd(folder, { answered, ...defined({ unanswered }) });
    const outcomes = outcomesOf(traces, { tasks, attempts: ask.attempts });
    return {
      ...{ folder, settings, outcomes, problems, tokens, cutOff: cutOffIn(traces), unjudged: unjudgedOf(traces) },
      unofficial: unofficial(settings, dataOf(found), {
        ...{ answered, asked: tasks.length * ask.attempts, finished: true },
      }),
      ...defined({ unanswered, idle: agent.idle }),
    };
  } finally {
    await agent.close();
    await judging?.close();
  }
}

/** By cause, like unanswered attempts. */
function unjudgedOf(traces: readonly Pick<Trace, 'verdict'>[]): Unanswered | null {
  const causes = new UnansweredCount();
  for (const { verdict } of traces) if (verdict.error !== undefined) causes.add(verdict.error);
  return causes.event.unanswered ?? null;
}

function settingsOf(
  ask: EvaluationAsk,
  tasks: readonly Task[],
  { told }: OpenChoice,
  judging: OpenJudge | null,
): EvaluationSettings {
  const { adapter, sample, seed, attempts, temperature, maxTokens } = ask;
  const splits = ask.splits.length === 0 ? Object.keys(adapter.data.splits) : [...ask.splits];
  return {
    ...{ benchmark: adapter.name, rule: adapter.scorer.kind, splits, sample, seed, attempts, temperature, maxTokens },
    ...{ policy: told, ...(judging !== null && { judge: judging.told }) },
    ...{ tasks: tasks.length, digest: digestOf(tasks) },
  };
}

/** `bamboogle.shipped.agent-0.1f3a5c7e`: the same settings have the same name, so that asking again carries on. */
function nameOf(settings: EvaluationSettings): string {
  const { benchmark, policy } = settings;
  const hash = sha256(JSON.stringify(settings)).slice(0, 8);
  const plain = [benchmark, policy.source, policy.version].map((part) =>
    part
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, ''),
  );
  return [...plain, hash].join('.');
}
