/** The question before runs are deleted: where checkpoints of theirs stay. */
import * as vscode from 'vscode';
import type { Manifest } from '../../runs/store/manifest.ts';
import { savesElsewhere } from '../../shared/experiment/endpoints/savesElsewhere.ts';
import type { RunCatalog, RunDir } from './runs.ts';

/** A paragraph; null where all that these runs saved lies in their folders. */
export function staysElsewhere(dirs: readonly RunDir[], catalog: Pick<RunCatalog, 'manifest'>): string | null {
  const places = new Set(dirs.flatMap((dir) => placesOf(catalog.manifest(dir))));
  if (places.size === 0) return null;
  return vscode.l10n.t(
    'Checkpoints on {0} stay there. To delete them later, note their addresses first: they stand in the run’s folder, in “endpoints”.',
    [...places].join(', '),
  );
}

/** The rollouts of an imported run were made by another program. */
const placesOf = (manifest: Manifest | undefined): string[] =>
  manifest === undefined || manifest.imported !== null ? [] : savesElsewhere(manifest.experiment);
