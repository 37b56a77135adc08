/** The strokes of a drawing: the same ones go to the screen and into an SVG file. */

export interface Stroke {
  colour: string;
  width: number;
  dash?: readonly number[];
  opacity?: number;
}

export interface Fill {
  colour: string;
  opacity?: number;
}

export interface Lettering {
  colour: string;
  size: number;
  bold?: boolean;
  anchor?: 'start' | 'middle' | 'end';
}

export interface Pen {
  rect(x: number, y: number, width: number, height: number, fill: Fill): void;
  /** x and y of each point in turn. */
  line(points: readonly number[], stroke: Stroke): void;
  area(points: readonly number[], fill: Fill): void;
  /** Round marks; rings when they have a stroke. */
  dots(points: readonly number[], radius: number, look: Fill | Stroke): void;
  /** Vertical middle at y. */
  text(x: number, y: number, text: string, lettering: Lettering): void;
  /** Content stays within the rectangle. */
  clip(x: number, y: number, width: number, height: number, draw: () => void): void;
}
