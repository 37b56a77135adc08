/** German is whole: other languages may lack one text in twenty. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { germanBundle } from '../../support/germanBundle.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const rooms = '{src/shared/experiment,webview/experiment,webview/calibration,webview/charts}/**/*.ts';
/** Values on top of a file are the command line's. */
const ofCommandLine = ['**/overrides.ts'];
/** Properties that hold a sentence for a person. */
const sentences = new Set(['message', 'remedy', 'reading', 'missing', 'note']);

/** Sentences that are made without `l10n.t`. */
function read(name: string, source: string): string[] {
  const bare: string[] = [];
  const isProse = (node: ts.Node): boolean =>
    ts.isTemplateExpression(node) ? /\p{L}{2,} \p{L}/u.test(node.getText()) : isText(node) && / /.test(node.text);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /(?:^|\.)l10n\.t$/.test(node.expression.getText())) {
      for (const argument of node.arguments.slice(1)) visit(argument);
      return;
    }
    if (ts.isPropertyAssignment(node) && sentences.has(node.name.getText()) && isProse(node.initializer))
      bare.push(`${name}: ${node.initializer.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return bare;
}

const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

describe('German', () => {
  it('has every text', async () => {
    const english: unknown = JSON.parse(await readFile(join(root, 'l10n/bundle.l10n.json'), 'utf8'));
    assert.ok(typeof english === 'object' && english !== null);
    assert.deepEqual(
      Object.keys(english).filter((key) => !(key in germanBundle)),
      [],
    );
  });
});

describe('texts of the form and of the charts', () => {
  it('are made by l10n.t', async () => {
    const bare: string[] = [];
    for await (const name of glob(rooms, { cwd: root, exclude: ofCommandLine }))
      bare.push(...read(name, await readFile(join(root, name), 'utf8')));
    assert.deepEqual(bare, []);
  });
});
