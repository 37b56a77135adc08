/** Whole runs behind a proxy that spoils every fourth answer: they finish, and leave what an undisturbed run leaves. */
import assert from 'node:assert/strict';
import { calm, endpointKinds, inWords, night, type Night, type Weather } from '../support/faults/spoiltNight.ts';
import { needsPython } from '../support/ray/python.ts';

const spoilt: Weather = { share: 0.25, seed: 'short' };
/** After how many of its answers a server is started anew. A Ray head answers 20 at least: the quicker its jobs, the fewer are asked for. */
const restarts = { tinker: [40, 160], openai: [30, 120], verl: [14] };

for (const kind of endpointKinds) {
  describe(`a run on ${kind} behind a proxy that spoils answers`, () => {
    let quiet: Night | null = null;

    before(async function () {
      if (kind === 'verl') needsPython(this);
      quiet = await night(kind, calm);
      assert.equal(quiet.landing.state, 'finished', quiet.landing.error?.stack);
    });

    async function same(weather: Weather): Promise<{ quiet: Night; made: Night }> {
      assert(quiet !== null);
      const made = await night(kind, weather);
      console.log(`      ${inWords(kind, made, quiet)}`);
      assert.equal(made.landing.state, 'finished', made.landing.error?.stack);
      assert.deepEqual(made.left, quiet.left);
      const count = [...made.spoilt.values()].reduce((sum, one) => sum + one, 0);
      assert(count > 0.15 * made.answers, `only ${count} of ${made.answers} answers were spoilt`);
      // The fewer answers, the fewer kinds.
      assert(made.spoilt.size >= (kind === 'verl' ? 6 : 8), [...made.spoilt.keys()].join());
      return { quiet, made };
    }

    it('ends as an undisturbed one, and nothing that has a number is paid for twice', async () => {
      const { quiet: before, made } = await same(spoilt);
      if (kind === 'tinker') assert.deepEqual(made.paid, before.paid);
      if (kind === 'verl') assert.equal(made.paid['jobs'], before.paid['jobs']);
    });

    it('ends as an undisturbed one when the server is started anew in between', async () => {
      const { made } = await same({ ...spoilt, restartAfter: restarts[kind] });
      assert.equal(made.spoilt.get('restart'), restarts[kind].length);
    });
  });
}
