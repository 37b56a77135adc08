/**
 * One debug session over a reward or a domain: at each start and restart it starts a process that does the given pieces
 * of work, and a session below it that connects the editor's debugger to that process.
 */
import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import { unusable } from '../../launch/scoring/reward.ts';
import { DebuggedProgram } from '../../rewards/processes/debuggedProgram.ts';
import type { Program } from '../../rewards/processes/program.ts';
import { RewardLoadError } from '../../rewards/processes/rewardLoadError.ts';
import { withoutOwn } from './asked.ts';
import { EntryStops } from './entryStops.ts';
import type { ProgramRequest } from './programRequest.ts';
import { RootAdapter } from './rootAdapter.ts';
import { defined } from '../../shared/defined.ts';

export const debugType = 'genenv-reward';

/** Names a session in its configuration. */
const idKey = '__genenv';

export const sessionIdOf = ({ configuration }: vscode.DebugSession): string | null => idOf(configuration);

export function idOf(configuration: vscode.DebugConfiguration): string | null {
  const id: unknown = configuration[idKey];
  return typeof id === 'string' ? id : null;
}

/** For the session that a person begins alone: asked for again below it, tasks would run twice. */
const ofTheRoot = ['preLaunchTask', 'postDebugTask', 'presentation', 'internalConsoleOptions'];

export class DebugSession<Outcome> {
  readonly id = randomUUID();
  readonly #request: ProgramRequest<Outcome>;
  readonly #program: Omit<Program, 'coverage' | 'debug'>;
  readonly #packages: string | undefined;
  readonly #finished = Promise.withResolvers<readonly Outcome[]>();
  readonly #stops: EntryStops;
  #process: DebuggedProgram<Outcome> | null = null;
  #root: { adapter: RootAdapter; port: number } | null = null;
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

  /** The configuration that the editor begins. */
  configuration(name: string): vscode.DebugConfiguration {
    const shown = { internalConsoleOptions: 'openOnSessionStart' };
    return { type: debugType, request: 'launch', name, [idKey]: this.id, ...shown };
  }

  /** The debugger of the session that a person began, or of the one below it in Python. */
  descriptor(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const { parentSession, configuration } = session;
    if (parentSession !== undefined) return new vscode.DebugAdapterServer(Number(configuration['port']), '127.0.0.1');
    const adapter: RootAdapter = new RootAdapter({
      launched: async () => {
        const port = await this.#begin();
        this.#root = { adapter, port };
        const below = {
          ...{ parentSession: session, lifecycleManagedByParent: true, compact: true },
          ...{ consoleMode: vscode.DebugConsoleMode.MergeWithParent, suppressSaveBeforeStart: true },
        };
        const attach = this.#attach(session, port);
        if (!(await vscode.debug.startDebugging(session.workspaceFolder, attach, below))) adapter.end();
      },
      stopped: (restarting) => {
        this.#restarting = restarting;
        // Let go, it would judge on.
        this.#process?.kill();
      },
    });
    return new vscode.DebugAdapterInlineImplementation(adapter);
  }

  /** For the editor's own debugger, with what a person asked of it. */
  #attach({ configuration, name }: vscode.DebugSession, port: number): vscode.DebugConfiguration {
    const editors = Object.keys(configuration).filter((key) => key.startsWith('__'));
    const kept = withoutOwn(configuration, [...ofTheRoot, ...editors]);
    const quiet = { internalConsoleOptions: 'neverOpen' };
    const shared = { ...kept, request: 'attach', name, port, [idKey]: this.id, ...quiet };
    const worker = (file: string): string => fileURLToPath(new URL(file, this.#program.dist));
    if (this.#program.language === 'python') {
      const rules = [{ path: worker('reward-worker.py'), include: false }];
      return { ...shared, type: debugType, redirectOutput: true, justMyCode: true, rules };
    }
    return {
      ...shared,
      type: 'node',
      address: '127.0.0.1',
      timeout: 20_000,
      continueOnAttach: true,
      autoAttachChildProcesses: false,
      cwd: dirname(this.#program.file),
      skipFiles: ['<node_internals>/**', worker('reward-worker.js')],
    };
  }

  /** Starts the process, replacing a running one. @returns the port that it listens on @throws InputError */
  async #begin(): Promise<number> {
    this.#restarting = false;
    const old = this.#process;
    old?.kill();
    await old?.outcomes.catch(() => undefined);
    const { pieces, told } = this.#request;
    const debug = { port: 0, ...defined({ packages: this.#packages }) };
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

  /** Watches a session that a debugger made below another. */
  tracker(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    const { parentSession: parent } = session;
    if (parent === undefined) return {};
    this.#stops.watch(session);
    // JavaScript's debugger calls it "Remote Process [0]", and does so again whenever it pauses.
    const name = (): void => {
      if (session.name !== parent.name) session.name = parent.name;
    };
    name();
    return { onDidSendMessage: name };
  }

  /** A session below is over, and nothing else is left. */
  endedBelow({ parentSession, configuration }: vscode.DebugSession): void {
    if (parentSession?.parentSession !== undefined || this.#restarting) return;
    const root = this.#root;
    if (root !== null && root.port === configuration['port']) root.adapter.end();
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
}

/** The session's name in the Run and Debug view. */
export const sessionName = ({ file, pieces }: Pick<ProgramRequest<unknown>, 'file' | 'pieces'>): string => {
  const [first] = pieces;
  const what = pieces.length === 1 && first !== undefined ? first.name : vscode.l10n.t('{0} attempts', pieces.length);
  // A narrow view shows its beginning alone, and attempts at one task differ in their number.
  return `${what.replace(/^(.+)\/(r\d+)$/, '$2 · $1')} · ${basename(file.path)}`;
};
