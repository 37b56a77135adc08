/**
 * The same for work in the middle of a calculation: the caller's thread stands still until the answer is there, as it
 * would if it did the work itself, but not longer than the limit. A call costs some ten microseconds.
 */
import { MessageChannel, receiveMessageOnPort, type MessagePort, type Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import { answerOf } from './protocol.ts';
import { SandboxError } from './sandboxError.ts';
import { startThread, type SandboxOptions } from './thread.ts';

interface Thread {
  worker: Worker;
  port: MessagePort;
  word: Int32Array;
}

export class BlockingSandbox<Job, Answer> {
  readonly #options: SandboxOptions<Answer>;
  #thread: Thread | null = null;

  constructor(options: SandboxOptions<Answer>) {
    this.#options = options;
  }

  /** @throws SandboxError */
  call(job: Job): Answer {
    const { seconds, memory, answer } = this.#options;
    const { port, word } = (this.#thread ??= this.#start());
    Atomics.store(word, 0, 0);
    port.postMessage(job);
    const until = performance.now() + seconds * 1_000;
    for (;;) {
      const waited = Atomics.wait(word, 0, 0, Math.max(0, until - performance.now()));
      // Before the answer is looked for: the thread posts it first, so a 1 that is lost here has its answer there.
      Atomics.store(word, 0, 0);
      const received = receiveMessageOnPort(port);
      if (received !== undefined) return answerOf(received.message, answer);
      // Woken without an answer: a busy machine stopped the thread between the last answer and its wake-up call.
      if (waited !== 'timed-out') continue;
      this.dispose();
      // The event loop reports why a thread ended, and it is blocked here.
      throw new SandboxError(
        'too-slow',
        l10n.t('it takes longer than {0} s, or more than {1} MB of memory', seconds, memory),
      );
    }
  }

  dispose(): void {
    const thread = this.#thread;
    this.#thread = null;
    thread?.port.close();
    void thread?.worker.terminate();
  }

  #start(): Thread {
    const { port1, port2 } = new MessageChannel();
    const word = new Int32Array(new SharedArrayBuffer(4));
    const worker = startThread(this.#options, { port: port2, word });
    worker.on('error', () => {
      if (this.#thread?.worker === worker) this.dispose();
    });
    return { worker, port: port1, word };
  }
}
