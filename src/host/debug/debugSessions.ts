/** The debug sessions over rewards and domains of this window, as the editor begins, watches and ends them. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { domainLanguage } from '../../shared/domains/domainFile.ts';
import { curriculumLanguage } from '../../shared/curricula/curriculumFile.ts';
import { rewardLanguage } from '../../shared/rewards/rewardFile.ts';
import { saveChanges } from '../files/saveChanges.ts';
import { requireTrust } from '../runs/steerError.ts';
import { DebugSession, debugType, sessionIdOf } from './debugSession.ts';
import { findDebugpy } from './debugpy.ts';
import type { ProgramRequest } from './programRequest.ts';

interface SessionNeeds {
  /** The folder of built files. */
  dist: URL;
  /** The interpreter of a user's Python: a path or a name. */
  python: () => Promise<string>;
}

/** A session with any type of outcome. */
type AnySession = Pick<DebugSession<unknown>, 'id' | 'descriptor' | 'tracker' | 'ended' | 'endedBelow'>;

export class DebugSessions implements vscode.Disposable {
  readonly #needs: SessionNeeds;
  readonly #sessions = new Map<string, AnySession>();
  /** The editor's sessions for them. */
  readonly #running = new Map<string, vscode.DebugSession>();
  readonly #subscription: vscode.Disposable;

  constructor(needs: SessionNeeds) {
    this.#needs = needs;
    this.#subscription = vscode.Disposable.from(
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => this.#of(rootOf(session))?.tracker(session),
      }),
      vscode.debug.registerDebugAdapterDescriptorFactory(debugType, {
        createDebugAdapterDescriptor: (session) => this.#of(session)?.descriptor(session),
      }),
      vscode.debug.onDidStartDebugSession((session) => {
        const id = sessionIdOf(session);
        if (id !== null && session.parentSession === undefined) this.#running.set(id, session);
      }),
      vscode.debug.onDidTerminateDebugSession((session) => {
        const own = this.#of(rootOf(session));
        if (session.parentSession !== undefined) return own?.endedBelow(session);
        if (own?.ended() !== true) return;
        this.#sessions.delete(own.id);
        this.#running.delete(own.id);
      }),
    );
  }

  /** A session that the editor may begin. @throws SteerError `untrusted`, DebugpyMissing */
  async open<Outcome>(request: ProgramRequest<Outcome>): Promise<DebugSession<Outcome>> {
    requireTrust();
    const { file, network } = request;
    const language = rewardLanguage(file.path) ?? domainLanguage(file.path) ?? curriculumLanguage(file.path);
    if (language === null) {
      throw new Error(vscode.l10n.t('{0} is no reward, domain or curriculum file.', basename(file.path)));
    }
    // The function runs from the disk.
    await saveChanges(file);
    const python = language === 'python' ? await this.#needs.python() : '';
    const { packages } = language === 'python' ? await findDebugpy(python) : {};
    const program = { dist: this.#needs.dist, file: file.fsPath, language, python, megabytes: 0, network };
    const session = new DebugSession(request, program, packages);
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Ends it as a person would. */
  stop({ id }: Pick<AnySession, 'id'>): void {
    const running = this.#running.get(id);
    if (running !== undefined) void vscode.debug.stopDebugging(running);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const session of this.#sessions.values()) session.ended();
  }

  #of(session: vscode.DebugSession): AnySession | undefined {
    const id = sessionIdOf(session);
    return id === null ? undefined : this.#sessions.get(id);
  }
}

/** A debugger may make a session for each process. */
function rootOf(session: vscode.DebugSession): vscode.DebugSession {
  return session.parentSession === undefined ? session : rootOf(session.parentSession);
}
