/**
 * For `test/unit`, by mocha's `--require`: whatever starts a process there does not come to it, and the run fails, even
 * where the code under test passes over the error.
 */
import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { enableCompileCache, syncBuiltinESMExports } from 'node:module';

/** Compiled modules, and sources without their types, are kept for the threads of this run and for the next one. */
enableCompileCache();

const started: string[] = [];
let test = 'a file that was being loaded';

const refuse =
  (name: string) =>
  (program: unknown): never => {
    const said = `${test}: ${name} ${String(program)}`;
    started.push(said);
    throw new Error(`A unit test starts no process (${said}). It belongs in test/process.`);
  };

/** `mocha --parallel` starts the processes that run the files. */
const startsWorkers = process.argv.includes('--parallel') && process.env['MOCHA_WORKER_ID'] === undefined;
for (const name of startsWorkers
  ? []
  : ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']) {
  Object.defineProperty(childProcess, name, { value: refuse(name), configurable: true, writable: true });
}
syncBuiltinESMExports();

export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    test = this.currentTest?.fullTitle() ?? test;
  },
  afterAll(): void {
    assert.deepEqual(started, [], 'These start processes and belong in test/process.');
  },
};
