/** One call of a function by its name: its request to the process, and the interpretation of the reply. */
import type { RewardFault } from '../../shared/rewards/outcome.ts';
import { asNumbers } from '../../shared/writtenNumbers.ts';
import type { Called } from './callWorker.ts';

/**
 * A function's result, or why there is none. `written` is the value with its numbers as Python wrote them (`parseAsWritten`);
 * `output` is the text it printed, cut at 8,000 characters.
 */
export type NamedReply = { value: unknown; written: unknown; output: string } | { fault: RewardFault; output: string };

/** Arguments travel as JSON. */
export const namedCall = (name: string, given: readonly unknown[]): [object, Called<NamedReply>] => [
  { call: name, given },
  {
    answered: (reply, output) =>
      reply.t === 'gave'
        ? { value: asNumbers(reply.value), written: reply.value, output }
        : { fault: faultOf(reply), output },
    failed: (fault, output) => ({ fault, output }),
  },
];

const faultOf = ({ reason, message, stack, at }: RewardFault): RewardFault => ({ reason, message, stack, at });
