/**
 * Jobs of one policy, kept in the run's folder: which were begun under what name, and which are over. Append-only, and
 * written before what it speaks of is relied on, so that a job is never begun twice.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { parseOrUndefined } from '../../shared/json.ts';
import { codeOf } from '../../shared/systemError.ts';

const entrySchema = z.discriminatedUnion('type', [
  /** About to be submitted: from now on it may run. */
  z.strictObject({ type: z.literal('begun'), job: z.string(), id: z.string(), folder: z.string() }),
  /** Over without a result: whoever asks for the job again begins it anew. */
  z.strictObject({ type: z.literal('over'), id: z.string(), how: z.enum(['failed', 'stopped', 'lost']) }),
]);
type Entry = z.infer<typeof entrySchema>;

export class JobLedger {
  readonly #path: string;
  readonly #entries: Entry[];
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, entries: Entry[]) {
    this.#path = path;
    this.#entries = entries;
  }

  /** A line that is no JSON was torn by a crash, before anything relied on it. @throws Error for a foreign file */
  static async open(path: string): Promise<JobLedger> {
    const entries: Entry[] = [];
    for (const [i, line] of (await textOf(path)).split('\n').entries()) {
      const value = parseOrUndefined(line);
      if (value === undefined) continue;
      const parsed = entrySchema.safeParse(value);
      if (!parsed.success) {
        throw new Error(`${path}:${i + 1}: ${z.prettifyError(parsed.error)}. Branch the run from one of its epochs.`);
      }
      entries.push(parsed.data);
    }
    return new JobLedger(path, entries);
  }

  async add(entry: Entry): Promise<void> {
    this.#entries.push(entry);
    this.#writing = this.#writing.then(async () => {
      await mkdir(dirname(this.#path), { recursive: true });
      // A torn line before this one must not swallow it.
      await appendFile(this.#path, `\n${JSON.stringify(entry)}\n`, { flush: true });
    });
    await this.#writing;
  }

  /** The job that was begun last, of whatever name, while it is not over; null when there is none. */
  get newest(): { id: string; folder: string } | null {
    const last = this.#entries.findLast((entry) => entry.type === 'begun');
    return last?.type === 'begun' ? this.of(last.job).open : null;
  }

  /** How often a job was begun, and its newest beginning while that is not over. */
  of(job: string): { begun: number; open: { id: string; folder: string } | null } {
    const own = this.#entries.filter((entry) => entry.type === 'begun' && entry.job === job);
    const last = own.at(-1);
    if (last?.type !== 'begun') return { begun: 0, open: null };
    const over = this.#entries.some((entry) => entry.type === 'over' && entry.id === last.id);
    return { begun: own.length, open: over ? null : { id: last.id, folder: last.folder } };
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}
