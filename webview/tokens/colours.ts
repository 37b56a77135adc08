/** Colours of tokens: mixed from the palette and the editor's background, with a text on them that can be read. */
import { legible, mixed } from '../lib/colours/legible.ts';
import type { Shade, Tone } from './measures.ts';

const opaque = /^#[0-9a-f]{6}/i;

/** The page's colours at the moment; null where the editor told none. */
export function palette(): ((shade: Pick<Shade, 'tone' | 'share'>) => { background: string; text: string }) | null {
  const theme = getComputedStyle(document.documentElement);
  const read = (...names: string[]): string | undefined =>
    names.map((name) => opaque.exec(theme.getPropertyValue(name).trim())?.[0].toLowerCase()).find((hex) => hex);
  const paper = read('--vscode-editor-background');
  const ink = read('--vscode-editor-foreground') ?? (paper === undefined ? undefined : legible(paper, paper, 4.5));
  if (paper === undefined || ink === undefined) return null;
  const tone = (name: Tone): string => read(`--${name}`, `--vscode-genenv-${name}`) ?? ink;
  return ({ tone: name, share }) => {
    const background = mixed(paper, tone(name), share);
    // Where the text's own colour does not stand out well, black or white does: always by 4.5 or more.
    return { background, text: legible(ink, background, 7) };
  };
}
