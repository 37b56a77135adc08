/** Desktop VS Code with the extension of this folder. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = process.platform === 'win32' ? ['code.cmd', 'code-insiders.cmd'] : ['code', 'code-insiders', 'codium'];

/** A `code` command on the path; not the one of a remote window's terminal, which opens no development window. */
export function findCode(): string | undefined {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes('remote-cli'));
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Opens a window and leaves it to its person. */
export function openDesktop(code: string, extension: string, folder: string): Promise<void> {
  const args = [`--extensionDevelopmentPath=${extension}`, '--disable-workspace-trust', '--new-window', folder];
  return new Promise((opened, reject) => {
    const child = spawn(code, args, { stdio: 'inherit', shell: process.platform === 'win32' });
    child.once('error', reject);
    child.once('exit', (status) => {
      if (status === 0) opened();
      else reject(new Error(`${code} ended with ${status}.`));
    });
  });
}
