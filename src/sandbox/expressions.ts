/**
 * Regular expressions of strangers, on texts of models: V8 tries every way to match, and `(a+)+$` on forty letters has
 * more ways than it can try. An expression that took too long once is not tried again.
 */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { BlockingSandbox } from './blockingSandbox.ts';
import { SandboxError } from './sandboxError.ts';

export interface Expression {
  source: string;
  flags: string;
}

interface Job {
  expressions: readonly Expression[];
  texts: readonly string[];
}

/** Of each expression, of each text, its matches with their groups; of one without `g` at most one. */
const answer = z.array(z.array(z.array(z.array(z.string().optional()))));

/** Text of the thread, so that it is where its caller is, built or not. */
const script = `
const { port, word } = require('node:worker_threads').workerData;
const matches = (text, made) => made.global ? Array.from(text.matchAll(made), (one) => [...one]) : [made.exec(text)].flatMap((one) => one === null ? [] : [[...one]]);
port.on('message', ({ expressions, texts }) => {
  let reply;
  try {
    const made = expressions.map(({ source, flags }) => new RegExp(source, flags));
    reply = { ok: true, value: made.map((one) => texts.map((text) => matches(text, one))) };
  } catch (error) {
    reply = { ok: false, message: error.message, large: error instanceof RangeError };
  }
  port.postMessage(reply);
  Atomics.store(word, 0, 1);
  Atomics.notify(word, 0);
});`;

/** Time for one call, in seconds. */
export const limit = { seconds: 5 };
let sandbox: BlockingSandbox<Job, z.infer<typeof answer>> | null = null;
const slow = new Set<string>();

const keyOf = ({ source, flags }: Expression): string => `${flags}/${source}`;

/** @throws SandboxError `too-slow`, and `crashed` with V8's message for an invalid expression */
export function matchesOf(
  expressions: readonly Expression[],
  texts: readonly string[],
): readonly (readonly (readonly (readonly (string | undefined)[])[])[])[] {
  if (expressions.some((one) => slow.has(keyOf(one))))
    throw new SandboxError('too-slow', l10n.t('it took longer than {0} s', limit.seconds));
  sandbox ??= new BlockingSandbox({
    ...{ name: 'expressions', script, memory: 512, answer },
    get seconds() {
      return limit.seconds;
    },
  });
  try {
    return sandbox.call({ expressions, texts });
  } catch (error) {
    if (SandboxError.is(error) && error.reason === 'too-slow') for (const one of expressions) slow.add(keyOf(one));
    throw error;
  }
}
