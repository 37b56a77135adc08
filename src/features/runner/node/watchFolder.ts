/** Events of the files in a folder, as far as the machine gives any. */
import { watch, type FSWatcher } from 'node:fs';

/**
 * Null where there is no watcher: its limit of them is reached (`ENOSPC`, `EMFILE`), or its disk has none. A caller looks
 * at the folder from time to time as well.
 * @param lost called once where events end, or never begin
 */
export function watchFolder(folder: string, changed: () => void, lost: (error: unknown) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, changed);
    watcher.once('error', (error) => {
      watcher.close();
      lost(error);
    });
    return watcher;
  } catch (error) {
    lost(error);
    return null;
  }
}
