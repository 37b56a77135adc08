/** `genenv tokens`: for the command line's table. */
import { json, root, type CommandSpec } from '../../../cli/commandParts.ts';

export const tokensCommands = {
  tokens: {
    summary: 'Show every sampled token of an attempt: log-probability, entropy, ratio, advantage, clip',
    argument: { name: 'RUN', help: 'Id of a run, or the beginning of one; or the folder of an evaluation.' },
    options: {
      trace: { value: 'ID', help: 'The attempt, as “genenv search” names it.' },
      by: { value: 'VERSION', help: 'The ratio is to this version (default: the first kept one after the sampler).' },
      root,
      json,
    },
    examples: [
      'genenv tokens 20261121 --trace e3/e3.f2.v1/r0',
      'genenv tokens 20261121 --trace e3/e3.f2.v1/r0 --by agent@9',
      'genenv tokens .genenv/evaluations/bamboogle --trace b0/q1/r0',
    ],
    notes: [
      'Entropy and ratio are computed by the run’s own versions, where they are embedded and kept.',
      'What is not known is said, and is null with --json.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;
