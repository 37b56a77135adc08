import assert from 'node:assert/strict';
import { adapterFunctions } from '../../../../src/features/domains/host/adapterFunctions.ts';

const text = `{
  // A quiz.
  "task": { "prompt": [] },
  "recipe": {
    "prompt": [],
    "form": {}
  },
  "scorer": {}
}
`;

describe('the functions of an adapter', () => {
  it('stand at its fields, and at “recipe” where a part of it is missing', () => {
    assert.deepEqual(Object.fromEntries(adapterFunctions(text)), {
      ...{ agentPrompt: 2, verify: 7, judge: 7 },
      ...{ environmentPrompt: 4, parse: 5, seeds: 3 },
    });
  });

  for (const [what, given] of [
    ['without a recipe', '{ "task": {}, "scorer": {} }'],
    ['whose recipe is no object', '{ "recipe": 1 }'],
    ['that is no JSON yet', '{ "recipe": { '],
    ['that is a list', '[]'],
    ['that is empty', ''],
  ] as const) {
    it(`are none in a file ${what}`, () => assert.equal(adapterFunctions(given).size, 0));
  }
});
