/** A small run whose two policies live on a Tinker server in this process, which injects faults on demand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedAssets } from '../../../src/endpoints/embedded/assets.ts';
import type { Time } from '../../../src/endpoints/time.ts';
import type { Landing, Launch } from '../../../src/launch/launch.ts';
import { environmentKeys, type Keys } from '../../../src/launch/access/keys.ts';
import { Faults, type FaultRule, type FaultTarget } from '../../../src/serve/faults/faults.ts';
import { startServer, type RunningServer, type ServeOptions } from '../../../src/serve/server.ts';
import { resolveExperiment, type JsonObject } from '../../../src/shared/experiment/resolve.ts';
import { FastTime } from '../endpoints/fastTime.ts';
import { launchHere, type LaunchOptions } from '../launchHere.ts';
import { onlyRun } from '../runContents.ts';

/** Counts the calls, too. */
class CountingFaults extends Faults {
  calls = 0;
  onCall: (path: string) => void = () => undefined;

  constructor() {
    super([], 'night');
  }

  override pick(target: FaultTarget) {
    this.calls += 1;
    this.onCall(target.path);
    return super.pick(target);
  }
}

/** Waits of the clients pass so many times faster; only what a server does takes its time. */
const speed = 25;

export class RemoteRun {
  readonly #folder = mkdtempSync(join(tmpdir(), 'genenv-faults-'));
  readonly faults = new CountingFaults();
  readonly notes: string[] = [];
  /** Requests for samples and scores, however they went. */
  samplings = 0;
  readonly root = join(this.#folder, 'runs');
  readonly speed = speed;
  time: Time = new FastTime(speed);
  keys: Keys = environmentKeys({});
  /** Where the run finds the server; absent: where it is. */
  through: string | null = null;
  readonly #dist: URL;
  #serving: ServeOptions | null = null;
  #server: RunningServer | null = null;

  /** @param dist what runs in threads: the build's folder, or the current sources */
  constructor(dist: URL) {
    this.#dist = dist;
  }

  get server(): RunningServer {
    if (this.#server === null) throw new Error('The server is not started.');
    return this.#server;
  }

  async serve({
    key = null,
    differences = [],
  }: Partial<Pick<ServeOptions, 'key' | 'differences'>> = {}): Promise<void> {
    const { worker, kernels, weights } = embeddedAssets(this.#dist);
    const [agent, environment] = await Promise.all([readFile(weights.agent), readFile(weights.environment)]);
    this.#serving = {
      models: { worker, kernels: await readFile(kernels), weights: { agent, environment } },
      ...{ host: '127.0.0.1', port: 0, state: join(this.#folder, 'state'), key, faults: this.faults },
      differences,
      pollMilliseconds: 500,
    };
    this.#server = await startServer(this.#serving);
  }

  /** Another process at the same address, with what lies on the disk of the one before. */
  async restart(): Promise<void> {
    if (this.#serving === null) throw new Error('The server is not started.');
    const port = Number(new URL(this.server.url).port);
    await this.server.close();
    this.#server = await startServer({ ...this.#serving, port });
  }

  /** Tokens that the server has sampled and read since it was started. */
  async spent(): Promise<number> {
    const metrics = await (await fetch(`${this.server.url}/metrics`)).text();
    const counts = metrics.matchAll(/^genenv:(?:generation|prompt)_tokens_total\S* (\d+)/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  experiment(over: JsonObject = {}) {
    const endpoint = (name: string) => ({
      kind: 'tinker',
      url: this.through ?? this.server.url,
      key: null,
      model: `genenv/${name}`,
      rank: 4,
      tokenizer: null,
      inFlight: null,
    });
    return resolveExperiment({
      version: 1,
      name: 'faults',
      preset: 'embedded',
      seed: 3,
      epochs: 1,
      domain: { baseTasks: 20 },
      generation: { families: 2, variations: 2 },
      rollouts: { group: 4 },
      agent: { minibatch: 8 },
      environment: { bufferEpochs: 1, minFamilies: 1, steps: 1, minibatch: 8 },
      curriculum: { kMin: 0.5, filter: 'soft' },
      validation: { tasks: 6 },
      endpoints: { agent: endpoint('agent'), environment: endpoint('environment') },
      ...over,
    });
  }

  start(over: JsonObject = {}, options: LaunchOptions = {}): Promise<Landing> {
    return this.#launch({ experiment: this.experiment(over), directory: this.#folder }, options);
  }

  async resume(options: LaunchOptions = {}): Promise<Landing> {
    return this.#launch({ resume: await onlyRun(this.root) }, options);
  }

  #launch(start: Launch['start'], options: LaunchOptions): Promise<Landing> {
    return launchHere(this, start, { dist: this.#dist, time: this.time, keys: this.keys, ...options });
  }

  /** The night begins. */
  inject(...rules: FaultRule[]): void {
    this.faults.set(rules);
  }

  /** Share of the server's calls that went wrong since it began. */
  get injectedShare(): number {
    return [...this.faults.happened.values()].reduce((sum, count) => sum + count, 0) / this.faults.calls;
  }

  /** The method's results, without times and the server's ids. */
  async contents(): Promise<Record<string, string>> {
    return contentsOf(join(this.root, await onlyRun(this.root)));
  }

  async remove(): Promise<void> {
    await this.#server?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function contentsOf(dir: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of ['journal.jsonl', 'tasks.jsonl', 'traces.jsonl']) {
    const text = await readFile(join(dir, name), 'utf8');
    texts[name] = text.replaceAll(/"(at|seconds)":-?[0-9.]+/g, '"$1":0').replaceAll(/"handle":"[^"]*"/g, '"handle":""');
  }
  return texts;
}
