import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hiddenMarks, withMarksShown } from '../../../src/shared/text/hiddenMarks.ts';

describe('hidden marks', () => {
  it('shows controls by their pictures and the rest by their numbers', () => {
    assert.equal(withMarksShown('\u001B]0;title\u0007 \u0000\r\u007F'), '␛]0;title␇ ␀␍␡');
    assert.equal(withMarksShown('\u009B31m'), '\\u{9b}31m');
    assert.equal(withMarksShown('\u202Egnp.exe\u2069'), '\\u{202e}gnp.exe\\u{2069}');
    assert.equal(
      withMarksShown('a\u200Bb\u2060c\uFEFFd\u00ADe\u061C'),
      'a\\u{200b}b\\u{2060}c\\u{feff}d\\u{ad}e\\u{61c}',
    );
    assert.equal(withMarksShown('\u2028\uFFF9\u3164'), '\\u{2028}\\u{fff9}\\u{3164}');
    assert.equal(withMarksShown('\uD800x'), '\\u{d800}x');
  });

  it('says where they stand', () => {
    assert.deepEqual(hiddenMarks('🙂\u001B[m\u{E0041}'), [
      { offset: 2, length: 1, visible: '␛' },
      { offset: 5, length: 2, visible: '\\u{e0041}' },
    ]);
  });

  it('leaves lines, tabs, and what writing needs', () => {
    for (const text of ['a\tb\nc', '👩‍👩‍👧', '❤️‍🔥', '👩🏽‍🚀', '#️⃣', 'می‌خواهم', 'क्‍ष', '葛\u{E0100}', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'p̂ = é ― 米']) {
      assert.equal(withMarksShown(text), text);
    }
  });

  it('shows joiners and variations that nothing needs', () => {
    assert.equal(withMarksShown('a\u200Db'), 'a\\u{200d}b');
    assert.equal(withMarksShown('pay\u200Cpal'), 'pay\\u{200c}pal');
    assert.equal(withMarksShown('a\uFE0F\uFE0E\uFE01'), 'a\uFE0F\\u{fe0e}\\u{fe01}');
    assert.equal(withMarksShown('a\u{E0100}'), 'a\\u{e0100}');
    assert.equal(withMarksShown('x\u{E0068}\u{E0069}'), 'x\\u{e0068}\\u{e0069}');
  });

  it('lets no control or override through, and shows again what is shown already as it is', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001B', '\u0085', '\u202E', '\u2067', '\u200B', '🏴'),
    );
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const shown = withMarksShown(units.join(''));
        assert.doesNotMatch(
          shown,
          /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069]/,
        );
        assert.equal(withMarksShown(shown), shown);
        assert.ok(shown.isWellFormed());
      }),
      { numRuns: 300 },
    );
  });

  it('rebuilds the shown text from the places', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let shown = '';
        let from = 0;
        for (const { offset, length, visible } of hiddenMarks(text)) {
          shown += text.slice(from, offset) + visible;
          from = offset + length;
        }
        assert.equal(shown + text.slice(from), withMarksShown(text));
      }),
    );
  });
});
