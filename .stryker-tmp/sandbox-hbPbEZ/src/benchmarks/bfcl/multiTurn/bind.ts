/** Arguments to parameters, with Python's complaints. */
import { PythonFault } from '../python/fault.ts';
import type { Value } from '../python/value.ts';
import type { Given, Method } from './api.ts';

/** @param name of the method with its class @throws PythonFault */
export function bind(
  name: string,
  { parameters }: Method,
  positional: readonly Value[],
  keywords: readonly (readonly [string, Value])[],
): Given {
  const complain = (what: string): PythonFault => new PythonFault('type', `${name}() ${what}`);
  const names = parameters.map((one) => (typeof one === 'string' ? one : one[0]));
  const given = new Map<string, Value>();
  for (const [at, value] of positional.slice(0, names.length).entries()) given.set(names[at] ?? '', value);
  for (const [keyword, value] of keywords) {
    if (!names.includes(keyword)) throw complain(`got an unexpected keyword argument '${keyword}'`);
    if (given.has(keyword)) throw complain(`got multiple values for argument '${keyword}'`);
    given.set(keyword, value);
  }
  if (positional.length > names.length) throw complain(tooMany(parameters, positional.length));
  const missing: string[] = [];
  for (const parameter of parameters) {
    if (typeof parameter === 'string') {
      if (!given.has(parameter)) missing.push(`'${parameter}'`);
    } else if (!given.has(parameter[0])) given.set(parameter[0], parameter[1]);
  }
  if (missing.length > 0) {
    const plural = missing.length === 1 ? '' : 's';
    throw complain(`missing ${missing.length} required positional argument${plural}: ${listed(missing)}`);
  }
  return (parameter) => given.get(parameter) ?? null;
}

/** The instance itself counts. */
function tooMany(parameters: Method['parameters'], given: number): string {
  const [least, most] = [parameters.filter((one) => typeof one === 'string').length + 1, parameters.length + 1];
  const takes = least === most ? `${most}` : `from ${least} to ${most}`;
  return `takes ${takes} positional argument${most === 1 ? '' : 's'} but ${given + 1} were given`;
}

function listed(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''}`;
}
