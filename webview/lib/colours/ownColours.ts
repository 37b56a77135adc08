/**
 * The extension's colours, fitted to the editor's background. The contributed values suit every theme that comes with the
 * editor; here they also suit themes of others, and colours that a person set.
 */
import { leastContrast, legible } from './legible.ts';
import { onThemeChange } from './themeChange.ts';

const opaque = /^#[0-9a-f]{6}/i;

function fit(): void {
  const { style } = document.documentElement;
  const theme = getComputedStyle(document.documentElement);
  const read = (name: string): string | undefined =>
    opaque.exec(theme.getPropertyValue(`--vscode-${name}`).trim())?.[0].toLowerCase();
  const background = read('editor-background');
  for (const [name, least] of Object.entries(leastContrast)) {
    const given = read(`genenv-${name}`);
    if (background === undefined || given === undefined) continue;
    const fitted = legible(given, background, least);
    // A write is a change of theme to those who listen, this module included: only differences are written.
    if (theme.getPropertyValue(`--${name}`).trim() !== fitted) style.setProperty(`--${name}`, fitted);
  }
}

fit();
onThemeChange(fit);
