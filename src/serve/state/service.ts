/** The server's state. Checkpoints are on disk; the rest is lost at a restart. */
import { randomUUID } from 'node:crypto';
import type { Difference } from '../differences.ts';
import { Refusal } from '../http/refusal.ts';
import type { BaseModel } from '../models/baseModel.ts';
import { SamplingModel, type FrozenWeights } from '../models/samplingModel.ts';
import { Archive } from './archive.ts';
import { Futures } from './futures.ts';
import { parseTinkerPath, type TinkerPath } from './ids.ts';
import { Meter } from './meter.ts';
import { Sessions } from './sessions.ts';

export interface ServiceOptions {
  state: string;
  models: readonly BaseModel[];
  now: () => number;
  /** Milliseconds that a session lives without a heartbeat. */
  sessionLifetime: number;
  /** How long a poll waits for a result. */
  pollMilliseconds: number;
  /** Completions that may wait for one model before more are refused. */
  longestQueue: number;
  differences: readonly Difference[];
}

export class Service {
  readonly models: readonly BaseModel[];
  readonly archive: Archive;
  readonly sessions: Sessions;
  readonly futures: Futures;
  readonly meter = new Meter();
  readonly now: () => number;
  readonly pollMilliseconds: number;
  readonly longestQueue: number;
  readonly differences: readonly Difference[];
  readonly #samplers: ReadonlyMap<string, SamplingModel>;
  readonly #sweeper: NodeJS.Timeout;

  private constructor(archive: Archive, options: ServiceOptions) {
    const { models, now, sessionLifetime, pollMilliseconds, longestQueue, differences } = options;
    this.differences = differences;
    this.pollMilliseconds = pollMilliseconds;
    this.longestQueue = longestQueue;
    this.models = models;
    this.archive = archive;
    this.now = now;
    this.sessions = new Sessions(now, sessionLifetime);
    this.futures = new Futures(now, randomUUID().slice(0, 8));
    this.#samplers = new Map(models.map((base) => [base.id, new SamplingModel(base)]));
    this.#sweeper = setInterval(() => {
      this.futures.sweep();
      // Failed deletions are repeated at the next start.
      this.#forget(this.sessions.sweep()).catch(() => undefined);
    }, 30_000).unref();
  }

  static async open(options: ServiceOptions): Promise<Service> {
    return new Service(await Archive.open(options.state, options.now), options);
  }

  newId(): string {
    return randomUUID();
  }

  /** @throws Refusal 404 */
  base(id: string): BaseModel {
    const found = this.models.find((base) => base.id === id);
    if (found !== undefined) return found;
    throw new Refusal(404, `There is no base model ${id}; there are ${this.models.map((base) => base.id).join(', ')}.`);
  }

  sampler(base: BaseModel): SamplingModel {
    const sampler = this.#samplers.get(base.id);
    if (sampler === undefined) throw new Error(`Unreachable: ${base.id} has no sampler.`);
    return sampler;
  }

  /** Base weights by their model's name. @throws Refusal 404 */
  baseWeights(id: string): { base: BaseModel; weights: FrozenWeights } {
    const base = this.base(id);
    return { base, weights: { key: base.id, load: () => Promise.resolve(base.weights) } };
  }

  /** A checkpoint by its path. @throws Refusal 400 for an invalid path, 404 when it is missing */
  savedWeights(path: string): { base: BaseModel; weights: FrozenWeights; parsed: TinkerPath } {
    const parsed = parsedPath(path);
    const { time } = this.archive.find(parsed);
    const base = this.base(this.archive.run(parsed.run).baseModel);
    // The time distinguishes a checkpoint from an earlier one of the same name.
    return { base, parsed, weights: { key: `${path}@${time}`, load: () => this.archive.load(parsed) } };
  }

  /** A client is done with its session; one that has ended already is left as it is. */
  finish(session: string): Promise<void> {
    return this.#forget(this.sessions.finish(session));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#forget(this.sessions.close());
    await Promise.all([...this.#samplers.values()].map((sampler) => sampler.close()));
  }

  /** Unnamed state ends with its session. */
  async #forget(ended: Promise<string[]>): Promise<void> {
    for (const id of await ended) await this.archive.forgetEphemerals(id);
  }
}

/** @throws Refusal 400 */
export function parsedPath(path: string): TinkerPath {
  const parsed = parseTinkerPath(path);
  if (parsed !== null) return parsed;
  throw new Refusal(
    400,
    `'${path}' is no path of a checkpoint: tinker://RUN/weights/NAME or tinker://RUN/sampler_weights/NAME.`,
  );
}
