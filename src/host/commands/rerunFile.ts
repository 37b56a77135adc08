/** A run's experiment as a new file, to be changed and started, or branched with. */
import { curriculumIn } from '../../launch/scoring/curriculum.ts';
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { domainFolder, inputsFolder, programCopy } from '../../launch/inputs/keptFiles.ts';
import { readManifest } from '../../runs/store/manifest.ts';
import { sourceOf } from '../../runs/store/runPaths.ts';
import { unsavedAt, unsavedFile } from '../files/unsavedFile.ts';
import { domainsOf } from '../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { writtenForm } from '../../shared/experiment/written.ts';
import type { RunDir } from '../runs/runs.ts';
import type { CommandContext } from './context.ts';

/**
 * Writes the differences from the preset to a file beside the run's own experiment file, or in the run's workspace
 * folder.
 */
export async function writeRerun(context: Pick<CommandContext, 'folders'>, dir: RunDir): Promise<vscode.Uri> {
  const { path, experiment } = await rerunOf(context, dir);
  return write(path, experiment);
}

/** The same as a document that is written when a person saves it. */
export async function unsavedRerun(context: Pick<CommandContext, 'folders'>, dir: RunDir): Promise<vscode.Uri> {
  const { path, experiment } = await rerunOf(context, dir);
  return unsavedFile(vscode.Uri.file(path), textOf(experiment));
}

async function rerunOf(
  { folders }: Pick<CommandContext, 'folders'>,
  dir: RunDir,
): Promise<{ path: string; experiment: Experiment }> {
  const manifest = await readManifest(dir);
  const { folder, isBeside } = placeOf(folders, dir, manifest);
  const { name } = manifest.experiment;
  const number = firstFree((n) => join(folder, fileName(name, n)));
  const experiment = isBeside ? manifest.experiment : await withOwnFiles(manifest.experiment, dir, folder);
  return { path: join(folder, fileName(name, number)), experiment: { ...experiment, name: `${base(name)} ${number}` } };
}

/** The same for a branch. Files keep the names that they have in the run: the branch has the run's own copies of them. */
export async function writeBranchDraft(
  { folders }: Pick<CommandContext, 'folders'>,
  dir: RunDir,
  experiment: Experiment,
): Promise<vscode.Uri> {
  const { folder } = placeOf(folders, dir, await readManifest(dir));
  const named = `${base(experiment.name)} branch`;
  const number = firstFree((n) => join(folder, fileName(named, n)), 1);
  return write(join(folder, fileName(named, number)), experiment);
}

function placeOf(
  folders: CommandContext['folders'],
  dir: RunDir,
  manifest: Awaited<ReturnType<typeof readManifest>>,
): { folder: string; isBeside: boolean } {
  const source = sourceOf(dir, manifest);
  const beside = source !== null && existsSync(dirname(source)) ? dirname(source) : null;
  return { folder: beside ?? folders.keeping(dir).workspace.uri.fsPath, isBeside: beside !== null };
}

async function write(path: string, experiment: Experiment): Promise<vscode.Uri> {
  const uri = vscode.Uri.file(path);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(textOf(experiment)));
  return uri;
}

const textOf = (experiment: Experiment): string => `${JSON.stringify(writtenForm(experiment), null, 2)}\n`;

/** "demo 3" is the third of "demo". */
const base = (name: string): string => name.replace(/ \d+$/, '');

const fileName = (name: string, number: number): string =>
  `${
    base(name)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '') || 'experiment'
  }-${number}.genenv.json`;

function firstFree(path: (number: number) => string, first = 2): number {
  let number = first;
  while (existsSync(path(number)) || unsavedAt(path(number)) !== undefined) number += 1;
  return number;
}

/** Away from the files that the experiment named, the run's own copies of them. */
async function withOwnFiles(experiment: Experiment, dir: RunDir, folder: string): Promise<Experiment> {
  const own = (path: string): string => relative(folder, join(dir, path)).replaceAll('\\', '/');
  const copy = (name: string): string => own(`${inputsFolder}/${name}`);
  const { domains, generation, curriculum, endpoints, reward } = experiment;
  const weights = (role: 'agent' | 'environment') => {
    const file = join(dir, 'inputs', `${role}.bin`);
    const endpoint = endpoints[role];
    if (endpoint.kind !== 'embedded' || !existsSync(file)) return endpoint;
    return { ...endpoint, weights: copy(`${role}.bin`) };
  };
  const copied = await Promise.all(
    domainsOf(experiment).map(async (part) => {
      const { settings } = part;
      const home = domainFolder(experiment, part);
      return {
        ...settings,
        file: settings.file === null ? null : own(await programCopy(dir, 'domain', home)),
        seeds: settings.seeds === null ? null : own(`${home}/seeds.jsonl`),
        // The built-in domain reads none, and has no copy.
        heldOut: settings.heldOut === null || settings.name === 'storekeeper' ? null : own(`${home}/heldOut.jsonl`),
      };
    }),
  );
  return {
    ...experiment,
    ...(domains === undefined
      ? { domain: copied[0] ?? experiment.domain }
      : { domains: domains.map((before, i) => ({ ...before, ...copied[i] })) }),
    generation: {
      ...generation,
      offlineFile: generation.offlineFile === null ? null : copy('offline.jsonl'),
      testSets: generation.testSets === null || generation.heldOutRun === null ? null : copy('testSets.json'),
    },
    reward: { ...reward, file: reward.file === null ? null : own(await programCopy(dir, 'reward')) },
    curriculum: {
      ...curriculum,
      reward: {
        ...curriculum.reward,
        file: curriculumIn(experiment) === null ? null : own(await programCopy(dir, 'curriculum')),
      },
    },
    endpoints: { agent: weights('agent'), environment: weights('environment') },
  };
}
