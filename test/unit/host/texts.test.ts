/** The extractor of `npm run l10n` takes half a minute; this looks for the same texts with TypeScript’s own parser. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { fieldTexts } from '../../../scripts/vscode/fieldTexts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** @returns the key of `l10n.t`’s first argument; `undefined` where it is not written out */
function keyOf(argument: ts.Expression | undefined): string | undefined {
  if (argument === undefined) return undefined;
  if (ts.isStringLiteralLike(argument)) return argument.text;
  if (!ts.isObjectLiteralExpression(argument)) return undefined;
  const texts = (name: string): string =>
    argument.properties
      .filter(ts.isPropertyAssignment)
      .filter((property) => property.name.getText() === name)
      .flatMap(({ initializer }) => (ts.isArrayLiteralExpression(initializer) ? initializer.elements : [initializer]))
      .map((text) => (ts.isStringLiteralLike(text) ? text.text : ''))
      .join('');
  return `${texts('message')}/${texts('comment')}`;
}

function textsOf(name: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /(?:^|\.)l10n\.t$/.test(node.expression.getText())) {
      const key = keyOf(node.arguments[0]);
      if (key !== undefined) found.push(key);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return found;
}

describe('texts for translators', () => {
  it('on disk are those of the code: npm run l10n', async () => {
    const used = new Set(fieldTexts());
    for await (const name of glob('{src,webview}/**/*.ts', { cwd: root })) {
      const source = await readFile(join(root, name), 'utf8');
      if (source.includes('l10n.t')) for (const key of textsOf(name, source)) used.add(key);
    }
    const kept: unknown = JSON.parse(await readFile(join(root, 'l10n/bundle.l10n.json'), 'utf8'));
    assert.ok(typeof kept === 'object' && kept !== null);
    assert.deepEqual(Object.keys(kept).sort(), [...used].sort());
  });
});
