/** The answering policy of an evaluation. */
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { sha256 } from '../../../runs/files/sha256.ts';
import type { Scorer } from '../../../engine/ports.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { EvaluationSettings } from '../../../shared/records/evaluation.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Thought } from '../../../shared/text/thoughts.ts';
import {
  newestAgent,
  policyNamed,
  shippedAgent,
  untrainedAgent,
  type AgentTools,
  type OpenAgent,
} from '../../../launch/policies/newestAgent.ts';
import { AnswersPolicy, readAnswers, type AnswerOf } from './answersPolicy.ts';
import { foreignAnswers, idleAnswers, type IdleAnswers } from './idleAnswers.ts';

export type PolicyChoice =
  /** The shipped embedded agent. */
  | { kind: 'shipped' }
  /** The official answers, derived from data and scorer. */
  | { kind: 'gold' }
  /** Answers of a file; absolute path. */
  | { kind: 'answers'; path: string }
  /** The agent that an experiment would begin with; `name` is the experiment's. */
  | { kind: 'experiment'; name: string; experiment: Experiment }
  /** A run's agent, the newest when no version is named. */
  | { kind: 'run'; run: RunReader; version: string | null };

export interface OpenChoice extends OpenAgent {
  /** The policy as the evaluation's settings describe it. */
  told: EvaluationSettings['policy'];
  /** Of answers of a file: those that answer nothing here. */
  idle?: IdleAnswers;
}

/** @throws EvaluationError, ReattemptError, RunError, and the endpoint's own errors */
export async function openChoice(
  choice: PolicyChoice,
  tools: AgentTools,
  { tasks, attempts, scorer }: { tasks: readonly Task[]; attempts: number; scorer: Scorer },
): Promise<OpenChoice> {
  switch (choice.kind) {
    case 'gold': {
      const golds = new Map<string, readonly Thought[] | null>();
      for (const task of tasks) {
        const turns = await officialTurns(task, scorer);
        golds.set(task.id, turns?.map((text) => ({ text })) ?? null);
      }
      const silence = l10n.t('The gold does not tell what answers it: give answers of a file.');
      return spoken(['gold', 'gold'], (task) => golds.get(task) ?? null, silence);
    }
    case 'answers': {
      const answers = await readAnswers(choice.path);
      const idle = idleAnswers(answers, tasks, attempts);
      if (answers.of.length > 0 && idle.unknown === answers.of.length) throw foreignAnswers(choice.path, idle, tasks);
      const version = `answers@${sha256(answers.text).slice(0, 16)}`;
      const opened = await spoken(
        [basename(choice.path), version],
        answers.answerOf,
        l10n.t('The file has no answer to it.'),
      );
      return { ...opened, idle };
    }
    case 'shipped': {
      const opened = await shippedAgent(presets.embedded, tools);
      return { ...opened, told: { source: 'shipped', version: opened.version.name } };
    }
    case 'experiment': {
      const opened = await untrainedAgent(choice.experiment, tools);
      const version = `${opened.version.name} ${fingerprint(choice.experiment.endpoints.agent)}`;
      return { ...opened, told: { source: choice.name, version } };
    }
    case 'run': {
      const { run, version } = choice;
      const opened = await (version === null ? newestAgent(run, tools) : policyNamed(run, version, tools));
      return { ...opened, told: { source: run.id, version: opened.version.name } };
    }
  }
}

/** The official answer in an agent's form, turn by turn; null where the gold does not define it. */
export async function officialTurns(task: Task, scorer: Scorer): Promise<readonly string[] | null> {
  if (task.evaluation.kind === 'alfworld')
    return (await import('../../../benchmarks/alfworld/gameTask.ts')).walkthroughOf(task);
  if (task.evaluation.kind === 'bfcl-multi-turn')
    return (await import('../../../benchmarks/bfcl/multiTurn/turnsTask.ts')).officialTurns(task);
  if (task.evaluation.kind === 'bfcl-long-context-turns')
    return (await import('../../../benchmarks/bfcl/multiTurn/turnTask.ts')).officialTurn(task);
  const text = scorer.goldAnswer?.(task) ?? null;
  return text === null ? null : [text];
}

async function spoken(
  [source, version]: readonly [string, string],
  answerOf: AnswerOf,
  silence: string,
): Promise<OpenChoice> {
  const policy = new AnswersPolicy(answerOf, silence);
  const told = { source, version };
  return { policy, version: await policy.publish(version), told, close: () => policy.dispose() };
}

/** Another address or model is another policy. Keys are references, never keys. */
const fingerprint = (endpoint: Experiment['endpoints']['agent']): string =>
  sha256(JSON.stringify(endpoint)).slice(0, 12);
