import assert from 'node:assert/strict';
import { csv } from '../../../webview/lib/csv.ts';

describe('csv', () => {
  it('writes numbers whole and nothing where nothing was measured', () => {
    assert.equal(
      csv(
        ['epoch', 'p̂'],
        [
          [1, 1 / 3],
          [2, null],
        ],
      ),
      `epoch,p̂\r\n1,${1 / 3}\r\n2,\r\n`,
    );
  });

  it('quotes what would end a field', () => {
    assert.equal(csv(['a, b'], [['say "x"'], ['two\nlines']]), '"a, b"\r\n"say ""x"""\r\n"two\nlines"\r\n');
  });
});
