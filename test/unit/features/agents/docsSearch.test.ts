import assert from 'node:assert/strict';
import { passagesOf, searchPassages } from '../../../../src/features/agents/core/docsSearch.ts';

const page = `# Method

About p̂.

## Filters

The band is |p̂ − α| ≤ k_min.

- Hard: nothing outside.
- Soft: less and less outside.

| preset | k_min |
| ------ | ----- |
| paper  | 0.1   |

\`\`\`
# no heading
\`\`\`
`;

describe('search in our own pages', () => {
  const passages = passagesOf('method.md', page);

  it('cuts pages at paragraphs, items, rows and code, each with its headings and line', () => {
    assert.deepEqual(
      passages.map(({ line, headings, text }) => [line, headings.join('/'), text]),
      [
        [3, 'Method', 'About p̂.'],
        [7, 'Method/Filters', 'The band is |p̂ − α| ≤ k_min.'],
        [9, 'Method/Filters', '- Hard: nothing outside.'],
        [10, 'Method/Filters', '- Soft: less and less outside.'],
        [14, 'Method/Filters', '| preset | k_min |\n| paper | 0.1 |'],
        [16, 'Method/Filters', '```\n# no heading\n```'],
      ],
    );
  });

  it('ranks what has the rarer words first, by headings too, and finds the singular of a plural', () => {
    const found = (question: string): number[] => searchPassages(passages, question, 2).map(({ line }) => line);
    assert.deepEqual(found('What is the k_min of the paper?'), [14, 7]);
    assert.equal(found('soft filters')[0], 10);
    assert.deepEqual(found('the of and zebra'), []);
  });
});
