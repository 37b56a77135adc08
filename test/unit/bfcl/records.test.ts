import assert from 'node:assert/strict';
import { check, type Checked } from '../../../src/benchmarks/bfcl/checker.ts';
import { judgeText } from '../../../src/benchmarks/bfcl/judge.ts';
import { categories, recordsOf, type Question } from '../../support/bfcl/records.ts';
import { rightCalls, textOfCalls } from '../../support/bfcl/rightCalls.ts';
import { benchmarkFolders } from '../../support/benchmarks/data.ts';
import { parser } from '../../support/bfcl/parser.ts';

const checkedBy = ({ functions, expected, language, category }: Question): Checked => ({
  functions,
  expected,
  language,
  category,
  underscored: false,
});

/**
 * No call is right: a list of anything holds 42 and true, which the official conversion leaves as texts; or nothing at all
 * is acceptable for a list that is required.
 */
const unattainable: Readonly<Record<string, string>> = {
  simple_java_36: 'value_error:list/tuple',
  'live_simple_106-63-0': 'type_error:simple',
  'live_simple_112-68-0': 'type_error:simple',
};

for (const { name, folder } of benchmarkFolders('bfcl')) {
  describe(`BFCL records: ${name}`, () => {
    for (const category of categories) {
      it(`${category}: the answers of the first half are right`, () => {
        const wrong = recordsOf(folder, category).flatMap((record) => {
          const calls = rightCalls(record.expected, record.functions, record.language);
          const error = check(calls, checkedBy(record));
          return error === (unattainable[record.id] ?? null) ? [] : [`${record.id}: ${String(error)}`];
        });
        assert.deepEqual(wrong, []);
      });
    }
    for (const category of categories.filter((one) => !one.includes('java'))) {
      it(`${category}: so they are as text`, () => {
        const wrong = recordsOf(folder, category).flatMap((record) => {
          const text = textOfCalls(rightCalls(record.expected, record.functions, record.language), record.language);
          const { error_type } = judgeText(text, checkedBy(record), parser);
          return error_type === (unattainable[record.id] ?? null)
            ? []
            : [`${record.id}: ${String(error_type)} ${text}`];
        });
        assert.deepEqual(wrong, []);
      });
    }
  });
}
