import type { OptionSpec } from '../commandParts.ts';

export const allow: OptionSpec = {
  value: '[NAME@]URL',
  many: true,
  help: 'Let this command send requests to URL, with the key in NAME; may be repeated.',
};
