/** Texts of the form, of its checks and of the charts are translated whole: elsewhere one in twenty may be missing. */
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

/** Keys of `l10n.t`, and sentences that are made without it. */
function read(name: string, source: string): { keys: string[]; bare: string[] } {
  const [keys, bare]: [string[], string[]] = [[], []];
  const isProse = (node: ts.Node): boolean =>
    ts.isTemplateExpression(node) ? /\p{L}{2,} \p{L}/u.test(node.getText()) : isText(node) && / /.test(node.text);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /(?:^|\.)l10n\.t$/.test(node.expression.getText())) {
      const [key] = node.arguments;
      if (key !== undefined && isText(key)) keys.push(key.text);
      for (const argument of node.arguments.slice(1)) visit(argument);
      return;
    }
    if (ts.isPropertyAssignment(node) && sentences.has(node.name.getText()) && isProse(node.initializer))
      bare.push(`${name}: ${node.initializer.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return { keys, bare };
}

const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

describe('texts of the form and of the charts', () => {
  const found: ReturnType<typeof read>[] = [];
  before(async () => {
    for await (const name of glob(rooms, { cwd: root, exclude: ofCommandLine }))
      found.push(read(name, await readFile(join(root, name), 'utf8')));
  });

  it('are all in German', () => {
    const keys = found.flatMap((one) => one.keys);
    assert.ok(keys.length > 400, `${keys.length} texts`);
    assert.deepEqual(
      keys.filter((key) => !(key in germanBundle)),
      [],
    );
  });

  it('are made by l10n.t', () => {
    assert.deepEqual(
      found.flatMap(({ bare }) => bare),
      [],
    );
  });
});
