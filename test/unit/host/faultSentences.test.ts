/** Errors, remedies and notes reach a person from every room: their sentences are made by `l10n.t`, or have a recorded form. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { recordedForms } from '../../../src/shared/journal/recordedWords.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** English in every window (docs/writing.md), or no language at all. */
const english = [
  'src/cli/**',
  'src/features/*/cli/**',
  'src/serve/**',
  'src/features/{agents,report}/**',
  // Scripts and pages that are written for another machine.
  'src/features/setup/core/{checkScript,installScript,knownFailures,reach,readme,startScript}.ts',
  // The words of official programs, whose judgements are rebuilt to the letter.
  'src/benchmarks/{alfworld/{pddl,text,world},apiBank,bfcl,travelplanner}/**',
  'src/benchmarks/alfworld/game.ts',
  // Of “genenv score” alone.
  'src/benchmarks/{alfworld,offline}/{offline,offlineScorer,pythonCase}.ts',
  // Answers to programs, and what an agent's environment says.
  'src/domains/programs/{calls,chatBody,door}.ts',
  'src/domains/openenv/{action,episode}.ts',
  // Domains that are files of their own, and processes of people's files: their texts are recorded forms.
  'src/domains/shipped/**',
  'src/rewards/processes/node/**',
  'src/**/*{.domain,emplates}.ts',
  // Notes that are composed: `test/unit/runs/recordedWords.test.ts` holds them to their forms.
  'src/engine/phases/stop.ts',
  // Lines of the log, and of traces for other programs.
  'src/engine/spending/announce.ts',
  'src/launch/traced/**',
  // Between the two sides of the extension: their faults are its own.
  'src/shared/rpc/**',
];

/** Ends that are not shown, and faults of GenEnv itself. */
const untold =
  /^(?:Unreachable|invalid syntax|no layer|The (?:view|page|window) (?:is|was) closed|The person left|The adapter changed|The audit was cancelled|another query|Enough groups|Task … was learned from|Nothing waits for it|There is no tokenizer yet|A sandbox runs in|The search worker runs in)/;

const holders = /^(?:message|what|remedy|note|why|reject|fault|error|cause|problem|said|telling)$/;
const isProse = (text: string): boolean => /\p{L}{2,},? \p{L}{2,}/u.test(text) && !untold.test(text);

const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

const textOf = (node: ts.StringLiteralLike | ts.TemplateExpression): string =>
  ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
    : node.text;

/** Whether the value is thrown, or is a property or a constant by the name of a sentence. */
function isTold(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isNewExpression(parent)) return !/^(?:RegExp|Set|Map|TypeError)$/.test(parent.expression.getText());
  if (ts.isCallExpression(parent)) return parent.expression.kind === ts.SyntaxKind.SuperKeyword;
  if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent))
    return parent.initializer === node && holders.test(parent.name.getText());
  const passes =
    ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent) || ts.isBinaryExpression(parent);
  return passes && isTold(parent);
}

function bareSentences(name: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && isTold(node) && isProse(textOf(node))) found.push(textOf(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return found;
}

const bare = (form: string): string => form.replaceAll(/\{\d\}/g, '…');

describe('sentences of errors and notes', () => {
  it('are made by l10n.t, or have a recorded form', async function () {
    this.timeout(60_000);
    const recorded = recordedForms.map(bare).join('\n');
    const left: string[] = [];
    for await (const name of glob('src/**/*.ts', { cwd: root, exclude: english }))
      for (const text of bareSentences(name, await readFile(join(root, name), 'utf8')))
        if (!recorded.includes(text)) left.push(`${name}: ${text}`);
    assert.deepEqual(left, []);
  });

  it('are found', () => {
    const source =
      "throw new FileError('read', `${path} cannot be read: ${why}.`); const remedy = late ? 'Try it again.' : l10n.t('Wait.'); tell('It has ended.');";
    assert.deepEqual(bareSentences('a.ts', source), ['… cannot be read: ….', 'Try it again.']);
  });
});
