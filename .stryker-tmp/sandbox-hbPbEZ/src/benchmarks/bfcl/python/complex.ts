import { PythonFault } from './fault.ts';
import type { BinaryOperator } from './syntax.ts';
import { Complex } from './value.ts';

/** Python's operators on complex numbers. @throws PythonFault */
export function complexArithmetic(operator: BinaryOperator, a: Complex, b: Complex): Complex {
  switch (operator) {
    case '+':
      return new Complex(a.real + b.real, a.imaginary + b.imaginary);
    case '-':
      return new Complex(a.real - b.real, a.imaginary - b.imaginary);
    case '*':
      return multiply(a, b);
    case '/':
      return divide(a, b);
    case '**':
      return power(a, b);
    default:
      throw new PythonFault('value', `unsupported operand type(s) for ${operator}: 'complex' and 'complex'`);
  }
}

const multiply = (a: Complex, b: Complex): Complex =>
  new Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real);

/** By the larger part of the divisor, as CPython does. */
function divide(a: Complex, b: Complex): Complex {
  if (b.real === 0 && b.imaginary === 0) throw new PythonFault('value', 'complex division by zero');
  if (Math.abs(b.real) >= Math.abs(b.imaginary)) {
    const ratio = b.imaginary / b.real;
    const divisor = b.real + b.imaginary * ratio;
    return new Complex((a.real + a.imaginary * ratio) / divisor, (a.imaginary - a.real * ratio) / divisor);
  }
  const ratio = b.real / b.imaginary;
  const divisor = b.real * ratio + b.imaginary;
  return new Complex((a.real * ratio + a.imaginary) / divisor, (a.imaginary * ratio - a.real) / divisor);
}

function power(a: Complex, b: Complex): Complex {
  if (b.imaginary === 0 && Number.isInteger(b.real) && Math.abs(b.real) <= 100) return wholePower(a, b.real);
  if (a.real === 0 && a.imaginary === 0) {
    if (b.imaginary !== 0 || b.real < 0) throw new PythonFault('value', '0.0 to a negative or complex power');
    return new Complex(b.real === 0 ? 1 : 0, 0);
  }
  const size = Math.hypot(a.real, a.imaginary);
  const angle = Math.atan2(a.imaginary, a.real);
  const length = size ** b.real * (b.imaginary === 0 ? 1 : Math.exp(-angle * b.imaginary));
  const phase = angle * b.real + (b.imaginary === 0 ? 0 : b.imaginary * Math.log(size));
  return new Complex(length * Math.cos(phase), length * Math.sin(phase));
}

function wholePower(base: Complex, exponent: number): Complex {
  let result = new Complex(1, 0);
  let square = base;
  for (let bits = Math.abs(exponent); bits > 0; bits = Math.floor(bits / 2)) {
    if (bits % 2 === 1) result = multiply(result, square);
    square = multiply(square, square);
  }
  return exponent < 0 ? divide(new Complex(1, 0), result) : result;
}
