import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import {
  editText,
  smallestChange,
  UnreadableText,
  type FieldEdit,
} from '../../../src/shared/experiment/text/textEdit.ts';

const file = `{
  // What this is for.
  "version": 1,
  "name": "first", // a short one
  "curriculum": {
    "alpha": 0.5, // half
    /* sharpness */
    "beta": 10 // ten
    // nothing more
  },
  "epochs": 3
}
`;
const edit = (text: string, ...edits: FieldEdit[]): string => editText(text, edits);

describe('changes of single fields in a text', () => {
  it('replace a value and touch nothing else', () => {
    assert.equal(
      edit(file, { path: ['curriculum', 'alpha'], to: 0.6 }),
      file.replace('"alpha": 0.5,', '"alpha": 0.6,'),
    );
    assert.equal(edit(file, { path: ['name'], to: 'a "b"' }), file.replace('"first"', '"a \\"b\\""'));
  });

  it('add a field after the last one and its comment', () => {
    assert.equal(
      edit(file, { path: ['curriculum', 'kMin'], to: 0.1 }),
      file.replace('"beta": 10 // ten', '"beta": 10, // ten\n    "kMin": 0.1'),
    );
    assert.equal(edit('{ "a": 1 }', { path: ['b'], to: 2 }), '{ "a": 1, "b": 2 }');
    assert.equal(edit('{\n\t"a": 1,\n}', { path: ['b'], to: 2 }), '{\n\t"a": 1,\n\t"b": 2,\n}');
  });

  it('make the sections that are missing', () => {
    assert.equal(
      edit(file, { path: ['agent', 'adam', 'beta1'], to: 0.8 }),
      file.replace('"epochs": 3', '"epochs": 3,\n  "agent": {\n    "adam": {\n      "beta1": 0.8\n    }\n  }'),
    );
    assert.equal(edit('{}', { path: ['a', 'b'], to: 2 }), '{\n  "a": {\n    "b": 2\n  }\n}');
    assert.equal(
      edit('{\n  "earlyStop": null\n}', { path: ['earlyStop', 'patience'], to: 2 }),
      '{\n  "earlyStop": {\n    "patience": 2\n  }\n}',
    );
  });

  it('take a field out with its line, and leave every comment', () => {
    assert.equal(
      edit(file, { path: ['curriculum', 'beta'] }),
      file.replace('"alpha": 0.5,', '"alpha": 0.5').replace('    "beta": 10 // ten', '    // ten'),
    );
    assert.equal(edit(file, { path: ['epochs'] }), file.replace('  },\n  "epochs": 3\n', '  }\n'));
    assert.equal(edit(file, { path: ['version'] }), file.replace('  "version": 1,\n', ''));
    assert.equal(edit('{ "a": 1, "b": 2 }', { path: ['a'] }), '{ "b": 2 }');
    assert.equal(edit('{ "a": 1, "b": 2 }', { path: ['b'] }), '{ "a": 1 }');
  });

  it('take a section out with its last field, unless it holds a comment', () => {
    assert.equal(edit('{\n  "a": 1,\n  "b": { "c": 2 }\n}', { path: ['b', 'c'] }), '{\n  "a": 1\n}');
    const spoken = '{\n  "a": 1,\n  "b": {\n    // why\n    "c": 2\n  }\n}';
    assert.equal(edit(spoken, { path: ['b', 'c'] }), spoken.replace('\n    "c": 2', ''));
    assert.equal(edit('{ "a": 1 }', { path: ['a'] }), '{ }');
  });

  it('rename a field in its place', () => {
    assert.equal(
      edit(file, { path: ['curriculum', 'alpha'], rename: 'Alpha' }),
      file.replace('"alpha": 0.5', '"Alpha": 0.5'),
    );
  });

  it('keep the line breaks of the file', () => {
    const text = edit(file.replaceAll('\n', '\r\n'), { path: ['agent', 'train'], to: false }, { path: ['epochs'] });
    assert.deepEqual(text.match(/(?<!\r)\n/g), null);
  });

  it('refuse a text that cannot be read, so that nothing in it is lost', () => {
    assert.throws(() => edit('{ "a": 1, ', { path: ['a'], to: 2 }), UnreadableText);
    assert.throws(() => edit('[1]', { path: ['a'], to: 2 }), UnreadableText);
  });

  it('give the value that was asked for and keep every comment, whatever the text', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const layout = fc.record({
      comma: fc.boolean(),
      eol: fc.constantFrom('\n', '\r\n'),
      indent: fc.constantFrom('  ', '\t', '    '),
      inline: fc.boolean(),
    });
    const content = fc.dictionary(name, fc.oneof(fc.integer(), fc.dictionary(name, fc.integer(), { maxKeys: 3 })));
    fc.assert(
      fc.property(
        content,
        layout,
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (value, how, path, take) => {
          // A replaced object or list loses the comments inside it.
          fc.pre(typeof valueAt(value, path) !== 'object');
          const text = laidOut(value, how);
          const comments = text.match(/\/\/ c\d+|\/\* c\d+ \*\//g) ?? [];
          const after = edit(text, take ? { path } : { path, to: 7 });
          const errors: Parameters<typeof parse>[1] = [];
          const read: unknown = parse(after, errors, { allowTrailingComma: true });
          assert.deepEqual(errors, [], after);
          const found = valueAt(read, path);
          assert.equal(found, take ? undefined : 7, after);
          assert.deepEqual((after.match(/\/\/ c\d+|\/\* c\d+ \*\//g) ?? []).toSorted(), comments.toSorted(), after);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => Object.entries(inner ?? {}).find(([name]) => name === key)?.[1], value);

interface Layout {
  comma: boolean;
  eol: string;
  indent: string;
  inline: boolean;
}

/** JSON with a comment at every place where one may stand between lines. */
function laidOut(value: Record<string, unknown>, how: Layout, depth = 1, counter = { next: 0 }): string {
  const say = (): string => `// c${counter.next++}`;
  const entries = Object.entries(value);
  const pad = how.indent.repeat(depth);
  const lines = entries.map(([key, inner], i) => {
    const own =
      typeof inner === 'object' && inner !== null ? laidOut({ ...inner }, how, depth + 1, counter) : String(inner);
    const comma = i < entries.length - 1 || how.comma ? ',' : '';
    if (how.inline && depth > 1) return `${JSON.stringify(key)}: ${own}${i < entries.length - 1 ? ',' : ''}`;
    return `${pad}${say()}${how.eol}${pad}${JSON.stringify(key)}: ${own}${comma} ${say()}`;
  });
  if (how.inline && depth > 1) return `{ ${lines.join(' ')} }`;
  return `{${how.eol}${lines.join(how.eol)}${how.eol}${how.indent.repeat(depth - 1)}}`;
}

describe('the smallest replacement', () => {
  it('is that and gives the text after, never cutting a line break or a character in two', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\r\n', '\n', '😀', '😁')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = smallestChange(before, after);
        if (change === null) {
          assert.equal(before, after);
          return;
        }
        const { offset, length, text: by } = change;
        assert.equal(before.slice(0, offset) + by + before.slice(offset + length), after);
        for (const at of [offset, offset + length]) {
          assert.doesNotMatch(before.slice(0, at), /\r$|[\uD800-\uDBFF]$/, JSON.stringify(before));
        }
      }),
    );
  });
});
