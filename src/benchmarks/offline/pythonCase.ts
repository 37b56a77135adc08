/** A line of `genenv score`, read as Python would: numbers keep their kinds. */
import { parseJson } from '../python/json.ts';
import { isRecord, QuickValues, quickJson } from '../python/quickJson.ts';
import type { PythonValue } from '../python/value.ts';
import { CaseError } from './offlineScorer.ts';

export interface Case {
  get(field: string): PythonValue | undefined;
}

/** Members are parsed on demand: most of a line is never read. */
export class LineCase implements Case {
  readonly #line: string;
  /** As JSON.parse reads the line; null where it cannot. */
  readonly #plain: Readonly<Record<string, unknown>> | null;
  readonly #values = new Map<string, QuickValues>();
  #members: ReadonlyMap<string, PythonValue> | null = null;

  /** @throws CaseError for what is no JSON object */
  constructor(line: string) {
    this.#line = line;
    const plain = quickJson(line);
    this.#plain = isRecord(plain) ? plain : null;
    if (this.#plain === null) this.#members = membersOf(line);
  }

  get(field: string): PythonValue | undefined {
    const plain = this.plain(field);
    if (plain === undefined && this.#plain !== null) return undefined;
    const value = plain === undefined ? undefined : this.pythonValue(plain, field);
    return value ?? (this.#members ??= membersOf(this.#line)).get(field);
  }

  /** A member in which 5 and 5.0 are one; undefined without it, and where only `get` can read the line. */
  plain(field: string): unknown {
    return this.#plain !== null && Object.hasOwn(this.#plain, field) ? this.#plain[field] : undefined;
  }

  /** A part of such a member as `get` has it; undefined where it has to be looked for there. */
  pythonValue(part: unknown, field: string): PythonValue | undefined {
    if (typeof part === 'string') return part;
    let values = this.#values.get(field);
    if (values === undefined) {
      // A name stands like this where it is one, and where it is a text: what matters is behind the first of them.
      values = new QuickValues(this.#line.slice(Math.max(0, this.#line.indexOf(`"${field}"`))));
      this.#values.set(field, values);
    }
    return values.of(part);
  }
}

/** @throws CaseError for what is no JSON object */
export const readCase = (line: string): LineCase => new LineCase(line);

function membersOf(line: string): ReadonlyMap<string, PythonValue> {
  try {
    const value = parseJson(line);
    if (value instanceof Map) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CaseError('not-json', '', `this is not JSON (${error.message})`);
  }
  throw new CaseError('form', '', 'a case is an object');
}

/** @throws CaseError */
export function text(of: Case, field: string): string {
  const value = of.get(field);
  if (typeof value !== 'string') throw new CaseError('form', field, 'must be a string');
  return value;
}
