/**
 * The session that a person begins, stops and begins again. It debugs nothing: the editor's own debuggers only attach to a
 * process that runs, and to a session that attaches the editor offers Disconnect in place of Stop.
 */
import * as vscode from 'vscode';
import * as z from 'zod';

const requestSchema = z.object({
  type: z.literal('request'),
  seq: z.int(),
  command: z.string(),
  arguments: z.object({ restart: z.boolean().optional() }).optional(),
});

export interface RootWork {
  /** Starts the process and the session that attaches to it. */
  launched: () => Promise<void>;
  /** @param restarting whether it begins again at once */
  stopped: (restarting: boolean) => void;
}

export class RootAdapter implements vscode.DebugAdapter {
  readonly #sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly #work: RootWork;
  readonly onDidSendMessage = this.#sent.event;
  #seq = 1;

  constructor(work: RootWork) {
    this.#work = work;
  }

  handleMessage(message: vscode.DebugProtocolMessage): void {
    const read = requestSchema.safeParse(message);
    if (!read.success) return;
    const { seq, command, arguments: given } = read.data;
    if (command === 'disconnect' || command === 'terminate') this.#work.stopped(given?.restart === true);
    // It is never told to be initialized: breakpoints are for the sessions below it.
    const body = command === 'threads' ? { threads: [] } : {};
    this.#send({ type: 'response', request_seq: seq, success: true, command, body });
    // Its failure is that of the outcomes, which are waited for.
    if (command === 'launch') this.#work.launched().catch(() => this.end());
  }

  /** Nothing is left to debug. */
  end(): void {
    this.#send({ type: 'event', event: 'terminated' });
  }

  dispose(): void {
    this.#sent.dispose();
  }

  #send(message: object): void {
    this.#sent.fire({ seq: this.#seq++, ...message });
  }
}
