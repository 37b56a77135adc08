import * as z from 'zod';
import { GameError } from '../gameError.ts';
import { readSymbols, type TextSymbol } from './symbols.ts';

/** One alternative of a rule: it is taken when its condition has a match, or it has none. */
export interface Alternative {
  /** '' is always. */
  condition: string;
  symbols: readonly TextSymbol[];
}

/** How an action is commanded, and what is answered. */
interface ActionText {
  template: readonly TextSymbol[];
  feedback: readonly TextSymbol[];
}

/** A text grammar (`.twl2`): rules by name, texts by the action's lower-cased name. */
export interface Grammar {
  rules: ReadonlyMap<string, readonly Alternative[]>;
  actions: ReadonlyMap<string, ActionText>;
}

const rulesSchema = z.record(
  z.string(),
  z.array(z.looseObject({ rhs: z.string(), condition: z.string().default('') })),
);

type Token = { kind: 'word' | 'text' | 'block' | 'mark'; value: string; line: number };

const shapes: [Token['kind'], RegExp][] = [
  ['block', /"""([^]*?)"""/y],
  ['text', /"([^"]*)"/y],
  ['mark', /(::|[{};])/y],
  ['word', /([\p{L}\p{N}_/-]+)/uy],
];

/** White space and comments from `#` to the line's end are passed over. */
function* tokensOf(text: string): Generator<Token> {
  const blank = /(?:\s+|#[^\n]*)*/y;
  for (let at = 0; ;) {
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    if (at === text.length) return;
    const line = text.slice(0, at).split('\n').length;
    let token: Token | null = null;
    for (const [kind, shape] of shapes) {
      shape.lastIndex = at;
      const match = shape.exec(text);
      if (match === null) continue;
      at = shape.lastIndex;
      token = { kind, value: match[1] ?? '', line };
      break;
    }
    if (token === null) throw complaint(line, `${JSON.stringify(text.slice(at, at + 12))} cannot be read`);
    yield token;
  }
}

function complaint(line: number, what: string): GameError {
  return new GameError('grammar', `Text grammar, line ${line}: ${what}.`);
}

/** Later rules and actions replace earlier ones of their name. @throws GameError `grammar` naming the line */
export function readGrammar(text: string): Grammar {
  const rules = new Map<string, readonly Alternative[]>();
  const actions = new Map<string, ActionText>();
  const tokens = [...tokensOf(text)];
  let at = 0;
  const take = (...wanted: string[]): Token => {
    const token = tokens[at++];
    const line = token?.line ?? text.split('\n').length;
    if (
      token === undefined ||
      !(wanted.includes(token.kind) || (token.kind !== 'text' && wanted.includes(token.value)))
    ) {
      throw complaint(line, `${wanted.join(' or ')} should stand where ${token?.value.slice(0, 20) ?? 'the end'} does`);
    }
    return token;
  };
  /** The value of `name :: value ;`, its name taken already. */
  const value = (kind: 'text' | 'block'): Token => {
    take('::');
    const token = take(kind);
    take(';');
    return token;
  };
  while (at < tokens.length) {
    if (take('grammar', 'action').value === 'grammar') {
      addRules(rules, value('block'), false);
      continue;
    }
    const { value: name, line } = take('word');
    let template: string | null = null;
    let feedback: string | null = null;
    take('{');
    for (let part = take('template', 'feedback', 'pddl', 'grammar', '}'); part.value !== '}';) {
      if (part.value === 'template') template = value('text').value;
      else if (part.value === 'feedback') feedback = value('text').value;
      else if (part.value === 'pddl') value('block');
      else addRules(rules, value('block'), true);
      part = take('template', 'feedback', 'pddl', 'grammar', '}');
    }
    if (template === null || feedback === null) throw complaint(line, `${name} needs a template and a feedback`);
    actions.set(name.toLowerCase(), { template: readSymbols(template), feedback: readSymbols(feedback) });
  }
  return { rules, actions };
}

function addRules(rules: Map<string, readonly Alternative[]>, { value, line }: Token, comments: boolean): void {
  const lines = value.split('\n').filter((one) => !comments || !one.trimStart().startsWith('#'));
  let data: unknown;
  try {
    data = JSON.parse(lines.join('\n'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw complaint(line, `the rules that begin here are no JSON (${error.message})`);
  }
  const parsed = rulesSchema.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw complaint(line, `in the rules that begin here, ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  for (const [name, alternatives] of Object.entries(parsed.data)) {
    rules.set(
      name,
      alternatives.map(({ rhs, condition }) => ({ condition, symbols: readSymbols(rhs) })),
    );
  }
}
