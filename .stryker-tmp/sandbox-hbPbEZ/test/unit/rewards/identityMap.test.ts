import assert from 'node:assert/strict';
import { SourceMap } from 'node:module';
import * as z from 'zod';
import { identityMap } from '../../../src/rewards/processes/node/identityMap.ts';

const mapSchema = z.object({
  version: z.literal(3),
  sources: z.array(z.string()),
  names: z.array(z.string()),
  mappings: z.string(),
});

describe('the source map of a file whose types are blanked out', () => {
  it('gives every word the place that it has', () => {
    const text = 'const   añ =  1;\n\n    if (añ > 0) {\n  add("e", añ);}\n' + ' '.repeat(80) + 'last\nx';
    const comment = identityMap('/folder/mine.reward.ts', text);
    const [, data = ''] = /^\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\n$/.exec(comment) ?? [];
    const map = mapSchema.parse(JSON.parse(Buffer.from(data, 'base64').toString()));
    const read = new SourceMap({ ...map, file: '', sourcesContent: [], sourceRoot: '' });
    const words = text
      .split('\n')
      .flatMap((line, row) => [...line.matchAll(/[\p{L}\d]+|\S/gu)].map(({ index }) => [row, index]));
    assert.equal(words.length, 24);
    for (const [row = 0, column = 0] of words) {
      const entry = read.findEntry(row, column);
      assert.ok('originalLine' in entry);
      assert.deepEqual(
        [entry.generatedLine, entry.generatedColumn, entry.originalLine, entry.originalColumn, entry.originalSource],
        [row, column, row, column, 'file:///folder/mine.reward.ts'],
      );
    }
  });
});
