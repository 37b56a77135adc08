/** Versions against each other: whose agent solved how many of which epoch's tasks. Pure. */
import type { CrossPlayRow, EpochRow } from '../../../src/shared/report/data.ts';

export interface VersionCell {
  /** The epoch whose tasks were attempted, and the end of the epoch whose agent attempted them; 0 is the start. */
  tasks: number;
  agent: number;
  version: string;
  successes: number;
  attempts: number;
}

export interface VersionMatrix {
  /** Epochs whose tasks were attempted, in order, and ends of epochs whose agents attempted them. */
  tasks: number[];
  agents: number[];
  /** Row by row; pairs that no check measured are not among them. */
  cells: VersionCell[];
  /** The last check, and the epoch that it followed. */
  last: CrossPlayRow & { epoch: number };
  rollouts: number;
  /** Why older agents are missing, each sentence once. */
  absent: string[];
}

const inOrder = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b);

/** Null where no epoch was checked. */
export function versionMatrix(rows: readonly EpochRow[]): VersionMatrix | null {
  const checks = rows.flatMap(({ epoch, crossPlay }) => (crossPlay === undefined ? [] : [{ epoch, ...crossPlay }]));
  const last = checks.at(-1);
  if (last === undefined) return null;
  const cells = checks.flatMap((check) => check.cells);
  return {
    tasks: inOrder(cells.map(({ tasks }) => tasks)),
    agents: inOrder(cells.map(({ agent }) => agent)),
    cells: cells.toSorted((a, b) => a.tasks - b.tasks || a.agent - b.agent),
    last,
    rollouts: checks.reduce((sum, { rollouts }) => sum + rollouts, 0),
    absent: [...new Set(checks.flatMap(({ absent }) => absent))],
  };
}
