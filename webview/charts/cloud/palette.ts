/** The page's colours as a canvas needs them: resolved, and told again when the editor's theme changes. */
import { element } from '../../lib/element.ts';

export type Colour =
  | 'paper'
  | 'ink'
  | 'muted'
  | 'tick'
  | 'hairline'
  | 'band'
  | 'band-edge'
  | 'selected'
  | 'agent'
  | 'environment'
  | 'focus';

export interface Palette {
  colours: Readonly<Record<Colour, string>>;
  font: string;
}

/** Reads the variables of `theme.css`; whatever they are made of, the browser computes one colour. */
export function readPalette(within: HTMLElement): Palette {
  const probe = element('span');
  probe.hidden = true;
  within.append(probe);
  const colour = (name: Colour): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const font = getComputedStyle(within).fontFamily;
  const colours = {
    paper: colour('paper'),
    ink: colour('ink'),
    muted: colour('muted'),
    tick: colour('tick'),
    hairline: colour('hairline'),
    band: colour('band'),
    'band-edge': colour('band-edge'),
    selected: colour('selected'),
    agent: colour('agent'),
    environment: colour('environment'),
    focus: colour('focus'),
  };
  probe.remove();
  return { colours, font };
}

/** @returns stops telling */
export function onThemeChange(tell: () => void): () => void {
  const observer = new MutationObserver(tell);
  // The editor puts its theme on both: variables on the root, its kind on the body.
  observer.observe(document.documentElement, { attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id', 'data-vscode-theme-kind'] });
  return () => observer.disconnect();
}

/** A colour as red, green and blue, 0…255. */
export function components(colour: string): readonly [number, number, number] {
  const canvas = element('canvas', { width: '1', height: '1' });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return [128, 128, 128];
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
