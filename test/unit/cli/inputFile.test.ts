import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputFile } from '../../../src/cli/outFile.ts';
import { UsageError } from '../../../src/cli/usageError.ts';
import { textsOf } from '../../../src/domains/checkDomain.ts';

describe('files that a command reads', () => {
  const dir = mkdtempSync(join(tmpdir(), 'genenv-input-'));
  after(() => rmSync(dir, { recursive: true }));

  it('are there, or are named by the error', async () => {
    writeFileSync(join(dir, 'a.txt'), '');
    assert.equal(await inputFile(dir, 'a.txt'), join(dir, 'a.txt'));
    assert.equal(await inputFile(dir, '.', 'or folder'), dir);
    for (const name of ['none.txt', 'a.txt/x', '.'])
      await assert.rejects(inputFile(dir, name), (error: unknown) => {
        assert.ok(error instanceof UsageError);
        return error.message.includes(join(dir, name)) && error.remedy !== '';
      });
  });

  it('may hold texts with any line ends, quoted as JSON or not', () => {
    assert.deepEqual(textsOf('one\r\n"two\\nlines"\r\n"Hello", she said\n\n'), [
      'one',
      'two\nlines',
      '"Hello", she said',
    ]);
  });

  it('may hold texts with their thoughts, which no parser is given', () => {
    const texts = ['<think>Or {"task": 0}?</think>{"task": 1}', '"Or {0}?\\n</think>\\n\\n{\\"task\\": 2}"'];
    assert.deepEqual(textsOf(texts.join('\n')), ['{"task": 1}', '{"task": 2}']);
  });
});
