/** Files of a person’s own that are no longer as they were when a run began: the run uses its own copies. */
import { basename, dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileSha256 } from '../../runs/files/sha256.ts';
import type { Manifest } from '../../runs/store/manifest.ts';
import { sourceOf } from '../../runs/store/runPaths.ts';
import { domainsOf } from '../../shared/experiment/tasks/domains.ts';
import { domainFolder, inputsFolder, loadedAs, readKeptFiles, type Program } from './keptFiles.ts';

/** A sentence for each program with a changed or missing file; none where it is not known which file was copied. */
export async function changedPrograms(
  dir: string,
  manifest: Pick<Manifest, 'experiment' | 'source'>,
): Promise<string[]> {
  const source = sourceOf(dir, manifest);
  if (source === null) return [];
  const { experiment } = manifest;
  const folder = dirname(source);
  const programs: [Program, string | null, string][] = [
    ...domainsOf(experiment).map((part): [Program, string | null, string] => [
      'domain',
      part.settings.file,
      domainFolder(experiment, part),
    ]),
    ['reward', experiment.reward.file, inputsFolder],
    ['curriculum', experiment.curriculum.reward.file, inputsFolder],
  ];
  const said: string[] = [];
  for (const [program, file, copies] of programs) {
    if (file === null) continue;
    const changed = await changedOf(dir, program, copies, resolve(folder, file));
    if (changed.length === 0) continue;
    said.push(
      l10n.t(
        '{0} changed after this run began. The run continues with its own copy in {1}/{2}. To use the new version, start a new run.',
        changed.join(', '),
        copies,
        program,
      ),
    );
  }
  return said;
}

/** Names of what differs from the run's copies. A copy that cannot be read is reported where it is opened. */
async function changedOf(dir: string, program: Program, copies: string, main: string): Promise<string[]> {
  const kept = await readKeptFiles(dir, program, copies).catch(() => null);
  // Copies lie as the files did, from the folder that holds them all.
  if (kept === null || basename(kept.file) !== basename(main)) return [];
  const real = await loadedAs(main).catch(() => main);
  const root = resolve(real, ...kept.file.split('/').map(() => '..'));
  const changed: string[] = [];
  for (const [path, digest] of Object.entries(kept.files)) {
    const now = await fileSha256(path === kept.file ? real : resolve(root, path)).catch(() => null);
    if (now !== digest) changed.push(path);
  }
  return changed;
}
