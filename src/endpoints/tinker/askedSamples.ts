/**
 * Samples that were asked for, in the run's folder: so that a run that was killed gets what its server has finished, or
 * still works on, instead of asking and paying again. Written before a request leaves; not flushed, as a killed process
 * loses nothing of it, and a machine that lost power has paid for what it had under way.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { parseOrUndefined } from '../../shared/json.ts';
import { textOrEmpty } from '../ledgerFile.ts';
import { writeWhole } from '../wholeFile.ts';
import { InTurn } from '../../shared/inTurn.ts';

/** One request as the server has it: its number in a sampling session, and which completions it was for. */
export interface AskedSample {
  session: string;
  seq: number;
  /** Indices of the completions, in the order of the samples. */
  wanted: readonly number[];
  /** How many samples were asked for. */
  samples: number;
  /** The server's promise; null when it was not there yet. */
  promise: string | null;
}

const lineSchema = z.union([
  z.object({
    key: z.string(),
    session: z.string(),
    seq: z.int().positive(),
    wanted: z.array(z.int().nonnegative()),
    samples: z.int().positive(),
  }),
  z.object({ key: z.string(), session: z.string(), seq: z.int().positive(), promise: z.string() }),
]);
type Line = z.infer<typeof lineSchema>;

/** A file that a process has made so much larger is written anew once nothing of that process is under way. */
const mostGrowth = 4 * 1024 * 1024;

export class AskedSamples {
  readonly #path: string;
  /** Requests of earlier processes whose question was not asked yet in this one. */
  #known: Map<string, AskedSample>;
  /** Keys that were left over when the file was written anew: a second time they are not. */
  #leftOver: ReadonlySet<string> = new Set();
  readonly #fence: (() => Promise<void>) | undefined;
  /** Bytes that this process wrote since the file was written anew. */
  #grown = 0;
  #file: Promise<FileHandle> | null = null;
  readonly #inTurn = new InTurn();

  private constructor(path: string, known: Map<string, AskedSample>, fence: (() => Promise<void>) | undefined) {
    this.#fence = fence;
    this.#path = path;
    this.#known = known;
  }

  /**
   * Reads the requests of an earlier run. A torn or foreign line is skipped: its question is then asked anew.
   * @param fence as of `LedgerFile`
   */
  static async open(path: string, fence?: () => Promise<void>): Promise<AskedSamples> {
    const text = await textOrEmpty(path);
    const known = new Map<string, AskedSample>();
    for (const line of text.split('\n')) {
      const { data } = lineSchema.safeParse(parseOrUndefined(line));
      if (data === undefined) continue;
      const asked = known.get(data.key);
      if ('wanted' in data) known.set(data.key, { ...data, promise: null });
      else if (asked?.session === data.session && asked.seq === data.seq) {
        known.set(data.key, { ...asked, promise: data.promise });
      }
    }
    return new AskedSamples(path, known, fence);
  }

  /** A request of before that answers this question; given once. */
  take(key: string, wanted: readonly number[]): AskedSample | null {
    const asked = this.#known.get(key);
    this.#known.delete(key);
    return asked !== undefined && wanted.every((index) => asked.wanted.includes(index)) ? asked : null;
  }

  /** Before the request leaves. */
  asking(key: string, { session, seq, wanted, samples }: Omit<AskedSample, 'promise'>): Promise<void> {
    return this.#add({ key, session, seq, wanted: [...wanted], samples });
  }

  promised(key: string, { session, seq }: Pick<AskedSample, 'session' | 'seq'>, promise: string): Promise<void> {
    return this.#add({ key, session, seq, promise });
  }

  /**
   * Nothing of this process is under way, and all that came is recorded: what it asked for needs no longer be known. What
   * earlier ones asked for may still come to be asked.
   */
  async rest(): Promise<void> {
    if (this.#grown < mostGrowth) return;
    this.#grown = 0;
    this.#known = new Map([...this.#known].filter(([key]) => !this.#leftOver.has(key)));
    this.#leftOver = new Set(this.#known.keys());
    const text = [...this.#known].map(([key, asked]) => linesOf(key, asked)).join('');
    await this.#inTurn.run(async () => {
      await this.#fence?.();
      await this.#shut();
      await writeWhole(this.#path, text, `${this.#path}.${process.pid}`);
    });
  }

  async close(): Promise<void> {
    await this.#inTurn.ended();
    await this.#shut();
  }

  async #shut(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await (await file)?.close();
  }

  async #add(line: Line): Promise<void> {
    const text = written(line);
    this.#grown += text.length;
    await this.#inTurn.run(async () => {
      await this.#fence?.();
      this.#file ??= this.#open();
      await (await this.#file).appendFile(text);
    });
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.#path), { recursive: true });
    return open(this.#path, 'a');
  }
}

/** A torn line before this one must not swallow it. */
const written = (line: Line): string => `\n${JSON.stringify(line)}`;

function linesOf(key: string, { session, seq, wanted, samples, promise }: AskedSample): string {
  const asking = written({ key, session, seq, wanted: [...wanted], samples });
  return promise === null ? asking : `${asking}${written({ key, session, seq, promise })}`;
}

/** The identity of a question: who asks for what, from which weights; the number of samples aside. */
export function questionKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
