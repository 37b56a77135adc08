/** Run Study: its plan and work, then a person's yes, then the queue. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { studyInFront, studyPattern } from '../../../host/files/studyFiles.ts';
import { saveChanges } from '../../../host/files/saveChanges.ts';
import { savedStudy } from '../../../host/files/studyBase.ts';
import { author } from '../../../launch/author.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { aboutDuration } from '../../../shared/text/figures/durations.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import type { OpenStudy } from '../../study/node/openStudy.ts';
import type { StudyWorkload } from '../../study/core/workload.ts';
import { append } from '../../../shared/append.ts';
import { defaultRetries, type Grant } from '../contract.ts';
import { isOpen, renews } from '../core/queue.ts';
import { grantsAsked } from './hostGrants.ts';
import { studyRowSchema } from './queuedRow.ts';
import type { StudyNeeds } from './studies.ts';

/** Undefined when no study was picked, or the person decided against it. @throws InputError, RunnerError, SteerError */
export async function runStudyHere(needs: StudyNeeds, argument: unknown): Promise<void> {
  requireTrust();
  const row = studyRowSchema.safeParse(argument).data;
  const changed = row === undefined ? null : needs.queue.studies.named(row.root, row.study);
  const given = changed === null ? argument : vscode.Uri.file(changed.file);
  const picked = given instanceof vscode.Uri ? given : await pickStudy();
  const file = picked === undefined ? undefined : await savedStudy(picked);
  if (file === undefined) return;
  await saveChanges(file);
  const [
    { openStudy, checkMembers },
    { checkArms },
    { studyServers },
    { studyWorkload },
    { measuredSoFar },
    { countArms },
    { workOfStudy },
  ] = await Promise.all([
    import('../../study/node/openStudy.ts'),
    import('../../study/node/checkArms.ts'),
    import('../../study/node/studyServers.ts'),
    import('../../study/core/workload.ts'),
    import('../../study/node/loadResults.ts'),
    import('../../study/node/countArms.ts'),
    import('../node/enqueue.ts'),
  ]);
  const folder = needs.folders.of(file);
  const study = await openStudy(dirname(file.fsPath), file.fsPath);
  await checkMembers(study, await folder.store());
  const queue = needs.queue.at(folder);
  await queue.look();
  const name = study.study.name;
  const asked = { priority: 0, after: [], retries: defaultRetries, author: author() };
  const work = workOfStudy(study, asked);
  const there = queue.sight?.queue.find(({ run }) => run === work.run);
  if (there !== undefined && isOpen(there) && !renews(work, there) && queue.sight?.holder != null) {
    void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” is in the queue already.', name));
    return;
  }
  const said: string[] = [];
  await checkArms(study, needs.dist, { warn: (line) => said.push(line) });
  const start = vscode.l10n.t('Start Study');
  const results = vscode.l10n.t('Open Results');
  const ahead = workloadText(
    study,
    studyWorkload(study.plan, await countArms(study, needs.dist), measuredSoFar(study), null),
  );
  const text = [ahead, ...said].join(' ');
  const chosen = await vscode.window.showInformationMessage(text, start, results);
  if (chosen === results) await vscode.commands.executeCommand('genenv.openStudyResults', file);
  if (chosen !== start) return;
  const grants: Grant[] = [];
  for (const asking of await studyServers(study.plan.members, dirname(study.base), needs.dist)) {
    append(grants, await grantsAsked(asking, needs.keys));
  }
  if (queue.sight?.holder != null) await queue.run(grants);
  await queue.add([work]);
  if (queue.sight?.held !== true) await queue.run(grants);
}

/** The work ahead, and why it may show nothing. */
function workloadText({ study, folder, plan, file }: OpenStudy, work: StudyWorkload): string {
  const done = [...folder.members.values()].filter(({ finished }) => finished !== null).length;
  const parts = [
    vscode.l10n.t('{0} arms × {1} seeds = {2} runs', count(work.arms), count(work.seeds), count(work.runs)),
    ...(done === 0 ? [] : [vscode.l10n.t('{0} of them finished', count(done))]),
    ...(work.rollouts === null ? [] : [vscode.l10n.t('{0} rollouts', count(work.rollouts))]),
    ...(work.tokens === null
      ? work.basis === 'measured'
        ? [vscode.l10n.t('tokens not known: those of some attempts were not counted')]
        : []
      : work.basis === 'limits'
        ? [vscode.l10n.t('at most {0} tokens', count(work.tokens))]
        : [vscode.l10n.t('{0} tokens', count(work.tokens))]),
    work.hoursLeft === null
      ? vscode.l10n.t('how long it takes is known after the first run')
      : vscode.l10n.t('about {0} left', aboutDuration(work.hoursLeft * 3600)),
  ];
  // Warnings of the base are shown where it is edited.
  const own = plan.warnings.filter((warning) => warning.file === file);
  const doubts = own.flatMap(({ message, remedy }) => [message, remedy]);
  return [vscode.l10n.t('“{0}”: {1}.', study.name, parts.join(', ')), ...doubts].join(' ');
}

async function pickStudy(): Promise<vscode.Uri | undefined> {
  const active = studyInFront();
  if (active !== undefined) return active;
  const files = await vscode.workspace.findFiles(studyPattern, '**/node_modules/**', 200);
  if (files.length === 0) {
    const make = vscode.l10n.t('New Study');
    const text = vscode.l10n.t('There is no study yet: studies are files named *.study.json.');
    if ((await vscode.window.showInformationMessage(text, make)) === make) {
      await vscode.commands.executeCommand('genenv.newStudy');
    }
    return undefined;
  }
  const items = files.map((uri) => ({
    label: basename(uri.path),
    description: vscode.workspace.asRelativePath(uri),
    uri,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which study to run?') }))?.uri;
}
