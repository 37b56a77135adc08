/** A real Ray head on this machine, with a token. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export class RealRay {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  /** @param dir of its log. @throws Error with the end of its log */
  static async start(
    python: string,
    { dir, token, ports }: { dir: string; token: string; ports: readonly [head: number, dashboard: number] },
  ): Promise<RealRay> {
    const log = openSync(join(dir, 'ray.log'), 'a');
    const child = spawn(
      python,
      [
        ...['-c', 'from ray.scripts.scripts import main; main()', 'start', '--head', '--block'],
        ...['--num-cpus', '1', '--num-gpus', '0', '--port', String(ports[0]), '--disable-usage-stats'],
        ...['--dashboard-host', '127.0.0.1', '--dashboard-port', String(ports[1])],
        // The path of its sockets may have 107 bytes.
        ...['--temp-dir', join(dir, 't'), '--object-store-memory', '80000000'],
      ],
      {
        cwd: dir,
        stdio: ['ignore', log, log],
        env: { ...process.env, RAY_AUTH_MODE: 'token', RAY_AUTH_TOKEN: token },
      },
    );
    closeSync(log);
    const ray = new RealRay(`http://127.0.0.1:${ports[1]}`, child);
    for (let tries = 0; tries < 240; tries++) {
      const answered = await fetch(`${ray.url}/api/version`, { headers: { authorization: `Bearer ${token}` } }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (answered) return ray;
      if (child.exitCode !== null) break;
      await sleep(500);
    }
    await ray.stop();
    throw new Error((await readFile(join(dir, 'ray.log'), 'utf8')).slice(-2000));
  }

  /** It ends its processes, and with them what it knows of jobs. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await gone;
  }
}
