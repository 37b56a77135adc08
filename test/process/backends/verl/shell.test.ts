import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { quoted } from '../../../../src/backends/verl/shell.ts';

describe('words for a shell', () => {
  it('come through it as they were', () => {
    const words = ["it's", 'a b', '$HOME `x` "y" \\', '*', '', 'ü\n'];
    const printed = execFileSync('bash', ['-c', `printf '%s|' ${words.map(quoted).join(' ')}`]).toString();
    assert.equal(printed, `${words.join('|')}|`);
  });
});
