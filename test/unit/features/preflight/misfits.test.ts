import assert from 'node:assert/strict';
import type { Capabilities } from '../../../../src/engine/ports.ts';
import { misfits } from '../../../../src/features/preflight/node/endpoints.ts';
import { resolveExperiment, type JsonObject } from '../../../../src/shared/experiment/resolve.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';

class Served extends ScriptedPolicy {
  override readonly capabilities: Capabilities;

  constructor(over: Partial<Capabilities>) {
    super('agent', 1);
    this.capabilities = { ...new ScriptedPolicy('agent', 1).capabilities, ...over };
  }
}

function found(rollouts: JsonObject, over: Partial<Capabilities>): string[] {
  const agent = { kind: 'tinker', url: 'http://127.0.0.1:9', model: 'm' };
  const file = { version: 1, name: 'x', preset: 'embedded', mode: 'random', rollouts, endpoints: { agent } };
  const findings = misfits(resolveExperiment(file), 'agent', new Served(over));
  return findings.map(({ severity, field, message, remedy }) => `${severity} ${field}: ${message} ${remedy}`);
}

describe('the checks of an endpoint against the lengths of an experiment', () => {
  it('warn where a bound leaves no room for the token that scoring takes', () => {
    const served = { maxContext: 4096, longest: 4095 };
    assert.deepEqual(found({ maxSequence: 4095 }, served), []);
    assert.deepEqual(found({ maxSequence: null }, served), []);
    assert.match(
      found({ maxSequence: 4096 }, served).join('\n'),
      /^warning rollouts\.maxSequence: .* = 4,096 leaves no room for the one token .* get 4,095\. Set .* to 4095 or less/,
    );
    assert.deepEqual(found({ maxSequence: 4096 }, { maxContext: 4096, longest: 4096 }), []);
  });

  it('refuse answers that no prompt fits beside only where they are not cut', () => {
    assert.match(found({ maxTokens: 4096 }, { maxContext: 4096 }).join(), /^error rollouts\.maxTokens: /);
    assert.match(
      found({ maxTokens: 4096 }, { maxContext: 4096, longest: 4095 }).join(),
      /^warning rollouts\.maxTokens: /,
    );
  });
});
