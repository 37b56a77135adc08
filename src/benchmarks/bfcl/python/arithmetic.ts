/** Python's binary operators on values. */
import { complexArithmetic } from './complex.ts';
import { PythonFault } from './fault.ts';
import { divideInts, powFloats, toFloat } from './float.ts';
import { percentFormat } from './text/percent.ts';
import type { BinaryOperator } from './syntax.ts';
import { Bytes, Complex, Dict, kindOf, Tuple, type Value } from './value.ts';

/** Limits: beyond them Python would take minutes, or all memory. */
const most = { bits: 1_000_000, items: 10_000_000 };

/** `left operator right`. @throws PythonFault */
export function binary(operator: BinaryOperator, left: Value, right: Value): Value {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== null && b !== null) {
    if (typeof left === 'boolean' && typeof right === 'boolean' && '|^&'.includes(operator)) {
      return operator === '|' ? left || right : operator === '&' ? left && right : left !== right;
    }
    if (typeof a === 'bigint' && typeof b === 'bigint') return ints(operator, a, b);
    if (a instanceof Complex || b instanceof Complex) return complexArithmetic(operator, toComplex(a), toComplex(b));
    return floats(operator, typeof a === 'bigint' ? toFloat(a) : a, typeof b === 'bigint' ? toFloat(b) : b);
  }
  if (operator === '%' && typeof left === 'string') return percentFormat(left, right);
  const joined = operator === '+' ? concatenated(left, right) : null;
  if (joined !== null) return joined;
  if (operator === '*' && typeof b === 'bigint') return repeated(left, b);
  if (operator === '*' && typeof a === 'bigint') return repeated(right, a);
  if (operator === '|' && left instanceof Dict && right instanceof Dict) return Dict.of([...left, ...right]);
  throw unsupported(operator, left, right);
}

const unsupported = (operator: string, left: Value, right: Value): PythonFault =>
  new PythonFault('type', `unsupported operand type(s) for ${operator}: '${kindOf(left)}' and '${kindOf(right)}'`);

/** Null for what is no number. */
function numberOf(value: Value): bigint | number | Complex | null {
  if (typeof value === 'boolean') return BigInt(value);
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Complex ? value : null;
}

function toComplex(value: bigint | number | Complex): Complex {
  if (value instanceof Complex) return value;
  return new Complex(typeof value === 'bigint' ? toFloat(value) : value, 0);
}

function ints(operator: BinaryOperator, a: bigint, b: bigint): Value {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return divideInts(a, b);
    case '//':
      return floorDivide(a, b);
    case '%':
      return a - floorDivide(a, b) * b;
    case '**':
      return power(a, b);
    case '<<':
    case '>>':
      return shift(a, operator === '<<' ? b : -b, b < 0n);
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '@':
      throw unsupported(operator, a, b);
  }
}

/** @throws PythonFault */
function floorDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new PythonFault('value', 'integer division or modulo by zero');
  const quotient = a / b;
  return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function power(base: bigint, exponent: bigint): Value {
  if (exponent < 0n) return powFloats(toFloat(base), toFloat(exponent));
  if (base === 1n || base === 0n || base === -1n) return base ** (exponent > 1n ? 2n - (exponent % 2n) : exponent);
  if (exponent * BigInt(base.toString(2).length) > BigInt(most.bits)) throw new PythonFault('value', 'too large');
  return base ** exponent;
}

function shift(value: bigint, bits: bigint, isNegative: boolean): bigint {
  if (isNegative) throw new PythonFault('value', 'negative shift count');
  if (bits > BigInt(most.bits)) {
    if (value !== 0n) throw new PythonFault('value', 'too large');
    return 0n;
  }
  return value << bits;
}

function floats(operator: BinaryOperator, a: number, b: number): Value {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      if (b === 0) throw new PythonFault('value', 'float division by zero');
      return a / b;
    case '//':
      return divideFloats(a, b)[0];
    case '%':
      return divideFloats(a, b)[1];
    case '**':
      if (a < 0 && Number.isFinite(b) && !Number.isInteger(b)) {
        return complexArithmetic('**', new Complex(a, 0), new Complex(b, 0));
      }
      return powFloats(a, b);
    default:
      throw unsupported(operator, a, b);
  }
}

/** `divmod(a, b)`. @throws PythonFault */
function divideFloats(a: number, b: number): [quotient: number, remainder: number] {
  if (b === 0) throw new PythonFault('value', 'float floor division by zero');
  let remainder = a % b;
  let quotient = (a - remainder) / b;
  if (remainder === 0) remainder = b < 0 ? -0 : 0;
  else if (b < 0 !== remainder < 0) {
    remainder += b;
    quotient -= 1;
  }
  if (quotient === 0) return [a / b < 0 || Object.is(a / b, -0) ? -0 : 0, remainder];
  const floor = Math.floor(quotient);
  return [quotient - floor > 0.5 ? floor + 1 : floor, remainder];
}

function concatenated(left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (left instanceof Tuple && right instanceof Tuple) return new Tuple([...left.items, ...right.items]);
  if (left instanceof Bytes && right instanceof Bytes) return new Bytes(left.latin1 + right.latin1);
  return null;
}

function repeated(value: Value, times: bigint): Value {
  const count = times < 0n ? 0n : times;
  const checked = (size: number): number => {
    if (BigInt(size) * count > BigInt(most.items)) throw new PythonFault('value', 'too large');
    return size === 0 ? 0 : Number(count);
  };
  if (typeof value === 'string') return value.repeat(checked(value.length));
  if (value instanceof Bytes) return new Bytes(value.latin1.repeat(checked(value.latin1.length)));
  const items = (of: readonly Value[]): Value[] => Array.from({ length: checked(of.length) }, () => of).flat();
  if (Array.isArray(value)) return items(value);
  if (value instanceof Tuple) return new Tuple(items(value.items));
  throw unsupported('*', value, times);
}
