/** Runs whose tokens are paid for. */
import type { Environment } from '../../../src/engine/ports.ts';
import { LadderDomain } from './ladder.ts';

export const pricedServer = {
  ...{ kind: 'tinker' as const, url: 'http://a', key: null, model: 'm', rank: 8, tokenizer: null, inFlight: null },
  ...{ pricePrompt: 1e5, priceSampled: 3e5, priceTrained: 2e5 },
} as const;

/** Plans are written first, and nothing executes golds: they are asked for again. */
export class Unexecuted extends LadderDomain {
  constructor() {
    super({ plans: true });
  }

  needsAgreement(): boolean {
    return true;
  }
}

/** Asked three times before an attempt is over. */
export class ThreeTurns extends LadderDomain {
  override environment(): Environment {
    let turn = 0;
    return {
      reset: () => ({ messages: [], done: false }),
      step: () => {
        turn += 1;
        return { messages: [{ role: 'user', content: `turn ${turn}` }], done: turn === 3 };
      },
    };
  }
}
