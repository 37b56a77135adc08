/** A new domain of questions whose answer is computed, in TypeScript and JavaScript. */
import type { Dialect } from './dialect.ts';

export const questions = ({
  ts,
  exported,
}: Dialect): string => `// A domain: what the environment writes, and how the agent's answers are judged (docs/domains.md).
// Try it with: genenv check-domain THIS_FILE
${ts(`import type { AgentPrompt, EnvironmentPrompt, Judge, Parse, Seeds, Verify } from './genenv-domain';

`)}// Tasks to vary, and tasks that only validation measures.
${exported('seeds', 'Seeds')} (split) =>
  split === 'base'
    ? [
        { prompt: 'Ann has 3 apples and buys 4 more. How many has she?', gold: 7 },
        { prompt: 'A bus has 20 seats, and 6 are free. How many are taken?', gold: 14 },
      ]
    : [{ prompt: 'Ben reads 12 pages a day. How many in 5 days?', gold: 60 }];

// What the environment policy reads. \`target\` is α, the success rate that is wanted.
${exported('environmentPrompt', 'EnvironmentPrompt')} ({ seed, target }) =>
  \`Write one short story problem like this one, which a student solves in \${Math.round(100 * target)} % of tries:

\${seed.prompt[0]?.content}

Write the problem in one line, then a line "= " with an arithmetic expression for its answer.\`;

// Its text as a task. The gold is computed here, and not believed.
${exported('parse', 'Parse')} (text) => {
  const [, story, expression] = /^\\s*(.+?)\\s*\\n\\s*=\\s*([\\d+\\-*/(). ]{1,60})\\s*$/s.exec(text) ?? [];
  if (story === undefined || expression === undefined) return { reject: 'it is no story with an expression below it' };
  const value = valueOf(expression);
  if (value === null) return { reject: 'its expression is no arithmetic' };
  const numbers = expression.match(/\\d+/g) ?? [];
  const missing = numbers.find((number) => !story.includes(number));
  if (missing !== undefined) return { reject: 'a number of the expression is not in the story' };
  return { prompt: story, gold: value, difficulty: { numbers: numbers.length, words: story.split(/\\s+/).length } };
};

// True, or why a task does not count.
${exported('verify', 'Verify')} ({ gold }) =>
  (Number.isInteger(Number(gold)) && Number(gold) >= 0) || 'the answer is no natural number';

${exported('agentPrompt', 'AgentPrompt')} ({ prompt }) =>
  \`\${prompt[0]?.content}\\n\\nThink step by step. End with a line "Answer: NUMBER".\`;

${exported('judge', 'Judge')} ({ gold }, { answer }) => {
  // The last number that it says.
  const said = answer.match(/-?\\d+(?:\\.\\d+)?/g)?.at(-1);
  const success = said !== undefined && Number(said) === Number(gold);
  return { success, reward: success ? 1 : 0 };
};

/** + - * / and brackets, by hand: nothing that a model wrote is evaluated as a program. */
function valueOf(expression${ts(': string')})${ts(': number | null')} {
  const tokens = expression.match(/\\d+(?:\\.\\d+)?|[-+*/()]/g) ?? [];
  let at = 0;
  const sum = ()${ts(': number')} => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value += tokens[at++] === '+' ? product() : -product();
    return value;
  };
  const product = ()${ts(': number')} => {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/') value = tokens[at++] === '*' ? value * factor() : value / factor();
    return value;
  };
  const factor = ()${ts(': number')} => {
    const token = tokens[at++];
    if (token !== '(') return token === undefined ? NaN : Number(token);
    const value = sum();
    return tokens[at++] === ')' ? value : NaN;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
`;
