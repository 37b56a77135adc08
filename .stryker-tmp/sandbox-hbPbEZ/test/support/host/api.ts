/** For tests inside the extension host: the extension's own parts, and waiting for what they tell. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { KnownRun, LandedRun, RunDir } from '../../../src/host/runs/runs.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';

export async function api(): Promise<GenEnvApi> {
  const extension = vscode.extensions.getExtension<GenEnvApi>('genenv.genenv');
  assert.ok(extension, 'the extension is installed');
  const parts = await extension.activate();
  await parts.catalog.ready;
  return parts;
}

export function workspaceFolder(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'a folder is open');
  return folder.uri.fsPath;
}

/** The next value of an event that fits. */
export function next<T>(event: vscode.Event<T>, fits: (value: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve) => {
    const subscription = event((value) => {
      if (!fits(value)) return;
      subscription.dispose();
      resolve(value);
    });
  });
}

/** How a run of this window ends. */
export const landing = ({ service }: GenEnvApi, dir: RunDir): Promise<LandedRun> =>
  next(service.onDidLand, ({ run }) => run.dir === dir);

/** Waits until the catalog shows a run so. */
export async function shown(
  { catalog }: Pick<GenEnvApi, 'catalog'>,
  dir: RunDir,
  fits: (run: KnownRun) => boolean,
): Promise<KnownRun> {
  for (;;) {
    const known = catalog.get(dir);
    if (known !== undefined && fits(known)) return known;
    await Promise.race([next(catalog.onDidChangeRuns), next(catalog.onDidChangeList)]);
  }
}

/** A small experiment of the embedded models: an epoch takes a fraction of a second. */
export async function experimentFile(
  name: string,
  settings: Record<string, unknown> = {},
): Promise<{ experiment: Experiment; file: vscode.Uri }> {
  const path = join(workspaceFolder(), `${name}.genenv.json`);
  const text = JSON.stringify({
    version: 1,
    name,
    preset: 'embedded',
    seed: 3,
    epochs: 2,
    generation: { families: 3, variations: 2 },
    rollouts: { group: 4 },
    validation: { tasks: 20 },
    ...settings,
  });
  await writeFile(path, text);
  const parsed = parseExperiment(text, path);
  assert.ok('experiment' in parsed, JSON.stringify(parsed));
  return { experiment: parsed.experiment, file: vscode.Uri.file(path) };
}
