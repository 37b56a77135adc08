/** The colours that the extension contributes, as its manifest gives them. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

const kinds = ['dark', 'light', 'highContrast', 'highContrastLight'] as const;
export type ThemeKind = (typeof kinds)[number];

const colour = z.string().regex(/^#[0-9a-f]{6}$/);
const manifestSchema = z.object({
  contributes: z.object({
    colors: z.array(z.object({ id: z.string().startsWith('genenv.'), defaults: z.record(z.enum(kinds), colour) })),
  }),
});

/** By name without `genenv.`; opaque sRGB, `#rrggbb`. */
export function ownColours(kind: ThemeKind): Record<string, string> {
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
  );
  return Object.fromEntries(
    manifest.contributes.colors.map(({ id, defaults }) => [id.slice('genenv.'.length), defaults[kind]]),
  );
}
