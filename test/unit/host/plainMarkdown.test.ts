import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainMarkdown } from '../../../src/host/plainMarkdown.ts';

/** The rendered text of the Markdown. */
const seen = (markdown: string): string =>
  markdown
    .replaceAll('\\\n', '\n')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

describe('text as Markdown', () => {
  it('shows tags, entities, lists, headings and links as they are written', () => {
    assert.equal(plainMarkdown('a <b>tag</b>'), 'a &#60;b&#62;tag&#60;&#47;b&#62;');
    assert.equal(plainMarkdown('&lt; 1. x\n\n  # y'), '&#38;lt; 1&#46; x\\\n\\\n&nbsp;&nbsp;&#35; y');
  });

  it('shows any text, and has no markup left but the breaks of its lines', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('ab1 <>&*_`#-+.=|[](){}!~\\\n"\'/:$@^é')) }),
        (text) => {
          const markdown = plainMarkdown(text);
          assert.equal(seen(markdown), text.trimEnd());
          const rest = markdown.replaceAll('\\\n', '').replaceAll(/&(?:#\d+|nbsp);/g, '');
          assert.doesNotMatch(rest, /[!#$&()*+./:<=>@[\\\]^_`{|}~-]|^ {4}/m);
        },
      ),
    );
  });
});
