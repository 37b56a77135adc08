/** The thread's side of a sandbox. */
import { MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Reply, Waiting } from './protocol.ts';
import { messageOf } from '../shared/messageOf.ts';

/** Answers every job with the result of `work`. */
export function serve(work: (job: unknown) => unknown): void {
  const waiting = waitingOf(workerData);
  const port = waiting?.port ?? parentPort;
  if (port === null) throw new Error('A sandbox runs in a worker thread.');
  port.on('message', (job: unknown) => {
    void replyTo(job, work).then((reply) => {
      port.postMessage(reply);
      if (waiting === null) return;
      Atomics.store(waiting.word, 0, 1);
      Atomics.notify(waiting.word, 0);
    });
  });
}

/** Null where the caller does not block. */
function waitingOf(data: unknown): Waiting | null {
  if (typeof data !== 'object' || data === null || !('port' in data) || !('word' in data)) return null;
  const { port, word } = data;
  return port instanceof MessagePort && word instanceof Int32Array ? { port, word } : null;
}

async function replyTo(job: unknown, work: (job: unknown) => unknown): Promise<Reply> {
  try {
    return { ok: true, value: await work(job) };
  } catch (error) {
    const message = messageOf(error);
    return { ok: false, message, large: error instanceof RangeError && /allocation|Invalid/.test(message) };
  }
}
