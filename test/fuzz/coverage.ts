/** Which blocks of our sources ran, as V8 counts them. */
import { Session } from 'node:inspector';

/** Ours, and the packages that read what others wrote. */
const counted = /\/src\/|node_modules\/(?:@huggingface|jsonc-parser)\//;

export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    this.take();
  }

  get blocks(): number {
    return this.#seen.size;
  }

  /** Blocks that ran since the last time and never before. */
  take(): Set<string> {
    const news = new Set<string>();
    for (const block of this.#ran()) {
      if (this.#seen.has(block)) continue;
      this.#seen.add(block);
      news.add(block);
    }
    return news;
  }

  /** Which of these ran since the last time. */
  among(blocks: ReadonlySet<string>): Set<string> {
    return new Set(this.#ran().filter((block) => blocks.has(block)));
  }

  #ran(): string[] {
    const ran: string[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, told) => {
      if (error !== null) throw error;
      for (const { url, functions } of told.result) {
        if (!counted.test(url)) continue;
        for (const { ranges } of functions) {
          for (const { startOffset, endOffset, count } of ranges) {
            if (count > 0) ran.push(`${url}:${startOffset}-${endOffset}`);
          }
        }
      }
    });
    return ran;
  }

  stop(): void {
    this.#session.disconnect();
  }

  #post(method: 'Profiler.enable'): void;
  #post(method: 'Profiler.startPreciseCoverage', params: { callCount: boolean; detailed: boolean }): void;
  #post(method: string, params: object = {}): void {
    this.#session.post(method, params, (error) => {
      if (error !== null) throw error;
    });
  }
}
