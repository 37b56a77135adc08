/** One call of a function by its name: its request to the process, and the interpretation of the reply. */
import type { RewardFault } from '../../shared/rewards/outcome.ts';
import type { Called } from './callWorker.ts';

/** A function's result, or why there is none; `output` is the text it printed, cut at 8,000 characters. */
export type NamedReply = { value: unknown; output: string } | { fault: RewardFault; output: string };

/** Arguments travel as JSON. */
export const namedCall = (name: string, given: readonly unknown[]): [object, Called<NamedReply>] => [
  { call: name, given },
  {
    answered: (reply, output) =>
      reply.t === 'gave' ? { value: reply.value, output } : { fault: faultOf(reply), output },
    failed: (fault, output) => ({ fault, output }),
  },
];

const faultOf = ({ reason, message, stack, at }: RewardFault): RewardFault => ({ reason, message, stack, at });
