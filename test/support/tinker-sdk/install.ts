/** The official Tinker SDK in a Python environment of the tests' own; null where Python packages cannot be had. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inOnePiece, lastLine, pip, pythonIn } from '../peers/pythons.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../.peers/tinker-sdk', import.meta.url));

/** The first that sends training as protobuf alone, and the newest that was tried. */
export const versions = ['0.25.0', '0.38.0'] as const;

/** The imports, without the half gigabyte of tokenizers that they load on demand. */
const needs = [
  ...['anyio<5', 'click', 'distro<2', 'httpx[http2]<1', 'numpy', 'orjson', 'protobuf', 'pydantic<3', 'pyqwest'],
  ...['rich', 'sniffio', 'typing-extensions<5', 'zstandard'],
];

export interface TinkerSdk {
  python: string;
  /** Where a version lies: the PYTHONPATH of who uses it. */
  path(version: string): string;
}

/** Makes it once; later calls find it. `tell` gets the reason for a failure. */
export async function tinkerSdk(tell: (why: string) => void): Promise<TinkerSdk | null> {
  const path = (version: string): string => join(folder, `tinker-${version}`);
  try {
    if (!existsSync(pythonIn(folder))) {
      await inOnePiece(folder, async (target) => {
        await run('python3', ['-m', 'venv', target]);
        await pip(target, needs);
      });
    }
    for (const version of versions) {
      if (existsSync(path(version))) continue;
      await inOnePiece(path(version), (target) => pip(folder, ['--no-deps', '--target', target, `tinker==${version}`]));
    }
  } catch (error) {
    tell(lastLine(error));
    return null;
  }
  return { python: pythonIn(folder), path };
}
