import { idInFile } from '../../../../shared/records/idInFile.ts';

/** Ids of a file that no further task may have: a run reads `a` and `base.a` as one. */
export class TakenIds {
  readonly #ids = new Set<string>();

  constructor(ids: Iterable<string> = []) {
    for (const id of ids) this.add(id);
  }

  add(id: string): void {
    this.#ids.add(idInFile({ id }));
  }

  has(id: string): boolean {
    return this.#ids.has(idInFile({ id }));
  }
}

/** An id that no task has yet: the wanted one, or that one with a number. */
export function freeId(wanted: string, taken: TakenIds): string {
  for (let n = 1; ; n++) {
    const id = n === 1 ? wanted : `${wanted}-${n}`;
    if (!taken.has(id)) return id;
  }
}
