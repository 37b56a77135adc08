/**
 * A process that runs a custom file, and its successors. Calls are answered in order, so the oldest unanswered one is
 * in progress: when the process hangs or dies that call gets the fault, and a new process gets the others.
 */
import * as l10n from '@vscode/l10n';
import { append } from '../../shared/append.ts';
import type { TakenCoverage } from '../../shared/rewards/coverage.ts';
import type { RewardFault } from '../../shared/rewards/outcome.ts';
import type { Program } from './program.ts';
import { RewardLoadError } from './rewardLoadError.ts';
import { RewardProcess, type End } from './rewardProcess.ts';
import { outputLimit } from './outputLimit.ts';
import type { Reply } from './wire.ts';

/** Calls that a process has before it has answered them. */
const ahead = 256;
/** Seconds until a file must be loaded: large Python packages take their time. */
const loadSeconds = 120;

/** Characters of a request; texts end at 536,870,888. */
const longestRequest = 500_000_000;
/** Characters that travel and are parsed in a second, even on a slow machine. */
const charactersASecond = 10_000_000;

const closed = (): RewardFault => ({
  reason: 'ended',
  message: l10n.t('The process was closed.'),
  stack: null,
  at: null,
});

const tooLong = (): RewardFault => ({
  reason: 'threw',
  message: l10n.t('The request is longer than {0} MB.', longestRequest / 1e6),
  stack: null,
  at: null,
});

type Said = Extract<Reply, { id: number }>;

/** The result of a call. `output`: text printed meanwhile, cut at 8,000 characters. */
export interface Called<Outcome> {
  answered: (reply: Said, output: string) => Outcome;
  failed: (fault: RewardFault, output: string) => Outcome;
}

interface Pending {
  id: number;
  line: string;
  output: string;
  answer: (reply: Said, output: string) => void;
  fail: (fault: RewardFault, output: string) => void;
}

/** A file that can be used. */
export interface Loaded {
  /** Paths of a person's own files that are loaded. */
  files: readonly string[];
  /** Names of the functions of a domain file; none of a reward file. */
  functions: readonly string[];
  /** Coverage of loading the file, where requested. */
  coverage: readonly TakenCoverage[];
}

export interface WorkerLimits extends Program {
  /** Of one call. */
  seconds: number;
}

