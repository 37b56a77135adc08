/** A run's experiment as a new file, to be changed and started. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { programCopy } from '../../launch/keptFiles.ts';
import { readManifest } from '../../runs/manifest.ts';
import { sourceOf } from '../../runs/runPaths.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { writtenForm } from '../../shared/experiment/written.ts';
import type { RunDir } from '../runs/runs.ts';
import type { CommandContext } from './context.ts';

/** Writes what differs from the preset beside the run's own experiment file, or into the folder that the run is kept for. */
export async function writeRerun({ folders }: Pick<CommandContext, 'folders'>, dir: RunDir): Promise<vscode.Uri> {
  const manifest = await readManifest(dir);
  const source = sourceOf(dir, manifest);
  const beside = source !== null && existsSync(dirname(source)) ? dirname(source) : null;
  const folder = beside ?? folders.keeping(dir).workspace.uri.fsPath;
  const { name } = manifest.experiment;
  const number = firstFree((n) => join(folder, fileName(name, n)));
  const experiment = beside === null ? await withOwnFiles(manifest.experiment, dir, folder) : manifest.experiment;
  const text = `${JSON.stringify(writtenForm({ ...experiment, name: `${base(name)} ${number}` }), null, 2)}\n`;
  const uri = vscode.Uri.file(join(folder, fileName(name, number)));
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

/** "demo 3" is the third of "demo". */
const base = (name: string): string => name.replace(/ \d+$/, '');

const fileName = (name: string, number: number): string =>
  `${
    base(name)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '') || 'experiment'
  }-${number}.genenv.json`;

function firstFree(path: (number: number) => string): number {
  let number = 2;
  while (existsSync(path(number))) number += 1;
  return number;
}

/** Away from the files that the experiment named, the run's own copies of them. */
async function withOwnFiles(experiment: Experiment, dir: RunDir, folder: string): Promise<Experiment> {
  const copy = (name: string): string => relative(folder, join(dir, 'inputs', name)).replaceAll('\\', '/');
  const { domain, generation, endpoints, reward } = experiment;
  const weights = (role: 'agent' | 'environment') => {
    const file = join(dir, 'inputs', `${role}.bin`);
    const endpoint = endpoints[role];
    if (endpoint.kind !== 'embedded' || !existsSync(file)) return endpoint;
    return { ...endpoint, weights: copy(`${role}.bin`) };
  };
  return {
    ...experiment,
    domain: {
      ...domain,
      file: domain.file === null ? null : copy(await programCopy(dir, 'domain')),
      seeds: domain.seeds === null ? null : copy('seeds.jsonl'),
      // The built-in domain reads none, and has no copy.
      heldOut: domain.heldOut === null || domain.name === 'storekeeper' ? null : copy('heldOut.jsonl'),
    },
    generation: { ...generation, offlineFile: generation.offlineFile === null ? null : copy('offline.jsonl') },
    reward: { ...reward, file: reward.file === null ? null : copy(await programCopy(dir, 'reward')) },
    endpoints: { agent: weights('agent'), environment: weights('environment') },
  };
}
