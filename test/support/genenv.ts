/** The built command line as a person types it: a process in a folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cli } from './built.ts';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A folder that is someone's workspace. */
export class Workspace {
  readonly dir = mkdtempSync(join(tmpdir(), 'genenv-cli-'));
  readonly runs = join(this.dir, '.genenv', 'runs');

  write(name: string, content: unknown): void {
    writeFileSync(join(this.dir, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }

  /** Starts `genenv …`; `before` are words in front of it (a wrapper). */
  start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
    return spawn(process.execPath, [cli, ...args], {
      cwd: this.dir,
      env: environment({ XDG_CONFIG_HOME: join(this.dir, '.config'), ...env }),
    });
  }

  async genenv(...args: string[]): Promise<Ended> {
    return ended(this.start(args));
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Variables that change what the command line says. */
const personal = ['NO_COLOR', 'FORCE_COLOR', 'GENENV_COMMAND', 'npm_command'];

/** Without what the one who runs the tests has set for themselves. */
export function environment(over: Record<string, string>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !personal.includes(name));
  return { ...Object.fromEntries(own), TERM: 'xterm-256color', ...over };
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((done) => {
    child.on('close', (code) => done({ code, out, err }));
  });
}
