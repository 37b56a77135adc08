import { isObject } from '../../../shared/experiment/resolve.ts';
import { asciiDigits } from './times.ts';
import { Wrong } from './faults.ts';
import type { Tables } from './tables.ts';

/** The response to a call, or a dialogue's true one. */
export interface Response {
  api_name: string;
  input: Arguments | null;
  output: unknown;
  exception: string | null;
}

/** A truth is as its file has it: what is missing there makes a call wrong. */
export type Truth = Readonly<Record<string, unknown>>;

type Argument = string | bigint | boolean;
export type Arguments = Readonly<Record<string, Argument | null>>;

type Kind = 'text' | 'whole' | 'flag';

/** Lists come as text too: nothing of the official parser makes a list of them. */
interface Parameter {
  kind: Kind;
  /** False where it may be left out. */
  isNeeded: boolean;
}

export interface Tool {
  parameters: Readonly<Record<string, Parameter>>;
  /** Its output. It reads tables and writes none: each call meets them fresh. @throws ToolFault, Wrong */
  call: (given: Given, tables: Tables) => unknown;
  /** Whether a response is the truth. @throws Wrong, and ToolFault for what cannot be brought into its form */
  judge: (response: Response, truth: Truth) => boolean;
}

const parameter = (kind: Kind, isNeeded = true): Parameter => ({ kind, isNeeded });
export const text = parameter('text');
export const whole = parameter('whole');
export const flag = parameter('flag');
export const maybe = ({ kind }: Parameter): Parameter => parameter(kind, false);

/** The arguments of a call, each of the kind that its tool says. */
export class Given {
  readonly values: Arguments;

  /** @throws Wrong for unknown and missing ones, and for what is no number where one is wanted */
  constructor({ parameters }: Pick<Tool, 'parameters'>, texts: ReadonlyMap<string, string>) {
    const values: Record<string, Argument | null> = {};
    for (const [name, value] of texts) {
      const known = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      if (known === undefined) throw new Wrong(`there is no parameter ${name}`);
      values[name] = argumentOf(known.kind, value);
    }
    for (const [name, { isNeeded }] of Object.entries(parameters)) {
      if (isNeeded && values[name] === undefined) throw new Wrong(`${name} is missing`);
    }
    this.values = values;
  }

  text(name: string): string {
    const value = this.values[name];
    return typeof value === 'string' ? value : '';
  }

  /** Null when it was left out. */
  maybeText(name: string): string | null {
    const value = this.values[name];
    return typeof value === 'string' ? value : null;
  }

  whole(name: string): bigint {
    const value = this.values[name];
    return typeof value === 'bigint' ? value : 0n;
  }
}

function argumentOf(kind: Kind, value: string): Argument {
  if (kind === 'text') return value;
  if (kind === 'flag') return value === 'True';
  if (!/^\p{Nd}+$/u.test(value)) throw new Wrong(`"${value}" is no number`);
  return BigInt(asciiDigits(value));
}

/** A member of a truth, or of its input. @throws Wrong when there is none */
export function member(value: unknown, name: string): unknown {
  if (isObject(value) && Object.hasOwn(value, name)) return value[name];
  throw new Wrong(`the truth has no ${name}`);
}
