/**
 * Runs one reward or domain file in its own process. Requests come on descriptor 3 and replies go to 4, a JSON object a
 * line, each written at once: so the other side knows which call did not return. This file takes copies of everything
 * it uses before the user's code can change it.
 */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { outputLimit } from '../outputLimit.ts';
import type { Reply } from '../wire.ts';
import { closeNetwork } from './closeNetwork.ts';
import { NodeCoverage } from './nodeCoverage.ts';
import { entriesOf, listenForDebugger, waitForDebugger } from './debugged.ts';
import { failureOf } from './failure.ts';
import { functionsOf, loadModule, rewardOf } from './load.ts';
import { decoded, indexOf, substring } from './own.ts';
import { toldResult, toldValue } from './told.ts';

const { parse, stringify } = JSON;
const { get, ownKeys, setPrototypeOf } = Reflect;
const { isArray } = Array;
const Bytes = Uint8Array;
const later = setImmediate;
const write = writeSync;
const number = Number;
const text = String;

const [file = '', megabytes = '256', network = 'closed', how = '', port = '0'] = process.argv.slice(2);
const debugged = how === 'debug';
/** Domains and curricula have functions by name, and give any JSON. */
const isNamed = /\.(?:domain|curriculum)\.(?:ts|js)$/.test(file);

/** Calls the user's code with a request; returns the reply's content. */
type Answer = (asked: object) => unknown;
const files = new Set<string>();
const coverage = how === 'coverage' ? new NodeCoverage(files) : null;

/** Coverage since the last reply with coverage. */
const covered = (): Pick<Extract<Reply, { t: 'ready' }>, 'coverage'> =>
  coverage === null ? {} : { coverage: coverage.take() };

function send(reply: Reply): void {
  bare(reply);
  write(4, `${stringify(reply)}\n`);
}

/** Removes prototypes: a `toJSON` on them would change our replies. */
function bare(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const names = ownKeys(value);
  setPrototypeOf(value, null);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name !== undefined) bare(get(value, name));
  }
}

/** Printed text belongs to the current call; past the limit it is only counted. */
let printed = 0;
/** Text from the other side is shown by the debugger, and is not a call's output. */
let saying = false;
function capture(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
  const room = outputLimit - printed;
  const words = typeof chunk === 'string' ? chunk : chunk instanceof Bytes ? decoded(chunk) : text(chunk);
  if (!saying) printed += words.length;
  if (room > 0 && !saying) send({ t: 'out', text: substring(words, 0, room) });
  const done = typeof encoding === 'function' ? encoding : callback;
  if (isCallback(done)) done();
  return true;
}

const isCallback = (value: unknown): value is () => void => typeof value === 'function';

/**
 * A heap limit counts no buffers: a thread watches the whole process, also while its main thread is busy, and ends it
 * when its parent is gone.
 */
function watchMemory(): void {
  const limit = process.memoryUsage.rss() + Number(megabytes) * 2 ** 20;
  const source = `
    const { writeSync } = require('node:fs');
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
      if (process.memoryUsage.rss() < ${limit}) return;
      writeSync(4, '{"t":"memory"}\\n');
      process.kill(process.pid, 'SIGKILL');
    }, 25);`;
  new Worker(source, { eval: true }).unref();
}

/** An unhandled rejection, or an error of a timer: reported with the current call. */
let stray: { error: unknown } | null = null;
const keep = (error: unknown): void => {
  stray ??= { error };
};

/** Lets errors that the call left behind surface before its result is sent. */
const nextTurn = (): Promise<void> => new Promise((resolve) => later(resolve));

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof get(value, 'then') === 'function';

async function answer(answering: Answer, line: string): Promise<void> {
  const asked: unknown = parse(line);
  if (typeof asked !== 'object' || asked === null) return;
  const said: unknown = get(asked, 'say');
  if (typeof said === 'string') {
    say(said);
    return;
  }
  const id = number(get(asked, 'id'));
  printed = 0;
  stray = null;
  let reply: Extract<Reply, { id: number }>;
  try {
    const given = answering(asked);
    const value = isThenable(given) ? await given : given;
    reply = { t: 'gave', id, value: isNamed ? toldValue(value) : toldResult(value) };
  } catch (error) {
    reply = { t: 'threw', id, reason: 'threw', ...failureOf(error, files) };
  }
  await nextTurn();
  const left = takeStray();
  if (left !== null && reply.t === 'gave')
    reply = { t: 'threw', id, reason: 'rejection', ...failureOf(left.error, files) };
  send({ ...reply, ...covered() });
}

const { log } = console;
function say(words: string): void {
  saying = true;
  log(words);
  saying = false;
}

function takeStray(): { error: unknown } | null {
  const left = stray;
  stray = null;
  return left;
}

function serve(answering: Answer, requests: Socket): void {
  let rest = '';
  let busy = false;
  const lines: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    busy = true;
    for (; next < lines.length; next++) await answer(answering, lines[next] ?? '');
    lines.length = 0;
    next = 0;
    busy = false;
  };
  requests.setEncoding('utf8');
  requests.on('data', (chunk: string) => {
    let from = 0;
    // Only the new chunk is searched: a request may be one line of many MB.
    for (let end = indexOf(chunk, '\n', 0); end >= 0; end = indexOf(chunk, '\n', from)) {
      lines[lines.length] = rest + substring(chunk, from, end);
      rest = '';
      from = end + 1;
    }
    rest += substring(chunk, from, chunk.length);
    if (!busy) void work();
  });
}

/** Where functions begin, which only a debugger asks for. */
const begins = (functions: Parameters<typeof entriesOf>[0]): Pick<Extract<Reply, { t: 'ready' }>, 'entries'> =>
  debugged ? { entries: entriesOf(functions) } : {};

function serveReward(module: unknown, requests: Socket): void {
  const reward = rewardOf(module);
  send({ t: 'ready', files: [...files], ...covered(), ...begins([['reward', reward]]) });
  serve((asked) => reward(get(asked, 'task'), get(asked, 'trace')), requests);
}

const isList = (value: unknown): value is readonly unknown[] => isArray(value);

function serveNamed(module: unknown, requests: Socket): void {
  const functions = functionsOf(module);
  send({ t: 'ready', files: [...files], functions: [...functions.keys()], ...covered(), ...begins(functions) });
  serve((asked) => {
    const given: unknown = get(asked, 'given');
    return functions.get(text(get(asked, 'call')))?.(...(isList(given) ? given : []));
  }, requests);
}

async function main(): Promise<void> {
  const requests = new Socket({ fd: 3, readable: true, writable: false });
  requests.on('end', () => process.exit(0));
  // A debugger takes memory too, and stops every thread.
  if (debugged) {
    send({ t: 'debugger', port: listenForDebugger(number(port)) });
    waitForDebugger();
  } else watchMemory();
  process.stdout.write = capture;
  process.stderr.write = capture;
  process.on('unhandledRejection', keep);
  process.on('uncaughtException', keep);
  if (network !== 'open') closeNetwork();
  try {
    const module = await loadModule(file, files, debugged);
    if (isNamed) serveNamed(module, requests);
    else serveReward(module, requests);
  } catch (error) {
    send({ t: 'unloadable', ...failureOf(error, files) });
    process.exit(1);
  }
}

await main();
