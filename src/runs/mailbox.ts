/**
 * A folder of requests, one file each: any process may leave one, one writer takes them. Waiting requests survive that
 * writer.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { Clock, Log } from '../engine/ports.ts';
import { codeOf } from '../shared/systemError.ts';
import { readError, writeError } from './files/fileErrors.ts';
import { namesIn } from './files/namesIn.ts';
import type { FileOperations } from './files/fileOperations.ts';
import { parseJson, validate } from './files/parseLine.ts';
import { RunError } from './store/runError.ts';

export interface MailboxContext {
  clock: Clock;
  log: Log;
  files: FileOperations;
}

/** Fields of every request besides its content. */
interface Stamped {
  v: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

type Unstamped<R> = R extends Stamped ? Omit<R, keyof Stamped> : never;

/** How the requests of a mailbox look. */
interface Form<R> {
  schema: z.ZodType<R>;
  version: number;
}

/** Requests of one process that are left in one millisecond keep their order. */
let posted = 0;

/** Paths of damaged files that this process reported: each is reported once, also by the mailboxes that are opened at every look. */
const told = new Set<string>();

export class Mailbox<R extends Stamped> {
  readonly #dir: string;
  readonly #form: Form<R>;
  readonly #context: MailboxContext;

  constructor(dir: string, form: Form<R>, context: MailboxContext) {
    this.#dir = dir;
    this.#form = form;
    this.#context = context;
  }

  /** @throws RunError `format` for one that could not be read, `disk-full`, `unwritable` */
  async post(entry: Unstamped<R>): Promise<void> {
    const at = this.#context.clock.now();
    const { schema, version } = this.#form;
    const request = { v: version, at, ...entry };
    validate(request, schema, version, { path: this.#dir }, () => l10n.t('The request was not made.'));
    const order = String(posted++).padStart(9, '0');
    const name = `${String(at).padStart(15, '0')}-${order}-${randomBytes(4).toString('hex')}`;
    await this.#write(name, request);
  }

  /** Waiting requests, oldest first. @throws RunError `unreadable` */
  async waiting(): Promise<{ id: string; request: R }[]> {
    const found: { id: string; request: R }[] = [];
    for (const name of (await this.#names()).sort()) {
      const id = name.slice(0, -'.json'.length);
      const request = await this.#read(id);
      if (request !== null) found.push({ id, request });
    }
    return found;
  }

  /** Replaces a request by its remainder. */
  async replace(id: string, request: R): Promise<void> {
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

  async #write(id: string, request: object): Promise<void> {
    const { files } = this.#context;
    try {
      await files.makeFolder(this.#dir);
      await files.replace(this.#path(id), `${JSON.stringify(request)}\n`);
    } catch (error) {
      throw writeError(error, this.#path(id));
    }
  }

  async #names(): Promise<string[]> {
    return (await namesIn(this.#dir)).filter((name) => name.endsWith('.json'));
  }

  /** Null for one that was taken meanwhile, or that is damaged: a run does not end because of a bad request. */
  async #read(id: string): Promise<R | null> {
    const path = this.#path(id);
    const { schema, version } = this.#form;
    try {
      const request = validate(parseJson(await readFile(path, 'utf8'), { path }), schema, version, { path });
      told.delete(path);
      return request;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      if (!RunError.is(error)) throw readError(error, path);
      if (!told.has(path)) this.#context.log.warn(`A request is left alone: ${error.message}`);
      told.add(path);
      return null;
    }
  }
}
