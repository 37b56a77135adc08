/** A predicate over objects, in a table that gave it a number. */
export interface Fact {
  /** 0 … in the order they were found: what was found later has a higher number. */
  id: number;
  predicate: string;
  args: readonly number[];
}

/** Facts that were found, each once, with an index on every argument. */
export class Facts {
  readonly all: Fact[] = [];
  readonly #byKey = new Map<string, Map<number | string, Fact>>();
  readonly #byPredicate = new Map<string, Fact[]>();
  readonly #byArgument = new Map<string, Map<number, Fact[]>[]>();
  readonly #objects: number;

  /** `objects`: how many objects there are. */
  constructor(objects: number) {
    this.#objects = objects;
  }

  /** The fact, found now or before. */
  add(predicate: string, args: readonly number[]): Fact {
    let table = this.#byKey.get(predicate);
    if (table === undefined) this.#byKey.set(predicate, (table = new Map<number | string, Fact>()));
    const key = this.#key(args);
    const known = table.get(key);
    if (known !== undefined) return known;
    const fact: Fact = { id: this.all.length, predicate, args };
    table.set(key, fact);
    this.all.push(fact);
    const same = this.#byPredicate.get(predicate);
    if (same === undefined) this.#byPredicate.set(predicate, [fact]);
    else same.push(fact);
    let columns = this.#byArgument.get(predicate);
    if (columns === undefined) this.#byArgument.set(predicate, (columns = args.map(() => new Map<number, Fact[]>())));
    for (const [position, column] of columns.entries()) {
      const value = args[position] ?? -1;
      const bucket = column.get(value);
      if (bucket === undefined) column.set(value, [fact]);
      else bucket.push(fact);
    }
    return fact;
  }

  get(predicate: string, args: readonly number[]): Fact | undefined {
    return this.#byKey.get(predicate)?.get(this.#key(args));
  }

  /** All of a predicate, or those with a value at a position; by ascending id. */
  of(predicate: string, position?: number, value?: number): readonly Fact[] {
    if (position === undefined || value === undefined) return this.#byPredicate.get(predicate) ?? [];
    return this.#byArgument.get(predicate)?.[position]?.get(value) ?? [];
  }

  /** Numbers where they stay exact: making a text for every look-up is what would take the time. */
  #key(args: readonly number[]): number | string {
    if (this.#objects ** args.length > Number.MAX_SAFE_INTEGER) return args.join();
    let key = 0;
    for (const arg of args) key = key * this.#objects + arg;
    return key;
  }
}
