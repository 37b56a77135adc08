/** SkyRL's own Tinker server on this machine's processor (its JAX backend), with a tiny random model. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const maker = fileURLToPath(new URL('tiny_model.py', import.meta.url));

/** A tiny random model with its tokenizer, in a folder that transformers loads. */
export async function tinyModel(python: string, folder: string): Promise<string> {
  if (!existsSync(join(folder, 'config.json'))) await promisify(execFile)(python, [maker, folder]);
  return folder;
}

export class RealSkyrl {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  /**
   * Answers once it serves. A second one with the same folder continues with the first one's database and checkpoints.
   * @param dir of its database, checkpoints and log. @throws Error with the end of its log
   */
  static async start(
    python: string,
    { model, dir, port }: { model: string; dir: string; port: number },
  ): Promise<RealSkyrl> {
    const bin = dirname(python);
    const settings = {
      max_lora_adapters: 4,
      max_lora_rank: 8,
      train_micro_batch_size: 8,
      sample_max_num_sequences: 64,
    };
    const log = openSync(join(dir, 'skyrl.log'), 'a');
    // It reads the arguments of "uv run" from its parent's command line, to start its engine with the same.
    const child = spawn(
      python,
      [
        ...['-m', 'uv', 'run', '--no-project', '--active', '-m', 'skyrl.tinker.api', '--base-model', model],
        ...['--backend', 'jax', '--backend-config', JSON.stringify(settings), '--host', '127.0.0.1'],
        ...['--port', String(port), '--checkpoints-base', join(dir, 'checkpoints')],
        ...['--database-url', `sqlite:///${join(dir, 'skyrl.db')}`],
      ],
      {
        cwd: dir,
        detached: true,
        stdio: ['ignore', log, log],
        env: {
          ...process.env,
          ...{ PATH: `${bin}:${process.env['PATH'] ?? ''}`, VIRTUAL_ENV: dirname(bin), UV_OFFLINE: '1' },
          ...{ JAX_PLATFORMS: 'cpu', JAX_COMPILATION_CACHE_DIR: join(dir, 'compiled'), HF_HUB_OFFLINE: '1' },
          ...{ JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS: '0' },
        },
      },
    );
    closeSync(log);
    const server = new RealSkyrl(`http://127.0.0.1:${port}`, child);
    for (let tries = 0; tries < 240; tries++) {
      const healthy = await fetch(`${server.url}/api/v1/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (healthy) return server;
      if (child.exitCode !== null) break;
      await sleep(500);
    }
    await server.kill();
    throw new Error((await readFile(join(dir, 'skyrl.log'), 'utf8')).slice(-2000));
  }

  /** Itself and its engine, as a machine that goes down ends them. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    process.kill(-pid, 'SIGKILL');
    await gone;
  }
}
