/** Tests a domain on one text, task or attempt as a run would, for a debugger. */
import type { DomainBase } from '../benchmarks/recipes/recipe.ts';
import { EpisodeError } from '../engine/errors.ts';
import type { Verification } from '../engine/ports.ts';
import type { Task, TaskDraft } from '../shared/records/task.ts';
import type { Trace, Verdict } from '../shared/records/trace.ts';
import { withoutThoughts } from '../shared/text/thoughts.ts';
import { DomainError } from './domainError.ts';
import { FileDomain } from './fileDomain.ts';
import { WatchedFunctions, type WatchedCall } from './watchedFunctions.ts';
import type { DomainFunctions } from './domainFunctions.ts';
import type { ScorerRule } from '../benchmarks/scorerRule.ts';

export type DomainSubject =
  /** As the environment may write it: parsed, then verified. */
  | { kind: 'text'; text: string; plan: string; seed: Task }
  /** Verified, then posed. */
  | { kind: 'task'; task: Task }
  /** Replayed with the agent's recorded messages, where the domain plays; then judged. */
  | { kind: 'trace'; task: Task; trace: Omit<Trace, 'verdict'> };

export type DomainOutcome = (
  | { kind: 'text'; draft: TaskDraft | null; verification: Verification }
  | { kind: 'task'; verification: Verification }
  | { kind: 'trace'; verdict: Verdict }
) & {
  /** The output of its calls, and where they failed. */
  calls: readonly WatchedCall[];
};

/** The functions called first, by subject: of several, the first that the file has. */
export const firstFunctions: Readonly<Record<DomainSubject['kind'], readonly string[]>> = {
  text: ['parse'],
  task: ['verify', 'agentPrompt'],
  trace: ['reset', 'step', 'judge'],
};

/** @param base the recipe that the file names; null without one */
export async function trySubject(
  file: string,
  given: DomainFunctions,
  rules: ScorerRule,
  subject: DomainSubject,
  base: DomainBase | null,
): Promise<DomainOutcome> {
  const functions = new WatchedFunctions(given);
  const domain = new FileDomain(file, functions, { base: [], heldOut: [] }, rules, { base });
  switch (subject.kind) {
    case 'text': {
      const parsed = await domain.parseTask(withoutThoughts(subject.text), subject.plan, subject.seed);
      const draft = parsed.ok ? parsed.draft : null;
      const verification = parsed.ok ? await domain.verify(parsed.draft) : parsed;
      return { kind: 'text', draft, verification, calls: functions.take() };
    }
    case 'task': {
      const verification = await domain.verify(subject.task);
      await told(async () => domain.agentPrompt(subject.task));
      return { kind: 'task', verification, calls: functions.take() };
    }
    case 'trace': {
      const { task, trace } = subject;
      await told(() => replay(domain, functions, task, trace));
      const verdict = await (domain.judge?.judge(task, trace) ?? rules.score(task, trace));
      return { kind: 'trace', verdict, calls: functions.take() };
    }
  }
}

/** Replays the agent's recorded messages. */
async function replay(
  domain: FileDomain,
  functions: DomainFunctions,
  task: Task,
  { messages }: Pick<Trace, 'messages'>,
): Promise<void> {
  if (!functions.has('step')) return;
  const episode = domain.environment(task);
  if (episode === null) return;
  let { done } = await episode.reset(task);
  for (const { role, content } of messages) {
    if (role === 'assistant' && !done) ({ done } = await episode.step(content));
  }
}

/** A function's error is reported with its call. */
async function told(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!DomainError.is(error) && !EpisodeError.is(error)) throw error;
  }
}
