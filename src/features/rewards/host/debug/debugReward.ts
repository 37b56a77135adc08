/** A person's reward under the debugger: given attempts are judged one after another. */
import * as vscode from 'vscode';
import { answered, failed } from '../../../../rewards/processes/answer.ts';
import type { RewardCall } from '../../../../shared/rewards/given.ts';
import type { RewardOutcome } from '../../../../shared/rewards/outcome.ts';
import { judgedWord } from '../../../../host/documents/layout/verdictWords.ts';
import { number } from '../../../../shared/text/figures/numbers.ts';
import type { ProgramRequest } from '../../../../host/debug/programRequest.ts';

/** An attempt to stop on. */
export interface DebugCall {
  /** The name for users: a trace's id, a case's name. */
  name: string;
  call: RewardCall;
}

export interface DebugRequest extends Pick<ProgramRequest<RewardOutcome>, 'network' | 'stopOnEntry' | 'options'> {
  /** Saved first when it has unsaved changes. */
  reward: vscode.Uri;
  /** Judged in this order, by one process. */
  calls: readonly DebugCall[];
}

export const rewardProgram = ({ reward, calls, ...how }: DebugRequest): ProgramRequest<RewardOutcome> => ({
  ...how,
  file: reward,
  entry: ['reward'],
  told: sentence,
  pieces: calls.map(({ name, call: { task, trace } }) => ({
    name,
    run: (ask) =>
      ask(
        { task, trace },
        { failed, answered: (reply, output) => answered(reply, { stopReason: trace.stopReason, output }) },
      ),
  })),
});

function sentence(name: string, { verdict, fault }: RewardOutcome): string {
  if (fault !== null) return vscode.l10n.t('{0}: no verdict, {1}', name, fault.message);
  return vscode.l10n.t('{0}: {1}, reward {2}', name, judgedWord(verdict), number(verdict.reward));
}
