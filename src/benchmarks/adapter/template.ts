/** Jinja templates of an adapter: `@huggingface/jinja`, as chat templates are written in. */
import * as l10n from '@vscode/l10n';
import { isObject, type JsonObject } from '../../shared/experiment/resolve.ts';
import { MeteredTemplate } from '../../shared/jinja/meteredTemplate.ts';
import { TemplateError } from '../../shared/jinja/templateError.ts';
import { RecordFault, type Scope } from './scope.ts';

/** A template that was read. */
export interface Rendering {
  /** @throws RecordFault when it names something that the record does not have, or cannot be carried out */
  render(scope: Scope): string;
  /** The variables that it takes from its scope, by first name; without those that it sets itself. */
  readonly names: readonly string[];
}

const compiled = new Map<string, Rendering>();
/** Templates are few; what a person types into one, letter by letter, is not. */
const most = 200;

/** @throws TemplateError when it is no template */
export function compileTemplate(source: string): Rendering {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  if (compiled.size >= most) compiled.clear();
  const template = new MeteredTemplate(source);
  const needed = [...namedPaths(template.parsed)];
  const set = new Set([...always, ...boundNames(template.parsed)]);
  const rendering: Rendering = {
    names: [...new Set(usedNames(template.parsed))].filter((name) => !set.has(name)),
    render({ values }) {
      for (const path of needed) {
        const [root = ''] = path;
        // Variables that the template sets are its own.
        if (Object.hasOwn(values, root) && missing(values, path)) {
          throw new RecordFault(l10n.t('the template names {0}, which this record does not have', path.join('.')));
        }
      }
      return carryOut(template, values);
    },
  };
  compiled.set(source, rendering);
  return rendering;
}

function carryOut(template: MeteredTemplate, values: JsonObject): string {
  try {
    return template.render(values);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new RecordFault(l10n.t('the template: {0}', error.message));
  }
}

function missing(values: unknown, path: readonly string[]): boolean {
  let inner = values;
  for (const part of path) {
    // Into a text, a list or a number go the engine's own methods: split, length.
    if (!isObject(inner)) return inner === undefined || inner === null;
    if (!Object.hasOwn(inner, part)) return !methods.has(part);
    inner = inner[part];
  }
  return inner === undefined;
}

/** Variables of every template (`shared/jinja`). */
const always = [
  'true',
  'false',
  'none',
  'True',
  'False',
  'None',
  'range',
  'raise_exception',
  'strftime_now',
  'namespace',
  'loop',
];

/** Names that a template gives values itself: in loops, by `set`, as macros and their arguments. */
function* boundNames(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const child of node) yield* boundNames(child);
  if (!isObject(node)) return;
  const { type } = node;
  if (type === 'For') yield* usedNames(node['loopvar']);
  if (type === 'Set') yield* usedNames(node['assignee']);
  if (type === 'Macro') yield* usedNames([node['name'], node['args']]);
  for (const child of Object.values(node)) yield* boundNames(child);
}

/** First names of everything that is read: `record` of `record.question`. Filters and tests are no names. */
function* usedNames(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const child of node) yield* usedNames(child);
  if (!isObject(node)) return;
  const { type, value } = node;
  if (type === 'Identifier' && typeof value === 'string') yield value;
  for (const [part, child] of Object.entries(node)) {
    const named =
      (type === 'MemberExpression' && part === 'property' && node['computed'] !== true) ||
      (type === 'FilterExpression' && part === 'filter') ||
      (type === 'TestExpression' && part === 'test') ||
      (type === 'KeywordArgumentExpression' && part === 'key');
    if (!named) yield* usedNames(child);
    else if (part === 'filter' && isObject(child) && child['type'] === 'CallExpression')
      yield* usedNames(child['args']);
  }
}

/** Methods of every object in Jinja. */
const methods = new Set(['items', 'keys', 'values', 'get']);

/**
 * `record.question` and the like, wherever the template needs them: the engine itself renders what is missing as
 * nothing, and a prompt without its question would go unnoticed. What is asked about or has a default may be missing.
 */
function* namedPaths(node: unknown): Generator<string[]> {
  if (Array.isArray(node)) for (const child of node) yield* namedPaths(child);
  if (!isObject(node)) return;
  const { type } = node;
  if (type === 'If' || type === 'Ternary' || type === 'SelectExpression' || type === 'TestExpression') return;
  if (type === 'FilterExpression' && JSON.stringify(node['filter']).includes('"default"')) return;
  if (type === 'MemberExpression') {
    const path = memberPath(node);
    if (path !== null) {
      yield path;
      return;
    }
  }
  for (const child of Object.values(node)) yield* namedPaths(child);
}

/** Null where a part of it is worked out. */
function memberPath(node: unknown): string[] | null {
  if (!isObject(node)) return null;
  const { type, object, property, computed } = node;
  if (type === 'Identifier') return typeof node['value'] === 'string' ? [node['value']] : null;
  if (type !== 'MemberExpression' || !isObject(property)) return null;
  const before = memberPath(object);
  const named = computed === true ? property['type'] === 'StringLiteral' : property['type'] === 'Identifier';
  const name = property['value'];
  return before !== null && named && typeof name === 'string' ? [...before, name] : null;
}
