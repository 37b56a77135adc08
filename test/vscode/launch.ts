/** How a window with a suite in it is brought about, in VS Code's server or on the desktop. */
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Window } from './window.ts';

export interface SuiteLaunch {
  folder: string;
  /** Module whose `run` VS Code calls in the extension host. */
  tests: string;
  env: Readonly<Record<string, string>>;
  theme: string;
  trust: boolean;
  /** Test this package instead of the development folder. */
  vsix: string | undefined;
  verbose: boolean;
  /** The window is there: the suite's calls can be answered. */
  onWindow: (win: Window) => void;
}

/** With a .vsix the product is an installed extension; an empty development extension carries the suite. */
export async function carrier(): Promise<string> {
  const folder = join(tmpdir(), `genenv-carrier-${process.pid}`);
  await mkdir(folder, { recursive: true });
  const manifest = { name: 'carrier', publisher: 'test', version: '0.0.0', engines: { vscode: '^1.100.0' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
}
