/** The short form of `npm run fuzz`: what reached something new once, and some thousand inputs made of it. */
import assert from 'node:assert/strict';
import { Fuzzer } from './fuzzer.ts';
import { readCorpus } from './corpus.ts';
import { decoders } from './decoders.ts';

describe('decoders on malformed input', () => {
  for (const [name, decoder] of Object.entries(decoders)) {
    it(`${name} gives a value, or says why there is none`, async () => {
      const fuzzer = new Fuzzer(name, decoder, { corpus: await readCorpus(name), seed: 7 });
      await fuzzer.replay(null);
      await fuzzer.run(Math.ceil(2 * (decoder.share ?? 100)), null);
      // How long an input takes is for the long form to say.
      const found = [...fuzzer.findings.values()].filter(({ what }) => !what.includes('takes longer'));
      assert.deepEqual(found, []);
    });
  }
});
