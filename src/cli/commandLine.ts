/** From the words after `genenv` to a command with its options. */
import { parseArgs } from 'node:util';
import { nearest } from '../shared/experiment/problems/nearest.ts';
import { parseEpochs } from '../shared/text/epochRange.ts';
import type { CommandSpec, OptionSpec } from './commandParts.ts';
import { commands, help, isCommand, type CommandName } from './commandSpec.ts';
import { UsageError } from './usageError.ts';

export class Arguments {
  readonly #values: ReadonlyMap<string, readonly string[]>;
  /** The command's first argument; '' where it takes none. */
  readonly target: string;
  /** The words after it. */
  readonly rest: readonly string[];

  constructor([target = '', ...rest]: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.target = target;
    this.rest = rest;
    this.#values = values;
  }

  has(option: string): boolean {
    return this.#values.has(option);
  }

  text(option: string): string | null {
    return this.#values.get(option)?.at(-1) ?? null;
  }

  all(option: string): readonly string[] {
    return this.#values.get(option) ?? [];
  }

  /** @throws UsageError when it was given and is no whole number, 0 or more */
  count(option: string): number | null {
    const text = this.text(option);
    if (text === null) return null;
    if (!/^\d{1,9}$/.test(text)) {
      throw new UsageError(`--${option} wants a whole number, 0 or more, not "${text}".`, '');
    }
    return Number(text);
  }

  /** The first and the last. @throws UsageError when it was given and names no epochs */
  epochs(option: string): readonly [first: number, last: number] | null {
    const text = this.text(option);
    if (text === null) return null;
    const epochs = parseEpochs(text);
    if (epochs === null) {
      throw new UsageError(`--${option} wants epochs, as 3-7 or 3, not "${text}".`, 'The first one is the smaller.');
    }
    return epochs;
  }
}

export type CommandLine =
  | { kind: 'help'; command: CommandName | null }
  | { kind: 'version' }
  | { kind: 'command'; command: CommandName; arguments: Arguments };

const names = Object.keys(commands);

/** @throws UsageError that names the probable intention */
export function parseCommandLine(words: readonly string[]): CommandLine {
  const cut = words.find((word) => word.includes('\u0000'));
  if (cut !== undefined) {
    throw new UsageError(`"${cut}" has a NUL character in it, which no name of a file has.`, 'Write it without.');
  }
  const [first, ...rest] = words;
  if (first === undefined || first === '--help' || first === '-h') return { kind: 'help', command: null };
  if (first === '--version' || first === '-v') return { kind: 'version' };
  if (first === 'help') return helpFor(rest[0]);
  if (!isCommand(first)) {
    const found = names.find((name) => words.includes(name));
    if (first.startsWith('-') && found !== undefined) {
      throw new UsageError(`"${first}" stands before the command.`, `Write the command first: genenv ${found} …`);
    }
    throw unknownCommand(first);
  }
  return parseOptions(first, rest);
}

function helpFor(name: string | undefined): CommandLine {
  if (name === undefined) return { kind: 'help', command: null };
  if (!isCommand(name)) throw unknownCommand(name);
  return { kind: 'help', command: name };
}

function unknownCommand(word: string): UsageError {
  const near = nearest(word, names);
  return new UsageError(
    `There is no command "${word}".`,
    near === null ? `The commands are ${names.join(', ')}.` : `Did you mean "genenv ${near}"?`,
  );
}

function parseOptions(command: CommandName, words: readonly string[]): CommandLine {
  const spec: CommandSpec = commands[command];
  const known: Record<string, OptionSpec> = { ...spec.options, help };
  const read = spec.rest?.query === true ? withQuery(words, known) : [...words];
  const { tokens } = parseArgs({
    args: read,
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(known).map(([name, { value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', ...(name === 'help' && { short: 'h' }) },
      ]),
    ),
  });
  const values = new Map<string, string[]>();
  const targets: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') targets.push(token.value);
    if (token.kind !== 'option') continue;
    const option = known[token.name];
    if (option === undefined) throw unknownOption(command, token.rawName, Object.keys(known));
    values.set(token.name, [...(values.get(token.name) ?? []), valueOf(token, option)]);
  }
  if (values.has('help')) return { kind: 'help', command };
  for (const [name, given] of values) {
    if (given.length > 1 && known[name]?.value !== undefined && known[name].many !== true) {
      throw new UsageError(`--${name} is given ${given.length} times.`, 'Give it once.');
    }
  }
  return { kind: 'command', command, arguments: new Arguments(checkTargets(command, spec, targets), values) };
}

/** Words of a query may begin with a hyphen, which excludes them: the query goes behind “--”, its command's argument before. */
function withQuery(words: readonly string[], known: Readonly<Record<string, OptionSpec>>): string[] {
  const ended = words.indexOf('--');
  const open = ended < 0 ? words : words.slice(0, ended);
  const isFree = (i: number): boolean => !takesNext(open[i - 1], known);
  const target = open.findIndex((word, i) => !word.startsWith('-') && isFree(i));
  const isQuery = (word: string, i: number): boolean => {
    const isOption = word.startsWith('--') || word === '-' || word === '-h';
    return i !== target && isFree(i) && !isOption;
  };
  const rest = ended < 0 ? [] : words.slice(ended + 1);
  if (target < 0) return open.filter((word, i) => !isQuery(word, i));
  return [...open.filter((word, i) => !isQuery(word, i)), '--', ...open.filter(isQuery), ...rest];
}

/** Whether a word is an option whose value is the next one. */
const takesNext = (word: string | undefined, known: Readonly<Record<string, OptionSpec>>): boolean =>
  word?.startsWith('--') === true && known[word.slice(2)]?.value !== undefined;

function unknownOption(command: CommandName, rawName: string, known: readonly string[]): UsageError {
  const near = nearest(rawName.replace(/^-+/, ''), known);
  return new UsageError(
    `"genenv ${command}" has no option ${rawName}.`,
    near === null ? `See genenv ${command} --help.` : `Did you mean --${near}?`,
  );
}

function valueOf(
  { rawName, value, inlineValue }: { rawName: string; value: string | undefined; inlineValue: boolean | undefined },
  option: OptionSpec,
): string {
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`, `Write ${rawName} alone.`);
    return '';
  }
  // The next option in place of a value is a forgotten value.
  if (value === undefined || (inlineValue !== true && value.startsWith('--'))) {
    throw new UsageError(`${rawName} needs a value.`, `Write ${rawName} ${option.value}.`);
  }
  return value;
}

function checkTargets(
  command: CommandName,
  { argument, rest }: CommandSpec,
  targets: readonly string[],
): readonly string[] {
  const [target, extra] = targets;
  const unwanted = argument === null ? target : rest === undefined ? extra : undefined;
  if (unwanted !== undefined) {
    throw new UsageError(
      `"genenv ${command}" does not know what to do with "${unwanted}".`,
      `See genenv ${command} --help.`,
    );
  }
  if (argument !== null && target === undefined && argument.optional !== true) {
    throw new UsageError(`"genenv ${command}" needs ${argument.name}.`, argument.help);
  }
  return targets;
}
