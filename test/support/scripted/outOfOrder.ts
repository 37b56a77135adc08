/** A policy that answers the last request first, as servers do that answer whichever is ready. */
import type { PolicyVersion, SampleRequest } from '../../../src/engine/ports.ts';
import { ScriptedPolicy } from './scriptedPolicy.ts';

export class OutOfOrder extends ScriptedPolicy {
  override readonly capabilities = { ...new ScriptedPolicy('agent', 0).capabilities, deterministic: false };

  /** The last first, and nothing more once it is not wanted. */
  override async *sample(version: PolicyVersion, requests: readonly SampleRequest[], signal: AbortSignal) {
    const answers = await Array.fromAsync(super.sample(version, requests, signal));
    for (const answer of answers.reverse()) {
      signal.throwIfAborted();
      yield answer;
    }
  }
}
