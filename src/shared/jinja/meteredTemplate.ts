/** Jinja templates, which come with other people's data and models: `@huggingface/jinja` with a limit on its work. */
import * as l10n from '@vscode/l10n';
import { Environment, Interpreter, Template, type Syntax, type Value } from '@huggingface/jinja';
import { isObject } from '../experiment/resolve.ts';
import { hasLongIntegers, LongInteger, rounded } from '../longInteger.ts';
import { Meter } from './meter.ts';
import { TemplateError } from './templateError.ts';
import { messageOf } from '../messageOf.ts';
import { count } from '../text/figures/numbers.ts';

/** Chat templates have up to 30,000 characters. */
const mostCharacters = 1_000_000;

export class MeteredTemplate {
  readonly parsed: Syntax;
  /** Expressions that a loop goes over. */
  readonly #looped = new WeakSet<object>();

  /** @throws TemplateError `syntax`, `too-large` */
  constructor(source: string) {
    if (source.length > mostCharacters) {
      throw new TemplateError('too-large', l10n.t('it has {0} characters', count(source.length)));
    }
    try {
      this.parsed = new Template(source).parsed;
      this.#noteLoops(this.parsed);
    } catch (error) {
      throw new TemplateError('syntax', clauseOf(error), { cause: error });
    }
  }

  /** @throws TemplateError `too-slow`, `too-large`, `values` */
  render(values: Readonly<Record<string, unknown>>): string {
    const meter = new Meter();
    try {
      const environment = environmentOf(values, meter);
      const { value } = new MeteredInterpreter(environment, meter, this.#looped).run(this.parsed);
      return String(value);
    } catch (error) {
      if (error instanceof TemplateError) throw error;
      throw new TemplateError('values', clauseOf(error), { cause: error });
    }
  }

  #noteLoops(node: unknown): void {
    if (Array.isArray(node)) for (const child of node) this.#noteLoops(child);
    if (!isObject(node)) return;
    const { type, iterable } = node;
    if (type === 'For' && isObject(iterable)) {
      this.#looped.add(iterable);
      if (isObject(iterable['lhs'])) this.#looped.add(iterable['lhs']);
    }
    for (const child of Object.values(node)) this.#noteLoops(child);
  }
}

class MeteredInterpreter extends Interpreter {
  readonly #meter: Meter;
  readonly #looped: WeakSet<object>;

  constructor(environment: Environment, meter: Meter, looped: WeakSet<object>) {
    super(environment);
    this.#meter = meter;
    this.#looped = looped;
  }

  override evaluate(statement: Syntax | undefined, environment: Environment): Value {
    this.#meter.spend(1);
    const value = super.evaluate(statement, environment);
    this.#meter.meet(value, statement !== undefined && this.#looped.has(statement));
    return value;
  }
}

/** The names that every template knows, as the package gives them to its own. */
function environmentOf(values: Readonly<Record<string, unknown>>, meter: Meter): Environment {
  const environment = new Environment();
  const longs = new Map<string, LongInteger>();
  const known = {
    ...{ false: false, true: true, none: null, False: false, True: true, None: null },
    raise_exception: (what: unknown): never => {
      throw new Error(String(what));
    },
    range: (...bounds: unknown[]) => rangeOf(bounds, meter),
    strftime_now: (format: unknown) => new Template('{{ strftime_now(format) }}').render({ format }),
  };
  for (const [name, value] of Object.entries({ ...known, ...values })) {
    if (hasLongIntegers(value)) keepDigits(value, environment.set(name, rounded(value)), longs);
    else environment.set(name, value);
  }
  return environment;
}

/** The package's numbers hold any object that is a number to operators. It compares objects by identity: equal ones become one. */
function keepDigits(value: unknown, known: unknown, longs: Map<string, LongInteger>): void {
  if (!isValue(known)) return;
  const { value: inner } = known;
  if (value instanceof LongInteger) {
    const one = longs.get(String(value)) ?? value;
    longs.set(String(value), one);
    known.value = one;
  } else if (Array.isArray(value) && Array.isArray(inner)) {
    for (const [i, item] of value.entries()) keepDigits(item, inner[i], longs);
  } else if (isObject(value) && inner instanceof Map) {
    for (const [key, item] of Object.entries(value)) keepDigits(item, inner.get(key), longs);
  }
}

const isValue = (known: unknown): known is Value =>
  typeof known === 'object' && known !== null && 'type' in known && 'value' in known;

function rangeOf([first, second, by]: readonly unknown[], meter: Meter): number[] {
  const [start, stop] = second === undefined ? [0, Number(first)] : [Number(first), Number(second)];
  const step = by === undefined ? 1 : Number(by);
  if (step === 0) throw new Error(l10n.t('range() step must not be zero'));
  const numbers: number[] = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) {
    meter.spend(1);
    numbers.push(i);
  }
  return numbers;
}

/** V8's message for too deep nesting refers to its own stack. */
function clauseOf(error: unknown): string {
  if (error instanceof RangeError && error.message.includes('call stack')) return l10n.t('it is nested too deeply');
  return messageOf(error);
}
