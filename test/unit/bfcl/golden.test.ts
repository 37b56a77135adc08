import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { openBfclMultiTurn } from '../../../src/benchmarks/bfcl/multiTurn/offline.ts';
import { openBfcl } from '../../../src/benchmarks/bfcl/offline.ts';
import { Instances } from '../../../src/benchmarks/bfcl/multiTurn/instances.ts';
import { Dict, fromJson } from '../../../src/benchmarks/bfcl/python/value.ts';
import { surroundingsOn } from '../../../src/benchmarks/bfcl/multiTurn/surroundings.ts';
import type { ScorerOptions } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { jsonText, parseJson } from '../../../src/benchmarks/python/json.ts';
import { disagreements, verdictText } from '../../support/benchmarks/golden.ts';
import { fromSources } from '../../support/fromSources.ts';

const options = (...given: string[]): ScorerOptions => ({ has: (option) => given.includes(option), text: () => null });
const golden = (name: string): URL => new URL(`golden/${name}.jsonl`, import.meta.url);
const today = { year: 2026, month: 11, day: 21 };
const recordSchema = z.object({ line: z.string(), verdict: z.string() });
const lines = (name: string): string[] => readFileSync(golden(name), 'utf8').trimEnd().split('\n');

// Texts and calls were made by fuzzing answers of the first half; what the official program said to them is kept here.
describe('BFCL as the official program has it', () => {
  for (const language of ['python', 'java', 'javascript']) {
    it(`decodes ${language}, kinds of numbers and the order of parameters included`, async () => {
      const scorer = openBfcl(options('decode'), fromSources);
      for (const text of lines(`decode-${language}`)) {
        const { line, verdict } = recordSchema.parse(JSON.parse(text));
        assert.equal(jsonText(parseJson(await verdictText(scorer, line))), jsonText(parseJson(verdict)), line);
      }
    });
  }

  it('checks calls, every type of error', async () => {
    assert.deepEqual(await disagreements(golden('check'), openBfcl(options(), fromSources)), []);
  });

  it('checks small files of our own, every category, right answers and changed ones', async () => {
    assert.deepEqual(await disagreements(golden('small'), openBfcl(options(), fromSources)), []);
  });

  it('tells relevance', async () => {
    assert.deepEqual(await disagreements(golden('relevance'), openBfcl(options('relevance'), fromSources)), []);
  });

  it('follows conversations', async () => {
    assert.deepEqual(await disagreements(golden('multi-turn'), await openBfclMultiTurn(options(), today)), []);
  });

  it('answers calls of its tools to the character, but for texts of errors that Python raises', () => {
    const schema = z.object({ record: z.unknown(), calls: z.array(z.tuple([z.string(), z.string()])) });
    for (const line of lines('tools')) {
      const { calls } = schema.parse(JSON.parse(line));
      const record = recordOf(line);
      const instances = new Instances('model', record.config, record.involved, surroundingsOn(today, null));
      for (const [call, expected] of calls) {
        const shown = instances.execute(call);
        if (!expected.startsWith('Error during execution')) assert.equal(shown, expected, call);
        else assert.match(shown, /^Error during execution/, call);
      }
    }
  });
});

/** Read so that numbers keep their kinds. */
function recordOf(line: string): { config: Dict; involved: string[] } {
  const whole = fromJson(parseJson(line));
  const record = whole instanceof Dict ? whole.get('record') : undefined;
  assert.ok(record instanceof Dict);
  const [config, involved] = [record.get('initial_config'), record.get('involved_classes')];
  assert.ok(config instanceof Dict && Array.isArray(involved));
  return { config, involved: involved.map(String) };
}
