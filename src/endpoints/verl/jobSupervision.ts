/**
 * One job from its beginning to its end, started by this or an earlier process: begun at most once, found again after
 * this process died, waited for while its launcher is away, and never begun again while it may still run.
 */
import * as l10n from '@vscode/l10n';
import { EndAsked } from '../../engine/errors.ts';
import type { Log } from '../../engine/ports.ts';
import { EndpointError } from '../endpointError.ts';
import { sleep, type Time } from '../time.ts';
import { diagnose } from './failure.ts';
import type { JobFiles } from './files/jobFiles.ts';
import type { JobPlace, JobSpec, JobStatus, Launcher } from './launchers/launcher.ts';
import type { JobLedger } from './ledger.ts';
import { Printed, printedPath } from './printed.ts';

export interface Cluster {
  launcher: Launcher;
  files: JobFiles;
  ledger: JobLedger;
  log: Log;
  time: Time;
}

export interface Plan {
  /** Unique within the run. */
  job: string;
  /** Where an attempt at it goes, `1` being the first. */
  placeOf(attempt: number): JobPlace;
  /** Writes what the job reads. */
  prepare(place: JobPlace): Promise<Omit<JobSpec, keyof JobPlace>>;
}

/** Told what a job does, about every five seconds, and what it has printed since; null where that must be asked for. */
type Look = (place: JobPlace, state: 'queued' | 'running', printed: string | null) => Promise<void>;

/** How a job can end; `lost`: with its launcher's memory of it, and without a sign of life. */
type Ended = Omit<JobStatus, 'state'> & { state: 'done' | 'failed' | 'stopped' | 'lost' };

/** Milliseconds between two looks at a job. */
const between = 5_000;
/** How long a job may give no sign of life, once its launcher does not know it, until it is taken for dead. */
const silence = 180_000;
/** Milliseconds that a stop may take while the end of the run is awaited. */
const stopPatience = 40_000;
/** Lines of a failed job's log that are shown; all of them are kept in its folder. */
const shownLines = 12;
/** Milliseconds in a queue after which a job's wait and its reason are reported. */
const longQueue = 60_000;
/** How often a job that vanished with its launcher is begun again by itself. */
const mostLost = 2;

export class JobSupervision {
  readonly #cluster: Cluster;
  readonly #plan: Plan;
  readonly #signal: AbortSignal;

  constructor(cluster: Cluster, plan: Plan, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#plan = plan;
    this.#signal = signal;
  }

