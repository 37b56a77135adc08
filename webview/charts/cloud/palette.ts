/** The page's colours resolved for a canvas. */
import { element } from '../../lib/element.ts';
import type { Colour, Palette } from './colours.ts';

/** Reads the variables of `theme.css`; the browser computes one colour from any definition. */
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
    looked: colour('looked'),
    agent: colour('agent'),
    environment: colour('environment'),
    focus: colour('focus'),
  };
  probe.remove();
  return { colours, font };
}
