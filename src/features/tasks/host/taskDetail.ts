/** Everything that the page shows of one task. */
import type { HealthFlag } from '../../health/contract.ts';
import type { NowTask } from '../node/editedTasks.ts';
import { contentNames, contentOf } from '../node/taskValues.ts';
import { append } from '../../../shared/append.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import type { TaskDetail, TaskRemark } from '../contract.ts';
import { answerOf } from '../../../host/documents/layout/messages.ts';
import { knownAnswerTokens } from '../../../engine/phases/attempts/traceTokens.ts';
import type { OpenedTasks } from './openTasks.ts';
import { lineageOf } from './lineage.ts';
import { rowOf } from './taskRow.ts';

/** Newest first, so many attempts are shown. */
const attemptsShown = 200;

export interface Judged {
  remarks: readonly TaskRemark[];
  flags: readonly HealthFlag[];
}

/** @throws RunError */
export async function detailOf(opened: OpenedTasks, now: NowTask, judged: Judged): Promise<TaskDetail> {
  const { tasks, run } = opened;
  const traces: Trace[] = [];
  if (run !== null) {
    const { reader } = run.followed;
    for (const epoch of (await reader.epochsAttempting(now.task.id)).reverse()) {
      if (traces.length >= attemptsShown) break;
      append(
        traces,
        (await reader.attemptsAt(now.task.id, epoch)).filter(({ purpose }) => purpose === 'train'),
      );
    }
  }
  const { complexity, plan } = now.recorded;
  const isEdited = contentNames.some(
    (name) => JSON.stringify(contentOf(now.recorded)[name]) !== JSON.stringify(now.now[name]),
  );
  return {
    row: rowOf(tasks, now),
    damage: now.damaged === null ? null : await opened.damageOf(now.row),
    draft: draftOf(now.task),
    recorded: isEdited ? draftOf(now.recorded) : null,
    complexity,
    plan,
    remarks: [...judged.remarks],
    flags: judged.flags.map(({ flag, why }) => ({ flag, why })),
    lineage: await lineageOf(run, now, traces),
    attempts: traces.map((trace) => ({
      trace: trace.id,
      epoch: trace.epoch,
      verdict: trace.verdict.error !== undefined ? 'error' : trace.verdict.success ? 'solved' : 'failed',
      reward: trace.verdict.reward,
      tokens: knownAnswerTokens(trace),
      answer: answerOf(trace.messages),
    })),
  };
}

const draftOf = ({ prompt, tools, evaluation, gold }: Task): TaskDetail['draft'] => ({
  prompt,
  ...defined({ tools }),
  evaluation,
  gold,
});
