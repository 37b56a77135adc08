import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** German texts by their English ones. */
export const germanBundle = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(new URL('../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8')));
