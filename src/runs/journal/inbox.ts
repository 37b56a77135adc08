/**
 * A run's mailbox, `inbox/`: what anyone may ask of whoever writes the run, one file a request. The writer takes what it
 * can at the next phase boundary; what waits survives it.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock, Log } from '../../engine/ports.ts';
import { taskEditSchema } from '../../shared/records/taskEdit.ts';
import { codeOf } from '../../shared/systemError.ts';
import { readError, writeError } from '../files/fileErrors.ts';
import type { FileOperations } from '../files/fileOperations.ts';
import { parseJson, validate } from '../files/parseLine.ts';
import { RunError } from '../store/runError.ts';

const inboxVersion = 1;
const head = { v: z.literal(inboxVersion), at: z.number(), author: z.string() };

const requestSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...head,
    type: z.literal('change'),
    changes: z.array(z.strictObject({ field: z.string(), to: z.unknown() })),
  }),
  z.strictObject({ ...head, type: z.literal('edit'), edits: z.array(taskEditSchema).min(1) }),
  /** Pause at the next phase boundary. */
  z.strictObject({ ...head, type: z.literal('pause') }),
]);
export type InboxRequest = z.infer<typeof requestSchema>;
type Unstamped<R> = R extends InboxRequest ? Omit<R, 'v' | 'at'> : never;
/** A request before it is stamped. */
export type InboxEntry = Unstamped<InboxRequest>;

interface InboxContext {
  clock: Clock;
  log: Log;
  files: FileOperations;
}

export class Inbox {
  readonly #dir: string;
  readonly #context: InboxContext;
  /** Files that were told to be damaged, so that they are told once. */
  readonly #told = new Set<string>();

  constructor(dir: string, context: InboxContext) {
    this.#dir = dir;
    this.#context = context;
  }

  /** @throws RunError `disk-full`, `unwritable` */
  async post(entry: InboxEntry): Promise<void> {
    const at = this.#context.clock.now();
    const name = `${String(at).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
    await this.#write(name, { v: inboxVersion, at, ...entry });
  }

  /** What waits, oldest first. @throws RunError `unreadable` */
  async waiting(): Promise<{ id: string; request: InboxRequest }[]> {
    const found: { id: string; request: InboxRequest }[] = [];
    for (const name of (await this.#names()).sort()) {
      const id = name.slice(0, -'.json'.length);
      const request = await this.#read(id);
      if (request !== null) found.push({ id, request });
    }
    return found;
  }

  /** Puts what is left of a request in its place. */
  async replace(id: string, request: InboxRequest): Promise<void> {
    await this.#write(id, request);
  }

  async remove(id: string): Promise<void> {
    const path = this.#path(id);
    try {
      await this.#context.files.remove(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw writeError(error, path);
    }
  }

  #path(id: string): string {
    return join(this.#dir, `${id}.json`);
  }

  async #write(id: string, request: InboxRequest): Promise<void> {
    const { files } = this.#context;
    try {
      await files.makeFolder(this.#dir);
      await files.replace(this.#path(id), `${JSON.stringify(request)}\n`);
    } catch (error) {
      throw writeError(error, this.#path(id));
    }
  }

  async #names(): Promise<string[]> {
    try {
      return (await readdir(this.#dir)).filter((name) => name.endsWith('.json'));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw readError(error, this.#dir);
    }
  }

  /** Null for one that was taken meanwhile, or that is damaged: a run does not end because of a bad request. */
  async #read(id: string): Promise<InboxRequest | null> {
    const path = this.#path(id);
    try {
      return validate(parseJson(await readFile(path, 'utf8'), { path }), requestSchema, inboxVersion, { path });
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      if (!RunError.is(error)) throw readError(error, path);
      if (!this.#told.has(id)) this.#context.log.warn(`A request is left alone: ${error.message}`);
      this.#told.add(id);
      return null;
    }
  }
}
