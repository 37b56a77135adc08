/** Calls of tools that come in parts. Servers differ in how they say which call a part belongs to. */
import * as z from 'zod';
import { parseSaid } from '../../../shared/json.ts';

const text = z.string().nullish();

export const callPartSchema = z.object({
  /** Missing where the answer came whole, and on some servers; on others the same for all calls. */
  index: z.int().nonnegative().nullish(),
  id: text,
  function: z
    .object({ name: text, arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish() })
    .nullish(),
});
type CallPart = z.infer<typeof callPartSchema>;

interface Call {
  index: number;
  id: string;
  name: string;
  arguments: string;
}

const isWhole = (given: string): boolean => parseSaid(given) instanceof Object;

export class StreamedCalls {
  readonly #calls: Call[] = [];

  /** The parts of one chunk. */
  add(parts: readonly CallPart[]): void {
    for (const part of parts) {
      const { name, arguments: given } = part.function ?? {};
      const call = this.#callOf(part, parts.length === 1);
      // Some say the name in every part.
      if (name !== call.name) call.name += name ?? '';
      call.arguments +=
        typeof given === 'string' ? given : given === null || given === undefined ? '' : JSON.stringify(given);
    }
  }

  inOrder(): { function: Pick<Call, 'name' | 'arguments'> }[] {
    return this.#calls
      .toSorted((a, b) => a.index - b.index)
      .map(({ name, arguments: given }) => ({ function: { name, arguments: given } }));
  }

  #callOf(part: CallPart, isAlone: boolean): Call {
    const known = this.#known(part, isAlone);
    if (known !== undefined) return known;
    const call = { index: part.index ?? this.#calls.length, id: part.id ?? '', name: '', arguments: '' };
    this.#calls.push(call);
    return call;
  }

  #known({ index, id: told, function: called }: CallPart, isAlone: boolean): Call | undefined {
    const id = told ?? '';
    const own = typeof index === 'number' ? this.#calls.filter((call) => call.index === index) : this.#calls;
    const [same, last] = [own.find((call) => id !== '' && call.id === id), own.at(-1)];
    if (same !== undefined) return same;
    // Older servers give each part an id of its own: a call begins with its name.
    if (last === undefined || (called?.name ?? '') === '') return last;
    if (id !== '' && last.id !== '') return undefined;
    if (typeof index === 'number') return last;
    // Without index and id a chunk of several has whole calls, and a call is over when its arguments are.
    return isAlone && !isWhole(last.arguments) ? last : undefined;
  }
}
