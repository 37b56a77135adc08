import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { shellCommand } from '../../../src/shared/text/shellCommand.ts';
import { skip } from '../../support/skip.ts';

describe('a command line for a person, in a shell', () => {
  for (const shell of ['bash', 'sh']) {
    it(`is its words and nothing more to ${shell}`, function () {
      if (spawnSync(shell, ['-c', ':']).error !== undefined) skip(this, `there is no ${shell}`);
      const unit = fc.constantFrom(
        "'",
        '"',
        '\\',
        '$',
        '(',
        ')',
        '`',
        '!',
        '*',
        '~',
        '=',
        ' ',
        '\n',
        '-',
        ';',
        '|',
        '#',
        'a',
        '米',
      );
      const words = fc.sample(fc.string({ unit }), { numRuns: 1000, seed: 7 });
      const { stdout, status } = spawnSync(shell, ['-c', shellCommand(['printf', '%s\\0', ...words], false)]);
      assert.equal(status, 0);
      assert.deepEqual(stdout.toString().split('\0').slice(0, -1), words);
    });
  }
});
