/** What a new domain begins with: whole, so that it can be tried at once. */
import type { FileTemplate } from '../../../host/newFile.ts';
import { gameTemplate } from './gameTemplate.ts';
import { toolTemplate } from './toolTemplate.ts';

/** What its tasks are: questions with an answer that is computed, calls of tools, games of several turns. */
export const taskKinds = ['questions', 'tools', 'game'] as const;

export interface DomainTemplate extends FileTemplate {
  tasks: (typeof taskKinds)[number];
  text: string;
  /** The types that lie beside it, as `media/domains` has them. */
  types: string;
}

/** TypeScript, and JavaScript that says its types in comments. */
function script(typed: boolean): string {
  const type = (name: string): string => (typed ? `: ${name}` : '');
  /** A function of the domain with its type, and with its hover in the editor. */
  const declared = (name: string, of: string): string =>
    typed ? `export const ${name}: ${of} =` : `/** @type {import('./genenv-domain').${of}} */\nexport const ${name} =`;
  const types = typed
    ? "import type { AgentPrompt, EnvironmentPrompt, Judge, Parse, Seeds, Verify } from './genenv-domain';\n\n"
    : '';
  return `// A domain: what the environment writes, and how the agent's answers are judged (docs/domains.md).
// Try it with: genenv check-domain THIS_FILE
${types}// Tasks to vary, and tasks that only validation measures.
${declared('seeds', 'Seeds')} (split) =>
  split === 'base'
    ? [
        { prompt: 'Ann has 3 apples and buys 4 more. How many has she?', gold: 7 },
        { prompt: 'A bus has 20 seats, and 6 are free. How many are taken?', gold: 14 },
      ]
    : [{ prompt: 'Ben reads 12 pages a day. How many in 5 days?', gold: 60 }];

// What the environment policy reads. \`target\` is α, the success rate that is wanted.
${declared('environmentPrompt', 'EnvironmentPrompt')} ({ seed, target }) =>
  \`Write one short story problem like this one, which a student solves in \${Math.round(100 * target)} % of tries:

\${seed.prompt[0]?.content}

Write the problem in one line, then a line "= " with an arithmetic expression for its answer.\`;

// Its text as a task. The gold is computed here, and not believed.
${declared('parse', 'Parse')} (text) => {
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
${declared('verify', 'Verify')} ({ gold }) =>
  (Number.isInteger(Number(gold)) && Number(gold) >= 0) || 'the answer is no natural number';

${declared('agentPrompt', 'AgentPrompt')} ({ prompt }) =>
  \`\${prompt[0]?.content}\\n\\nThink step by step. End with a line "Answer: NUMBER".\`;

${declared('judge', 'Judge')} ({ gold }, { answer }) => {
  // The last number that it says.
  const said = answer.match(/-?\\d+(?:\\.\\d+)?/g)?.at(-1);
  const success = said !== undefined && Number(said) === Number(gold);
  return { success, reward: success ? 1 : 0 };
};

/** + - * / and brackets, by hand: nothing that a model wrote is evaluated as a program. */
function valueOf(expression${type('string')})${type('number | null')} {
  const tokens = expression.match(/\\d+(?:\\.\\d+)?|[-+*/()]/g) ?? [];
  let at = 0;
  const sum = ()${type('number')} => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value += tokens[at++] === '+' ? product() : -product();
    return value;
  };
  const product = ()${type('number')} => {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/') value = tokens[at++] === '*' ? value * factor() : value / factor();
    return value;
  };
  const factor = ()${type('number')} => {
    const token = tokens[at++];
    if (token !== '(') return token === undefined ? NaN : Number(token);
    const value = sum();
    return tokens[at++] === ')' ? value : NaN;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
`;
}

const python = `# A domain: what the environment writes, and how the agent's answers are judged (docs/domains.md).
# Try it with: genenv check-domain THIS_FILE
from __future__ import annotations

import ast
import operator
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genenv_domain import Context, Draft, Given, Prompt, Reject, Result, Split, Task, Trace


def seeds(split: Split) -> list[Draft]:
    """Tasks to vary ("base"), and tasks that only validation measures ("heldOut")."""
    if split == "base":
        return [
            {"prompt": "Ann has 3 apples and buys 4 more. How many has she?", "gold": 7},
            {"prompt": "A bus has 20 seats, and 6 are free. How many are taken?", "gold": 14},
        ]
    return [{"prompt": "Ben reads 12 pages a day. How many in 5 days?", "gold": 60}]


def environmentPrompt(context: Context) -> Prompt:
    """What the environment policy reads. target is α, the success rate that is wanted."""
    return (
        "Write one short story problem like this one, which a student solves in "
        f"{round(100 * context['target'])} % of tries:\\n\\n{context['seed']['prompt'][0]['content']}\\n\\n"
        'Write the problem in one line, then a line "= " with an arithmetic expression for its answer.'
    )


def parse(text: str, given: Given) -> Draft | Reject:
    """Its text as a task. The gold is computed here, and not believed."""
    found = re.fullmatch(r"\\s*(.+?)\\s*\\n\\s*=\\s*([\\d+\\-*/(). ]{1,60})\\s*", text, re.S)
    if found is None:
        return {"reject": "it is no story with an expression below it"}
    story, expression = found.groups()
    try:
        value = value_of(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return {"reject": "its expression is no arithmetic"}
    numbers = re.findall(r"\\d+", expression)
    if any(number not in story for number in numbers):
        return {"reject": "a number of the expression is not in the story"}
    return {"prompt": story, "gold": value, "difficulty": {"numbers": len(numbers), "words": len(story.split())}}


def verify(task: Task) -> bool | str:
    """True, or why a task does not count."""
    gold = float(task["gold"])
    return True if gold >= 0 and gold.is_integer() else "the answer is no natural number"


def agentPrompt(task: Task) -> Prompt:
    return task["prompt"][0]["content"] + '\\n\\nThink step by step. End with a line "Answer: NUMBER".'


def judge(task: Task, trace: Trace) -> Result:
    said = re.findall(r"-?\\d+(?:\\.\\d+)?", trace["answer"])
    right = said != [] and float(said[-1]) == float(task["gold"])
    return {"success": right, "reward": 1 if right else 0}


def value_of(node: ast.AST) -> float:
    """+ - * / and brackets: nothing that a model wrote is evaluated as a program."""
    known = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in known:
        return known[type(node.op)](value_of(node.left), value_of(node.right))
    raise ValueError("no arithmetic")
`;

const typescript = { language: 'typescript', ending: '.domain.ts', types: 'genenv-domain.d.ts' } as const;

export const domainTemplates: readonly DomainTemplate[] = [
  { tasks: 'questions', ...typescript, text: script(true) },
  { tasks: 'questions', language: 'javascript', ending: '.domain.js', types: typescript.types, text: script(false) },
  { tasks: 'questions', language: 'python', ending: '.domain.py', types: 'genenv_domain.pyi', text: python },
  { tasks: 'tools', ...typescript, text: toolTemplate },
  { tasks: 'game', ...typescript, text: gameTemplate },
];
