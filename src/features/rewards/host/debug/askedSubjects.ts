/** Interprets a debug configuration; missing values come from a picker, or from the document in front. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { fileOf, runOf } from '../../../../host/debug/asked.ts';
import { rewardOf } from '../../../../host/files/rewardFiles.ts';
import { pickTrace, type PickNeeds } from '../../../../host/debug/pickTrace.ts';
import type { LastTraces } from '../../../../host/debug/lastTraces.ts';
import { traceAgain } from './traceAgain.ts';
import { caseSubject, familySubjects, traceSubject, type Subject } from './subjects.ts';
import { firstIssue } from '../../../../shared/firstIssue.ts';
import { defined } from '../../../../shared/defined.ts';

const askedSchema = z.object({
  reward: z.string().optional(),
  /** Id of a run, or its folder. */
  run: z.string().optional(),
  trace: z.string().optional(),
  family: z.string().optional(),
  epoch: z.int().optional(),
  verdict: z.enum(['failing', 'any']).default('failing'),
  case: z.string().optional(),
  stopOnEntry: z.boolean().optional(),
});

export interface Asked {
  reward: vscode.Uri;
  subjects: readonly Subject[];
  stopOnEntry?: boolean;
}

/** @returns undefined when it was given up. @throws Error that names the attribute, RunError, InputError */
export async function askedSubjects(
  needs: PickNeeds & { last: LastTraces },
  folder: vscode.WorkspaceFolder | undefined,
  configuration: vscode.DebugConfiguration,
): Promise<Asked | undefined> {
  const read = askedSchema.safeParse(configuration);
  if (!read.success) {
    const { field, message } = firstIssue(read.error);
    throw new Error(vscode.l10n.t('“{0}” of the debug configuration: {1}', field, message));
  }
  const { stopOnEntry, ...asked } = read.data;
  const given = asked.reward === undefined ? null : fileOf(asked.reward, folder);
  const reward = await rewardOf(given, vscode.l10n.t('Debug which reward?'));
  if (reward === undefined) return undefined;
  const subjects = await subjectsOf(needs, asked, reward);
  return subjects && { reward, subjects, ...defined({ stopOnEntry }) };
}

/** Attributes that are ours alone. */
export const ownAttributes: readonly string[] = Object.keys(askedSchema.shape);

type Attributes = Omit<z.infer<typeof askedSchema>, 'stopOnEntry'>;

async function subjectsOf(
  needs: PickNeeds & { last: LastTraces },
  asked: Attributes,
  reward: vscode.Uri,
): Promise<Subject[] | undefined> {
  if (asked.case !== undefined) return [await caseSubject(reward, asked.case)];
  const run = asked.run === undefined ? undefined : await runOf(needs, asked.run);
  const { family, trace, epoch } = asked;
  if (run === undefined) {
    if (family !== undefined || trace !== undefined) {
      throw new Error(vscode.l10n.t('The debug configuration names no “run” to find the trace or family in.'));
    }
  } else if (family !== undefined) {
    const target = { run, family, ...defined({ epoch }) };
    return familySubjects(needs.open, target, asked.verdict === 'any');
  }
  const title = vscode.l10n.t('Debug on which trace?');
  const target =
    run === undefined
      ? await traceAgain(needs, reward)
      : trace === undefined
        ? await pickTrace(needs, title, run)
        : { run, trace };
  if (target === undefined) return undefined;
  await needs.last.keep(reward, target);
  return [await traceSubject(needs.open, target)];
}