export class CallWorker {
  readonly #limits: WorkerLimits;
  #process: RewardProcess | null = null;
  #ready: PromiseWithResolvers<Loaded> | null = null;
  #isReady = false;
  #waiting: Pending[] = [];
  #sent: Pending[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Seconds that the timer was set to. */
  #awaited = 0;
  /** Why this process is being ended by us. */
  #why: 'timeout' | 'memory' | null = null;
  #next = 0;
  #disposed = false;

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
  }

  /** Starts it. @throws RewardLoadError */
  async open(): Promise<Loaded> {
    return this.#start().promise;
  }

  get load(): number {
    return this.#waiting.length + this.#sent.length;
  }

  /** @param request the request to the process, without the call's number */
  call<Outcome>(request: object, { answered, failed }: Called<Outcome>): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const id = this.#next++;
    const line = lineOf({ id, ...request });
    const pending: Pending = {
      ...{ id, line: line ?? '', output: '' },
      answer: (reply, output) => resolve(answered(reply, output)),
      fail: (fault, output) => resolve(failed(fault, output)),
    };
    if (this.#disposed) fail(pending, closed());
    else if (line === null) fail(pending, tooLong());
    else {
      this.#waiting.push(pending);
      this.#fill();
    }
    return promise;
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#process?.kill();
    this.#failAll(closed());
  }

  #start(): PromiseWithResolvers<Loaded> {
    const ready = Promise.withResolvers<Loaded>();
    this.#ready = ready;
    this.#isReady = false;
    this.#why = null;
    const process = new RewardProcess(this.#limits, {
      reply: (reply) => {
        if (process === this.#process) this.#take(reply);
      },
      ended: (end) => {
        if (process === this.#process) this.#ended(end);
      },
    });
    this.#process = process;
    this.#await(loadSeconds);
    return ready;
  }

  #fill(): void {
    if (this.#disposed) return;
    if (this.#process === null) {
      // A successor's failure is reported through its calls.
      this.#start().promise.catch(() => undefined);
      return;
    }
    if (!this.#isReady) return;
    const idle = this.#sent.length === 0;
    const some = this.#waiting.splice(0, ahead - this.#sent.length);
    for (const pending of some) this.#process.send(pending.line);
    append(this.#sent, some);
    if (idle) this.#awaitReply();
  }

  /** The current call's time, beside that of its request's way. */
  #awaitReply(): void {
    const [current] = this.#sent;
    if (current === undefined) clearTimeout(this.#timer);
    else this.#await(this.#limits.seconds + Math.floor(current.line.length / charactersASecond));
  }

  #await(seconds: number): void {
    clearTimeout(this.#timer);
    this.#awaited = seconds;
    this.#timer = setTimeout(() => {
      this.#why = 'timeout';
      this.#process?.kill();
    }, seconds * 1000);
  }

  #take(reply: Reply): void {
    switch (reply.t) {
      case 'ready':
        clearTimeout(this.#timer);
        this.#isReady = true;
        this.#ready?.resolve({
          files: reply.files,
          functions: reply.functions ?? [],
          coverage: reply.coverage ?? [],
        });
        this.#fill();
        return;
      case 'unloadable':
        this.#refuse(new RewardLoadError('load', this.#limits.file, reply.message, reply.at));
        return;
      case 'debugger':
        // No debugger is attached.
        return;
      case 'memory':
        this.#why = 'memory';
        return;
      case 'out': {
        const [current] = this.#sent;
        if (current !== undefined) current.output = (current.output + reply.text).slice(0, outputLimit);
        return;
      }
      case 'gave':
      case 'threw':
        this.#answer(reply);
    }
  }

  #answer(reply: Extract<Reply, { id: number }>): void {
    const [current] = this.#sent;
    if (current?.id !== reply.id) return;
    this.#sent.shift();
    this.#awaitReply();
    current.answer(reply, current.output);
    if (this.#sent.length < ahead / 2) this.#fill();
  }

  /** The file does not load: the calls that wait fail too. */
  #refuse(error: RewardLoadError): void {
    clearTimeout(this.#timer);
    this.#process = null;
    this.#ready?.reject(error);
    this.#failAll({ reason: 'load', message: error.message, stack: null, at: error.at });
  }

  #ended(end: End): void {
    clearTimeout(this.#timer);
    this.#process = null;
    const { file, language, python } = this.#limits;
    if (!this.#isReady) {
      const why =
        this.#why === 'timeout'
          ? l10n.t('is not loaded after {0} s', loadSeconds)
          : l10n.t('ended while it was loaded ({0}){1}', told(end), lastWords(end));
      if (end.missing !== null) {
        const program = language === 'python' ? python : 'Node';
        this.#refuse(
          new RewardLoadError('interpreter', file, l10n.t('{0} cannot be started: {1}', program, end.missing)),
        );
      } else this.#refuse(new RewardLoadError('load', file, l10n.t('The file {0}.', why.replace(/\.$/, ''))));
      return;
    }
    const current = this.#sent.shift();
    if (current !== undefined) {
      if (this.#why === 'timeout')
        fail(current, {
          reason: 'timeout',
          message: l10n.t('There is no result after {0} s.', this.#awaited),
          stack: null,
          at: null,
        });
      else fail(current, this.#death(end));
    }
    this.#waiting = [...this.#sent, ...this.#waiting];
    for (const pending of this.#waiting) pending.output = '';
    this.#sent = [];
    if (this.#waiting.length > 0) this.#fill();
  }

  #death(end: End): RewardFault {
    const full = this.#why === 'memory' || /out of memory|heap limit/i.test(end.words);
    if (full) {
      const message = l10n.t('It took more than the {0} MB of memory that it may have.', this.#limits.megabytes);
      return { reason: 'memory', message, stack: null, at: null };
    }
    return { reason: 'ended', message: l10n.t('It ended its process ({0}).', told(end)), stack: null, at: null };
  }

  #failAll(fault: RewardFault): void {
    const all = [...this.#sent, ...this.#waiting];
    this.#sent = [];
    this.#waiting = [];
    for (const pending of all) fail(pending, fault);
  }
}

/** Null where it is too long for a text. */
function lineOf(request: object): string | null {
  try {
    const line = JSON.stringify(request);
    return line.length > longestRequest ? null : line;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function fail({ fail: told, output }: Pending, fault: RewardFault): void {
  told(fault, output);
}

/** The error in a runtime's last output. */
const lastWords = ({ words }: End): string => {
  const line = words.split('\n').findLast((text) => /error|not found/i.test(text));
  return line === undefined ? '' : `: ${line.trim()}`;
};

const told = ({ code, signal }: End): string =>
  code === null ? l10n.t('signal {0}', signal ?? '?') : l10n.t('exit code {0}', code);
