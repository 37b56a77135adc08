/** The embedded models behind `genenv serve`, in a process of its own: policies that a run can train anywhere. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { JsonObject } from '../../../src/shared/experiment/resolve.ts';
import { cli } from '../built.ts';

export class ServedModels {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly url: string;

  private constructor(process: ChildProcessByStdio<null, Readable, null>, url: string) {
    this.#process = process;
    this.url = url;
  }

  /** @param state folder of its checkpoints */
  static async start(state: string): Promise<ServedModels> {
    const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--state', state], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(child.stdout)) {
      const [, url] = / at (http:\S+)$/.exec(line) ?? [];
      if (url !== undefined) return new ServedModels(child, url);
    }
    throw new Error(`genenv serve ended with ${child.exitCode ?? 'no code'}.`);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  /** Tokens that it has sampled. */
  async sampled(): Promise<number> {
    const metrics = await (await fetch(`${this.url}/metrics`)).text();
    const counts = metrics.matchAll(/^genenv:generation_tokens_total\S* (\d+)/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** A small experiment whose two policies it trains. */
  experiment(file: string): JsonObject & { domain: JsonObject } {
    const endpoint = (name: string) => ({ kind: 'tinker', url: this.url, model: `genenv/${name}`, rank: 4, key: null });
    return {
      ...{ version: 1, name: 'killed', preset: 'embedded', seed: 3, epochs: 2, domain: { file, baseTasks: 20 } },
      ...{ generation: { families: 4, variations: 2 }, rollouts: { group: 4 }, agent: { minibatch: 8 } },
      environment: { bufferEpochs: 1, minFamilies: 1, steps: 1, minibatch: 8 },
      ...{ curriculum: { filter: 'off' }, validation: { tasks: 6 }, reward: { network: true } },
      endpoints: { agent: endpoint('agent'), environment: endpoint('environment') },
    };
  }
}
