/**
 * Whether independent answers agree with a new task's gold. Asked only where a domain says that nothing can execute its
 * golds: a wrong gold gives a low p̂ that looks like difficulty.
 */
import * as l10n from '@vscode/l10n';
import type { Agreement, Task, TaskDraft } from '../../shared/records/task.ts';
import { defined } from '../../shared/defined.ts';
import type { Loop } from '../loop.ts';
import { urgencyOf } from '../order/urgency.ts';
import type { SampleRequest, Verification } from '../ports.ts';
import { seedFrom } from '../random.ts';
import { countOf, turnOf } from '../turn.ts';
import { hasFailed, unlessUnasked, type UnansweredCount } from '../unanswered.ts';
import type { About, KeptCompletions } from './written/keptCompletions.ts';

/** A task that has passed every other check, by the id that it will have. */
type Candidate = Pick<Task, 'id' | 'family' | 'epoch' | 'seed'> & { attempt: number; draft: TaskDraft };

/** Whether golds are checked by independent answers before tasks count. */
export const asksForAgreement = ({ ports, experiment }: Loop, task: Pick<Task, 'domain'>): boolean =>
  ports.domain.needsAgreement?.(task) === true && experiment.generation.agreementAnswers > 0;

/**
 * Poses each task `generation.agreementAnswers` times, without its gold. A missing answer does not agree.
 * @returns by id
 */
export async function agreements(
  loop: Loop,
  candidates: readonly Candidate[],
  kept: KeptCompletions,
  unanswered: UnansweredCount,
): Promise<Map<string, Agreement>> {
  const { ports, experiment } = loop;
  const { agreementAnswers: n, agreementBy } = experiment.generation;
  const { maxTokens, maxSequence, temperature } = experiment.rollouts;
  // The environment answers as it was at its start: one that is trained would learn to agree with itself.
  const { policy, version } = agreementBy === 'agent' ? loop.agent : loop.environment.initial;
  const found = new Map(
    candidates.map(({ id, family, attempt, draft }) => [
      id,
      { family, attempt, draft, agreement: { answers: n, agreeing: 0, tokens: 0, prompt: 0, by: agreementBy } },
    ]),
  );
  const requests: SampleRequest[] = [];
  for (const { id, family, epoch, seed, draft } of candidates) {
    const task: Task = {
      ...{ v: 1, id, family, epoch, origin: 'generated', seed, status: 'accepted' },
      ...draft,
    };
    const messages = await unlessUnasked(unanswered, n, () => ports.domain.agentPrompt(task));
    if (messages === null) continue;
    requests.push({
      id,
      messages,
      ...{ n, seed: seedFrom(experiment.seed, 'agreement', id), maxTokens, temperature },
      ...urgencyOf(experiment.rollouts, epoch, undefined),
      ...defined({ maxSequence: maxSequence ?? undefined }),
      logprobs: false,
    });
  }
  if (candidates.length === 0) return new Map();
  const about: About = (id) => {
    const posed = found.get(id);
    return posed === undefined ? null : { kind: 'answer', family: posed.family, attempt: posed.attempt };
  };
  const ask = (rest: readonly SampleRequest[]) => policy.sample(version, rest, ports.signal);
  for await (const answer of kept.sample(requests, { about, version: version.name, ask })) {
    const posed = found.get(answer.requestId);
    if (posed === undefined) continue;
    if (hasFailed(answer)) {
      unanswered.add(answer.failure);
      continue;
    }
    const { draft, agreement } = posed;
    const count = countOf(answer);
    agreement.tokens += count.prompt + count.answer;
    agreement.prompt += count.prompt;
    const attempted = { messages: [turnOf(answer)], stopReason: answer.stopReason };
    if (ports.scorer.score(draft, attempted).success) agreement.agreeing += 1;
  }
  return new Map([...found].map(([id, { agreement }]) => [id, agreement]));
}

/** A task counts when the share of answers that agree is at least `generation.agreementShare`. */
export function agreed({ answers, agreeing }: Agreement, least: number): Verification {
  // Shares of a few answers are compared as the difficulty filter compares: 3 of 5 are 0.6.
  if (agreeing / answers >= least - 1e-9) return { ok: true };
  const note = l10n.t(
    '{0} of {1} independent answers agree with the gold, and {2} of them have to.',
    agreeing,
    answers,
    least,
  );
  return { ok: false, cause: 'gold', note };
}
