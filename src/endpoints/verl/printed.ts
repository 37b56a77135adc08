/**
 * A job’s output as it comes: kept in the job's folder while it runs, so that it outlives the cluster's memory of it and a
 * process that attaches again knows where the one before was.
 */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../endpointError.ts';
import type { Log } from '../../engine/ports.ts';
import type { Time } from '../time.ts';
import type { JobFiles } from './files/jobFiles.ts';
import { LogUnfollowed, type JobPlace, type Launcher } from './launchers/launcher.ts';

/** Where it is kept. */
export const printedPath = ({ folder }: JobPlace): string => `${folder}/printed.log`;

interface Parts {
  launcher: Launcher;
  files: JobFiles;
  log: Log;
  time: Time;
}

/** Bytes that wait for the next look; more are not read before it. */
const mostWaiting = 16 * 1024 * 1024;
/** Milliseconds that the last lines may take after the job's end. */
const lastWords = 5_000;

export class Printed {
  readonly #cluster: Parts;
  readonly #place: JobPlace;
  readonly #ending = new AbortController();
  readonly #over: Promise<void>;
  readonly #decoder = new TextDecoder();
  #waiting: Buffer[] = [];
  #size = 0;
  #room = Promise.withResolvers<null>();
  /** Known from an earlier process, told with the first look. */
  #known = '';
  #comes = false;
  #broken: { error: unknown } | null = null;

  constructor(cluster: Parts, place: JobPlace, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#place = place;
    this.#over = this.#listen(AbortSignal.any([signal, this.#ending.signal]));
  }

  /** Output since the last look, in the folder by now; null: it does not come by itself. */
  async look(): Promise<string | null> {
    if (this.#broken !== null) throw this.#broken.error;
    const fresh = Buffer.concat(this.#waiting);
    if (!this.#comes && fresh.length === 0) return null;
    this.#waiting = [];
    this.#size = 0;
    this.#room.resolve(null);
    this.#room = Promise.withResolvers();
    const text = this.#known + this.#decoder.decode(fresh, { stream: true });
    this.#known = '';
    if (fresh.length > 0) await this.#keep(fresh);
    return text;
  }

  /** The job is over, or left: what still comes is kept. */
  async end(): Promise<void> {
    await this.look();
    const late = this.#cluster.time.after(lastWords, () => this.#stop());
    await this.#over;
    late();
    await this.look();
  }

  #stop(): void {
    this.#ending.abort(new Error(l10n.t('The job is over.')));
    this.#room.resolve(null);
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { launcher, files, log } = this.#cluster;
    if (launcher.follow === null) return;
    try {
      const known = (await files.read(printedPath(this.#place))) ?? Buffer.alloc(0);
      this.#known = known.toString();
      for await (const piece of launcher.follow(this.#place, known, signal)) {
        this.#comes = true;
        this.#waiting.push(piece);
        this.#size += piece.length;
        if (this.#size > mostWaiting) await this.#room.promise;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof LogUnfollowed) {
        log.info(`${launcher.url}: the log of job ${this.#place.id} is asked for once a minute (${error.message}).`);
      } else if (!EndpointError.is(error)) this.#broken = { error };
    } finally {
      this.#comes = false;
    }
  }

  async #keep(fresh: Buffer): Promise<void> {
    const { files, log } = this.#cluster;
    try {
      await files.append(printedPath(this.#place), fresh);
    } catch (error) {
      if (!EndpointError.is(error)) throw error;
      log.warn(`${printedPath(this.#place)} cannot be written: ${error.message}`);
      this.#stop();
    }
  }
}
