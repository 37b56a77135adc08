import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fenced, inlineMarkdown } from '../../../src/shared/text/markdown.ts';

describe('text of others in a Markdown document', () => {
  it('is no markup', () => {
    assert.equal(
      inlineMarkdown('<img src=x> [a](command:x) `b` **c** ![d](e) a|b &lt; ~~f~~ _g_ snake_case'),
      '\\<img src=x\\> \\[a\\](command:x) \\`b\\` \\*\\*c\\*\\* !\\[d\\](e) a\\|b \\&lt; \\~\\~f\\~\\~ \\_g\\_ snake_case',
    );
    assert.equal(inlineMarkdown('a\n# b\u202E'), 'a # b\\\\u{202e}');
  });

  it('ends no fence', () => {
    assert.equal(fenced('a'), '```\na\n```');
    const text = fc.array(fc.constantFrom('`', '```', '````', '\n', 'a')).map((units) => units.join(''));
    fc.assert(
      fc.property(text, (inside) => {
        const [fence = '', ...rest] = fenced(inside).split('\n');
        assert.equal(
          rest.findIndex((line) => line.trimStart().startsWith(fence)),
          rest.length - 1,
        );
      }),
    );
  });
});
