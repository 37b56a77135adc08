/** The official Tinker SDK in a Python environment of the tests' own; null where Python packages cannot be had. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../.vscode-test/tinker-sdk', import.meta.url));

/** The first that sends training as protobuf alone, and the newest that was tried. */
export const versions = ['0.25.0', '0.38.0'] as const;

/** What they import, without the half gigabyte of tokenizers that they only load when asked for one. */
const needs = [
  ...['anyio<5', 'click', 'distro<2', 'httpx[http2]<1', 'numpy', 'orjson', 'protobuf', 'pydantic<3', 'pyqwest'],
  ...['rich', 'sniffio', 'typing-extensions<5', 'zstandard'],
];

export interface TinkerSdk {
  python: string;
  /** Where a version lies: the PYTHONPATH of who uses it. */
  path(version: string): string;
}

/** Makes it once; later calls find it. The reason why not is told. */
export async function tinkerSdk(tell: (why: string) => void): Promise<TinkerSdk | null> {
  const python = join(folder, 'bin', 'python');
  const path = (version: string): string => join(folder, `tinker-${version}`);
  try {
    if (!existsSync(python)) await inOnePiece(folder, makeEnvironment);
    const pip = (...args: string[]) =>
      run(python, ['-m', 'pip', '--disable-pip-version-check', 'install', '-q', ...args]);
    for (const version of versions) {
      if (existsSync(path(version))) continue;
      await inOnePiece(path(version), (target) => pip('--no-deps', '--target', target, `tinker==${version}`));
    }
  } catch (error) {
    tell(error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error));
    return null;
  }
  return { python, path };
}

async function makeEnvironment(target: string): Promise<void> {
  await run('python3', ['-m', 'venv', target]);
  await run(join(target, 'bin', 'python'), ['-m', 'pip', '--disable-pip-version-check', 'install', '-q', ...needs]);
}

/** What was broken off leaves nothing that looks finished. */
async function inOnePiece(path: string, make: (target: string) => Promise<unknown>): Promise<void> {
  const partial = `${path}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(join(path, '..'), { recursive: true });
  await make(partial);
  await rename(partial, path);
}
