/** The cost of activation on the extension host's thread: loading its code, and its `activate`. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Extension } from 'vscode';
import * as z from 'zod';

const manifestSchema = z.object({ main: z.string() });
const exportsSchema = z.looseObject({
  activate: z.custom<(context: unknown) => unknown>((value) => typeof value === 'function'),
});

export interface ActivationCost {
  /** Milliseconds of processor time. */
  load: number;
  activate: number;
  /** By the clock, which runs on while other programs have the processor. */
  elapsed: number;
}

/**
 * Loads at once all that first uses would load one by one. The extension must be awake.
 * @returns milliseconds of processor time
 */
export function restCost(extension: Extension<unknown>): number {
  const { main } = manifestSchema.parse(extension.packageJSON);
  const require = createRequire(import.meta.url);
  const chunks = join(extension.extensionPath, dirname(main), 'chunks');
  const files = readdirSync(chunks).filter((name) => name.endsWith('.cjs'));
  const loading = process.threadCpuUsage();
  for (const name of files) require(join(chunks, name));
  const { user, system } = process.threadCpuUsage(loading);
  return (user + system) / 1000;
}

/** Loads and activates it: it must be asleep. */
export async function activationCost(extension: Extension<unknown>): Promise<ActivationCost> {
  const { main } = manifestSchema.parse(extension.packageJSON);
  const require = createRequire(import.meta.url);
  const file = require.resolve(join(extension.extensionPath, main));
  const began = performance.now();
  const loading = process.threadCpuUsage();
  const exported = exportsSchema.parse(require(file));
  const load = process.threadCpuUsage(loading);
  const loaded = performance.now() - began;
  let activate = 0;
  let called = 0;
  const loadedModule = require.cache[file];
  if (loadedModule === undefined) throw new Error(`${file} is not a CommonJS module.`);
  // VS Code asks for the same module and finds this one: its call is measured, not the messages around it.
  loadedModule.exports = {
    ...exported,
    activate(context: unknown): unknown {
      const [calling, at] = [process.threadCpuUsage(), performance.now()];
      const result = exported.activate(context);
      const { user, system } = process.threadCpuUsage(calling);
      activate = (user + system) / 1000;
      called = performance.now() - at;
      return result;
    },
  };
  await extension.activate();
  if (activate === 0) throw new Error('VS Code has loaded the code a second time.');
  return { load: (load.user + load.system) / 1000, activate, elapsed: loaded + called };
}
