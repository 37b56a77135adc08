/** State that outlives the server: the training runs and their checkpoints, in the state folder. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { InTurn } from '../../shared/inTurn.ts';
import { codeOf } from '../../shared/systemError.ts';
import { Refusal } from '../http/refusal.ts';
import { writeWhole } from '../../endpoints/wholeFile.ts';
import { isCheckpointName, tinkerPath, type CheckpointKind, type TinkerPath } from './ids.ts';

const loraSchema = z.strictObject({
  rank: z.int().nonnegative(),
  trainUnembed: z.boolean(),
  trainMlp: z.boolean(),
  trainAttn: z.boolean(),
});
export type LoraShape = z.infer<typeof loraSchema>;

const checkpointSchema = z.strictObject({
  kind: z.enum(['weights', 'sampler_weights']),
  name: z.string(),
  /** ISO 8601. */
  time: z.string(),
  expires: z.string().nullable(),
  bytes: z.int(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

const runSchema = z.strictObject({
  id: z.string(),
  baseModel: z.string(),
  lora: loraSchema,
  userMetadata: z.record(z.string(), z.string()).nullable(),
  created: z.string(),
  checkpoints: z.array(checkpointSchema),
});
export type TrainingRun = z.infer<typeof runSchema>;

export class Archive {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #runs = new Map<string, TrainingRun>();
  /** Changes of a run's file are made one after another. */
  readonly #inTurn = new InTurn();

  private constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Reads the state of an earlier server. @throws the file system's error for an unusable folder */
  static async open(folder: string, now: () => number): Promise<Archive> {
    const archive = new Archive(folder, now);
    await mkdir(join(folder, 'runs'), { recursive: true });
    for (const entry of await readdir(join(folder, 'runs'))) {
      const text = await readFile(join(folder, 'runs', entry, 'run.json'), 'utf8').catch(absent);
      if (text === null) continue;
      const run = runSchema.parse(JSON.parse(text));
      archive.#runs.set(run.id, run);
      // Weights to sample from that had no name were the session's, which ended with its server.
      await rm(join(folder, 'runs', entry, 'ephemeral'), { recursive: true, force: true });
    }
    return archive;
  }

  /** Newest first. */
  get runs(): readonly TrainingRun[] {
    return [...this.#runs.values()].sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
  }

  /** @throws Refusal 404 */
  run(id: string): TrainingRun {
    const run = this.#runs.get(id);
    if (run === undefined) throw new Refusal(404, `There is no training run ${id}.`);
    return run;
  }

  /** Of a run, without those whose time is over, oldest first. */
  checkpoints(run: TrainingRun): Checkpoint[] {
    return run.checkpoints.filter((checkpoint) => !this.#isOver(checkpoint));
  }

  /** A model that begins. It is on disk with its first checkpoint. */
  begin(id: string, facts: Pick<TrainingRun, 'baseModel' | 'lora' | 'userMetadata'>): void {
    this.#runs.set(id, { id, ...facts, created: this.#time(), checkpoints: [] });
  }

  /** @throws Refusal 400 for a name that cannot be a file's, 409 for one that is taken */
  save(
    { run: id, kind, name }: TinkerPath,
    weights: Uint8Array,
    { ttlSeconds, overwrite }: { ttlSeconds: number | null; overwrite: boolean },
  ): Promise<string> {
    return this.#inTurn.run(async () => {
      const run = this.run(id);
      this.#checkName(run, kind, name, overwrite);
      await writeWhole(this.#file(id, kind, name), weights);
      const checkpoint = { kind, name, time: this.#time(), expires: this.#expiry(ttlSeconds), bytes: weights.length };
      await this.#keep({ ...run, checkpoints: [...run.checkpoints.filter(isNot(kind, name)), checkpoint] });
      return tinkerPath({ run: id, kind, name });
    });
  }

  #checkName(run: TrainingRun, kind: CheckpointKind, name: string, overwrite: boolean): void {
    if (!isCheckpointName(name)) {
      throw new Refusal(400, `'${name}' cannot name a checkpoint: use letters, digits, @ . _ and -, at most 100.`);
    }
    const taken = this.checkpoints(run).some((other) => other.kind === kind && other.name === name);
    if (taken && !overwrite) throw new Refusal(409, `Checkpoint ${kind}/${name} exists. Choose another name.`);
  }

  /** The weights file. @throws Refusal 404 when it was deleted, is over, or never was */
  async load(path: TinkerPath): Promise<Uint8Array> {
    const { kind, name } = this.find(path);
    return readFile(this.#file(path.run, kind, name));
  }

  /** @throws Refusal 404 */
  find(path: TinkerPath): Checkpoint {
    const found = this.checkpoints(this.run(path.run)).find(
      ({ kind, name }) => kind === path.kind && name === path.name,
    );
    if (found === undefined) throw new Refusal(404, `There is no checkpoint ${tinkerPath(path)}.`);
    return found;
  }

  /** @throws Refusal 404 */
  remove(path: TinkerPath): Promise<void> {
    return this.#inTurn.run(async () => {
      const { kind, name } = this.find(path);
      const run = this.run(path.run);
      await this.#keep({ ...run, checkpoints: run.checkpoints.filter(isNot(kind, name)) });
      await rm(this.#file(path.run, kind, name), { force: true });
    });
  }

  /** Null keeps it for good. @throws Refusal 404 */
  expire(path: TinkerPath, ttlSeconds: number | null): Promise<void> {
    return this.#inTurn.run(async () => {
      const found = this.find(path);
      const run = this.run(path.run);
      const checkpoint = { ...found, expires: this.#expiry(ttlSeconds) };
      await this.#keep({ ...run, checkpoints: [...run.checkpoints.filter(isNot(found.kind, found.name)), checkpoint] });
    });
  }

  /** Weights to sample from that no listing shows and no restart keeps. */
  async saveEphemeral(run: string, id: string, weights: Uint8Array): Promise<void> {
    await writeWhole(this.#ephemeral(run, id), weights);
  }

  async loadEphemeral(run: string, id: string): Promise<Uint8Array> {
    return readFile(this.#ephemeral(run, id));
  }

  async forgetEphemerals(run: string): Promise<void> {
    await rm(join(this.#home(run), 'ephemeral'), { recursive: true, force: true });
  }

  async #keep(run: TrainingRun): Promise<void> {
    const live = this.checkpoints(run);
    const over = run.checkpoints.filter((checkpoint) => !live.includes(checkpoint));
    const kept = { ...run, checkpoints: live };
    this.#runs.set(run.id, kept);
    await writeWhole(join(this.#home(run.id), 'run.json'), JSON.stringify(kept, null, 2));
    for (const { kind, name } of over) await rm(this.#file(run.id, kind, name), { force: true });
  }

  #isOver({ expires }: Checkpoint): boolean {
    return expires !== null && Date.parse(expires) <= this.#now();
  }

  #expiry(ttlSeconds: number | null): string | null {
    return ttlSeconds === null ? null : new Date(this.#now() + ttlSeconds * 1000).toISOString();
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }

  /** Ids contain colons, which Windows does not allow in file names. */
  #home(run: string): string {
    return join(this.#folder, 'runs', run.replaceAll(':', '_'));
  }

  #file(run: string, kind: CheckpointKind, name: string): string {
    return join(this.#home(run), kind, `${name}.bin`);
  }

  #ephemeral(run: string, id: string): string {
    return join(this.#home(run), 'ephemeral', `${id}.bin`);
  }
}

const isNot =
  (kind: CheckpointKind, name: string) =>
  (other: Checkpoint): boolean =>
    other.kind !== kind || other.name !== name;

function absent(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
  throw error;
}
