/** Under which experiment a domain file is tried: one of the workspace that names it, or one of an endpoint alone. */
import { basename, dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import { soloExperiment } from '../../node/openTrial.ts';
import { InputError } from '../../../../launch/inputs/inputError.ts';
import { domainsOf, withDomain, type DomainPart } from '../../../../shared/experiment/tasks/domains.ts';
import { endpointSchema } from '../../../../shared/experiment/endpoints/endpoint.ts';
import { parseExperiment, type Parsed } from '../../../../shared/experiment/parse.ts';
import type { Experiment } from '../../../../shared/experiment/schema.ts';
import { currentText } from '../../../../host/currentText.ts';
import { askServer } from '../../../../host/servers/askServer.ts';
import type { HostKeys } from '../../../../host/servers/hostKeys.ts';
import { findExperiments } from '../../../../host/files/experimentFiles.ts';

export interface AskedExperiment {
  experiment: Experiment;
  /** That its relative paths start at. */
  directory: string;
}

interface Candidate {
  file: vscode.Uri;
  parsed: Parsed;
}

/** @returns undefined when it was given up. @throws InputError for an experiment that names it and cannot be used */
export async function askExperiment(domain: vscode.Uri, keys: HostKeys): Promise<AskedExperiment | undefined> {
  const candidates = await naming(domain);
  const [only, ...more] = candidates;
  if (only === undefined) return ofEndpoint(domain, keys);
  const other = { label: `$(server) ${vscode.l10n.t('Another endpoint…')}`, description: '', candidate: null };
  const items = candidates.map((candidate) => ({
    label: basename(candidate.file.path),
    description: vscode.workspace.asRelativePath(candidate.file),
    candidate,
  }));
  const title = vscode.l10n.t('With which experiment’s endpoints?');
  const picked =
    more.length === 0
      ? items[0]
      : await vscode.window.showQuickPick<(typeof items)[number] | typeof other>([...items, other], {
          ignoreFocusOut: true,
          title,
        });
  if (picked === undefined) return undefined;
  if (picked.candidate === null) return ofEndpoint(domain, keys);
  const { file, parsed } = picked.candidate;
  if ('problems' in parsed) throw new InputError(parsed.problems);
  const part = partOf(parsed.experiment, file, domain);
  const experiment = part === undefined ? parsed.experiment : withDomain(parsed.experiment, part);
  return { experiment, directory: dirname(file.fsPath) };
}

/** Experiments of the workspace that name a domain file, by their paths. */
async function naming(domain: vscode.Uri): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const file of await findExperiments()) {
    const text = await textOf(file);
    if (text === null || !text.includes(basename(domain.path))) continue;
    const parsed = parseExperiment(text, file.fsPath);
    // One that cannot be read may be meant.
    if ('experiment' in parsed && partOf(parsed.experiment, file, domain) === undefined) continue;
    found.push({ file, parsed });
  }
  return found.sort((a, b) => a.file.path.localeCompare(b.file.path));
}

/** Null for one that is not UTF-8, which the Problems panel tells. */
async function textOf(file: vscode.Uri): Promise<string | null> {
  try {
    return await currentText(file);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** The part of an experiment that a domain file is. */
const partOf = (experiment: Experiment, file: vscode.Uri, domain: vscode.Uri): DomainPart | undefined =>
  domainsOf(experiment).find(
    ({ settings }) => settings.file !== null && resolve(dirname(file.fsPath), settings.file) === domain.fsPath,
  );

async function ofEndpoint(domain: vscode.Uri, keys: HostKeys): Promise<AskedExperiment | undefined> {
  const title = vscode.l10n.t('No experiment names this domain. Which endpoint is asked?');
  const kinds = [
    { label: vscode.l10n.t('An OpenAI-compatible server…'), of: 'openai' as const },
    { label: vscode.l10n.t('A Tinker server…'), of: 'tinker' as const },
  ];
  const kind = (await vscode.window.showQuickPick(kinds, { ignoreFocusOut: true, title }))?.of;
  const server = kind === undefined ? undefined : await askServer(kind, keys);
  if (server === undefined) return undefined;
  const { url, key, model, more } = server;
  const endpoint = endpointSchema.parse({ kind: server.kind, url, key, model, ...more });
  const solo = soloExperiment(domain.fsPath);
  const endpoints = { ...solo.endpoints, agent: endpoint, environment: endpoint };
  return { experiment: { ...solo, endpoints }, directory: dirname(domain.fsPath) };
}
