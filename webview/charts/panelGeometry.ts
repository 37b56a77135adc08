/** Small charts side by side over the same epochs. Pure. */
import type { PlotFrame } from './seriesGeometry.ts';

export interface PanelLayout {
  columns: number;
  height: number;
  frames: PlotFrame[];
}

const gap = { across: 28, down: 30 };

/** As many columns as fit at `least` pixels each, at most one row's worth of panels. */
export function panelLayout(count: number, width: number, panelHeight: number, least = 150): PanelLayout {
  const fitting = Math.max(1, Math.floor((width + gap.across) / (least + gap.across)));
  const rows = Math.ceil(count / Math.min(fitting, count));
  // Even rows: six panels that do not fit beside each other stand as 3 + 3, not 5 + 1.
  const columns = Math.ceil(count / rows);
  const panelWidth = (width - gap.across * (columns - 1)) / columns;
  return {
    columns,
    height: rows * panelHeight + (rows - 1) * gap.down,
    frames: Array.from({ length: count }, (_, i) => {
      const left = (i % columns) * (panelWidth + gap.across);
      const top = Math.floor(i / columns) * (panelHeight + gap.down);
      return { left, right: left + panelWidth, top: top + 26, bottom: top + panelHeight - 18 };
    }),
  };
}

/** The panel at a point, a little slack around it included; null between panels. */
export function panelAt(frames: readonly PlotFrame[], x: number, y: number): number | null {
  const at = frames.findIndex(
    ({ left, right, top, bottom }) => x >= left - 6 && x <= right + 6 && y >= top - 26 && y <= bottom + 18,
  );
  return at < 0 ? null : at;
}
