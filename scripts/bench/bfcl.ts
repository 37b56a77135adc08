/** How many calls of BFCL are decoded and checked in a second of the processor's. */
import { readFile } from 'node:fs/promises';
import type { Checked } from '../../src/benchmarks/bfcl/checker.ts';
import { judgeText } from '../../src/benchmarks/bfcl/judge.ts';
import { repr } from '../../src/benchmarks/bfcl/python/text/repr.ts';
import { Dict, type Value } from '../../src/benchmarks/bfcl/python/value.ts';
import { treeSitter } from '../../src/benchmarks/bfcl/decoders/treeSitter.ts';
import type { Figure } from './figure.ts';
import { processorSeconds } from './processorSeconds.ts';
import type { Language } from '../../src/benchmarks/bfcl/decoders/language.ts';

const wasm = new URL('../../src/benchmarks/bfcl/grammars/treeSitter.wasm', import.meta.url);
const budget = 20_000;
const seconds = 3;

/** A model's text with what is expected of it. */
interface Sample {
  text: string;
  checked: Checked;
}

export async function benchBfcl(): Promise<Figure[]> {
  const parser = treeSitter(await readFile(wasm));
  const rate = (samples: readonly Sample[]): number => {
    // The first round warms up, and finds a sample that is not right after all.
    for (const { text, checked } of samples) {
      const { error_type } = judgeText(text, checked, () => parser);
      if (error_type !== null) throw new Error(`a sample of the bench fails: ${error_type}`);
    }
    let calls = 0;
    const start = processorSeconds();
    while (processorSeconds() - start < seconds) {
      for (const { text, checked } of samples) {
        judgeText(text, checked, () => parser);
        calls += checked.expected.length;
      }
    }
    return calls / (processorSeconds() - start);
  };
  const [python, many] = [samples('python', 1), samples('python', 10)];
  const [java, javascript] = [samples('java', 1), samples('javascript', 1)];
  const mixed = [
    ...Array.from({ length: 23 }, () => python).flat(),
    ...python.slice(0, 100),
    ...java,
    ...javascript.slice(0, 100),
  ];
  const unit = 'calls/s';
  return [
    { name: 'languages as often as in the benchmark', value: rate(mixed), unit, budget, note: '47 : 2 : 1' },
    { name: 'Python, one call of five parameters', value: rate(python), unit, budget },
    { name: 'Python, ten calls an answer', value: rate(many), unit, budget },
    {
      name: 'Java',
      value: rate(java),
      unit,
      budget,
      note: 'most of it tree-sitter, which looks for the missing semicolon',
    },
    { name: 'JavaScript', value: rate(javascript), unit, budget },
  ];
}

const types: Readonly<Record<Language, readonly string[]>> = {
  python: ['string', 'integer', 'float', 'boolean', 'array'],
  java: ['String', 'integer', 'double', 'boolean', 'ArrayList'],
  javascript: ['String', 'integer', 'float', 'Boolean', 'array'],
};

/** Answers to different questions, each of so many calls. */
function samples(language: Language, calls: number): Sample[] {
  return Array.from({ length: 200 }, (_, question) => {
    const indices = Array.from({ length: calls }, (__, at) => question * calls + at);
    const values = (index: number): Value[] => [
      `place number ${index}`,
      BigInt(index),
      index + 0.25,
      index % 2 === 0,
      [`tag ${index}`, `tag ${index + 1}`],
    ];
    return {
      text: `[${indices.map((index) => `area.find_${index}(${source(values(index), language)})`).join(', ')}]`,
      checked: {
        functions: indices.map((index) => ({
          name: `area.find_${index}`,
          properties: documents(language),
          required: ['p0'],
        })),
        expected: indices.map((index) => ({
          name: `area.find_${index}`,
          parameters: new Map(values(index).map((value, at) => [`p${at}`, [value, '']])),
        })),
        language,
        category: calls === 1 ? 'simple' : 'parallel',
        underscored: false,
      },
    };
  });
}

const documents = (language: Language): Dict =>
  Dict.of(
    types[language].map((type, at): [Value, Value] => [
      `p${at}`,
      Dict.of([
        ['type', type],
        ['items', Dict.of([['type', types[language][0] ?? '']])],
      ]),
    ]),
  );

function source(values: readonly Value[], language: Language): string {
  const written = (value: Value): string => {
    if (typeof value === 'boolean') return language === 'python' ? (value ? 'True' : 'False') : `${value}`;
    if (!Array.isArray(value)) return typeof value === 'string' ? JSON.stringify(value) : repr(value);
    const items = value.map(written).join(', ');
    return language === 'java' ? `new ArrayList<>(Arrays.asList(${items}))` : `[${items}]`;
  };
  return values.map((value, at) => `p${at}=${written(value)}`).join(', ');
}
