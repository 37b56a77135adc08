/** The real OpenEnv package in a Python environment of the tests' own; null where Python packages cannot be had. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../.vscode-test/openenv', import.meta.url));
const server = fileURLToPath(new URL('server.py', import.meta.url));

export const version = '0.10.0';

/** What its server imports, without the half gigabyte that its command line and its pages need. */
const needs = ['fastapi', 'uvicorn', 'websockets', 'pydantic<3', 'fastmcp-slim[server]', 'httpx', 'requests'];

/** Makes it once; later calls find it. The reason why not is told. @returns the interpreter */
export async function openenvPython(tell: (why: string) => void): Promise<string | null> {
  const python = (home: string): string => join(home, 'bin', 'python');
  const home = `${folder}-${version}`;
  if (existsSync(python(home))) return python(home);
  const partial = `${home}.partial`;
  const pip = (...args: string[]) =>
    run(python(partial), ['-m', 'pip', '--disable-pip-version-check', 'install', '-q', ...args], { timeout: 300_000 });
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(join(partial, '..'), { recursive: true });
    await run('python3', ['-m', 'venv', partial]);
    await pip('--no-deps', `openenv==${version}`);
    await pip(...needs);
    await rename(partial, home);
  } catch (error) {
    tell(error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error));
    return null;
  }
  return python(home);
}

/** A real server in a process of its own. */
export class RealOpenenv {
  readonly #process: ChildProcess;
  readonly port: number;

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.port = port;
  }

  /** @param kind of `server.py`; @param port 0 for any free one */
  static async start(python: string, kind: 'numbers' | 'shelf', sessions: number, port = 0): Promise<RealOpenenv> {
    const child = spawn(python, [server, String(port), kind, String(sessions)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(child.stdout)) {
      const [, ready] = /^ready (\d+)$/.exec(line) ?? [];
      if (ready !== undefined) return new RealOpenenv(child, Number(ready));
    }
    throw new Error(`The OpenEnv server of the tests ended with ${child.exitCode ?? 'no code'}.`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}
