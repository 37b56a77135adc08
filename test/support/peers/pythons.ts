/** Python packages of others that we are tried against, each in an environment of the tests' own: `.peers/NAME-VERSION`. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const home = fileURLToPath(new URL('../../../.peers', import.meta.url));
/** Milliseconds that an installation may take. */
const longest = 1_800_000;

interface Peer {
  version: string;
  /** Its packages are there too, without being installed again: torch alone is 5 GB. */
  on?: 'torch';
  /** A line of Python that each of its processes begins with. */
  begins?: string;
  /** Variables of pip's calls, where it compiles. */
  builds?: Readonly<Record<string, string>>;
  /** The arguments of pip, one call after the other. */
  installs: readonly (readonly string[])[];
}

export const peers = {
  openenv: {
    version: '0.10.0',
    // The server's imports, without the half gigabyte that its command line and its pages need.
    installs: [
      ['--no-deps', 'openenv==0.10.0'],
      ['fastapi', 'uvicorn', 'websockets', 'pydantic<3', 'fastmcp-slim[server]', 'httpx', 'requests'],
    ],
  },
  openai: { version: '3.54.0', installs: [['openai==3.54.0']] },
  'reasoning-gym': { version: '0.1.25', installs: [['reasoning_gym==0.1.25']] },
  // Its harnesses are scripts that uv prepares.
  verifiers: { version: '0.4.0', installs: [['verifiers==0.4.0', 'uv==0.13.9']] },
  // The registry's torch brings CUDA along; there is none for processors alone.
  torch: {
    version: '2.15.0',
    installs: [['torch==2.15.0', 'transformers==5.23.0', 'datasets==5.2.0', 'accelerate', 'trl==1.16.0']],
  },
  // `transformers serve`, without its chat on a terminal.
  'transformers-serve': {
    ...{ version: '5.23.0', on: 'torch' },
    installs: [['openai==3.54.0', 'uvicorn', 'fastapi', 'starlette', 'pydantic', 'requests']],
  },
  'tinker-cookbook': {
    ...{ version: '0.6.1', on: 'torch' },
    // Without tml-renderers, which only its own models need.
    installs: [
      ['--no-deps', 'tinker-cookbook==0.6.1'],
      [
        ...['tinker==0.38.0', 'chz', 'aiohttp', 'anyio', 'blobfile', 'cloudpickle', 'pyrage', 'rich', 'termcolor'],
        ...['tiktoken', 'tqdm', 'pillow', 'sympy', 'pylatexenc', 'math-verify'],
      ],
    ],
  },
  // Its API starts its engine by "uv run"; this release's types want Python 3.12 unless TypedDict is the extension's.
  skyrl: {
    ...{ version: '0.3.0', on: 'torch' },
    installs: [['skyrl[tinker,jax]==0.3.0', 'uv==0.13.9']],
    begins: 'import typing, typing_extensions; typing.TypedDict = typing_extensions.TypedDict',
  },
  tensorboard: { version: '2.21.0', installs: [['tensorboard==2.21.0']] },
  opentelemetry: {
    version: '1.45.2',
    installs: [['opentelemetry-proto==1.45.2', 'opentelemetry-semantic-conventions==0.66b2']],
  },
  wandb: { version: '0.31.0', installs: [['wandb==0.31.0', 'tensorboard==2.21.0']] },
  mlflow: { version: '3.17.2', installs: [['mlflow-skinny==3.17.2']] },
  ray: { version: '2.60.0', installs: [['ray[default]==2.60.0']] },
  peft: {
    ...{ version: '0.21.0', on: 'torch' },
    // Of docs/examples/tinker-peft, and what torch does not bring.
    installs: [['--no-deps', 'peft==0.21.0', 'gguf==0.19.0']],
  },
  // Its trainers import vLLM only where they sample. transformers is of the version that its own extras pin.
  // The registry has its sources alone: compiled for any processor, since what it finds by itself crashed on one of ours.
  'llama-cpp-python': {
    version: '0.3.36',
    builds: { CMAKE_ARGS: '-DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DLLAVA_BUILD=OFF -DMTMD_BUILD=OFF' },
    installs: [['llama-cpp-python[server]==0.3.36', 'gguf==0.19.0', 'safetensors']],
  },
  verl: {
    ...{ version: '0.9.1', on: 'torch' },
    installs: [
      ['--no-deps', 'verl==0.9.1', 'peft==0.21.0'],
      [
        ...['transformers>=5.9,<5.10', 'tensordict>=0.8.0,<=0.10.0,!=0.9.0', 'ray[default]==2.60.0', 'hydra-core'],
        ...['codetiming', 'torchdata', 'pylatexenc', 'pybind11', 'tensorboard'],
      ],
    ],
  },
  'inspect-ai': { version: '0.3.285', installs: [['inspect-ai==0.3.285', 'openai==3.54.0']] },
} as const satisfies Record<string, Peer>;

export type PeerName = keyof typeof peers;

/** An interpreter that has the package, made once; later calls find it. Else why it cannot be had. */
export async function peerPython(name: PeerName): Promise<{ python: string } | { why: string }> {
  const { version, installs, on, begins, builds }: Peer = peers[name];
  const base = on === undefined ? null : await peerPython(on);
  if (base !== null && 'why' in base) return base;
  const folder = join(home, `${name}-${version}`);
  try {
    if (!existsSync(folder)) {
      await inOnePiece(folder, async (target) => {
        await run('python3', ['-m', 'venv', target]);
        if (base !== null)
          await writeFile(join(await packagesOf(pythonIn(target)), 'base.pth'), await packagesOf(base.python));
        for (const packages of installs) await pip(target, packages, builds);
        if (begins !== undefined) await writeFile(join(await packagesOf(pythonIn(target)), 'begins.pth'), begins);
      });
    }
  } catch (error) {
    return { why: lastLine(error) };
  }
  return { python: pythonIn(folder) };
}

/** The folder of an environment's packages. */
async function packagesOf(python: string): Promise<string> {
  const { stdout } = await run(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
  return stdout.trim();
}

export const pythonIn = (folder: string): string => join(folder, 'bin', 'python');

/** Has pip install packages into an environment. What is imported is compiled then: all of it would take as long again. */
export const pip = (
  folder: string,
  packages: readonly string[],
  builds: Readonly<Record<string, string>> = {},
): Promise<unknown> =>
  run(pythonIn(folder), ['-m', 'pip', '--disable-pip-version-check', 'install', '-q', '--no-compile', ...packages], {
    ...{ timeout: longest, env: { ...process.env, ...builds } },
  });

/** The last words of a failed program. */
export const lastLine = (error: unknown): string =>
  error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error);

/** An installation that was broken off leaves nothing that looks finished. */
export async function inOnePiece(path: string, make: (target: string) => Promise<unknown>): Promise<void> {
  const partial = `${path}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(join(path, '..'), { recursive: true });
  await make(partial);
  await rename(partial, path);
}
