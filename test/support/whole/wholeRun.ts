/** A whole experiment by the real command line: undisturbed, and with SIGKILLs in its middle. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { cli } from '../built.ts';
import { ended, environment } from '../genenv.ts';
import { onlyRun } from '../runContents.ts';

/** The files of a run at its kill: events of its journal, and its records. */
export interface Written {
  journal: string;
  tasks: string[];
  traces: string[];
}

/** The method's results, without times, the server's names and the order in which attempts ended. */
export interface Left {
  journal: string;
  /** By their ids. */
  tasks: ReadonlyMap<string, string>;
  traces: ReadonlyMap<string, string>;
}

const recordSchema = z.looseObject({ id: z.string() });

/** @throws AssertionError for a record that is there twice */
function byId(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const { id } = recordSchema.parse(JSON.parse(line));
    assert(!found.has(id), `${id} is recorded twice`);
    found.set(id, line);
  }
  return found;
}

const timeless = (text: string): string =>
  text
    .replaceAll(/"(at|seconds|tokensPerSecond)":-?[0-9.e-]+/g, '"$1":0')
    .replaceAll(/"handle":"[^"]*"/g, '"handle":""');

export class WholeRun {
  readonly #file: string;
  readonly #root: string;
  readonly #env: Record<string, string>;

  /** @param root a folder for this run alone */
  constructor(file: string, root: string, env: Record<string, string> = {}) {
    this.#file = file;
    this.#root = root;
    this.#env = env;
  }

  /** The run's folder. */
  async dir(): Promise<string> {
    return join(this.#root, await onlyRun(this.#root));
  }

  /** Runs to the end. @param seen gets, again and again, what is there. @throws AssertionError with its output */
  async finish(seen?: (written: Written) => void): Promise<void> {
    const gone = ended(await this.#start());
    while (seen !== undefined && (await Promise.race([gone, sleep(50, null)])) === null) seen(await this.written());
    const { code, out, err } = await gone;
    assert.equal(code, 0, `${out}${err}`);
  }

  /** Runs, or resumes, until what it has written is enough, and ends it by SIGKILL. @returns what it had written */
  async kill(enough: (written: Written) => boolean): Promise<Written> {
    const child = await this.#start();
    const gone = ended(child);
    while (!enough(await this.written())) {
      const over = await Promise.race([gone, sleep(10, null)]);
      assert.equal(over, null, 'it ended before it was killed');
    }
    child.kill('SIGKILL');
    await gone;
    return this.written();
  }

  /** Whole lines of what is there. */
  async written(): Promise<Written> {
    const [journal, tasks, traces] = await Promise.all(
      ['journal', 'tasks', 'traces'].map(async (name) => {
        const dir = await this.dir().catch(() => null);
        const text = dir === null ? '' : await readFile(join(dir, `${name}.jsonl`), 'utf8').catch(() => '');
        return text.slice(0, text.lastIndexOf('\n') + 1);
      }),
    );
    const lines = (text = ''): string[] => text.split('\n').filter((line) => line !== '');
    return { journal: journal ?? '', tasks: lines(tasks), traces: lines(traces) };
  }

  async left(): Promise<Left> {
    const { journal, tasks, traces } = await this.written();
    const records = (lines: readonly string[]): Map<string, string> => byId(lines.map(timeless));
    return { journal: timeless(journal), tasks: records(tasks), traces: records(traces) };
  }

  /** A run that is there already is resumed. */
  async #start(): Promise<ChildProcess> {
    const id = await onlyRun(this.#root).catch(() => null);
    const args = id === null ? ['run', this.#file] : ['resume', id];
    return spawn(process.execPath, [cli, ...args, '--root', this.#root], { env: environment(this.#env) });
  }
}

/** Whether two runs left the same, told by the first difference. */
export function assertSame(actual: Left, expected: Left): void {
  const lines = (text: string): string[] => text.split('\n');
  for (const [i, line] of lines(expected.journal).entries()) {
    assert.equal(lines(actual.journal)[i], line, `event ${i} of the journal`);
  }
  assert.equal(actual.journal, expected.journal);
  for (const name of ['tasks', 'traces'] as const) {
    for (const [id, text] of expected[name]) assert.equal(actual[name].get(id), text, `${id} of ${name}`);
    assert.equal(actual[name].size, expected[name].size, name);
  }
}

const ofEpoch = (lines: readonly string[], epoch: number): number =>
  lines.filter((line) => line.includes(`"id":"e${epoch}/`) || line.includes(`"id":"e${epoch}.`)).length;

/** Moments of a run of two epochs, one after the other: while tasks are written, attempted, scored. */
export const lives: readonly ((written: Written) => boolean)[] = [
  ({ tasks }) => tasks.length >= 3,
  ({ traces }) => ofEpoch(traces, 1) >= 7,
  ({ journal }) => journal.includes('"rollouts.finished"'),
  ({ traces }) => ofEpoch(traces, 2) >= 11,
  ({ journal }) => journal.split('"families.scored"').length > 2,
];

/** Attempts that its journal says were not answered. */
export const unansweredIn = (journal: string): number =>
  [...journal.matchAll(/"unanswered":\{"count":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);

/** Answers of the agent that a run killed with so much written still has to ask for. */
export function questionsAfter({ traces }: Pick<Written, 'traces'>, whole: Left): number {
  const recorded = new Set(byId(traces).keys());
  const missing = [...whole.traces].filter(([id]) => !recorded.has(id));
  return missing.reduce((sum, [, text]) => sum + (text.match(/"role":"assistant"/g) ?? []).length, 0);
}
