/**
 * The calculation below a story: one expression, or a short program of lines `name = expression`. It is executed here, in
 * exact fractions and within limits; nothing that a model wrote is run as code.
 */

/** An exact fraction; the denominator is positive. */
interface Fraction {
  above: bigint;
  below: bigint;
}

/** The result of a calculation. */
export interface Executed {
  /** Of the last line, as decimals: `31`, `12.5`. */
  value: string;
  /** Operations over all lines. */
  steps: number;
  /** Every number that is written in it, in order, but for results of lines above, which people write out again. */
  numbers: readonly number[];
}

/** Why a calculation has no value, as a clause. */
export class CalculationError extends Error {
  override readonly name = 'CalculationError';
  readonly reason = 'calculation';
}

const most = { lines: 12, characters: 200, steps: 20, digits: 12, result: 10n ** 9n, parts: 10n ** 60n };

/** @throws CalculationError */
export function execute(text: string): Executed {
  const lines = text
    .split(/[\n;]/)
    .map(plain)
    .filter((line) => line !== '');
  if (lines.length === 0) throw new CalculationError('there is no calculation');
  if (lines.length > most.lines) throw new CalculationError(`the calculation has more than ${most.lines} lines`);
  const names = new Map<string, Fraction>();
  const numbers: number[] = [];
  const results = new Set<number>();
  let [steps, value] = [0, whole(0n)];
  for (const line of lines) {
    if (line.length > most.characters) throw new CalculationError('a line of the calculation is too long');
    const { name, expression, claims } = partsOf(line);
    const reading = new Reading(expression, names);
    value = reading.value();
    steps += reading.steps;
    for (const number of reading.numbers) if (!results.has(number)) numbers.push(number);
    results.add(about(value));
    for (const claim of claims) checkClaim(claim, value, line);
    if (name !== null) names.set(name, value);
  }
  if (steps > most.steps) throw new CalculationError(`the calculation has ${steps} steps; ${most.steps} are allowed`);
  return { value: decimals(value), steps, numbers };
}

