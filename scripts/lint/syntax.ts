/** Syntax that parts of the tree may not use, each with what to write in its place. */

export interface Restriction {
  /** Of esquery. */
  selector: string;
  message: string;
}

/** `import { z }` drags every locale of zod into each bundle: 440 kB instead of 90. */
export const leanZod = {
  selector: "ImportDeclaration[source.value='zod'] ImportSpecifier",
  message: "Write import * as z from 'zod'.",
};

/** An absent member is spread from `false`: half as many words. */
const shortSpread = {
  selector: 'SpreadElement > ConditionalExpression > ObjectExpression[properties.length=0]',
  message: 'Write ...(condition && { member }), or ...defined({ member }).',
};

/** Every argument takes room on the stack: some hundred thousand of them end the call with a RangeError. */
const boundedArguments = {
  selector:
    'CallExpression[callee.property.name=/^(push|unshift|splice|write|max|min|hypot|fromCharCode|fromCodePoint)$/]' +
    ":not([callee.object.name='subscriptions']):not([callee.object.property.name='subscriptions'])" +
    " > SpreadElement.arguments:not([argument.type='ArrayExpression'])",
  message:
    'Data may be longer than a call has arguments: append of shared/append.ts, largest and smallest of shared/extremes.ts.',
};

/** One gate, so that no text of a file, a model or a server steers a terminal. */
export const oneGate = [
  ...[
    "MemberExpression[object.name='process'][property.name=/^(stdout|stderr)$/]",
    "MemberExpression[object.name='process'][property.value=/^(stdout|stderr)$/]",
    "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name=/^(stdout|stderr)$/]",
    'CallExpression[callee.name=/^(write|writev|writeFile|appendFile)Sync$/][arguments.0.raw=/^[12]$/]',
  ].map((selector) => ({ selector, message: 'Write to a Stream of src/cli/terminal.ts, which shows hidden marks.' })),
  {
    selector: "MemberExpression[object.name='console']",
    message: 'Write to a Stream of src/cli/terminal.ts, or to a Log.',
  },
  {
    selector:
      "ImportDeclaration[source.value=/^(node:)?(console|process|tty)$/] > ImportSpecifier:not([imported.name='isatty'])",
    message: 'Streams of the process are those of src/cli/terminal.ts.',
  },
];

/** One piece writes figures, in the language of the texts. Rounded numbers and what programs read are made by Number(…). */
export const sharedFigures: Restriction[] = [
  'CallExpression[callee.property.name=/^toLocale(Date|Time)?String$/]',
  ":not(CallExpression[callee.name='Number']) > CallExpression[callee.property.name=/^to(Fixed|Precision|Exponential)$/]",
  "CallExpression[callee.name='String'] > CallExpression[callee.name='Number'] > CallExpression[callee.property.name='toPrecision']",
  "NewExpression[callee.object.name='Intl'][callee.property.name=/^(Number|DateTime)Format$/]",
].map((selector) => ({ selector, message: 'Figures are written by src/shared/text/figures (docs/writing.md).' }));

/** Why it did not run belongs in the summary. */
export const reasonedSkip = {
  selector: "CallExpression[callee.property.name='skip'][callee.object.type='ThisExpression']",
  message: "Write skip(this, 'what this machine lacks'), of test/support/skip.ts.",
};
export const patience = [
  {
    selector:
      "CallExpression[callee.object.name='assert'] AwaitExpression:not(CallExpression[callee.name='eventually'] AwaitExpression)",
    message: 'A page shows it a moment later: await eventually(async () => assert…), of test/support/until.ts.',
  },
  {
    selector: "CallExpression[callee.object.property.name='keyboard']",
    message: 'The focus may not be there yet: pressAt or typeAt of test/support/focus.ts.',
  },
];

/** Words that say neither who acts nor on what: in strings and in pages. */
export const vagueWords = 'whoever|nobody|somebody|takes? hold|mend(?:s|ed)?';

/** Who acts, and on what: docs/writing.md. */
const plainWords = ['Literal[value', 'TemplateElement[value.raw'].map((text) => ({
  selector: `${text}=/\\b(?:${vagueWords}|goes by)\\b/i]`,
  message: 'Say it plainly (docs/writing.md): who acts, or the passive; “takes effect”, “uses”, “fix”.',
}));

/** A question that closes when its asker looks something up loses the typed text and the answers before it. */
const stayingBox = {
  selector:
    "CallExpression[callee.property.name='showInputBox'] > ObjectExpression:not(:has(Property[key.name='ignoreFocusOut']))",
  message: 'Give ignoreFocusOut: true; a quick pick with questions before or after it, too.',
};

/** For all code that ships. */
export const shipped: Restriction[] = [leanZod, shortSpread, boundedArguments, stayingBox, ...plainWords];
