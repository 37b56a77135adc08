/** A folder that jobs share, with an `env.sh` that puts the stand-in for verl before any other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoted } from '../../../src/shared/text/shellCommand.ts';

export class ClusterFolder {
  readonly workdir = mkdtempSync(join(tmpdir(), 'genenv-cluster-'));
  /** While this file exists, jobs wait before their work. */
  readonly hold = join(this.workdir, 'hold');

  constructor() {
    this.environment();
  }

  /** @param more variables of every job that begins from now on */
  environment(more: Readonly<Record<string, string>> = {}): void {
    const variables = {
      PYTHONPATH: fileURLToPath(new URL('python', import.meta.url)),
      GENENV_TEST_NODE: process.execPath,
      GENENV_TEST_TRAINER: fileURLToPath(new URL('trainer.ts', import.meta.url)),
      GENENV_TEST_HOLD: this.hold,
      ...more,
    };
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
    writeFileSync(join(this.workdir, 'env.sh'), lines.join(''));
  }

  holdJobs(): void {
    writeFileSync(this.hold, '');
  }

  letGo(): void {
    rmSync(this.hold, { force: true });
  }

  remove(): void {
    this.letGo();
    rmSync(this.workdir, { recursive: true, force: true, maxRetries: 5 });
  }
}
