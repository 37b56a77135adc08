/** Facts of one predicate over one row of types, in ascending order of their objects. */
class Table {
  readonly rows: (readonly number[])[] = [];
  readonly columns: Map<number, (readonly number[])[]>[];

  constructor(arity: number) {
    this.columns = Array.from({ length: arity }, () => new Map<number, (readonly number[])[]>());
  }

  put(args: readonly number[]): void {
    insert(this.rows, args);
    for (const [position, column] of this.columns.entries()) {
      const value = args[position] ?? -1;
      const rows = column.get(value);
      if (rows === undefined) column.set(value, [args]);
      else insert(rows, args);
    }
  }

  drop(args: readonly number[]): void {
    remove(this.rows, args);
    for (const [position, column] of this.columns.entries()) remove(column.get(args[position] ?? -1) ?? [], args);
  }
}

/**
 * The facts that texts speak of: those of the start, then what every action's effects put down. A deleted fact `p`
 * stands as `not_p`, so that it can be spoken of too. Objects are numbered in the order of their names, so that rows in
 * ascending order are in the order in which the official engine goes through them.
 */
export class ToldFacts {
  readonly #types: readonly string[];
  readonly #tables = new Map<string, Table>();

  /** `types`: the declared types of the objects, by their numbers. */
  constructor(types: readonly string[]) {
    this.#types = types;
  }

  put(predicate: string, args: readonly number[]): void {
    const signature = this.#signature(predicate, args);
    let table = this.#tables.get(signature);
    if (table === undefined) this.#tables.set(signature, (table = new Table(args.length)));
    table.put(args);
  }

  drop(predicate: string, args: readonly number[]): void {
    this.#tables.get(this.#signature(predicate, args))?.drop(args);
  }

  /** Rows of a signature that may have these arguments (−1 is any): in order, possibly more than fit. */
  rows(signature: string, args: readonly number[]): readonly (readonly number[])[] {
    const table = this.#tables.get(signature);
    if (table === undefined) return [];
    let best: readonly (readonly number[])[] = table.rows;
    for (const [position, value] of args.entries()) {
      if (value < 0) continue;
      const some = table.columns[position]?.get(value) ?? [];
      if (some.length < best.length) best = some;
    }
    return best;
  }

  #signature(predicate: string, args: readonly number[]): string {
    return signatureOf(
      predicate,
      args.map((arg) => this.#types[arg] ?? ''),
    );
  }
}

/** Identifies a table: a predicate over one row of declared types. */
export function signatureOf(predicate: string, types: readonly string[]): string {
  return `${predicate} ${types.join(' ')}`;
}

function order(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? -1;
    if (value !== other) return value - other;
  }
  return 0;
}

/** Where the row is, or belongs. */
function place(rows: readonly (readonly number[])[], row: readonly number[]): { at: number; there: boolean } {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const compared = order(rows[middle] ?? [], row);
    if (compared === 0) return { at: middle, there: true };
    if (compared < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, there: false };
}

function insert(rows: (readonly number[])[], row: readonly number[]): void {
  const { at, there } = place(rows, row);
  if (!there) rows.splice(at, 0, row);
}

function remove(rows: (readonly number[])[], row: readonly number[]): void {
  const { at, there } = place(rows, row);
  if (there) rows.splice(at, 1);
}
