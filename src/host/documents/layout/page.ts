/**
 * A read-only document while it is laid out: its text, and where every part of it stands. Outline, folding, links,
 * hovers, hints and lenses are all derived from it; the text is never read again.
 */
import type { Line } from './line.ts';
import type { Meaning, PartKind } from './meaning.ts';

/** Lines that belong together, under their first one. */
export interface Part {
  kind: PartKind;
  /** Its name in the outline. */
  title: string;
  detail: string;
  /** First and last line, from 0; both belong to it. */
  first: number;
  last: number;
  parts: readonly Part[];
  /** It opens folded: what is read now and then only. */
  folded: boolean;
}

/** A meaningful stretch of one line. */
export interface Mark {
  line: number;
  /** Columns in UTF-16 units; `end` is not part of it. */
  start: number;
  end: number;
  means: Meaning;
}

/** A document, laid out. */
export interface LaidOut {
  text: string;
  parts: readonly Part[];
  marks: readonly Mark[];
}

interface OpenPart extends Part {
  parts: Part[];
}

export type NewPart = Pick<Part, 'kind' | 'title'> & Partial<Pick<Part, 'detail' | 'folded'>>;

/** Writes a document from its first line to its last. */
export class Page {
  readonly #lines: string[] = [];
  readonly #marks: Mark[] = [];
  readonly #parts: Part[] = [];
  readonly #open: OpenPart[] = [];

  /** Adds lines; one given as a text has nothing marked in it. */
  write(...given: readonly (Line | string | readonly (Line | string)[])[]): void {
    for (const one of given) {
      if (typeof one === 'string') this.#line(one, []);
      else if ('text' in one) this.#line(one.text, one.marks);
      else for (const line of one) this.write(line);
    }
  }

  #line(text: string, marks: Line['marks']): void {
    const line = this.#lines.length;
    this.#lines.push(text);
    for (const mark of marks) this.#marks.push({ line, ...mark });
  }

  /** The lines of `fill` form one part; it must write at least one. */
  part({ kind, title, detail = '', folded = false }: NewPart, fill: () => void): void {
    const part: OpenPart = { kind, title, detail, folded, first: this.#lines.length, last: 0, parts: [] };
    (this.#open.at(-1)?.parts ?? this.#parts).push(part);
    this.#open.push(part);
    fill();
    this.#open.pop();
    part.last = Math.max(part.first, this.#lines.length - 1);
  }

  done(): LaidOut {
    return { text: `${this.#lines.join('\n')}\n`, parts: this.#parts, marks: this.#marks };
  }
}

/** A text that nothing is known of. */
export const plainPage = (text: string): LaidOut => ({ text, parts: [], marks: [] });

/** Marks of one kind, in the order they stand. */
export function marksOf<K extends Meaning['kind']>(
  { marks }: Pick<LaidOut, 'marks'>,
  kind: K,
): (Mark & { means: Extract<Meaning, { kind: K }> })[] {
  return marks.filter((mark): mark is Mark & { means: Extract<Meaning, { kind: K }> } => mark.means.kind === kind);
}
