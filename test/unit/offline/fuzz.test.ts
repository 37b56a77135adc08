import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { openApiBank } from '../../../src/benchmarks/apiBank/offline.ts';
import { openBamboogle } from '../../../src/benchmarks/bamboogle/offline.ts';
import { CaseError, type OfflineScorer, type ScorerOptions } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { openTravelPlanner } from '../../../src/benchmarks/travelplanner/offline.ts';
import { Rng } from '../../../src/engine/random.ts';
import { smallFiles } from '../../support/benchmarks/data.ts';
import { verdictText } from '../../support/benchmarks/golden.ts';

const options = (texts: Record<string, string>): ScorerOptions => ({
  has: (option) => Object.hasOwn(texts, option),
  text: (option) => texts[option] ?? null,
});
const path = (folder: string): string => fileURLToPath(new URL(`../${folder}`, import.meta.url));

/** Cases to begin with: fuzzing leaves most of a case whole, so that it gets past the door. */
const golden = (file: string, key: 'line' | 'case'): string[] =>
  readFileSync(path(file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const value = z.record(z.string(), z.unknown()).parse(JSON.parse(line))[key];
      return typeof value === 'string' ? value : JSON.stringify(value);
    });

const pieces = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'null',
  '1e999',
  '-',
  '\u2028',
  '\ud800',
  "'",
  '=',
  '(',
  ')',
  ';',
  '<tool_call>',
  '\\n',
  '\\u0000',
  '9'.repeat(40),
  'from ',
  ' to ',
  '[['.repeat(30),
  ' '.repeat(50),
  '{}',
  '[]',
  'true',
  '""',
];

function mutated(line: string, rng: Rng): string {
  let text = line;
  for (let times = 1 + rng.int(3); times > 0; times--) {
    const at = rng.int(text.length + 1);
    const piece = pieces[rng.int(pieces.length)] ?? '';
    text = text.slice(0, at) + (rng.int(4) === 0 ? '' : piece) + text.slice(at + rng.int(4));
  }
  return text;
}

/** A verdict or an error that names a field, of every line. @returns how many got a verdict */
async function fuzz(scorer: OfflineScorer, lines: readonly string[], times: number): Promise<number> {
  const rng = Rng.from('offline fuzz', lines.length);
  let verdicts = 0;
  for (let i = 0; i < times; i++) {
    const line = mutated(lines[rng.int(lines.length)] ?? '', rng);
    try {
      JSON.parse(await verdictText(scorer, line));
      verdicts += 1;
    } catch (error) {
      assert.ok(error instanceof CaseError, `${line}\n${String(error)}`);
    }
  }
  return verdicts;
}

describe('fuzzed cases', () => {
  const scorers: readonly [name: string, open: () => OfflineScorer | Promise<OfflineScorer>, lines: () => string[]][] =
    [
      ['bamboogle', () => openBamboogle(), () => golden('bamboogle/golden/verdicts.jsonl', 'line')],
      ['api-bank', () => openApiBank(options({})), () => golden('apiBank/golden/toolRl.jsonl', 'line')],
      [
        'api-bank --parse',
        () => openApiBank(options({ parse: '' })),
        () => golden('apiBank/golden/parse.jsonl', 'line'),
      ],
      [
        'api-bank --rouge',
        () => openApiBank(options({ rouge: '' })),
        () => golden('apiBank/golden/rouge.jsonl', 'line'),
      ],
      [
        'api-bank --execute',
        () => openApiBank(options({ execute: '', data: smallFiles('api-bank') })),
        () => golden('apiBank/golden/execute.jsonl', 'line'),
      ],
      [
        'travelplanner',
        () => openTravelPlanner(options({ database: join(smallFiles('travelplanner'), 'database') })),
        () => golden('travelplanner/golden/verdicts.jsonl', 'case'),
      ],
    ];

  for (const [name, open, lines] of scorers) {
    it(`of ${name} get a verdict or an error, never a fault`, async () => {
      const times = 2000;
      const verdicts = await fuzz(await open(), lines(), times);
      assert.ok(verdicts > times / 10 && verdicts < times, `${verdicts} verdicts`);
    });
  }

  it('of Bamboogle: the gold itself is always right, whatever it is', async () => {
    const rng = Rng.from('gold');
    for (let i = 0; i < 2000; i++) {
      const gold = Array.from({ length: rng.int(12) }, () =>
        String.fromCharCode(rng.int(rng.int(2) === 0 ? 128 : 0xd800)),
      ).join('');
      const text = await verdictText(openBamboogle(), JSON.stringify({ prediction: gold, gold: ['other', gold] }));
      assert.match(text, /"em":1,"sub_em":1,"f1":/);
      if (!text.startsWith('{"normalized_prediction":""')) assert.match(text, /"f1":1,"precision":1,"recall":1\}$/);
    }
  });
});
