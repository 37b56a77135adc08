/** Policies on fake servers, opened as a run opens them, and closed together. */
import { machineTime, type Time } from '../../../src/endpoints/time.ts';
import type { FailedCompletion, Policy, SampleRequest } from '../../../src/engine/ports.ts';
import { environmentKeys } from '../../../src/launch/access/keys.ts';
import { openOpenai } from '../../../src/launch/policies/openOpenai.ts';
import { Schedulers } from '../../../src/launch/policies/schedulers.ts';
import { endpointDefaults, type OpenaiEndpoint } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { FakeServer, type Kind } from './fakeServer.ts';
import { fromSources } from '../fromSources.ts';
import type { Completion } from '../../../src/engine/completion.ts';

export class OpenedPolicies {
  readonly signal = new AbortController().signal;
  /** Lines of their logs. */
  readonly said: string[] = [];
  readonly #servers: FakeServer[] = [];
  readonly #policies: Policy[] = [];

  async start(kind: Kind, prepare: (server: FakeServer) => void = () => undefined): Promise<FakeServer> {
    const server = new FakeServer(kind);
    prepare(server);
    this.#servers.push(server);
    return server.start();
  }

  async open(over: Partial<OpenaiEndpoint>, time: Time = machineTime): Promise<Policy> {
    const needs = {
      ...{ dir: '', run: 'run', dist: fromSources, time, schedulers: new Schedulers(time) },
      log: { info: (text: string) => this.said.push(text), warn: (text: string) => this.said.push(text) },
      ...{ keys: environmentKeys({}), signal: this.signal },
    };
    const policy = await openOpenai({ ...endpointDefaults.openai, model: 'qwen', ...over }, 'agent', needs);
    this.#policies.push(policy);
    return policy;
  }

  /** Completions of one request. */
  async sample(policy: Policy, request: Partial<SampleRequest>): Promise<(Completion | FailedCompletion)[]> {
    const whole: SampleRequest = {
      ...{
        id: 'a',
        messages: [{ role: 'user', content: 'one two three' }],
        n: 1,
        seed: 5,
        maxTokens: 8,
        temperature: 1,
      },
      ...request,
    };
    return Array.fromAsync(policy.sample(await policy.publish('agent@0'), [whole], this.signal));
  }

  async close(): Promise<void> {
    await Promise.all(this.#policies.splice(0).map((policy) => policy.dispose()));
    await Promise.all(this.#servers.splice(0).map((server) => server.stop()));
    this.said.length = 0;
  }
}
