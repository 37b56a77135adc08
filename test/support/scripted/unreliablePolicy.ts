/** A policy some of whose completions fail for good, or that answers several calls at once and in no order. */
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { FailedCompletion, Policy } from '../../../src/engine/ports.ts';
import type { ScriptedPolicy } from './scriptedPolicy.ts';
import type { Completion } from '../../../src/engine/completion.ts';

export interface Unreliability {
  /** Why a completion (`request#index`) fails for good; null when it does not. */
  fails?: (id: string) => string | null;
  /** Whether a completion ends at its limit of tokens. */
  isCut?: (id: string) => boolean;
  /** Thrown instead of the completion: what all requests share. */
  throws?: (id: string) => Error | null;
  /** Without promises about order. */
  unordered?: boolean;
  /** An unrequested answer precedes each answer. */
  strays?: boolean;
  /** Requests of each call of `sample`. */
  onCall?: (requests: readonly string[]) => void;
}

export function unreliable(policy: ScriptedPolicy, how: Unreliability): Policy {
  async function* sample(...[version, requests, signal]: Parameters<Policy['sample']>) {
    assert.ok(requests.length > 0, 'A call that asks for nothing.');
    how.onCall?.(requests.map(({ id }) => id));
    const held: (Completion | FailedCompletion)[] = [];
    for await (const answer of policy.sample(version, requests, signal)) {
      if (how.strays === true) yield { ...answer, requestId: 'nobody' };
      const id = `${answer.requestId}#${answer.index}`;
      const error = how.throws?.(id) ?? null;
      if (error !== null) throw error;
      const failure = how.fails?.(id) ?? null;
      const { requestId, index } = answer;
      const ended = how.isCut?.(id) === true ? { ...answer, stopReason: 'length' as const } : answer;
      const given = failure === null ? ended : { requestId, index, failure };
      if (how.unordered === true) held.unshift(given);
      else yield given;
    }
    for (const answer of held) {
      await turn();
      yield answer;
    }
  }
  return {
    capabilities: { ...policy.capabilities, deterministic: how.unordered !== true },
    publish: (name) => policy.publish(name),
    sample,
    score: (version, sequences) => policy.score(version, sequences),
    accumulate: (data, loss) => policy.accumulate(data, loss),
    render: (messages) => policy.render(messages),
    step: (adam) => policy.step(adam),
    checkpoint: (name) => policy.checkpoint(name),
    restore: async (ref) => unreliable(await policy.restore(ref), how),
    dispose: () => policy.dispose(),
  };
}
