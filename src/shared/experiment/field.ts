/** What a person is told of one field of an experiment: the form, hover and completion in the text, and the report. */
import type { Experiment } from './schema.ts';

/** What a field may hold. */
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
  /** What it does: one full sentence. */
  meaning: string;
  /** Its letter in the paper. */
  symbol?: string;
  unit?: string;
  /** What the paper says; null where it gives no value. */
  paper: string | null;
  /** What one press of an arrow key adds; `ratio`: goes through 1, 2, 5, 10 … */
  step?: number | 'ratio';
  /** What each choice of an enumeration does. */
  choices?: Readonly<Record<string, string>>;
  /** What null stands for: `no limit`. */
  none?: string;
  /** A path, relative to the experiment: what kind of file, and how its name ends. */
  file?: { kind: string; endings: readonly string[] };
}

/** The fields of one section of the experiment, or of its top level. */
export type FieldsOf<S extends string> = Record<
  [S] extends [''] ? Exclude<FieldPath, `${string}.${string}`> : Extract<FieldPath, `${S}.${string}`>,
  Field
>;
