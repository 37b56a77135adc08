import * as l10n from '@vscode/l10n';
import { append } from '../../shared/append.ts';
import { expressionWords, type Expression } from './expression.ts';
import { TaskFault } from '../taskFault.ts';
import {
  conceptOf,
  isConcept,
  isFiller,
  isFunctionName,
  isItem,
  numberOf,
  ordinals,
  takesValue,
  verbEntry,
  type Concept,
  type Filler,
  type FunctionName,
  type Item,
  type Verb,
} from './vocabulary.ts';

/** `increase f3`: which function serves a concept in this task. */
export interface MenuEntry {
  concept: Concept;
  name: FunctionName;
}

/** One step of a request; `value` is null for verbs that take none. */
export interface Step {
  verb: Verb;
  item: Item;
  value: Expression | null;
}

/** A filler and the index, among the request's other words, of the word that it precedes. */
export interface PlacedFiller {
  before: number;
  word: Filler;
}

/** A task's text: `MENU (concept function)… REQ (ordinal verb item [value])…`. */
export interface Body {
  menu: readonly MenuEntry[];
  steps: readonly Step[];
  fillers: readonly PlacedFiller[];
}

/** Step `index` (from 0) without fillers. @throws TaskFault `too-long` past the last ordinal */
export function stepWords(step: Step, index: number): string[] {
  const ordinal = ordinals[index];
  if (ordinal === undefined)
    throw new TaskFault('too-long', l10n.t('no request has more than {0} steps', ordinals.length));
  return [ordinal, step.verb, step.item, ...(step.value === null ? [] : expressionWords(step.value))];
}

/** The body as words; `parseBody` reads it back to an equal body. */
export function renderBody(body: Body): string[] {
  const request = body.steps.flatMap(stepWords);
  const placed = [...body.fillers].sort((a, b) => a.before - b.before);
  const out = ['MENU', ...body.menu.flatMap(({ concept, name }) => [concept, name]), 'REQ'];
  let next = 0;
  for (const [i, word] of request.entries()) {
    for (; placed[next]?.before === i; next++) out.push(placed[next]?.word ?? '');
    out.push(word);
  }
  append(
    out,
    placed.slice(next).map(({ word }) => word),
  );
  return out;
}

/** Reads words left to right. */
class Cursor {
  readonly #words: readonly string[];
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  get at(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#words.length;
  }

  peek(ahead = 0): string | undefined {
    return this.#words[this.#at + ahead];
  }

  take(): string | undefined {
    const word = this.#words[this.#at];
    this.#at++;
    return word;
  }
}

const unparseable = (note: string) => new TaskFault('unparseable', note);
const shown = (word: string | undefined) =>
  word === undefined ? l10n.t('the text ends') : l10n.t('found "{0}"', word);

function parseMenu(cursor: Cursor): MenuEntry[] {
  if (cursor.take() !== 'MENU') throw unparseable(l10n.t('the task must begin with MENU'));
  const menu: MenuEntry[] = [];
  while (!cursor.done && cursor.peek() !== 'REQ') {
    const concept = cursor.take();
    const name = cursor.take();
    if (!isConcept(concept))
      throw unparseable(l10n.t('menu entry {0}: expected a concept, {1}', menu.length + 1, shown(concept)));
    if (!isFunctionName(name))
      throw unparseable(l10n.t('menu entry {0}: expected a function, {1}', menu.length + 1, shown(name)));
    menu.push({ concept, name });
  }
  if (cursor.take() !== 'REQ') throw unparseable(l10n.t('the menu must be followed by REQ'));
  return menu;
}

function parseNumber(cursor: Cursor, where: string): number {
  const word = cursor.take();
  const n = numberOf(word);
  if (n === undefined) throw unparseable(l10n.t('{0}: expected a number, {1}', where, shown(word)));
  return n;
}

