/** For tests of debug sessions: every stop as the debug adapter tells it, and what a person could ask for at it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import * as z from 'zod';

const stoppedSchema = z.object({ event: z.literal('stopped'), body: z.object({ threadId: z.int() }) });
const outputSchema = z.object({
  event: z.literal('output'),
  body: z.object({ category: z.enum(['console', 'stdout', 'stderr']).default('console'), output: z.string() }),
});
/** With a reference the editor shows a text of the debugger's, and not the file. */
const sourceSchema = z.object({ path: z.string(), sourceReference: z.literal(0).optional() });
const stackSchema = z.object({
  stackFrames: z.array(z.object({ id: z.int(), line: z.int(), source: sourceSchema.optional() })),
});
const scopesSchema = z.object({
  scopes: z.array(z.object({ variablesReference: z.int(), expensive: z.boolean().optional() })),
});
const variablesSchema = z.object({ variables: z.array(z.object({ name: z.string(), value: z.string() })) });
const resultSchema = z.object({ result: z.string() });

/** A place where a program waits. */
export class Stop {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly #session: vscode.DebugSession;
  readonly #thread: number;
  readonly #frame: number;

  constructor(session: vscode.DebugSession, thread: number, { id, line, source }: Frame) {
    this.#session = session;
    this.#thread = thread;
    this.#frame = id;
    this.line = line;
    // Where VS Code runs in a browser, a path is an address.
    const path = source?.path ?? '';
    this.file = path.startsWith('vscode-remote:') ? vscode.Uri.parse(path).path : path;
  }

  /** Values by name, as they are shown. */
  async variables(): Promise<ReadonlyMap<string, string>> {
    const { scopes } = scopesSchema.parse(await this.#session.customRequest('scopes', { frameId: this.#frame }));
    const all = new Map<string, string>();
    for (const { variablesReference, expensive } of scopes) {
      if (expensive === true) continue;
      const given: unknown = await this.#session.customRequest('variables', { variablesReference });
      for (const { name, value } of variablesSchema.parse(given).variables) if (!all.has(name)) all.set(name, value);
    }
    return all;
  }

  async evaluate(expression: string): Promise<string> {
    const asked = { expression, frameId: this.#frame, context: 'watch' };
    return resultSchema.parse(await this.#session.customRequest('evaluate', asked)).result;
  }

  async go(how: 'continue' | 'next'): Promise<void> {
    await this.#session.customRequest(how, { threadId: this.#thread });
  }
}

type Frame = z.infer<typeof stackSchema>['stackFrames'][number];

export class Stops implements vscode.Disposable {
  /** The text sent to the debug console. */
  printed = '';
  readonly #come: Stop[] = [];
  readonly #subscription: vscode.Disposable;

  constructor() {
    this.#subscription = vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: (message: unknown) => {
          const said = outputSchema.safeParse(message);
          if (said.success) this.printed += said.data.body.output;
          const stopped = stoppedSchema.safeParse(message);
          if (stopped.success) void this.#take(session, stopped.data.body.threadId);
        },
      }),
    });
  }

  /** The next one, in their order. */
  async next(): Promise<Stop> {
    for (let tries = 0; tries < 600; tries++) {
      const stop = this.#come.shift();
      if (stop !== undefined) return stop;
      await sleep(50);
    }
    assert.fail(`nothing stopped; the debug console says:\n${this.printed}`);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #take(session: vscode.DebugSession, threadId: number): Promise<void> {
    const asked = { threadId, startFrame: 0, levels: 1 };
    const [frame] = stackSchema.parse(await session.customRequest('stackTrace', asked)).stackFrames;
    assert.ok(frame, 'what stopped has a frame');
    this.#come.push(new Stop(session, threadId, frame));
  }
}
