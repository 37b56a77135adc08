/** The page's colours as a canvas needs them: resolved, and told again when the editor's theme changes. */
import { element } from '../../lib/element.ts';
import type { Colour, Palette } from './colours.ts';

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