/** As a keyboard has it: signs of multiplication, LaTeX, currencies and commas between groups of three. */
function plain(line: string): string {
  return line
    .replaceAll(/[×✕·∙⋅]|\\times|\\cdot/g, '*')
    .replaceAll(/÷|\\div/g, '/')
    .replaceAll(/[−–]/g, '-')
    .replaceAll(/\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}/g, '(($1)/($2))')
    .replaceAll(/\\text\{[^{}]*\}|\\left|\\right|\\[()[\],!]|[`$€£]/g, '')
    .replaceAll('\\%', '%')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+(?=\S)/, '')
    .replace(/[.,;\s]+$/, '')
    .trim();
}

/** `total = 3 * 12 = 36 pencils`: a name, an expression, and its claimed result. */
function partsOf(line: string): { name: string | null; expression: string; claims: string[] } {
  const parts = line.split('=').map((part) => part.trim());
  const [first = '', ...rest] = parts;
  const named = rest.length > 0 && /^[a-z_][a-z_0-9 ]*$/i.test(first);
  const [expression = '', ...claims] = named ? rest : parts;
  return { name: named ? nameOf(first) : null, expression, claims };
}

const nameOf = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, '_');

/** @throws CalculationError when a line claims another result */
function checkClaim(claim: string, value: Fraction, line: string): void {
  const said = /^(-?\d+(?:\.\d+)?)\s*[%a-z ]*$/i.exec(claim)?.[1];
  if (said === undefined) throw new CalculationError(`“${line}” is no arithmetic`);
  if (Math.abs(Number(said) - about(value)) > 0.005) throw new CalculationError(`“${line}” comes to ${shown(value)}`);
}

/** One expression: + - * / and brackets over numbers, percentages and names of earlier lines. */
class Reading {
  steps = 0;
  readonly numbers: number[] = [];
  readonly #tokens: readonly string[];
  readonly #names: ReadonlyMap<string, Fraction>;
  #at = 0;

  constructor(text: string, names: ReadonlyMap<string, Fraction>) {
    // Names of two words are one token, as they are one variable.
    const known = [...names.keys()].filter((name) => name.includes('_'));
    const joined = known.reduce(
      (left, name) => left.replaceAll(new RegExp(`\\b${name.replaceAll('_', '[ _]')}\\b`, 'gi'), name),
      text,
    );
    this.#tokens = joined.match(/\d+(?:\.\d+)?|\.\d+|[a-z_]\w*|\*\*|[^\s]/gi) ?? [];
    this.#names = names;
  }

  /** @throws CalculationError */
  value(): Fraction {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw this.#unread();
    return value;
  }

  #sum(): Fraction {
    let value = this.#product();
    for (let sign = this.#operator('+-'); sign !== null; sign = this.#operator('+-')) {
      const other = this.#product();
      const more = sign === '+' ? other.above : -other.above;
      value = bounded({ above: value.above * other.below + more * value.below, below: value.below * other.below });
    }
    return value;
  }

  #product(): Fraction {
    let value = this.#factor();
    for (let sign = this.#operator('*/'); sign !== null; sign = this.#operator('*/')) {
      const other = this.#factor();
      if (sign === '/' && other.above === 0n) throw new CalculationError('the calculation divides by zero');
      const [above, below] = sign === '*' ? [other.above, other.below] : [other.below, other.above];
      value = bounded({ above: value.above * above, below: value.below * below });
    }
    return value;
  }

  #factor(): Fraction {
    const token = this.#tokens[this.#at++];
    if (token === '-') {
      const { above, below } = this.#factor();
      return { above: -above, below };
    }
    if (token === '(') {
      const value = this.#sum();
      if (this.#tokens[this.#at++] !== ')') throw new CalculationError('a bracket of the calculation is not closed');
      return this.#percent(value);
    }
    if (token !== undefined && /^[\d.]/.test(token)) return this.#percent(this.#number(token));
    const known = token === undefined ? undefined : this.#names.get(token.toLowerCase());
    if (known !== undefined) return known;
    this.#at -= 1;
    throw this.#unread();
  }

  #number(token: string): Fraction {
    const [digits = '', behind = ''] = token.split('.');
    if (digits.length + behind.length > most.digits) throw new CalculationError(`${token} has too many digits`);
    this.numbers.push(Number(token));
    return {
      above: BigInt(`${digits}${behind}` === '' ? 0 : `${digits}${behind}`),
      below: 10n ** BigInt(behind.length),
    };
  }

  #percent(value: Fraction): Fraction {
    if (this.#tokens[this.#at] !== '%') return value;
    this.#at += 1;
    return bounded({ above: value.above, below: value.below * 100n });
  }

  /** The next token where it is one of these. */
  #operator(signs: string): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.length !== 1 || !signs.includes(token)) return null;
    this.#at += 1;
    this.steps += 1;
    return token;
  }

  #unread(): CalculationError {
    const token = this.#tokens[this.#at];
    return new CalculationError(
      token === undefined
        ? 'the calculation breaks off'
        : `“${token.slice(0, 30)}” in the calculation is no arithmetic`,
    );
  }
}

const whole = (above: bigint): Fraction => ({ above, below: 1n });

/** In lowest terms, its sign above. @throws CalculationError */
function bounded({ above, below }: Fraction): Fraction {
  let [a, b] = [above < 0n ? -above : above, below < 0n ? -below : below];
  while (b > 0n) [a, b] = [b, a % b];
  const sign = below < 0n ? -1n : 1n;
  const value = a === 0n ? whole(0n) : { above: (sign * above) / a, below: (sign * below) / a };
  if (value.below > most.parts || value.above > most.parts || -value.above > most.parts)
    throw new CalculationError('the numbers of the calculation grow too large');
  return value;
}

const about = ({ above, below }: Fraction): number => Number(above) / Number(below);
const shown = (value: Fraction): string => String(Number(about(value).toPrecision(9)));

/** @throws CalculationError where the result cannot be a story's answer */
function decimals(value: Fraction): string {
  const { above, below } = value;
  if (above < 0n) throw new CalculationError(`the calculation comes to ${shown(value)}, less than zero`);
  if (above > most.result * below) throw new CalculationError('the calculation comes to more than 1,000,000,000');
  if ((above * 100n) % below !== 0n)
    throw new CalculationError(`the calculation comes to ${shown(value)}, which has more than two decimals`);
  const hundredths = String((above * 100n) / below).padStart(3, '0');
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`.replace(/\.?0+$/, '');
}
