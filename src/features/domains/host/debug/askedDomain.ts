/** Interprets a debug configuration `genenv-domain`; a picker asks for missing values. */
import * as vscode from 'vscode';
import * as z from 'zod';
import type { DomainOutcome } from '../../../../domains/triedSubject.ts';
import { domainCaseName, readDomainCases } from '../../../../shared/domains/cases.ts';
import { domainLanguage } from '../../../../shared/domains/domainFile.ts';
import { casesFile } from '../../../../shared/rewards/cases.ts';
import { firstIssue } from '../../../../shared/firstIssue.ts';
import { defined } from '../../../../shared/defined.ts';
import { savedText } from '../../../../host/currentText.ts';
import { domainOf } from '../../../../host/files/domainFiles.ts';
import { fileOf, runOf } from '../../../../host/debug/asked.ts';
import { pickTrace } from '../../../../host/debug/pickTrace.ts';
import { problemsByFile } from '../../../../host/fileProblems.ts';
import { seedsOf, type TrialNeeds } from '../trial/trialCommands.ts';
import { faultsOf } from '../trial/trialProblems.ts';
import { askKind, askSubject, recordedSubject, textSubject, type AskedSubject } from './askSubject.ts';
import { domainProgram } from './debugDomain.ts';
import type { ProgramRequest } from '../../../../host/debug/programRequest.ts';

const askedSchema = z.object({
  domain: z.string().optional(),
  text: z.string().optional(),
  task: z.string().optional(),
  /** Id of a run, or its folder. */
  run: z.string().optional(),
  trace: z.string().optional(),
  case: z.string().optional(),
  stopOnEntry: z.boolean().optional(),
});
type Asked = z.infer<typeof askedSchema>;

/** Attributes that are ours alone. */
export const ownAttributes: readonly string[] = Object.keys(askedSchema.shape);

/** @returns undefined when it was given up. @throws Error that names the attribute, RunError, InputError */
export async function configuredDomain(
  needs: TrialNeeds & { python: () => Promise<unknown> },
  folder: vscode.WorkspaceFolder | undefined,
  configuration: vscode.DebugConfiguration,
): Promise<ProgramRequest<DomainOutcome> | undefined> {
  const read = askedSchema.safeParse(configuration);
  if (!read.success) {
    const { field, message } = firstIssue(read.error);
    throw new Error(vscode.l10n.t('“{0}” of the debug configuration: {1}', field, message));
  }
  const asked = read.data;
  const given = asked.domain === undefined ? null : fileOf(asked.domain, folder);
  const domain = await domainOf(given, vscode.l10n.t('Debug which domain?'));
  if (domain === undefined) return undefined;
  if (domainLanguage(domain.path) === 'python') await needs.python();
  const subject = await subjectOf(needs, asked, domain);
  if (subject === undefined) return undefined;
  const { stopOnEntry } = asked;
  return {
    ...(await domainProgram(domain, subject, needs.dist)),
    ...defined({ stopOnEntry }),
  };
}

/** Reports failures at their lines. */
export function tellFaults(needs: TrialNeeds, file: vscode.Uri, outcomes: readonly DomainOutcome[]): void {
  needs.problems.clear();
  problemsByFile(
    needs.problems,
    faultsOf(
      file,
      outcomes.flatMap(({ calls }) => calls),
    ),
  );
}

async function subjectOf(needs: TrialNeeds, asked: Asked, domain: vscode.Uri): Promise<AskedSubject | undefined> {
  const { text, task, trace, run } = asked;
  if (asked.case !== undefined) return caseSubject(needs, domain, asked.case);
  if (trace !== undefined) {
    if (run === undefined) {
      throw new Error(vscode.l10n.t('The debug configuration names no “run” to find the trace or family in.'));
    }
    return recordedSubject(needs, { run: await runOf(needs, run), trace });
  }
  if (text === undefined && task === undefined) {
    if (run !== undefined) {
      const target = await pickTrace(needs, vscode.l10n.t('Debug on which trace?'), await runOf(needs, run));
      return target && recordedSubject(needs, target);
    }
    const kind = await askKind();
    return kind && askSubject(needs, kind, kind === 'trace' ? [] : await seedsOf(needs, domain));
  }
  const seeds = await seedsOf(needs, domain);
  if (text !== undefined) return textSubject(text, seeds);
  const found = seeds.find(({ id }) => id === task);
  if (found === undefined) {
    throw new Error(vscode.l10n.t('The domain has no seed task “{0}”.', task ?? ''));
  }
  return { name: found.id, subject: { kind: 'task', task: found }, recorded: null, network: false };
}

/** @param wanted the name of a case */
async function caseSubject(needs: TrialNeeds, domain: vscode.Uri, wanted: string): Promise<AskedSubject> {
  const cases = domain.with({ path: casesFile(domain.path) });
  const text = await savedText(cases);
  for (const line of readDomainCases(text)) {
    if (!('case' in line) || domainCaseName(line.case) !== wanted) continue;
    const { case: one } = line;
    const about = { name: wanted, recorded: null, network: false };
    const known = { ...{ v: 1 as const, origin: 'base' as const, status: 'accepted' as const }, complexity: {} };
    if (one.call === 'parse') {
      const seed = one.seed === undefined ? (await seedsOf(needs, domain))[0] : { ...known, ...one.seed };
      if (seed === undefined) throw new Error(vscode.l10n.t('The domain has no seed task that a text could vary.'));
      return { ...about, subject: { kind: 'text', text: one.text, plan: one.plan, seed } };
    }
    if (one.call === 'verify') {
      const task = { ...known, id: wanted, family: wanted, epoch: 0, seed: null, ...one.task };
      return { ...about, subject: { kind: 'task', task } };
    }
    const { id, messages, stopReason, version } = one.trace;
    const { id: of, family, epoch } = one.task;
    const attempt = { v: 1 as const, id, purpose: 'train' as const, task: of, family, epoch, version, sequences: [] };
    return {
      ...about,
      subject: { kind: 'trace', task: { ...known, ...one.task }, trace: { ...attempt, messages, stopReason } },
    };
  }
  throw new Error(vscode.l10n.t('{0} has no case “{1}”.', vscode.workspace.asRelativePath(cases), wanted));
}
