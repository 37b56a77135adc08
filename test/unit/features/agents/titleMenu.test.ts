/** Buttons above a proposal's difference. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const manifestSchema = z.object({
  contributes: z.object({
    menus: z.object({ 'editor/title': z.array(z.object({ command: z.string(), when: z.string().optional() })) }),
  }),
});

describe('the difference of a proposal', () => {
  it('is accepted or refused, and neither run nor checked as if it were the file', async () => {
    const text = await readFile(fileURLToPath(new URL('../../../../package.json', import.meta.url)), 'utf8');
    const items = manifestSchema.parse(JSON.parse(text)).contributes.menus['editor/title'];
    const byName = items.filter(({ when = '' }) => when.includes('resourceFilename'));
    assert.ok(byName.length > 3);
    for (const { command, when } of byName) assert.match(when ?? '', /resourceScheme != genenv-proposal/, command);
    const own = items.filter(({ when = '' }) => when === 'resourceScheme == genenv-proposal');
    assert.deepEqual(own.map(({ command }) => command).sort(), ['genenv.acceptProposal', 'genenv.refuseProposal']);
  });
});
