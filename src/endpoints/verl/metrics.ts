/** Metrics of a job: from the file that verl writes, or, where there is none, from the lines it prints. */
import * as z from 'zod';
import type { JobOutcome } from '../../engine/ports.ts';
import { linesOf } from './files/jsonLines.ts';

/** One step's metrics, by verl's own names. */
export interface StepMetrics {
  step: number;
  data: Readonly<Record<string, number>>;
}

const stepSchema = z.object({ step: z.int().nonnegative(), data: z.record(z.string(), z.unknown()) });

/** Lines of the file logger: `{"step":12,"data":{"critic/score/mean":0.41}}`. */
export function metricsOfFile(text: string): StepMetrics[] {
  return linesOf(text, stepSchema).map(({ step, data }) => ({ step, data: numbersOf(Object.entries(data)) }));
}

/**
 * Lines of the console logger: `step:12 - critic/score/mean:0.41 - …`. Ray puts the name of a process before them and
 * colours around that.
 */
export function metricsOfLog(log: string): StepMetrics[] {
  return log.split('\n').flatMap((line) => {
    const [, step, rest] = /(?:^|[^\w:])step:(\d+)((?: - [^:\s]+:\S+)+)/.exec(line) ?? [];
    if (step === undefined || rest === undefined) return [];
    const pairs = rest.split(' - ').flatMap((pair): [string, unknown][] => {
      const [, name, value] = /^([^:\s]+):(\S+)$/.exec(pair) ?? [];
      // Newer NumPy prints np.float64(0.41).
      const number = /^(?:np\.\w+\()?([^()]+)\)?$/.exec(value ?? '')?.[1];
      return name === undefined || number === undefined ? [] : [[name, Number(number)]];
    });
    return [{ step: Number(step), data: numbersOf(pairs) }];
  });
}

const numbersOf = (pairs: readonly (readonly [string, unknown])[]): Record<string, number> =>
  Object.fromEntries(
    pairs.flatMap(([name, value]) => (typeof value === 'number' && Number.isFinite(value) ? [[name, value]] : [])),
  );

/** The last value of every metric. */
export const lastOf = (steps: readonly StepMetrics[]): Record<string, number> =>
  Object.fromEntries(steps.flatMap(({ data }) => Object.entries(data)));

/** Of the last values: those that the journal has a place for. The KL is verl's low-variance estimate, where it is on. */
export function toldBy(last: Readonly<Record<string, number>>): JobOutcome['told'] {
  const of = (...names: readonly string[]): number | null => names.map((name) => last[name]).find(isNumber) ?? null;
  return {
    loss: of('actor/pg_loss', 'train/loss'),
    entropy: of('actor/entropy'),
    gradNorm: of('actor/grad_norm', 'train/grad_norm'),
    referenceKl: of('actor/kl_loss'),
  };
}

const isNumber = (value: number | undefined): value is number => value !== undefined;

/** Rows that verl read, and how many it kept: what it cannot render or finds too long it drops without a word. */
export function rowsTold(log: string): number | null {
  const [kept] = [...log.matchAll(/filter dataset len: (\d+)/g), ...log.matchAll(/\bdataset len: (\d+)/g)];
  return kept?.[1] === undefined ? null : Number(kept[1]);
}
