/**
 * One policy's models and weights on its server, kept in the run's folder: so that a resumed run finds them again
 * instead of training them once more.
 */
import * as z from 'zod';
import { LedgerFile } from '../ledgerFile.ts';
import { semanticsSchema, type TrainingSemantics } from './trainingSemantics.ts';

const entrySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('session'), id: z.string() }),
  /** A training model; `from` is where its weights began: a checkpoint, the base model, or `thrownAway`. */
  z.strictObject({
    type: z.literal('model'),
    session: z.string(),
    id: z.string(),
    from: z.string(),
    seq: z.int().nonnegative(),
  }),
  /** Weights and optimiser state; `seq`: the last number that this model's requests had by then. */
  z.strictObject({
    type: z.literal('checkpoint'),
    model: z.string(),
    name: z.string(),
    handle: z.string(),
    seq: z.int().positive(),
  }),
  /** Number of a sampling session that is about to be made. */
  z.strictObject({ type: z.literal('sampling'), session: z.string(), number: z.int().nonnegative() }),
  /** A model, or weights by their handle, that the server still names and refuses to work on, as SkyRL does after a restart. */
  z.strictObject({ type: z.literal('lost'), id: z.string() }),
  z.strictObject({ type: z.literal('published'), name: z.string(), handle: z.string() }),
  /** How the server's training calls behave, as a model that was thrown away showed. */
  z.strictObject({ type: z.literal('manner'), ...semanticsSchema.shape }),
]);
type Entry = z.infer<typeof entrySchema>;

/** Where a model begins that is made to be tried and unloaded. */
export const thrownAway = 'tried and thrown away';

export class Ledger {
  readonly #file: LedgerFile<Entry>;

  private constructor(file: LedgerFile<Entry>) {
    this.#file = file;
  }

  /** @throws Error for a foreign file */
  static async open(path: string, fence?: () => Promise<void>): Promise<Ledger> {
    return new Ledger(await LedgerFile.open(path, entrySchema, fence));
  }

  add(entry: Entry): Promise<void> {
    return this.#file.add(entry);
  }

  /** The newest session. */
  get session(): string | null {
    return this.#last('session')?.id ?? null;
  }

  /** How many models a session has seen: the next one's number. */
  modelsOf(session: string): number {
    return this.#file.entries.filter((entry) => entry.type === 'model' && entry.session === session).length;
  }

  /** A number for the next sampling session, never given before. */
  async nextSampling(session: string): Promise<number> {
    const number = this.#file.entries.filter((entry) => entry.type === 'sampling' && entry.session === session).length;
    await this.add({ type: 'sampling', session, number });
    return number;
  }

  /** The model that stood at a checkpoint, and its counter there; null when this policy never made it, or lost it. */
  modelAt(handle: string): { model: string; seq: number } | null {
    const lost = this.#lost;
    for (const entry of this.#file.entries.toReversed()) {
      if (entry.type === 'checkpoint' && entry.handle === handle && !lost.has(entry.model)) {
        return { model: entry.model, seq: entry.seq };
      }
      if (entry.type === 'model' && entry.from === handle && !lost.has(entry.id))
        return { model: entry.id, seq: entry.seq };
    }
    return null;
  }

  /** Where weights of this name were published last; null when they never were, or were lost. */
  publishedAs(name: string): string | null {
    const entry = this.#file.entries.findLast((one) => one.type === 'published' && one.name === name);
    return entry?.type === 'published' && !this.#lost.has(entry.handle) ? entry.handle : null;
  }

  /** Published weights that cannot be sampled from, and their model with them: both are made again from its checkpoint. */
  async unusable(handle: string): Promise<void> {
    const lost = this.#lost;
    const [, model] = /^tinker:\/\/([^/]+)\//.exec(handle) ?? [];
    for (const id of [handle, model]) if (id !== undefined && !lost.has(id)) await this.add({ type: 'lost', id });
  }

  /** Addresses of all that was saved under a name. */
  get saves(): string[] {
    return this.#file.entries.flatMap((entry) =>
      entry.type === 'checkpoint' || entry.type === 'published' ? [entry.handle] : [],
    );
  }

  get #lost(): ReadonlySet<string> {
    return new Set(this.#file.entries.flatMap((entry) => (entry.type === 'lost' ? [entry.id] : [])));
  }

  /** Null before it was found out. */
  get semantics(): TrainingSemantics | null {
    const entry = this.#last('manner');
    return entry === undefined ? null : semanticsSchema.parse(entry);
  }

  /** Models of a session that were to be tried, by a process that may have ended before it unloaded them. */
  triedIn(session: string): string[] {
    return this.#file.entries.flatMap((entry) =>
      entry.type === 'model' && entry.session === session && entry.from === thrownAway ? [entry.id] : [],
    );
  }

  #last<T extends Entry['type']>(type: T): Extract<Entry, { type: T }> | undefined {
    const is = (entry: Entry): entry is Extract<Entry, { type: T }> => entry.type === type;
    return this.#file.entries.filter(is).at(-1);
  }
}
