/** A policy whose jobs run on stand-ins for a cluster, opened as a run opens it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BatchPolicy } from '../../../src/engine/ports.ts';
import { agreedKeys } from '../agreedKeys.ts';
import { openVerl } from '../../../src/launch/policies/openVerl.ts';
import { Schedulers } from '../../../src/launch/policies/schedulers.ts';
import { endpointDefaults, type VerlEndpoint } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { FastTime } from '../endpoints/fastTime.ts';
import { ClusterFolder } from './cluster.ts';
import { FakeRay } from './fakeRay.ts';
import { FakeVllm } from './fakeVllm.ts';
import type { PolicyNeeds } from '../../../src/launch/policies/policyNeeds.ts';

export class VerlBench {
  readonly cluster = new ClusterFolder();
  readonly ray = new FakeRay();
  readonly said: string[] = [];
  /** Waits pass so many times faster. */
  speed = 50;
  readonly #run = mkdtempSync(join(tmpdir(), 'r7-'));
  #vllm: FakeVllm | null = null;
  readonly #policies: BatchPolicy[] = [];

  async start(): Promise<void> {
    await this.ray.start();
    this.#vllm = await FakeVllm.start('agent');
  }

  get vllm(): FakeVllm {
    if (this.#vllm === null) throw new Error('The bench is not started.');
    return this.#vllm;
  }

  get run(): string {
    return this.#run.split('/').at(-1) ?? '';
  }

  endpoint(over: Partial<VerlEndpoint> = {}): VerlEndpoint {
    const { workdir } = this.cluster;
    const place = { url: this.ray.url, workdir, model: 'genenv/agent', sampler: this.vllm.url };
    return { ...endpointDefaults.verl, ...place, rank: 4, gpus: 2, ...over };
  }

  /** As the process of a run does it; another call is another process. */
  async open(over: Partial<VerlEndpoint> = {}, environment: Record<string, string> = {}): Promise<BatchPolicy> {
    const log = { info: (text: string) => this.said.push(text), warn: (text: string) => this.said.push(text) };
    const time = new FastTime(this.speed);
    const needs: PolicyNeeds = {
      ...{ dir: this.#run, dist: new URL('file:///'), time, schedulers: new Schedulers(time) },
      ...{ log, keys: agreedKeys(environment), signal: new AbortController().signal },
    };
    const policy = await openVerl(this.endpoint(over), 'agent', needs);
    if (policy.runJob === undefined) throw new Error('It takes no jobs.');
    const batch: BatchPolicy = Object.assign(policy, { runJob: policy.runJob.bind(policy) });
    this.#policies.push(batch);
    return batch;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#policies.map((policy) => policy.dispose()));
    await this.ray.stop();
    await this.#vllm?.stop();
    this.cluster.remove();
    rmSync(this.#run, { recursive: true, force: true });
  }
}
