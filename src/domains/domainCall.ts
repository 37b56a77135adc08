/** One call of a domain's function, as its process is asked, and what its reply comes to. */
import type { Called } from '../rewards/processes/callWorker.ts';
import type { RewardFault } from '../shared/rewards/outcome.ts';
import type { DomainReply } from './domainFunctions.ts';

export const domainCall = (name: string, given: readonly unknown[]): [object, Called<DomainReply>] => [
  { call: name, given },
  {
    answered: (reply, output) =>
      reply.t === 'gave' ? { value: reply.value, output } : { fault: faultOf(reply), output },
    failed: (fault, output) => ({ fault, output }),
  },
];

const faultOf = ({ reason, message, stack, at }: RewardFault): RewardFault => ({ reason, message, stack, at });
