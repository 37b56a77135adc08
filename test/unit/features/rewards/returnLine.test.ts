import assert from 'node:assert/strict';
import { returnLine } from '../../../../src/features/rewards/core/returnLine.ts';

const at = (text: string): string => text.split('\n')[returnLine(text)] ?? '';

describe("the line of a reward's verdict", () => {
  it('is that of its only return', () => {
    const text =
      'const other = () => {\n  return 1;\n};\nexport function reward(\n  task,\n) {\n  // return it\n  return 0.5;\n}\nreturn 3;';
    assert.equal(at(text), '  return 0.5;');
    assert.equal(
      at('def help():\n    return 1\n\ndef reward(task, trace):\n    x = 1\n\n    return x\n'),
      '    return x',
    );
  });

  it('is the one that declares the function where it has several, or none', () => {
    assert.equal(
      at('// a\nexport function reward() {\n  if (a) return 0;\n  return 1;\n}'),
      'export function reward() {',
    );
    assert.equal(at("export const reward = () => 'return'.length;"), "export const reward = () => 'return'.length;");
  });

  it('is the first of a file that declares none', () => {
    assert.equal(returnLine('a\nb'), 0);
  });
});
