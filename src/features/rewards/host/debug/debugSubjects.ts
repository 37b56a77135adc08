/** Debugs a reward on recorded attempts, and shows the result like a score. */
import type * as vscode from 'vscode';
import { InputError } from '../../../../launch/inputs/inputError.ts';
import type { RewardOutcome } from '../../../../shared/rewards/outcome.ts';
import { defined } from '../../../../shared/defined.ts';
import { problemsByFile } from '../../../../host/fileProblems.ts';
import { once } from '../../../../host/once.ts';
import { clearOutcomes, showOutcomes, tellOutcomes, type ShowNeeds } from '../showOutcomes.ts';
import type { Asked } from './askedSubjects.ts';
import { debugProgram } from '../../../../host/debug/debugProgram.ts';
import { rewardProgram } from './debugReward.ts';
import { sessionName } from '../../../../host/debug/debugSession.ts';
import type { DebugSessions } from '../../../../host/debug/debugSessions.ts';
import type { ProgramRequest } from '../../../../host/debug/programRequest.ts';

export interface DebugNeeds {
  sessions: DebugSessions;
  /** Called when there is a result to show. */
  show: () => ShowNeeds;
}

const requestOf = ({ reward, subjects, stopOnEntry }: Asked): ProgramRequest<RewardOutcome> =>
  rewardProgram({
    reward,
    calls: subjects,
    // A session over attempts of several runs keeps to the strictest.
    network: subjects.every(({ network }) => network),
    ...defined({ stopOnEntry }),
  });

/** @returns once the session has ended and its result is shown. @throws as `debugProgram` */
export async function debugSubjects({ sessions, show }: DebugNeeds, asked: Asked): Promise<readonly RewardOutcome[]> {
  return shown(show(), asked, debugProgram(sessions, requestOf(asked)));
}

/** For a session that the editor starts itself. @param ended receives the outcomes instead of the display */
export async function debugConfiguration(
  { sessions, show }: DebugNeeds,
  asked: Asked,
  ended: (work: () => Promise<unknown>) => void,
): Promise<vscode.DebugConfiguration> {
  const request = requestOf(asked);
  const session = await sessions.open(request);
  const configuration = session.configuration(sessionName(request));
  ended(once(() => shown(show(), asked, session.finished)));
  return configuration;
}

async function shown(
  needs: ShowNeeds,
  { reward, subjects }: Asked,
  finished: Promise<readonly RewardOutcome[]>,
): Promise<readonly RewardOutcome[]> {
  clearOutcomes(needs);
  try {
    const outcomes = await finished;
    const judged = outcomes.flatMap((outcome, index) => {
      const subject = subjects[index];
      return subject === undefined ? [] : [{ ...subject, outcome }];
    });
    if (judged.length > 0) showOutcomes(needs, reward, judged);
    void tellOutcomes(needs, reward, judged);
    return outcomes;
  } catch (error) {
    if (error instanceof InputError) problemsByFile(needs.problems, error.problems);
    throw error;
  }
}
