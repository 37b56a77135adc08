/** Endpoint Doctor…: examines an endpoint and writes its findings into a document that can be pasted. */
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { doctorHeading, doctorItem, doctorVerdict } from '../node/checks/markdown.ts';
import type { DoctorLine } from '../../../endpoints/doctorLine.ts';
import { visit } from '../node/doctor.ts';
import { openenvOfExperiment, visitOpenenv, type OpenenvVisit } from '../../../launch/domains/doctorOpenenv.ts';
import { visitAt, visitsAtCluster, visitsOf, type Visit } from '../node/doctorVisits.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { loadWeights } from '../../../launch/policies/weightFiles.ts';
import { parseExperiment } from '../../../shared/experiment/parse.ts';
import { pickExperiment } from '../../../host/commands/experimentFile.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { UsedServer } from '../../../host/servers/usedEndpoints.ts';

export interface DoctorNeeds {
  keys: Keys;
  /** The folder of built files. */
  dist: URL;
  /** Of this extension. */
  version: string;
  log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>;
}

/** Of the server that was chosen, else of an experiment that a person picks. */
export async function examine(server: UsedServer | undefined, needs: DoctorNeeds): Promise<void> {
  requireTrust();
  const asked = server === undefined ? await ofExperiment(needs.dist) : await ofServer(server, needs.keys);
  if (asked === null) return;
  const title = vscode.l10n.t('Endpoint Doctor');
  const location = vscode.ProgressLocation.Notification;
  const report = await vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort(new Error(vscode.l10n.t('Cancelled.'))));
    return written(asked, needs, ending.signal, (message) => progress.report({ message }));
  });
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: report });
  await vscode.window.showTextDocument(document, { preview: false });
}

interface Asked {
  visits: readonly Visit[];
  weights?: Awaited<ReturnType<typeof loadWeights>>;
  /** Where an experiment's episodes are played on a server. */
  openenv?: readonly OpenenvVisit[];
}

async function ofServer({ address, models, users }: UsedServer, keys: Keys): Promise<Asked> {
  const { kind, url, key } = address;
  if (kind === 'verl') return { visits: visitsAtCluster(url, users) };
  return { visits: await Promise.all(models.map((model) => visitAt({ kind, url, key }, model, keys))) };
}

async function ofExperiment(dist: URL): Promise<Asked | null> {
  const file = await pickExperiment(undefined, vscode.l10n.t('Endpoints of which experiment?'));
  if (file === undefined) return null;
  const { fsPath } = file;
  const parsed = parseExperiment((await vscode.workspace.openTextDocument(file)).getText(), fsPath);
  if ('problems' in parsed) {
    throw new Error(vscode.l10n.t('{0} cannot be used as it is; see the Problems panel.', fsPath));
  }
  const { experiment } = parsed;
  const directory = dirname(fsPath);
  return {
    visits: visitsOf(experiment),
    weights: await loadWeights(experiment, directory),
    openenv: await openenvOfExperiment(experiment, directory, dist),
  };
}

/** The findings so far are kept when it is cancelled. */
async function written(
  { visits, weights, openenv = [] }: Asked,
  { keys, dist, version, log }: DoctorNeeds,
  signal: AbortSignal,
  tell: (message: string) => void,
): Promise<string> {
  const parts: string[] = [];
  const options = { keys, dist, log, signal, ...(weights && { weights }) };
  const asked = [
    ...visits.map(({ subject, endpoint, role }) => ({ subject, seen: () => visit(endpoint, role, options) })),
    ...openenv.map((visit) => ({ subject: visit.subject, seen: () => visitOpenenv(visit, options) })),
  ];
  for (const { subject, seen } of asked) {
    const lines: DoctorLine[] = [];
    parts.push(doctorHeading({ subject, at: new Date().toISOString(), version }));
    tell(subject);
    try {
      for await (const line of seen()) {
        lines.push(line);
        tell(`${subject}: ${line.title}`);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    parts.push(
      lines.map(doctorItem).join('\n'),
      '',
      signal.aborted ? vscode.l10n.t('Cancelled.') : doctorVerdict(lines),
    );
    if (signal.aborted) break;
  }
  return parts.join('\n');
}
