import { binary } from '../../python/arithmetic.ts';
import { isTrue, order } from '../../python/evaluate.ts';
import { PythonFault } from '../../python/fault.ts';
import { str } from '../../python/text/repr.ts';
import { Complex, equal, kindOf, type Value } from '../../python/value.ts';
import { failure, object, type Api, type Method } from '../api.ts';
import { logarithmText } from './logarithm.ts';
import { squareRootText } from './squareRoot.ts';
import { elements, float, isReal, length, less, more, round, sum } from '../values.ts';

const inMetres: Readonly<Record<string, Value>> = { km: 1000n, m: 1n, cm: 0.01, mm: 0.001, um: 1e-6, nm: 1e-9 };

const factors: Readonly<Record<string, Value>> = {
  cm_to_in: 0.393701,
  in_to_cm: 2.54,
  m_to_ft: 3.28084,
  ft_to_m: 0.3048,
  m_to_yd: 1.09361,
  yd_to_m: 0.9144,
  km_to_miles: 0.621371,
  miles_to_km: 1.60934,
  kg_to_lb: 2.20462,
  lb_to_kg: 0.453592,
  celsius_to_fahrenheit: 1.8,
  fahrenheit_to_celsius: 5 / 9,
};

const notNumbers = 'All elements in the list must be numbers';
const bothNumbers = 'Both inputs must be numbers';

/** Calculations; nothing is kept. */
export class MathApi implements Api {
  state(): Record<string, Value> {
    return {};
  }

  readonly methods: Record<string, Method> = {
    logarithm: {
      parameters: ['value', 'base', 'precision'],
      run: (given) => logarithmText(given('value'), given('base'), given('precision')),
    },
    mean: listed('Cannot calculate mean of an empty list', mean),
    standard_deviation: listed('Cannot calculate standard deviation of an empty list', deviation),
    si_unit_conversion: {
      parameters: ['value', 'unit_in', 'unit_out'],
      run: (given) => convertSi(given('value'), given('unit_in'), given('unit_out')),
    },
    imperial_si_conversion: {
      parameters: ['value', 'unit_in', 'unit_out'],
      run: (given) => convertImperial(given('value'), given('unit_in'), given('unit_out')),
    },
    add: { parameters: ['a', 'b'], run: (given) => typed(bothNumbers, () => binary('+', given('a'), given('b'))) },
    subtract: { parameters: ['a', 'b'], run: (given) => typed(bothNumbers, () => binary('-', given('a'), given('b'))) },
    multiply: {
      parameters: ['a', 'b'],
      run: (given) => {
        if (!isReal(given('a')) || !isReal(given('b'))) return failure(bothNumbers);
        return object({ result: binary('*', given('a'), given('b')) });
      },
    },
    divide: {
      parameters: ['a', 'b'],
      run: (given) => {
        if (equal(given('b'), 0n)) return failure('Cannot divide by zero');
        return typed(bothNumbers, () => binary('/', given('a'), given('b')));
      },
    },
    power: {
      parameters: ['base', 'exponent'],
      run: (given) => typed(bothNumbers, () => binary('**', given('base'), given('exponent'))),
    },
    square_root: {
      parameters: ['number', 'precision'],
      run: (given) => squareRootText(given('number'), given('precision')),
    },
    absolute_value: {
      parameters: ['number'],
      run: (given) => typed('Input must be a number', () => absolute(given('number'))),
    },
    round_number: {
      parameters: ['number', ['decimal_places', 0n]],
      run: (given) =>
        typed('First input must be a number, second input must be an integer', () =>
          round(given('number'), given('decimal_places')),
        ),
    },
    percentage: {
      parameters: ['part', 'whole'],
      run: (given) => {
        if (equal(given('whole'), 0n)) return failure('Whole value cannot be zero');
        return typed(bothNumbers, () => binary('*', binary('/', given('part'), given('whole')), 100n));
      },
    },
    min_value: listed('Cannot find minimum of an empty list', (values) => extreme(values, less)),
    max_value: listed('Cannot find maximum of an empty list', (values) => extreme(values, more)),
    sum_values: listed('Cannot calculate sum of an empty list', sum),
  };
}

/** A TypeError becomes the tool's own complaint. */
function typed(complaint: string, calculate: () => Value): Value {
  try {
    return object({ result: calculate() });
  } catch (error) {
    if (error instanceof PythonFault && error.reason === 'type') return failure(complaint);
    throw error;
  }
}

function listed(ofEmpty: string, calculate: (values: Value) => Value): Method {
  return {
    parameters: ['numbers'],
    run: (given) => {
      const numbers = given('numbers');
      return isTrue(numbers) ? typed(notNumbers, () => calculate(numbers)) : failure(ofEmpty);
    },
  };
}

const mean = (values: Value): Value => binary('/', sum(values), BigInt(length(values)));

function deviation(values: Value): Value {
  const middle = mean(values);
  const squares = elements(values).map((value) => binary('**', binary('-', value, middle), 2n));
  const variance = float(binary('/', sum(squares), BigInt(length(values))));
  if (variance < 0) throw new PythonFault('value', 'math domain error');
  return Math.sqrt(variance);
}

function extreme(values: Value, isBetter: (value: Value, than: Value) => boolean): Value {
  const [first = null, ...rest] = elements(values);
  return rest.reduce((best, value) => (isBetter(value, best) ? value : best), first);
}

function absolute(value: Value): Value {
  if (typeof value === 'number') return Math.abs(value);
  if (value instanceof Complex) return Math.hypot(value.real, value.imaginary);
  if (!isReal(value)) throw new PythonFault('type', `bad operand type for abs(): '${kindOf(value)}'`);
  return order(value, 0n) < 0 ? binary('-', 0n, value) : binary('+', 0n, value);
}

const member = (table: Readonly<Record<string, Value>>, name: Value): Value | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

const unsupported = (from: Value, to: Value): Value =>
  failure(`Conversion from '${str(from)}' to '${str(to)}' is not supported`);

function convertSi(value: Value, from: Value, to: Value): Value {
  if (!isReal(value)) return failure('Value must be a number');
  const [up, down] = [member(inMetres, from), member(inMetres, to)];
  if (up === undefined || down === undefined) return unsupported(from, to);
  return object({ result: binary('*', binary('*', value, up), binary('/', 1n, down)) });
}

function convertImperial(value: Value, from: Value, to: Value): Value {
  if (!isReal(value)) return failure('Value must be a number');
  if (equal(from, to)) return object({ result: value });
  const factor = member(factors, `${str(from)}_to_${str(to)}`);
  if (factor === undefined) return unsupported(from, to);
  if (from === 'celsius') return object({ result: binary('+', binary('*', value, factor), 32n) });
  if (from === 'fahrenheit') return object({ result: binary('*', binary('-', value, 32n), factor) });
  return object({ result: binary('*', value, factor) });
}
