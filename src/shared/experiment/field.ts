/**
 * The description of an experiment's field for people: in the form, in hover and completion of the text, and in the
 * report.
 */
import type { Experiment } from './schema.ts';

export type FieldValue = number | string | boolean | null;

type Paths<T> = T extends object
  ? {
      [K in keyof T & string]: NonNullable<T[K]> extends readonly unknown[]
        ? K
        : NonNullable<T[K]> extends object
          ? `${K}.${Paths<NonNullable<T[K]>>}` | (null extends T[K] ? K : never)
          : K;
    }[keyof T & string]
  : never;

/** `curriculum.alpha`: every field there is, so that one without its description does not compile. */
export type FieldPath = Paths<Experiment>;

export interface Field {
  label: string;
  /** Its effect: one full sentence. */
  meaning: string;
  /** Its letter in the paper. */
  symbol?: string;
  unit?: string;
  /** The paper's value or description; null where it gives none. */
  paper: string | null;
  /** The step of an arrow key; `ratio`: goes through 1, 2, 5, 10 … */
  step?: number | 'ratio';
  /** The effect of each choice of an enumeration. */
  choices?: Readonly<Record<string, string>>;
  /** The meaning of null: `no limit`. */
  none?: string;
  /** A path, relative to the experiment: the kind of file, and its endings. */
  file?: { kind: string; endings: readonly string[] };
  /** A folder's path, relative to the experiment. */
  folder?: true;
}

/** The fields of one section of the experiment, or of its top level. */
export type FieldsOf<S extends string> = Record<
  [S] extends [''] ? Exclude<FieldPath, `${string}.${string}`> : Extract<FieldPath, `${S}.${string}`>,
  Field
>;
