/** Runs a bench inside the extension host by the tests' harness. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Figure } from '../figure.ts';
import { figuresIn } from './tell.ts';

const runner = fileURLToPath(new URL('../../../test/vscode/run.ts', import.meta.url));

/** @param grep one of its tests; all when absent @throws Error with what it said when it fails */
export async function benchInVsCode(name: string, folder?: string, grep?: string): Promise<Figure[]> {
  const bench = fileURLToPath(new URL(name, import.meta.url));
  const where = folder === undefined ? [] : ['--folder', folder];
  const which = grep === undefined ? [] : ['--grep', grep];
  const child = spawn(process.execPath, [runner, '--timeout', '300000', ...where, ...which, bench], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let report = '';
  child.stdout.on('data', (chunk: Buffer) => (report += chunk.toString()));
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  if (code !== 0) throw new Error(`${name} failed.\n${report}`);
  return figuresIn(report);
}
