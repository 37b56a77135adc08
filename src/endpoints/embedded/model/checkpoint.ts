/** Checkpoint files: whole or absent. Written beside their final name, forced to disk, then renamed. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { EmbeddedError } from '../errors.ts';
import { type ModelState, writeWeights } from './weights.ts';

/** Names become file names, so they are kept plain. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9@._-]{0,99}$/;

/** Writes `<folder>/<name>.bin` durably and returns the file's name. Existing files of that name are replaced. */
export function writeCheckpoint(folder: string, name: string, state: ModelState): string {
  if (!namePattern.test(name)) {
    throw new EmbeddedError(
      'checkpoint',
      l10n.t("'{0}' cannot name a checkpoint: use letters, digits, @ . _ and -.", name),
    );
  }
  const file = `${name}.bin`;
  const temporary = join(folder, `.${file}.partial`);
  try {
    mkdirSync(folder, { recursive: true });
    replaceFile(temporary, join(folder, file), writeWeights(state, 'f32'));
    syncFolder(folder);
  } catch (cause) {
    throw new EmbeddedError(
      'checkpoint',
      l10n.t(
        "Checkpoint '{0}' could not be written to {1}: {2}. Nothing was replaced. Free space or choose a folder that can be written.",
        name,
        folder,
        String(cause),
      ),
      { cause },
    );
  }
  return file;
}

function replaceFile(temporary: string, path: string, bytes: Uint8Array): void {
  const descriptor = openSync(temporary, 'w');
  try {
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A rename is durable only once its folder is; Windows cannot open folders and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Path of a checkpoint's file. @throws EmbeddedError for one that no writer of ours made */
export function checkpointPath(folder: string, handle: string): string {
  if (namePattern.test(handle.replace(/\.bin$/, ''))) return join(folder, handle);
  throw new EmbeddedError(
    'checkpoint',
    l10n.t("'{0}' is no name of a checkpoint in {1}. Resume or branch from another.", handle, folder),
  );
}

export function readCheckpointBytes(path: string | URL): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new EmbeddedError(
      'checkpoint',
      l10n.t(
        'The weights at {0} cannot be read: {1}. Resume or branch from a checkpoint that exists, or build the shipped weights with npm run build.',
        String(path),
        String(cause),
      ),
      { cause },
    );
  }
}
