/**
 * Jobs of one policy, kept in the run's folder: which were begun under what name, and which are over, so that a job is
 * never begun twice.
 */
import * as z from 'zod';
import { LedgerFile } from '../ledgerFile.ts';

const entrySchema = z.discriminatedUnion('type', [
  /** About to be submitted: from now on it may run. */
  z.strictObject({ type: z.literal('begun'), job: z.string(), id: z.string(), folder: z.string() }),
  /** Over without a result: the next request for the job begins it again. */
  z.strictObject({ type: z.literal('over'), id: z.string(), how: z.enum(['failed', 'stopped', 'lost']) }),
]);
type Entry = z.infer<typeof entrySchema>;

export class JobLedger {
  readonly #file: LedgerFile<Entry>;

  private constructor(file: LedgerFile<Entry>) {
    this.#file = file;
  }

  /** @throws Error for a foreign file */
  static async open(path: string, fence?: () => Promise<void>): Promise<JobLedger> {
    return new JobLedger(await LedgerFile.open(path, entrySchema, fence));
  }

  add(entry: Entry): Promise<void> {
    return this.#file.add(entry);
  }

  /** The job that was begun last, of whatever name, while it is not over; null when there is none. */
  get newest(): { id: string; folder: string } | null {
    const last = this.#file.entries.findLast((entry) => entry.type === 'begun');
    return last?.type === 'begun' ? this.of(last.job).open : null;
  }

  /** How often a job was begun, and its newest beginning while that is not over. */
  of(job: string): { begun: number; open: { id: string; folder: string } | null } {
    const own = this.#file.entries.filter((entry) => entry.type === 'begun' && entry.job === job);
    const last = own.at(-1);
    if (last?.type !== 'begun') return { begun: 0, open: null };
    const over = this.#file.entries.some((entry) => entry.type === 'over' && entry.id === last.id);
    return { begun: own.length, open: over ? null : { id: last.id, folder: last.folder } };
  }
}
