import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import * as z from 'zod';
import { findChromium } from '../support/chromium.ts';
import type { ThemeKind } from '../support/ownColours.ts';
import { skip } from '../support/skip.ts';
import { builtInThemes, type BuiltInTheme } from '../support/webviews/builtInThemes.ts';
import { ensureHost } from '../vscode/install.ts';

const kindOf = { vs: 'light', 'vs-dark': 'dark', 'hc-black': 'highContrast', 'hc-light': 'highContrastLight' } as const;
const contributionSchema = z.object({
  contributes: z.object({
    themes: z.array(
      z.object({
        id: z.string().optional(),
        label: z.string(),
        uiTheme: z.enum(['vs', 'vs-dark', 'hc-black', 'hc-light']),
        path: z.string(),
      }),
    ),
  }),
});
const themeSchema = z.object({
  include: z.string().optional(),
  colors: z.record(z.string(), z.string().nullable()).default({}),
});

/** Where a theme does not say. */
const usual: Record<ThemeKind, string> = {
  dark: '#1e1e1e',
  light: '#ffffff',
  highContrast: '#000000',
  highContrastLight: '#ffffff',
};

async function background(file: string): Promise<string | null> {
  const { include, colors } = themeSchema.parse(parse(await readFile(file, 'utf8')));
  const own = colors['editor.background'] ?? null;
  if (own !== null || include === undefined) return own;
  return background(join(dirname(file), include));
}

async function installedThemes(): Promise<BuiltInTheme[]> {
  const extensions = join(dirname(await ensureHost()), '../extensions');
  const found = [];
  for (const folder of (await readdir(extensions)).filter((name) => name.startsWith('theme-'))) {
    const manifest: unknown = JSON.parse(await readFile(join(extensions, folder, 'package.json'), 'utf8'));
    const { success, data } = contributionSchema.safeParse(manifest);
    // Icon themes have no colours.
    if (!success) continue;
    for (const { id, label, uiTheme, path } of data.contributes.themes) {
      const kind = kindOf[uiTheme];
      const given = (await background(join(extensions, folder, path))) ?? usual[kind];
      found.push({ name: id ?? label, kind, background: given.slice(0, 7).toLowerCase() });
    }
  }
  return found;
}

describe('the colours of charts and trees', function () {
  this.timeout(240_000);

  it('were tested against the themes that the editor has', async function () {
    if (findChromium() === undefined) skip(this, 'there is no Chromium, so no editor either; CHROMIUM_PATH names one');
    const installed = await installedThemes();
    assert.deepEqual(installed, builtInThemes);
  });
});
