/** The settings that a run had at the end of one of its epochs: those of its start, and the changes until then. */
import { experimentAt } from '../../runs/journal/experimentNow.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { RunFolders } from './runFolders.ts';
import type { RunDir } from './runs.ts';

export const settingsAt = (folders: RunFolders, dir: RunDir, epoch: number): Promise<Experiment> =>
  folders.reading(dir, (reader) => experimentAt(reader.manifest, reader.events(), epoch));
