/** From a file of BFCL answers to a file of verdicts, whole processes, beside the official checker where it can be had. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { append } from '../../src/shared/append.ts';
import { smallest } from '../../src/shared/extremes.ts';
import type { Figure } from './figure.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const official = fileURLToPath(new URL('bfclOfficial.py', import.meta.url));
/** Of processor time: ours over the official checker's. */
const budget = 0.5;
const rounds = 9;
/** Seconds of bfcl_eval 2026.3.23 at the measurement in docs/benchmarks.md, by answers. */
const measuredOnce = new Map([
  [10_000, 0.65],
  [1, 0.075],
]);

/** `GENENV_BFCL_PYTHON` is a Python that has the package `bfcl_eval`. */
export async function benchBfclFile(): Promise<Figure[]> {
  const python = process.env['GENENV_BFCL_PYTHON'] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'genenv-bench-'));
  try {
    const figures: Figure[] = [];
    for (const count of measuredOnce.keys()) {
      const [cases, ours, theirs] = ['cases', 'ours', 'theirs'].map((name) => join(folder, `${name}.jsonl`));
      if (cases === undefined || ours === undefined || theirs === undefined) throw new Error('no files');
      const lines = Array.from({ length: count }, (_, at) => JSON.stringify(caseAt(at)));
      await writeFile(cases, `${lines.join('\n')}\n`);
      // The first time leaves the compiled code for the others.
      await ownSeconds(cases, ours);
      const [own, other]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        own.push(await ownSeconds(cases, ours));
        if (python !== '') other.push(await officialSeconds(python, cases, theirs));
      }
      if (python !== '' && (await readFile(ours, 'utf8')) !== (await readFile(theirs, 'utf8'))) {
        throw new Error('The official checker finds otherwise.');
      }
      append(figures, figuresOf(count, smallest(own), python === '' ? null : smallest(other)));
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function figuresOf(count: number, own: number, other: number | null): Figure[] {
  const name = `file to verdict, whole process: ${count === 1 ? 'one answer' : `${count.toLocaleString('en')} answers`}`;
  const reference = measuredOnce.get(count) ?? 0;
  const value = own / (other ?? reference);
  const note =
    other === null
      ? `the official checker was not here: against ${reference} s measured once; GENENV_BFCL_PYTHON names a Python with it`
      : `the official checker ${other.toFixed(3)} s, without the SDKs of vendors that it loads; the same verdicts`;
  return [
    { name, value: own, unit: 's', note: 'reading, judging and writing; the least of nine' },
    { name: `${name}, official checker = 1`, value, unit: '×', budget, better: 'lower', note },
  ];
}

const run = promisify(execFile);

/** Of a whole process and all of its threads, its start and its end included, as the shell counts them. */
async function secondsOf(program: string, ...words: readonly string[]): Promise<number> {
  const timed = `TIMEFORMAT='%3U %3S'; time "$@" > /dev/null`;
  const { stderr } = await run('bash', ['-c', timed, 'bash', program, ...words]);
  const [user, system] = (stderr.trimEnd().split('\n').at(-1) ?? '').split(' ').map(Number);
  if (user === undefined || system === undefined) throw new Error(`The shell counted nothing: ${stderr}`);
  return user + system;
}

const ownSeconds = (cases: string, verdicts: string): Promise<number> =>
  secondsOf(process.execPath, cli, 'score', 'bfcl', '--in', cases, '--out', verdicts);

const officialSeconds = (python: string, cases: string, verdicts: string): Promise<number> =>
  secondsOf(python, official, cases, verdicts);

/** Records of the benchmark have 2.4 kB, most of it words that no check looks at. */
const words =
  'The number of places that are looked at before the nearest of them is given, in the order of their names. ';

/** Answers to 2,500 questions, four to each: right but for every tenth; languages and calls as often as in the benchmark. */
function caseAt(at: number): object {
  const question = at % 2500;
  const language = question % 50 === 7 ? 'javascript' : question % 25 === 3 ? 'java' : 'python';
  const calls = language === 'python' && question % 4 === 0 ? 3 : 1;
  const types = {
    python: ['string', 'integer', 'float', 'boolean', 'array'],
    java: ['String', 'integer', 'double', 'boolean', 'any'],
    javascript: ['String', 'integer', 'float', 'Boolean', 'any'],
  }[language];
  const functions = Array.from({ length: calls }, (_, call) => ({
    name: `area${question}.find_${call}`,
    description: words.repeat(3),
    parameters: {
      type: 'dict',
      required: ['p0', 'p1'],
      properties: Object.fromEntries(
        types.map((type, p) => [
          `p${p}`,
          { type, description: words, ...(type === 'array' ? { items: { type: 'string' } } : {}) },
        ]),
      ),
    },
  }));
  const values = (call: number): unknown[] => [
    `Place No. ${question + call}`,
    question + call,
    question + 0.25,
    question % 2 === 0,
    language === 'python' ? [`tag ${call}`, 'other'] : 'any word',
  ];
  const written = (value: unknown): string =>
    typeof value === 'boolean' && language === 'python' ? (value ? 'True' : 'False') : JSON.stringify(value);
  const text = functions.map(({ name }, call) => {
    const given = values(call).map((value, p) => `p${p}=${written(value)}`);
    return `${name}(${given.slice(0, at % 10 === 9 ? 1 : 5).join(', ')})`;
  });
  return {
    ...{ id: `own_${at}`, category: calls > 1 ? 'parallel_multiple' : 'simple', language, function: functions },
    possible_answer: functions.map(({ name }, call) => ({
      [name]: Object.fromEntries(values(call).map((value, p) => [`p${p}`, [value, '']])),
    })),
    model_output_text: `[${text.join(', ')}]`,
  };
}
