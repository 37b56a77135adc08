/**
 * Debugs on a text, a task or a trace: the debug console shows the result, and failures are reported at their lines.
 */
import type * as vscode from 'vscode';
import * as z from 'zod';
import type { DomainOutcome } from '../../../../domains/triedSubject.ts';
import { problemsByFile } from '../../../../host/fileProblems.ts';
import { seedsOf, type TrialNeeds } from '../trial/trialCommands.ts';
import { faultsOf } from '../trial/trialProblems.ts';
import { askKind, askSubject } from './askSubject.ts';
import { domainProgram } from './debugDomain.ts';
import type { ProgramRequest } from '../../../../host/debug/programRequest.ts';

const kindSchema = z.enum(['text', 'task', 'trace']);

type Debug = (
  work: () => Promise<ProgramRequest<DomainOutcome> | undefined>,
) => Promise<readonly DomainOutcome[] | undefined>;

/** @param on the subject; a picker asks when it is none. @returns once the session has ended */
export async function debugCommand(
  needs: TrialNeeds,
  domain: vscode.Uri,
  on: unknown,
  debug: Debug,
): Promise<readonly DomainOutcome[] | undefined> {
  const kind = kindSchema.safeParse(on).data ?? (await askKind());
  if (kind === undefined) return undefined;
  const outcomes = await debug(async () => {
    // A recorded attempt brings its task.
    const seeds = kind === 'trace' ? [] : await seedsOf(needs, domain);
    const asked = await askSubject(needs, kind, seeds);
    return asked && domainProgram(domain, asked, needs.dist);
  });
  problemsByFile(needs.problems, faultsOf(domain, outcomes?.flatMap(({ calls }) => calls) ?? []));
  return outcomes;
}