function parseExpression(cursor: Cursor, where: string): Expression {
  if (cursor.peek() === 'same') {
    cursor.take();
    return { kind: 'same' };
  }
  if (cursor.peek() === 'twice') {
    cursor.take();
    return { kind: 'twice', n: parseNumber(cursor, where) };
  }
  const left = parseNumber(cursor, where);
  const operator = cursor.peek();
  if (operator !== 'plus' && operator !== 'minus') return { kind: 'number', n: left };
  cursor.take();
  return { kind: operator, left, right: parseNumber(cursor, where) };
}

function parseStep(cursor: Cursor, index: number): Step {
  const where = l10n.t('step {0}', index + 1);
  const ordinal = cursor.take();
  const expected = ordinals[index];
  if (expected === undefined)
    throw new TaskFault('too-long', l10n.t('the request continues after {0} steps', ordinals.length));
  if (ordinal !== expected) throw unparseable(`${where}: expected "${expected}", ${shown(ordinal)}`);
  const word = cursor.take();
  const entry = verbEntry(word);
  if (entry === undefined) {
    const known = word !== undefined && !isItem(word) && numberOf(word) === undefined;
    throw new TaskFault(known ? 'schema' : 'unparseable', l10n.t('{0}: expected a verb, {1}', where, shown(word)));
  }
  const item = cursor.take();
  if (!isItem(item)) throw unparseable(l10n.t('{0}: expected an item, {1}', where, shown(item)));
  return { verb: entry.verb, item, value: takesValue(entry.concept) ? parseExpression(cursor, where) : null };
}

/**
 * Reads a body; grammar only, `checkBody` and `execute` judge what it says.
 * @throws TaskFault `unparseable`, `schema` (a word that is no verb where a verb stands) or `too-long`
 */
export function parseBody(text: readonly string[]): Body {
  const start = text.indexOf('REQ') + 1;
  if (start === 0) throw unparseable(l10n.t('no REQ in the text'));
  const menu = parseMenu(new Cursor(text.slice(0, start)));
  const request: string[] = [];
  const placed: PlacedFiller[] = [];
  for (const word of text.slice(start)) {
    if (isFiller(word)) placed.push({ before: request.length, word });
    else request.push(word);
  }
  const cursor = new Cursor(request);
  const steps: Step[] = [];
  while (!cursor.done) steps.push(parseStep(cursor, steps.length));
  return { menu, steps, fillers: placed };
}

/** Rules that need no execution: menu entries different and used for what they serve, at least one step. @throws TaskFault `schema` */
export function checkBody(body: Body): void {
  const fault = (note: string) => new TaskFault('schema', note);
  if (body.menu.length === 0) throw fault(l10n.t('the menu is empty'));
  if (body.steps.length === 0) throw fault(l10n.t('the request has no steps'));
  const served = new Set<Concept>();
  const names = new Set<FunctionName>();
  for (const { concept, name } of body.menu) {
    if (served.has(concept)) throw fault(l10n.t('the menu offers {0} twice', concept));
    if (names.has(name)) throw fault(l10n.t('the menu uses {0} twice', name));
    served.add(concept);
    names.add(name);
  }
  for (const [i, step] of body.steps.entries()) {
    const concept = conceptOf(step.verb);
    if (!served.has(concept))
      throw fault(l10n.t('step {0} ("{1}") needs {2}, which is not on the menu', i + 1, step.verb, concept));
  }
}

/** Measures of a task's difficulty that people can read. */
export function complexityOf(body: Body): Record<string, number> {
  const used = new Set(body.steps.map((step) => conceptOf(step.verb)));
  return {
    steps: body.steps.length,
    menu: body.menu.length,
    distractors: body.menu.filter(({ concept }) => !used.has(concept)).length,
    fillers: body.fillers.length,
    expressions: body.steps.filter(({ value }) => value !== null && value.kind !== 'number').length,
    items: new Set(body.steps.map(({ item }) => item)).size,
  };
}

/** Distinct items in the order in which the request names them. */
export function itemsOf(body: Body): Item[] {
  return [...new Set(body.steps.map(({ item }) => item))];
}
