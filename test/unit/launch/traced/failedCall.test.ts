import assert from 'node:assert/strict';
import type { Ports } from '../../../../src/engine/ports.ts';
import { RunTraces } from '../../../../src/launch/traced/runTraces.ts';
import type { Span } from '../../../../src/launch/traced/span.ts';
import { LadderDomain, LadderScorer, user } from '../../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import { unreliable } from '../../../support/scripted/unreliablePolicy.ts';

const refusal = 'http://x/v1 refused the request: 400: invalid content in message "My patient John Doe"';

/** The spans of a call that a server refuses with a text of the prompt. */
async function spansOf(content: boolean): Promise<Span[]> {
  const spans: Span[] = [];
  const log = { info: () => undefined, warn: (text: string) => assert.fail(text) };
  const around = { experiment: smallExperiment(), clock: { now: () => 5 }, log };
  const sink = { add: (span: Span) => void spans.push(span), close: () => Promise.resolve() };
  const done = () => Promise.resolve();
  const none = () => Promise.resolve([]);
  const ports: Ports = {
    agent: unreliable(new ScriptedPolicy('agent', 4), { fails: () => refusal }),
    environment: new ScriptedPolicy('environment', 4),
    ...{ domain: new LadderDomain(), scorer: new LadderScorer(), journal: { append: done } },
    records: {
      ...{ appendTasks: done, appendTraces: done, appendCompletions: done },
      ...{ tasksOf: none, tracesOf: none, completionsOf: none },
    },
    ...{ ...around, signal: new AbortController().signal },
  };
  const { agent } = new RunTraces({ run: 'r', content, ...around }, sink).ports(ports);
  const version = await agent.publish('agent@1');
  const request = { id: 'e1.f0.v0', messages: [user('go')], n: 1, seed: 1, maxTokens: 5, temperature: 1 };
  for await (const answer of agent.sample(version, [request], ports.signal)) assert.ok('failure' in answer);
  return spans;
}

describe('the span of a call that failed', () => {
  it('has the server’s text only where texts go along', async () => {
    assert.deepEqual(
      (await spansOf(false)).map(({ error }) => error),
      ['The endpoint failed.'],
    );
    assert.deepEqual(
      (await spansOf(true)).map(({ error }) => error),
      [refusal],
    );
  });
});
