/** A small run whose two policies are trained by jobs on a stand-in for a Ray cluster. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Landing, Launch } from '../../../src/launch/launch.ts';
import { resolveExperiment, type JsonObject } from '../../../src/shared/experiment/resolve.ts';
import { FastTime } from '../endpoints/fastTime.ts';
import { dist } from '../built.ts';
import { launchHere } from '../launchHere.ts';
import { onlyRun } from '../runContents.ts';
import { ClusterFolder } from './cluster.ts';
import { FakeRay } from './fakeRay.ts';
import { FakeVllm } from './fakeVllm.ts';

const roles = ['agent', 'environment'] as const;

export class VerlRun {
  readonly cluster = new ClusterFolder();
  readonly ray = new FakeRay();
  readonly notes: string[] = [];
  readonly speed = 25;
  readonly #folder = mkdtempSync(join(tmpdir(), 'genenv-verl-'));
  readonly root = join(this.#folder, 'runs');
  readonly #vllms: FakeVllm[] = [];
  /** Where the run finds a server that is at an address. */
  through: (url: string) => string = (url) => url;

  async serve(): Promise<void> {
    await this.ray.start();
    for (const role of roles) this.#vllms.push(await FakeVllm.start(role));
  }

  /** Addresses of all its servers. */
  get servers(): string[] {
    return [this.ray.url, ...this.#vllms.map(({ url }) => url)];
  }

  /** Completions that the servers were asked for. */
  get sampled(): number {
    return this.#vllms.flatMap(({ sampled }) => [...sampled.values()]).reduce((sum, count) => sum + count, 0);
  }

  /** The experiment, and the endpoints that one file has in place of the embedded ones. */
  get endpoints(): JsonObject {
    const [agent, environment] = roles.map((role, i) => ({
      ...{ kind: 'verl', url: this.through(this.ray.url), key: null, model: `genenv/${role}`, rank: 4 },
      ...{ workdir: this.cluster.workdir, mount: null, nodes: 1, gpus: 2, overrides: '' },
      ...{ sampler: this.through(this.#vllms[i]?.url ?? ''), samplerKey: null, inFlight: null },
    }));
    return { agent: agent ?? {}, environment: environment ?? {} };
  }

  experiment(over: JsonObject = {}) {
    return resolveExperiment({ ...file, endpoints: this.endpoints, ...over });
  }

  start(options: Partial<Launch> = {}, over: JsonObject = {}): Promise<Landing> {
    return this.#launch({ experiment: this.experiment(over), directory: this.#folder }, options);
  }

  async resume(options: Partial<Launch> = {}): Promise<Landing> {
    return this.#launch({ resume: await onlyRun(this.root) }, options);
  }

  async dir(): Promise<string> {
    return join(this.root, await onlyRun(this.root));
  }

  #launch(start: Launch['start'], options: Partial<Launch>): Promise<Landing> {
    return launchHere(this, start, { dist, time: new FastTime(this.speed), ...options });
  }

  async remove(): Promise<void> {
    await this.ray.stop();
    await Promise.all(this.#vllms.map((vllm) => vllm.stop()));
    this.cluster.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** All of an experiment but its endpoints. */
export const file = {
  version: 1,
  name: 'jobs',
  preset: 'embedded',
  seed: 3,
  epochs: 2,
  domain: { baseTasks: 40 },
  generation: { families: 3, variations: 2 },
  rollouts: { group: 4, baseShare: 0.75 },
  agent: { minibatch: 8, learningRate: 0.001 },
  environment: { bufferEpochs: 1, minFamilies: 1, steps: 2, minibatch: 8 },
  curriculum: { kMin: 0.5, filter: 'soft' },
  validation: { tasks: 20 },
} satisfies JsonObject;
