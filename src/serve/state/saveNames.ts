/** Names of saves that were asked for, whole or not, on a server that takes each once (`names-once`). */
import { Refusal } from '../http/refusal.ts';
import type { Archive } from './archive.ts';
import { tinkerPath, type TinkerPath } from './ids.ts';

export class SaveNames {
  readonly #archive: Archive;
  readonly #taken = new Set<string>();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** @throws Refusal 409 for a name that was asked for before */
  take(path: TinkerPath): void {
    const key = tinkerPath(path);
    if (this.#taken.has(key) || this.#isWhole(path)) {
      throw new Refusal(409, `Checkpoint '${path.name}' already exists for model '${path.run}'.`);
    }
    this.#taken.add(key);
  }

  /** @throws Refusal 425 while it is being written */
  refuseUnfinished(path: TinkerPath): void {
    if (this.#taken.has(tinkerPath(path)) && !this.#isWhole(path)) {
      throw new Refusal(425, 'Checkpoint is still being created.');
    }
  }

  #isWhole({ run, kind, name }: TinkerPath): boolean {
    const saved = this.#archive.checkpoints(this.#archive.run(run));
    return saved.some((checkpoint) => checkpoint.kind === kind && checkpoint.name === name);
  }
}
