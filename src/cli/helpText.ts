import { largest } from '../shared/extremes.ts';
import type { CommandSpec, OptionSpec } from './commandParts.ts';
import { commands, help, type CommandName } from './commandSpec.ts';

const codes = `Exit codes: 0 done; 1 the run failed or stopped by itself; 2 bad input, nothing was touched;
            130 paused by Ctrl-C.`;

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = largest(rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

const optionName = (name: string, { value }: OptionSpec): string =>
  `--${name}${value === undefined ? '' : ` ${value}`}${name === 'help' ? ', -h' : ''}`;

const wordsOf = ({ argument, rest }: CommandSpec): string[] =>
  [argument, rest].flatMap((one) => (one == null ? [] : [one.name]));

/** `genenv --help`. */
export function generalHelp(version: string): string {
  const rows = Object.entries(commands).map(
    ([name, spec]: [string, CommandSpec]) => [[name, ...wordsOf(spec)].join(' '), spec.summary] as const,
  );
  return `genenv ${version}: difficulty-aligned co-evolution of an environment policy and an agent policy.

Usage: genenv COMMAND …

${columns(rows)}

genenv COMMAND --help says more about one of them.
${codes}
`;
}

/** `genenv COMMAND --help`. */
export function commandHelp(command: CommandName): string {
  const spec: CommandSpec = commands[command];
  const { summary, argument, rest, options, examples, notes = [] } = spec;
  const rows = Object.entries({ ...options, help }).map(
    ([name, option]: [string, OptionSpec]) => [optionName(name, option), option.help] as const,
  );
  const taken = [argument, rest].flatMap((one) => (one == null ? [] : [[one.name, one.help] as const]));
  const target = taken.length === 0 ? '' : `${columns(taken)}\n`;
  return `${summary}${/[.?]$/.test(summary) ? '' : '.'}

Usage: genenv ${[command, ...wordsOf(spec)].join(' ')} [options]

${target}${columns(rows)}

${notes.map((note) => `${note}\n`).join('')}Examples:
${examples.map((example) => `  ${example}`).join('\n')}

${codes}
`;
}