  /** Where the finished job lies. @throws EndpointError; the signal's reason, after which it runs on or was stopped */
  async finish(look: Look): Promise<JobPlace> {
    const { ledger, log, launcher } = this.#cluster;
    for (let lost = 0; ; lost++) {
      const { place, state, ...told } = await this.#once(look);
      if (state === 'done') return place;
      await ledger.add({ type: 'over', id: place.id, how: state });
      if (state === 'stopped') throw this.#stopped(place);
      if (state === 'failed') throw await this.#failure(place, told);
      if (lost === mostLost) {
        throw new EndpointError('unreachable', l10n.t('it has lost job {0}, for the {1}th time', place.id, lost + 1), {
          ...this.#facts(place, lost + 1),
          remedy: l10n.t('See why the cluster restarts; resume to submit the job again.'),
        });
      }
      const kept = (await this.#kept(place)) === '' ? '' : l10n.t(' What it printed is in {0}.', printedPath(place));
      log.warn(
        `${launcher.url}: job ${place.id} is gone with the cluster’s memory of it: it is submitted again.${kept}`,
      );
    }
  }

  async #once(look: Look): Promise<Ended & { place: JobPlace }> {
    try {
      const place = await this.#begun();
      return { place, ...(await this.#listen(place, look)) };
    } catch (error) {
      const { open } = this.#cluster.ledger.of(this.#plan.job);
      if (this.#signal.aborted && open !== null) await this.#leave(open);
      throw error;
    }
  }

  /** The job's open beginning, submitted if it has not arrived. */
  async #begun(): Promise<JobPlace> {
    const { launcher, ledger, log } = this.#cluster;
    const known = ledger.of(this.#plan.job);
    const place = known.open ?? this.#plan.placeOf(known.begun + 1);
    const attached = known.open !== null && (await this.#arrived(place));
    if (attached) {
      log.info(`${launcher.url}: attached to job ${place.id}.`);
      return place;
    }
    const spec = await this.#plan.prepare(place);
    if (known.open === null) await ledger.add({ type: 'begun', job: this.#plan.job, ...place });
    await launcher.submit({ ...place, ...spec }, this.#signal);
    log.info(`${launcher.url}: submitted job ${place.id}; its files are in ${place.folder}.`);
    return place;
  }

  /** Whether a beginning that was noted reached the launcher: it is known there, or has left signs of life. */
  async #arrived(place: JobPlace): Promise<boolean> {
    const { launcher, files } = this.#cluster;
    if ((await launcher.status(place, this.#signal)) !== null) return true;
    const names = await files.list(place.folder);
    return names.includes('alive') || names.includes('exit');
  }

  async #listen(place: JobPlace, look: Look): Promise<Ended> {
    const printed = new Printed(this.#cluster, place, this.#signal);
    try {
      return await this.#watch(place, printed, look);
    } finally {
      await printed.end();
    }
  }

  async #watch(place: JobPlace, printed: Printed, look: Look): Promise<Ended> {
    const { launcher, log, time } = this.#cluster;
    const life = { sign: '', at: time.now() };
    const queued = { since: time.now(), told: '' };
    for (;;) {
      const told = await launcher.status(place, this.#signal);
      const { state, ...rest } = told ?? (await this.#fromFolder(place, life));
      if (state !== 'queued' && state !== 'running') return { state, ...rest };
      if (told !== null) life.at = time.now();
      if (state === 'queued' && time.now() - queued.since > longQueue && rest.message !== queued.told) {
        queued.told = rest.message;
        log.warn(`${launcher.url}: job ${place.id} waits in the queue: ${rest.message}`);
      }
      await look(place, state, await printed.look());
      await sleep(time, between, this.#signal);
    }
  }

  /** The state of a job that its launcher does not know, from the job's folder. */
  async #fromFolder(
    { folder }: JobPlace,
    life: { sign: string; at: number },
  ): Promise<Omit<JobStatus, 'state'> & { state: 'done' | 'running' | 'lost' }> {
    const { files, time } = this.#cluster;
    const code = (await files.read(`${folder}/exit`))?.toString().trim();
    if (code !== undefined) {
      const exitCode = Number(code);
      // A cluster that begins again ends its jobs, and they fail for that alone.
      return { state: exitCode === 0 ? 'done' : 'lost', message: l10n.t('Its launcher has forgotten it.'), exitCode };
    }
    const sign = (await files.read(`${folder}/alive`))?.toString() ?? '';
    if (sign !== life.sign) Object.assign(life, { sign, at: time.now() });
    const silent = time.now() - life.at > silence;
    return { state: silent ? 'lost' : 'running', message: l10n.t('Its launcher does not know it.'), exitCode: null };
  }

  /** A pause lets it run; a stop ends it. */
  async #leave(place: JobPlace): Promise<void> {
    const { launcher, ledger, log, time } = this.#cluster;
    const reason: unknown = this.#signal.reason;
    if (!(reason instanceof EndAsked) || reason.how !== 'stopped') {
      log.info(`${launcher.url}: job ${place.id} runs on; resume to attach to it.`);
      return;
    }
    const limit = new AbortController();
    const late = time.after(stopPatience, () => {
      const remedy = l10n.t('Stop it there.');
      limit.abort(new EndpointError('unreachable', l10n.t('no answer in time'), { ...this.#facts(place, 1), remedy }));
    });
    try {
      await launcher.stop(place, limit.signal);
      await ledger.add({ type: 'over', id: place.id, how: 'stopped' });
      log.info(`${launcher.url}: stopped job ${place.id}.`);
    } catch (error) {
      if (!EndpointError.is(error)) throw error;
      log.warn(`Job ${place.id} could not be stopped and may still run: ${error.message}`);
    } finally {
      late();
    }
  }

  /** Stopped on the cluster by a person, who had a reason: it does not restart by itself. */
  #stopped(place: JobPlace): EndpointError {
    return new EndpointError('failed', l10n.t('job {0} was stopped there', place.id), {
      ...this.#facts(place, 1),
      remedy: l10n.t('Resume to submit it again.'),
    });
  }

  async #failure(place: JobPlace, { message, exitCode }: Omit<JobStatus, 'state'>): Promise<EndpointError> {
    const { launcher, log } = this.#cluster;
    const told = await launcher.log(place, 0, this.#signal);
    const printed = told === '' ? await this.#kept(place) : told;
    const { cause, remedy, tail } = diagnose(printed === '' ? message : printed);
    const kept = printed === '' ? null : await this.#keep(place, printed);
    const last = tail.split('\n').slice(-shownLines).join('\n');
    log.warn(
      `Job ${place.id} failed. ${message.slice(0, 500)}\n${last}${kept === null ? '' : `\nAll that it printed: ${kept}`}`,
    );
    const code = exitCode === null ? '' : l10n.t(' with exit code {0}', exitCode);
    return new EndpointError('failed', l10n.t('job {0} failed{1}: {2}', place.id, code, cause || message), {
      ...this.#facts(place, 1),
      ...{ remedy, cause: new Error(`${message}\n${tail}`) },
    });
  }

  /** Beside the job's other files: a cluster forgets what its jobs printed. Null where it cannot be written. */
  async #keep(place: JobPlace, printed: string): Promise<string | null> {
    const path = printedPath(place);
    try {
      await this.#cluster.files.write(path, printed);
      return path;
    } catch (error) {
      if (!EndpointError.is(error)) throw error;
      return null;
    }
  }

  /** Its log as kept while it ran; '' where there is none, or none that can be read. */
  async #kept(place: JobPlace): Promise<string> {
    try {
      return (await this.#cluster.files.read(printedPath(place)))?.toString() ?? '';
    } catch (error) {
      if (!EndpointError.is(error)) throw error;
      return '';
    }
  }

  #facts({ id }: JobPlace, attempts: number) {
    return { endpoint: this.#cluster.launcher.url, request: l10n.t('job {0}', id), attempts };
  }
}
