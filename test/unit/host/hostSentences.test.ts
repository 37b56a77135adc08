/** Sentences of the extension's host that a person may read are made by `l10n.t`, so that they can be translated. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const host = 'src/{extension.ts,{host,features/*/host}/**/*.ts}';
/** Contents of new files; their names and details are translated where they are offered. */
const written = ['**/templates/**', '**/*emplates.ts'];

/** Reasons of an end that are not shown, sentences that are recorded in English, and those for coding agents. */
const untold = new Set([
  'The page was closed.',
  'The person left.',
  'The view is closed.',
  'The window was closed.',
  'The adapter changed.',
  'The audit was cancelled.',
  'Waits in the queue.',
  'Cancelled.',
  'There is no tool ….',
  'No folder is open: there are no runs to read.',
  'This folder is in Restricted Mode: agents read only. A person trusts the folder first.',
]);

const isSentence = (text: string): boolean => /^\p{Lu}[^\n]* [^\n]*[.!?…]$/u.test(text) || untold.has(text);

function sentencesOf(name: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText();
      if (/(?:^|\.)l10n\.t$|\blog\??\.\w+$/.test(called)) return;
    }
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node))
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return found.filter((text) => isSentence(text) && !/^(?:Unreachable|…)/.test(text));
}

describe('sentences of the host', () => {
  it('are made by l10n.t', async function () {
    this.timeout(60_000);
    const [bare, seen]: [string[], Set<string>] = [[], new Set()];
    for await (const name of glob(host, { cwd: root, exclude: written }))
      for (const text of sentencesOf(name, await readFile(join(root, name), 'utf8')))
        if (untold.has(text)) seen.add(text);
        else bare.push(`${name}: ${text}`);
    assert.deepEqual(bare, []);
    assert.deepEqual(
      [...untold].filter((text) => !seen.has(text)),
      [],
      'exceptions that are gone',
    );
  });

  it('are found', () => {
    const source =
      "tell('The run has ended.'); tell(`The run ${name} has ended.`); tell(l10n.t('It ended.')); log.info('It is so.');";
    assert.deepEqual(sentencesOf('a.ts', source), ['The run has ended.', 'The run … has ended.']);
  });
});
