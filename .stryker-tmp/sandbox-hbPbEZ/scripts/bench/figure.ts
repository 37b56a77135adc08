/** One measured number, with what it is held against. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** A bound of docs/architecture.md that `better` says how to read. */
  budget?: number;
  /** A figure measured before, elsewhere, for comparison only. */
  reference?: number;
  /** Absent means higher. */
  better?: 'higher' | 'lower';
  note?: string;
}
