/**
 * A run in MLflow's file store (mlflow/store/tracking/file_store.py, 3.x): `EXPERIMENT/RUN/meta.yaml`, a file a parameter,
 * a file a metric with a line a step, a file a tag. Experiments and runs are named by digests, so that writing a run again
 * finds it.
 */
import type { Scalar } from './scalars.ts';

export interface MlflowRun {
  /** Of GenEnv's run. */
  id: string;
  name: string;
  experiment: string;
  /** Decimal digits. */
  experimentId: string;
  /** 32 hexadecimal digits. */
  runId: string;
  state: 'running' | 'finished' | 'failed' | 'killed';
  /** Milliseconds since the Unix epoch. */
  begun: number;
  ended: number | null;
  /** Settings as they are in the run's manifest. */
  settings: object;
  steps: readonly { step: number; at: number; scalars: readonly Scalar[] }[];
}

/** As mlflow.entities.RunStatus numbers them. */
const status = { running: 1, finished: 3, failed: 4, killed: 5 } as const;

/** MLflow refuses a longer parameter. */
const longest = 6_000;

/** The files by their paths below the store, which is at `location`, a URL. */
export function mlflowFiles(run: MlflowRun, location: string): Map<string, string> {
  const { experimentId, runId } = run;
  const of = `${experimentId}/${runId}`;
  const files = new Map<string, string>([
    [
      `${experimentId}/meta.yaml`,
      yaml({
        artifact_location: `${location}/${experimentId}`,
        creation_time: run.begun,
        experiment_id: experimentId,
        last_update_time: run.begun,
        lifecycle_stage: 'active',
        name: run.experiment,
      }),
    ],
    [
      `${of}/meta.yaml`,
      yaml({
        artifact_uri: `${location}/${of}/artifacts`,
        end_time: run.ended,
        entry_point_name: '',
        experiment_id: experimentId,
        lifecycle_stage: 'active',
        run_id: runId,
        run_name: run.name,
        source_name: 'genenv',
        source_type: 4,
        source_version: '',
        start_time: run.begun,
        status: status[run.state],
        tags: [],
        user_id: '',
      }),
    ],
    [`${of}/tags/mlflow.runName`, run.name],
    [`${of}/tags/genenv.run`, run.id],
  ]);
  const parameters = new Names();
  for (const [name, value] of leaves(run.settings))
    files.set(`${of}/params/${parameters.of(name)}`, value.slice(0, longest));
  const metrics = new Names();
  const lines = new Map<string, string[]>();
  for (const { step, at, scalars } of run.steps) {
    for (const { tag, value } of scalars) {
      const name = metrics.of(tag);
      const series = lines.get(name) ?? [];
      lines.set(name, series);
      series.push(`${at} ${value} ${step}\n`);
    }
  }
  for (const [name, series] of lines) files.set(`${of}/metrics/${name}`, series.join(''));
  return files;
}

/** Whether MLflow writes this file, too, where people rename or delete. */
export const isPeoples = (path: string): boolean =>
  path.endsWith('/meta.yaml') || path.endsWith('/tags/mlflow.runName');

/** Such a file written again: only the state and end of a run are ours. */
export const againIn = (there: string, fresh: string): string =>
  ['status', 'end_time'].reduce((text, name) => {
    const line = new RegExp(`^${name}:.*$`, 'm');
    return text.replace(line, (before) => line.exec(fresh)?.[0] ?? before);
  }, there);

/** Each name has a file of its own, the first one its plain name; none is a folder of others as well. */
class Names {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #folders = new Set<string>();

  of(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const plain = named(name);
    const isBelowFile = foldersOf(plain).some((folder) => this.#taken.has(folder));
    const wanted = isBelowFile ? plain.replaceAll('/', '_') : plain;
    let free = wanted;
    for (let n = 2; this.#taken.has(free) || this.#folders.has(free); n++) free = `${wanted}_${n}`;
    this.#names.set(name, free);
    this.#taken.add(free);
    for (const folder of foldersOf(free)) this.#folders.add(folder);
    return free;
  }
}

/** `a` and `a/b` of `a/b/c`. */
const foldersOf = (path: string): string[] =>
  path.split('/').flatMap((_, i, parts) => (i === 0 ? [] : [parts.slice(0, i).join('/')]));

/**
 * A name that MLflow (`^[/\w.\- ]*$` of Python, mlflow/utils/validation.py) and a file system take: letters and digits of
 * any script, `_`, `-`, `.`, space, and `/` between parts.
 */
const named = (name: string): string =>
  name
    .split('/')
    .map((part) => part.replaceAll(/[^\p{L}\p{N}_\-. ]/gu, '_').replace(/^\.*$/, '_'))
    .join('/');

/** A document of one level. A JSON string is one of YAML, too. */
const yaml = (fields: Record<string, string | number | null | []>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('');

/** Every value by its dotted path; a list is one value. */
function leaves(value: object, path = ''): [name: string, value: string][] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, string][] => {
    const name = `${path}${key}`;
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return leaves(inner, `${name}.`);
    return [[name, typeof inner === 'string' ? inner : JSON.stringify(inner)]];
  });
}
