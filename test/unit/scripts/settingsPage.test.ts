/** The settings in the documentation. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { settingsPage } from '../../../scripts/settingsPage.ts';
import { fields } from '../../../src/shared/experiment/fields.ts';

describe('the page of settings', () => {
  const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');

  it('names every field of an experiment', () => {
    const missing = Object.keys(fields).filter((path) => !page.includes(`\`${path}\``));
    assert.deepEqual(missing, []);
  });

  it('is the one that the fields give', async () => {
    const { code } = await format('settings.md', settingsPage(), { printWidth: 120 });
    assert.equal(page, code, 'Run `npm run schemas`.');
  });
});
