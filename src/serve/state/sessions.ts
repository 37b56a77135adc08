/** Sessions, the state opened in them, and their end: without a heartbeat. */
import { Refusal } from '../http/refusal.ts';
import type { BaseModel } from '../models/baseModel.ts';
import type { FrozenWeights } from '../models/samplingModel.ts';
import type { TrainingModel } from '../models/trainingModel.ts';

export interface Session {
  readonly id: string;
  seen: number;
  readonly models: Map<number, TrainingModel>;
  /** By number, to give a repeated request the same one. */
  readonly samplings: Map<number, SamplingSession>;
}

/** Frozen weights that can be sampled from. */
export interface SamplingSession {
  readonly id: string;
  readonly base: BaseModel;
  readonly weights: FrozenWeights;
  /** Null for the base model itself, and for weights without a name. */
  readonly path: string | null;
}

export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #models = new Map<string, TrainingModel>();
  readonly #samplings = new Map<string, SamplingSession>();
  readonly #now: () => number;
  readonly #lifetime: number;

  /** @param lifetime milliseconds without a heartbeat */
  constructor(now: () => number, lifetime: number) {
    this.#now = now;
    this.#lifetime = lifetime;
  }

  get ids(): string[] {
    return [...this.#sessions.keys()];
  }

  get models(): readonly TrainingModel[] {
    return [...this.#models.values()];
  }

  begin(id: string): void {
    this.#sessions.set(id, { id, seen: this.#now(), models: new Map(), samplings: new Map() });
  }

  /** @throws Refusal 404 */
  find(id: string): Session {
    const session = this.#sessions.get(id);
    if (session === undefined)
      throw new Refusal(404, `There is no session ${id}; it may have ended without a heartbeat.`);
    session.seen = this.#now();
    return session;
  }

  /** @throws Refusal 404 */
  model(id: string): TrainingModel {
    const model = this.#models.get(id);
    if (model === undefined) throw new Refusal(404, `There is no model ${id} in memory. Load it from a checkpoint.`);
    model.lastRequest = new Date(this.#now()).toISOString();
    const session = this.#sessions.get(model.facts.sessionId);
    if (session !== undefined) session.seen = this.#now();
    return model;
  }

  /** Without touching it. */
  loaded(id: string): TrainingModel | null {
    return this.#models.get(id) ?? null;
  }

  /** @throws Refusal 404 */
  sampling(id: string): SamplingSession {
    const sampling = this.#samplings.get(id);
    if (sampling === undefined) throw new Refusal(404, `There is no sampling session ${id}. Make it again.`);
    return sampling;
  }

  addModel(session: Session, number: number, model: TrainingModel): void {
    session.models.set(number, model);
    this.#models.set(model.facts.id, model);
  }

  addSampling(session: Session, number: number, sampling: SamplingSession): void {
    session.samplings.set(number, sampling);
    this.#samplings.set(sampling.id, sampling);
  }

  async unload(model: TrainingModel): Promise<void> {
    this.#models.delete(model.facts.id);
    await model.close();
  }

  /** Ends sessions whose client went away; gives the ids of the models that they had. */
  sweep(): Promise<string[]> {
    const oldest = this.#now() - this.#lifetime;
    return this.#end((session) => session.seen < oldest);
  }

  /** Ends one at its client's wish. */
  finish(id: string): Promise<string[]> {
    return this.#end((session) => session.id === id);
  }

  /** Ends all of them. */
  close(): Promise<string[]> {
    return this.#end(() => true);
  }

  async #end(isOver: (session: Session) => boolean): Promise<string[]> {
    const ended: string[] = [];
    for (const session of [...this.#sessions.values()].filter(isOver)) {
      this.#sessions.delete(session.id);
      for (const { id } of session.samplings.values()) this.#samplings.delete(id);
      for (const model of session.models.values()) {
        await this.unload(model);
        ended.push(model.facts.id);
      }
    }
    return ended;
  }
}
