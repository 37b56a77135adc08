/** Every page before the host has said anything: it claims nothing of what it does not know. */
import assert from 'node:assert/strict';
import { eventually } from '../support/until.ts';
import { pageSuite } from '../support/webviews/pageSuite.ts';

const pages = [
  ...['adapter', 'attempts', 'calibration', 'compare', 'evaluation', 'experiment'],
  ...['preflight', 'rescore', 'search', 'studyForm', 'tasks'],
];

describe('a page that still loads', function () {
  this.timeout(120_000);
  const suite = pageSuite();

  for (const name of pages) {
    it(`says so, and nothing else: ${name}`, async () => {
      const { page } = await suite.open(name, () => undefined);
      await page.getByRole('status').filter({ hasText: 'Loading…' }).waitFor();
      await eventually(async () => assert.match(await page.locator('body').innerText(), /^\s*Loading…\s*$/));
    });
  }
});
