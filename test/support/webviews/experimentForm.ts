/** The experiment form over a text that a test holds. */
import type { TextHost } from './textHost.ts';
import { pageSuite, type PageView } from './pageSuite.ts';

export const study = `{
  // Why this study is made.
  "version": 1,
  "name": "a study",
  "preset": "embedded",
  "curriculum": {
    "alpha": 0.4 // below one half
  }
}
`;

/** @returns opens the form, once its fields are there */
export function formSuite() {
  const suite = pageSuite();
  return async (host: TextHost, view: PageView = {}) => {
    const size = { width: 1200, height: 900 };
    const one = await suite.open('experiment', (channel) => host.opened(channel), { ...size, ...view });
    const { page } = one;
    await page.locator('.field, .unreadable').first().waitFor();
    const row = (field: string) => page.locator(`[data-field="${field}"]`);
    const number = (name: string) => page.getByRole('spinbutton', { name, exact: true });
    return { ...one, row, number };
  };
}
