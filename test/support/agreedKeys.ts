import { environmentKeys, type Keys } from '../../src/launch/access/keys.ts';
import { permitsFor } from '../../src/launch/access/permit.ts';

/** Keys of a person who has allowed every address that is asked for. */
export const agreedKeys = (environment: Readonly<Record<string, string | undefined>>): Keys => ({
  find: (reference, url) => environmentKeys(environment, permitsFor(url, reference)).find(reference, url),
  reach: () => Promise.resolve(),
});
