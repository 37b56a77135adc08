/** The colours a cloud is drawn with. */
export type Colour =
  | 'paper'
  | 'ink'
  | 'muted'
  | 'tick'
  | 'hairline'
  | 'band'
  | 'band-edge'
  | 'looked'
  | 'agent'
  | 'environment'
  | 'focus';

export interface Palette {
  colours: Readonly<Record<Colour, string>>;
  font: string;
}
