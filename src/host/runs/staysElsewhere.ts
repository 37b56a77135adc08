/** The question before runs are deleted: where checkpoints of theirs stay, and which command deletes them there first. */
import * as vscode from 'vscode';
import { savesElsewhere } from '../../shared/experiment/endpoints/savesElsewhere.ts';
import type { RunCatalog, RunDir } from './runs.ts';

export interface StaysElsewhere {
  /** A paragraph for each way to delete them; null where all that these runs saved lies in their folders. */
  text: string | null;
  /** Whether _Delete Saves on the Server…_ takes one of them: finished, with a trained policy on a Tinker server. */
  byCommand: boolean;
}

/** @param wasOffered whether the person has just been to that command */
export function staysElsewhere(
  dirs: readonly RunDir[],
  catalog: Pick<RunCatalog, 'manifest' | 'get'>,
  wasOffered = false,
): StaysElsewhere {
  const known = dirs.flatMap((dir) => {
    const manifest = catalog.manifest(dir);
    // The rollouts of an imported run were made by another program.
    if (manifest === undefined || manifest.imported !== null) return [];
    return [{ ...savesElsewhere(manifest.experiment), finished: catalog.get(dir)?.head.state === 'finished' }];
  });
  const byCommand = known.flatMap(({ servers, finished }) => (finished ? servers : []));
  const byHand = known.flatMap(({ servers, folders, finished }) => [...(finished ? [] : servers), ...folders]);
  const words = [
    ...(byCommand.length === 0 ? [] : [serverWords(placesOf(byCommand), wasOffered)]),
    ...(byHand.length === 0
      ? []
      : [
          vscode.l10n.t(
            'Checkpoints on {0} stay there. To delete them later, note their addresses first: they stand in the run’s folder, in “endpoints”.',
            placesOf(byHand),
          ),
        ]),
  ];
  return { text: words.length === 0 ? null : words.join('\n\n'), byCommand: byCommand.length > 0 };
}

const serverWords = (places: string, wasOffered: boolean): string =>
  wasOffered
    ? vscode.l10n.t('Checkpoints that you left on {0} stay there.', places)
    : vscode.l10n.t(
        'Checkpoints on {0} stay there. The command “Delete Saves on the Server…” deletes them, but only before the run is deleted: its folder names them.',
        places,
      );

const placesOf = (places: readonly string[]): string => [...new Set(places)].join(', ');
