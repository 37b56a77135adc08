/** Copies of the worker's text functions, taken before the user's code can change the prototypes. */
const { apply } = Reflect;
const [number, text] = [Number, String];

type Method = (...given: unknown[]) => unknown;

function taken(name: 'indexOf' | 'substring'): Method {
  const method: unknown = Reflect.get(String.prototype, name);
  if (isMethod(method)) return method;
  throw new Error(`Unreachable: a text has ${name}.`);
}

const isMethod = (value: unknown): value is Method => typeof value === 'function';

const methods = { indexOf: taken('indexOf'), substring: taken('substring') };

const decode: unknown = Reflect.get(TextDecoder.prototype, 'decode');
const decoder = new TextDecoder();

/** Bytes as text; what is cut within a character waits for its rest. */
export const decoded = (bytes: Uint8Array): string =>
  isMethod(decode) ? text(apply(decode, decoder, [bytes, { stream: true }])) : '';

export const indexOf = (value: string, sought: string, from: number): number =>
  number(apply(methods.indexOf, value, [sought, from]));

export const substring = (value: string, from: number, to: number): string =>
  text(apply(methods.substring, value, [from, to]));
