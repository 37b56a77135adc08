import assert from 'node:assert/strict';
import { quoted, shellCommand } from '../../../src/shared/text/shellCommand.ts';

describe('a command line for a person', () => {
  it('has plain words as they are', () => {
    const words = ['node', '../genenv/cli.js', 'resume', '20261121-demo', '--set=a.b=1e+5'];
    assert.equal(shellCommand(words, false), words.join(' '));
    assert.equal(shellCommand(['C:\\genenv\\cli.js', 'run'], true), 'C:\\genenv\\cli.js run');
  });

  it('has every other word in quotes', () => {
    assert.equal(
      shellCommand(['show', 'a b', "it's", '$(rm -r x)', ''], false),
      `show 'a b' 'it'\\''s' '$(rm -r x)' ''`,
    );
    for (const word of ['~', '=ls', '%1', '@x', 'a;b', 'a\nb', '`x`', '!!', '米', '*', '{a,b}']) {
      assert.equal(shellCommand([word], false), quoted(word));
    }
  });

  it('is one for PowerShell on Windows', () => {
    assert.equal(
      shellCommand(['C:\\my python.exe', '-m', '$(x)', "it's’"], true),
      `& 'C:\\my python.exe' -m '$(x)' 'it''s’’'`,
    );
  });
});
