/** In a tab of the editor ids lead to families, tasks and traces, and colours are the editor's; in a file they are text. */
import type { LinkedTarget } from '../../src/features/links/contract.ts';
import { element } from '../lib/element.ts';

/** A place in the run. */
type Place = Omit<LinkedTarget, 'run'>;

const api = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : null;

/** Opens a place in the editor; null in a file. */
export const opener = (): ((place: Place) => void) | null =>
  api === null ? null : (place) => api.postMessage({ open: place });

/** The text, as a link where it can lead somewhere. */
export function placed(text: string, place: Place): Node {
  const open = opener();
  if (open === null) return document.createTextNode(text);
  const link = element('button', { type: 'button', class: 'place' }, text);
  link.addEventListener('click', () => open(place));
  return link;
}

/** The tab is found again after a reload, and follows the editor's theme, which need not be the system's. */
export function inTab(run: string): void {
  if (api === null) return;
  api.setState({ run });
  const follow = (): void => {
    const kind = document.body.className;
    const isLight = /\bvscode-(?:light|high-contrast-light)\b/.test(kind);
    const { classList } = document.documentElement;
    classList.toggle('light', isLight);
    classList.toggle('dark', !isLight);
    classList.toggle('contrast', kind.includes('vscode-high-contrast'));
  };
  new MutationObserver(follow).observe(document.body, { attributeFilter: ['class'] });
  follow();
}
