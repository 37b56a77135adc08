import type { Context, Suite, Test } from 'mocha';

/**
 * Skips a test, or all tests that a hook is for, and keeps why: the summary of `npm test` tells it. Only for what this
 * machine lacks.
 */
export function skip(context: Context, reason: string): never {
  const { test, currentTest } = context;
  // Before all tests of a suite mocha names the first of them as the current one.
  const isOfAll = test?.title.startsWith('"before all" hook') ?? false;
  const skipped = isOfAll ? test?.parent : (currentTest ?? test);
  if (skipped !== undefined) reasons.set(skipped, reason);
  return context.skip();
}

const reasons = new WeakMap<object, string>();

/** Why a test did not run, by the text of `skip` for it or for a suite around it. */
export function skippedFor(test: Test): string {
  for (let node: Test | Suite | undefined = test; node !== undefined; node = node.parent) {
    const reason = reasons.get(node);
    if (reason !== undefined) return reason;
  }
  return 'it does not say why';
}
