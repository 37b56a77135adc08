/** A table that a benchmark's authors give beside their totals. */
export interface ScoreDetail {
  name: string;
  columns: readonly string[];
  rows: readonly { name: string; cells: readonly ShareOf[] }[];
}

/** So many of so many; `of` is 0 where there is nothing to count. */
export interface ShareOf {
  count: number;
  of: number;
}
