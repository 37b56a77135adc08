import type { Path } from '../../src/shared/experiment/text/jsonText.ts';
import type { Row } from './rows.ts';
import type { AdapterDataView } from '../../src/features/adapter/contract.ts';

/** The editing functions of a section's rows. */
export interface Editing {
  /** Still being typed; undefined takes the value out of the file. */
  later(path: Path, to: unknown): void;
  now(path: Path, to: unknown): void;
  /** Takes a value out of the file. */
  leaveOut(path: Path): void;
  flush(): void;
  browse(): void;
  /** Opens the text at a field. */
  asText(): void;
  value(path: Path): unknown;
}

/** A part of the form. */
export interface Section {
  node: HTMLElement;
  rows: readonly Row[];
  /** Where each row's value stands. */
  paths: readonly Path[];
  showData?(data: AdapterDataView): void;
}
