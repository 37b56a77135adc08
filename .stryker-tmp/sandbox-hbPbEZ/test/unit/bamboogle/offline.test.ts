import assert from 'node:assert/strict';
import { openBamboogle } from '../../../src/benchmarks/bamboogle/offline.ts';
import { scoreAnswer } from '../../../src/benchmarks/bamboogle/answerScore.ts';
import { normalise } from '../../../src/benchmarks/bamboogle/normalise.ts';
import { CaseError } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { disagreements } from '../../support/benchmarks/golden.ts';

describe('Bamboogle', () => {
  it('normalises as the papers do', () => {
    assert.equal(normalise(' The  U.S.-based "Answer"\tto an\u3000A '), 'usbased answer to');
    assert.equal(normalise('Theatre another a_b'), 'theatre another ab');
    assert.equal(normalise('the—an é a²'), '— é a²');
  });

  it('counts shared words once each, the best over the golds', () => {
    const score = scoreAnswer('james madison james', ['madison', 'james james polk']);
    assert.deepEqual([score.em, score.subEm, score.recall], [0, 1, 1]);
    assert.equal(score.precision, 2 / 3);
    assert.equal(score.f1, 2 / 3);
  });

  it('gives nothing for another of yes, no and noanswer', () => {
    for (const [prediction, gold] of [
      ['yes', 'yes it is'],
      ['no it is', 'no'],
      ['yes', 'no'],
      ['noanswer', 'noanswer x'],
    ] as const) {
      assert.equal(scoreAnswer(prediction, [gold]).f1, 0);
    }
    assert.equal(scoreAnswer('Yes.', ['yes']).f1, 1);
  });

  it('finds an empty gold everywhere, and no word in it', () => {
    assert.deepEqual(scoreAnswer('x', ['the']), {
      normalisedPrediction: 'x',
      em: 0,
      subEm: 1,
      f1: 0,
      precision: 0,
      recall: 0,
    });
    assert.deepEqual(scoreAnswer('x', []), {
      normalisedPrediction: 'x',
      em: 0,
      subEm: 0,
      f1: 0,
      precision: 0,
      recall: 0,
    });
  });

  it('judges fuzzed answers as the official functions do', async () => {
    assert.deepEqual(await disagreements(new URL('golden/verdicts.jsonl', import.meta.url), openBamboogle()), []);
  });

  it('refuses what is no case', () => {
    assert.throws(
      () => openBamboogle().score('{"id":1,"prediction":"x","gold":[1]}'),
      (error) => error instanceof CaseError && error.field.startsWith('gold'),
    );
  });
});
