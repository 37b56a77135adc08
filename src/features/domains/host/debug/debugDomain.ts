/** A domain file under the debugger, on one text, task or attempt. */
import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import { namedCall } from '../../../../rewards/processes/namedCall.ts';
import type { DomainFunctions } from '../../../../domains/domainFunctions.ts';
import {
  firstFunctions,
  trySubject,
  type DomainOutcome,
  type DomainSubject,
} from '../../../../domains/triedSubject.ts';
import { soloExperiment } from '../../node/openTrial.ts';
import { openBase } from '../../../../launch/recipeOf.ts';
import { openScorer } from '../../../../launch/scoring/openScorer.ts';
import type { Ask } from '../../../../rewards/processes/debuggedProgram.ts';
import { startOf } from '../../../../host/documents/layout/messages.ts';
import { judgedWord } from '../../../../host/documents/layout/verdictWords.ts';
import { number } from '../../../../shared/text/figures/numbers.ts';
import type { AskedSubject } from './askSubject.ts';
import type { ProgramRequest } from '../../../../host/debug/programRequest.ts';

/** A domain's functions in a process that is debugged. */
export const debuggedFunctions = (ask: Ask, names: readonly string[]): DomainFunctions => ({
  has: (name) => names.includes(name),
  call: (name, ...given) => ask(...namedCall(name, given)),
});

const taskOf = (subject: DomainSubject) => (subject.kind === 'text' ? subject.seed : subject.task);

export async function domainProgram(
  domain: vscode.Uri,
  { name, subject, recorded, network }: AskedSubject,
  dist: URL,
): Promise<ProgramRequest<DomainOutcome>> {
  const rules = await openScorer(dist, [taskOf(subject)]);
  const run = async (ask: Ask, names: readonly string[]): Promise<DomainOutcome> => {
    const functions = debuggedFunctions(ask, names);
    const experiment = soloExperiment(domain.fsPath);
    const about = { experiment, seeds: [taskOf(subject)], heldOut: [], rules };
    return trySubject(domain.fsPath, functions, rules, subject, await openBase(functions, domain.fsPath, about));
  };
  const before = recorded === null ? '' : ` (${l10n.t('recorded: {0}', judgedWord(recorded))})`;
  return {
    ...{ file: domain, entry: firstFunctions[subject.kind], network },
    pieces: [{ name, run }],
    told: (of, outcome) => `${of}: ${words(outcome)}${before}`,
  };
}

/** The result, as a clause. */
function words(outcome: DomainOutcome): string {
  if (outcome.kind === 'trace') {
    const { verdict } = outcome;
    if (verdict.error !== undefined) return l10n.t('no verdict, {0}', verdict.error);
    return l10n.t('{0}, reward {1}', judgedWord(verdict), number(verdict.reward));
  }
  const { verification } = outcome;
  if (!verification.ok) {
    return outcome.kind === 'text'
      ? l10n.t('rejected: {0}', verification.note)
      : l10n.t('does not verify: {0}', verification.note);
  }
  if (outcome.kind === 'task') return l10n.t('verifies');
  return l10n.t('a task, gold {0}', startOf(outcome.draft?.gold ?? '–'));
}
