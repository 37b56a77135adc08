/** A server of others as a process of ours, and what transformers itself says of the model that it serves. */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

const run = promisify(execFile);
export const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export class RealServer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  /** @param ready path that answers once it serves */
  static async start(python: string, args: readonly string[], url: string, ready: string): Promise<RealServer> {
    const env = { ...process.env, HF_HUB_OFFLINE: '1', CUDA_VISIBLE_DEVICES: '' };
    const child = spawn(python, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (log += text));
    const server = new RealServer(url, child);
    for (let tries = 0; tries < 240 && child.exitCode === null; tries++) {
      const answered = await fetch(url + ready).then(
        ({ ok }) => ok,
        () => false,
      );
      if (answered) return server;
      await sleep(500);
    }
    await server.stop();
    assert.fail(log.slice(-2000));
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }
}

/** A small random model. @param python with torch */
export async function byteModel(python: string, folder: string): Promise<string> {
  await run(python, [beside('byte_model.py'), folder]);
  return folder;
}

const firstsSchema = z.object({ prompt: z.int(), chances: z.record(z.string(), z.number()) });

/** Tokens of the prompt, and the probabilities of an answer's first token by its text, of those that are a letter or sign. */
export async function firstTokens(python: string, model: string, text: string): Promise<z.infer<typeof firstsSchema>> {
  const { stdout } = await run(python, [beside('first_tokens.py'), model, text]);
  return firstsSchema.parse(JSON.parse(stdout));
}

/** Whether texts are as often there as a model says, each within five standard deviations. */
export function assertDrawn(drawn: readonly string[], chances: Readonly<Record<string, number>>): void {
  for (const [text, chance] of Object.entries(chances)) {
    const found = drawn.filter((one) => one === text).length;
    const expected = chance * drawn.length;
    const deviation = Math.sqrt(expected * (1 - chance));
    assert(Math.abs(found - expected) <= 5 * deviation + 1, `“${text}”: ${found} of ${drawn.length}, not ${expected}`);
  }
}
