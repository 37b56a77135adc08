/** Pin as Case…: a recorded attempt, with the verdict that a reward must give it, in the file of cases beside the reward. */
import type * as vscode from 'vscode';
import { casesFile, pinnedCase, withCase } from '../../../shared/rewards/cases.ts';
import { askExpected } from './askExpected.ts';
import type { RecordedAttempt } from './recordedAttempt.ts';
import { rewriteCases } from './rewriteCases.ts';

/** @returns the file of cases; undefined when it was given up */
export async function pinCase(
  { run, trace, call }: RecordedAttempt,
  reward: vscode.Uri,
): Promise<vscode.Uri | undefined> {
  const expected = await askExpected(trace.id, trace.verdict);
  if (expected === undefined) return undefined;
  const uri = reward.with({ path: casesFile(reward.path) });
  const source = { run: run.followed.manifest.id, trace: trace.id };
  await rewriteCases(uri, (text) => withCase(text, pinnedCase(call, expected, source, '')));
  return uri;
}
