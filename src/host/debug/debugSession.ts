/**
 * One debug session over a reward or a domain: at each start and restart it starts a process that does the given pieces
 * of work, and connects the editor's debugger to it.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import * as z from 'zod';
import { unusable } from '../../launch/scoring/reward.ts';
import { DebuggedProgram } from '../../rewards/processes/debuggedProgram.ts';
import type { Program } from '../../rewards/processes/program.ts';
import { RewardLoadError } from '../../rewards/processes/rewardLoadError.ts';
import { EntryStops } from './entryStops.ts';
import type { ProgramRequest } from './programRequest.ts';
import { defined } from '../../shared/defined.ts';

export const debugType = 'genenv-reward';

/** Names a session in its configuration. */
const idKey = '__genenv';

export const sessionIdOf = ({ configuration }: vscode.DebugSession): string | null => idOf(configuration);

export function idOf(configuration: vscode.DebugConfiguration): string | null {
  const id: unknown = configuration[idKey];
  return typeof id === 'string' ? id : null;
}

const messageSchema = z.object({
  command: z.string(),
  arguments: z.object({ restart: z.boolean().optional() }).optional(),
});

export class DebugSession<Outcome> {
  readonly id = randomUUID();
  readonly #request: ProgramRequest<Outcome>;
  readonly #program: Omit<Program, 'coverage' | 'debug'>;
  readonly #packages: string | undefined;
  readonly #finished = Promise.withResolvers<readonly Outcome[]>();
  readonly #stops: EntryStops;
  #process: DebuggedProgram<Outcome> | null = null;
  #port = 0;
  #restarting = false;

  /** @param packages folder that holds debugpy, for an interpreter without one */
  constructor(
    request: ProgramRequest<Outcome>,
    program: Omit<Program, 'coverage' | 'debug'>,
    packages: string | undefined,
  ) {
    this.#request = request;
    this.#program = program;
    this.#packages = packages;
    this.#stops = new EntryStops(request);
    this.#finished.promise.catch(() => undefined);
  }

  /** Outcomes of the finished pieces. @throws InputError when the file does not load */
  get finished(): Promise<readonly Outcome[]> {
    return this.#finished.promise;
  }

  /** The configuration for the editor's own debugger. */
  async configuration(name: string): Promise<vscode.DebugConfiguration> {
    const shared = { request: 'attach', name, [idKey]: this.id, internalConsoleOptions: 'openOnSessionStart' };
    const worker = (file: string): string => fileURLToPath(new URL(file, this.#program.dist));
    if (this.#program.language === 'python') {
      const rules = [{ path: worker('reward-worker.py'), include: false }];
      return { ...shared, type: debugType, redirectOutput: true, justMyCode: true, rules };
    }
    // Kept over a restart: the debugger comes back to where it was.
    this.#port = await freePort();
    return {
      ...shared,
      type: 'node',
      address: '127.0.0.1',
      port: this.#port,
      timeout: 20_000,
      continueOnAttach: true,
      autoAttachChildProcesses: false,
      cwd: dirname(this.#program.file),
      skipFiles: ['<node_internals>/**', worker('reward-worker.js')],
    };
  }

  /** Starts the process, replacing a running one. @returns the port that it listens on @throws InputError */
  async begin(): Promise<number> {
    this.#restarting = false;
    const old = this.#process;
    old?.kill();
    await old?.outcomes.catch(() => undefined);
    const { pieces, told } = this.#request;
    const debug = { port: this.#port, ...defined({ packages: this.#packages }) };
    const started = new DebuggedProgram<Outcome>({
      program: { ...this.#program, debug },
      pieces: pieces.map(({ run }) => run),
      loaded: (file) => this.#stops.place(file),
      done: (index, outcome) => told(pieces[index]?.name ?? '', outcome),
    });
    this.#process = started;
    try {
      return await started.listening;
    } catch (error) {
      throw error instanceof RewardLoadError ? unusable(error, this.#program.file) : error;
    }
  }

  /** Watches the editor's requests to the debugger of a session, or of one that it started for a process. */
  async tracker(session: vscode.DebugSession): Promise<vscode.DebugAdapterTracker> {
    if (session.parentSession !== undefined) {
      this.#stops.watch(session);
      return {};
    }
    // The editor waits for this before it begins.
    if (session.type === debugType) this.#stops.watch(session);
    else await this.begin().catch(() => undefined);
    return {
      onWillReceiveMessage: (message: unknown) => {
        const read = messageSchema.safeParse(message);
        if (!read.success) return;
        const { command } = read.data;
        if (command === 'restart') this.#beginBeside(session);
        if (command !== 'disconnect' && command !== 'terminate') return;
        this.#restarting = read.data.arguments?.restart === true;
        // Let go, it would judge on.
        this.#process?.kill();
      },
    };
  }

  /** The editor's session is over. @returns whether it is not about to begin again */
  ended(): boolean {
    if (this.#restarting) return false;
    this.#stops.dispose();
    const process = this.#process;
    if (process === null) {
      this.#finished.resolve([]);
      return true;
    }
    process.kill();
    process.outcomes.then(this.#finished.resolve, (error: unknown) => {
      this.#finished.reject(error instanceof RewardLoadError ? unusable(error, this.#program.file) : error);
    });
    return true;
  }

  #beginBeside(session: vscode.DebugSession): void {
    // The outcome reports the reason.
    this.begin().catch(() => vscode.debug.stopDebugging(session));
  }
}

/** Of this machine. */
async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    server.close(() => resolve(port));
  });
  return promise;
}

/** The session's name in the Run and Debug view. */
export const sessionName = ({ file, pieces }: Pick<ProgramRequest<unknown>, 'file' | 'pieces'>): string => {
  const [first] = pieces;
  const what = pieces.length === 1 && first !== undefined ? first.name : vscode.l10n.t('{0} attempts', pieces.length);
  return vscode.l10n.t('{0} on {1}', basename(file.path), what);
};
