import type { ChangeMark, Curriculum } from '../../../src/shared/report/data.ts';
import type { CloudIndex } from './cloudIndex.ts';
import type { Plane } from './cloudView.ts';

export interface CloudEpoch {
  epoch: number;
  curriculum: Curriculum;
  /** Pooled over the epoch's attempts; null when nothing was measured. */
  mean: { p: number; low: number; high: number } | null;
}

export interface CloudData {
  /** In order. */
  epochs: readonly CloudEpoch[];
  index: CloudIndex;
  changes: readonly ChangeMark[];
  /** The epoch that the charts around show. */
  looked: number | null;
  /** Trial settings, drawn beside those in force. */
  preview: Curriculum | null;
}

/** The layout of the chart's parts, in pixels. */
export interface CloudFrame {
  plane: Plane;
  kernel: { left: number; right: number };
  width: number;
  height: number;
}
