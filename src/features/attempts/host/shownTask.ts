/** A task's attempts as the page shows them. */
import type { ShownAttempt, ShownTask, ShownUnderWay } from '../contract.ts';
import type { NewVerdict } from '../../../runs/rescored/rescoredVerdicts.ts';
import { readRunName } from '../../../runs/store/runName.ts';
import { branchTurns } from '../../../shared/records/conversations.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { SaidSoFar } from '../../../shared/records/saidSoFar.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { personOf } from '../../../shared/records/play.ts';
import { rateOf } from '../../../host/documents/attemptMarks.ts';
import { speaker } from '../../../host/documents/layout/messages.ts';
import { attemptsIn, knownTask, learningIn, playsAt, rescoredAmong } from '../../../host/documents/reading.ts';
import { noAdvantage } from '../../../host/documents/layout/computationWords.ts';
import { rewardName } from '../../../host/documents/layout/rescoredWords.ts';
import { computeReward, groupIn } from '../../../runs/records/rewardComputation.ts';
import { sampledTurns } from '../../../host/documents/layout/surprise.ts';
import { attemptName } from '../../../host/documents/layout/taskLayout.ts';
import { knownAnswerTokens } from '../../../engine/phases/attempts/traceTokens.ts';
import { noteWords } from '../../../host/documents/layout/verdictWords.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { verdictWord } from '../../../shared/records/verdict.ts';

/**
 * @param asked the epoch; null for the last in which it was attempted. @throws RunError, InputError; Error when there
 * is no such task
 */
export async function shownTask(run: OpenRun, task: string, asked: number | null): Promise<ShownTask> {
  const { dir, reader } = run.followed;
  const { plan, gold, epoch: written } = await knownTask(run, task);
  const epochs = await reader.epochsAttempting(task);
  const epoch = asked ?? epochs.at(-1) ?? written;
  const traces = await attemptsIn(run, { task, epoch });
  const learningOf = await learningIn(run);
  const rescored = await rescoredAmong(run, traces);
  // Beside the others, and in none of their figures.
  const people = (await playsAt(run, task)).map(({ trace }) => shownAttempt(trace, notTrained, null));
  return {
    ...{ run: dir, runName: await readRunName(run.followed), task, plan, epoch, epochs, gold },
    successRate: rateOf(traces.map(({ verdict }) => verdict)),
    rescored:
      rescored.size === 0 ? null : rateOf(traces.map(({ id, verdict }) => rescored.get(id)?.verdict ?? verdict)),
    attempts: [
      ...traces.map((trace) => {
        const newest = rescored.get(trace.id) ?? null;
        const computation = computeReward(trace, groupIn(traces, trace), learningOf(trace));
        return shownAttempt(trace, { ...computation, without: noAdvantage(computation) }, newest);
      }),
      ...people,
    ],
  };
}

export const shownUnderWay = ({ attempts, first }: SaidSoFar): Omit<ShownUnderWay, 'elsewhere'> => ({
  attempts,
  first: first.map(({ id, said, newest }) => ({
    ...{ name: attemptName(id), said },
    turns: newest.map((message) => shownTurn(message, false)),
  })),
});

type Learned = Pick<ShownAttempt, 'advantage' | 'without'>;

const notTrained: Learned = { advantage: null, without: null };

function shownAttempt(trace: Trace, { advantage, without }: Learned, newest: NewVerdict | null): ShownAttempt {
  const { id, verdict, messages, stopReason } = trace;
  const nats = sampledTurns(trace).flatMap(({ surprise }) => surprise?.nats ?? []);
  const final = messages.findLastIndex(({ role }) => role === 'assistant');
  return {
    id,
    name: personOf(trace.version) ?? attemptName(id),
    verdict: verdictWord(verdict),
    note: noteWords(verdict),
    reward: verdict.reward,
    rescored:
      newest === null
        ? null
        : { verdict: verdictWord(newest.verdict), reward: newest.verdict.reward, by: rewardName(newest) },
    parts: verdict.parts ?? {},
    ...{ advantage, without },
    tokens: knownAnswerTokens(trace),
    surprise: nats.length === 0 ? null : nats.reduce((sum, one) => sum + one, 0) / nats.length,
    stopReason,
    turns: messages.map((message, turn) => shownTurn(message, turn === final)),
    branches: branchTurns(trace).map((branch) => ({
      follows: branch.follows,
      turns: branch.messages.map((message) => shownTurn(message, false)),
    })),
  };
}

const shownTurn = (message: Message, final: boolean): ShownAttempt['turns'][number] => ({
  speaker: speaker(message),
  text: message.content,
  final,
});
