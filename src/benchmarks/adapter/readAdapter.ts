/** From the text of an adapter file to an adapter, or to everything that is wrong with it, each at its own line. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { matchesOf } from '../../sandbox/expressions.ts';
import { SandboxError } from '../../sandbox/sandboxError.ts';
import type { Adapter } from '../../shared/adapters/schema.ts';
import { adapterSchema } from '../../shared/adapters/schema.ts';
import { adapterJsonSchema } from '../../shared/adapters/jsonSchema.ts';
import { isPointer } from '../../shared/adapters/source.ts';
import { problemsOf } from '../../shared/experiment/problems/issues.ts';
import { fieldName, readJson, type Path } from '../../shared/experiment/text/jsonText.ts';
import { inFileOrder, isError, type Problem } from '../../shared/experiment/problems/problem.ts';
import { isObject, type JsonObject } from '../../shared/experiment/resolve.ts';
import { Unfit } from '../rules/rule.ts';
import { jsonSchema } from '../rules/jsonSchema.ts';
import { writes } from './recipe/adapterRecipe.ts';
import { recipeFaults } from './recipe/recipeFaults.ts';
import { pointerParts } from './scope.ts';
import { compileTemplate } from './template.ts';
import { messageOf } from '../../shared/messageOf.ts';

export interface AdapterReading {
  /** The file's content; null while it cannot be read. */
  written: JsonObject | null;
  /** Null where something is wrong. */
  adapter: Adapter | null;
  /**
   * The well-formed parts, so that records can be shown while other parts are wrong; null while they locate no data.
   */
  parts: AdapterParts | null;
  /** With an adapter these are warnings. */
  problems: readonly Problem[];
}

export interface AdapterParts {
  data: Adapter['data'];
  task: Adapter['task'] | null;
}

/** A thing wrong in a field, where its form alone does not show it. */
interface Fault {
  path: Path;
  message: string;
  remedy: string;
}

/** Reads an adapter file. `file` is the name that problems carry. */
export function readAdapter(text: string, file: string): AdapterReading {
  const reading = readJson(text, file);
  if (!reading.ok) return { written: null, adapter: null, parts: null, problems: reading.problems };
  const { value, placeOf, placeOfName } = reading.json;
  if (!isObject(value)) {
    const message = l10n.t('An adapter is a JSON object: { "version": 1, "name": … }.');
    return {
      written: null,
      adapter: null,
      parts: null,
      problems: [{ ...placeOf([]), field: '', message, remedy: '', severity: 'error' }],
    };
  }
  const own = Object.fromEntries(Object.entries(value).filter(([name]) => name !== '$schema'));
  const checked = adapterSchema.safeParse(own);
  if (!checked.success) {
    const schema = adapterJsonSchema();
    const problems = problemsOf(checked.error.issues.flatMap(nearestForm), {
      schema,
      value: own,
      placeOf,
      placeOfName,
    });
    return { written: value, adapter: null, parts: partsOf(own), problems: inFileOrder(problems) };
  }
  const problems = [...faultsOf(checked.data)].map(({ path, message, remedy }): Problem => ({
    ...placeOf(path),
    ...{ field: fieldName(path), message, remedy, severity: 'error' },
  }));
  if (checked.data.data.folder === '') {
    const message = l10n.t('No folder of the data is chosen.');
    const remedy = l10n.t('Choose where it lies. {0}', checked.data.data.obtain);
    problems.push({ ...placeOf(['data', 'folder']), field: 'data.folder', message, remedy, severity: 'warning' });
  }
  return {
    written: value,
    adapter: problems.some(isError) ? null : checked.data,
    parts: partsOf(own),
    problems: inFileOrder(problems),
  };
}

function partsOf(written: JsonObject): AdapterParts | null {
  const { data, task } = adapterSchema.shape;
  const found = data.safeParse(written['data']).data;
  if (found === undefined) return null;
  const mapping = task.safeParse(written['task']).data ?? null;
  // A share of a file is drawn by the ids: without them it is not known which records it has.
  const drawn = Object.values(found.splits).some(({ share }) => share !== undefined);
  return drawn && (mapping === null || [...sourceFaults(['task', 'id'], mapping.id, rootsOf(found))].length > 0)
    ? null
    : { data: found, task: mapping };
}

const rootsOf = ({ join }: Adapter['data']): string[] => ['record', 'file', 'split', ...Object.keys(join ?? {})];

/** Of what may have one of several forms, what keeps it from the form that it comes nearest to. */
function nearestForm(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [nearest] = issue.errors.toSorted((a, b) => a.length - b.length);
  if (nearest === undefined) return [issue];
  return nearest.flatMap((inner) => nearestForm({ ...inner, path: [...issue.path, ...inner.path] }));
}

function* faultsOf(adapter: Adapter): Generator<Fault> {
  const roots = rootsOf(adapter.data);
  for (const [path, source, own] of sourcesOf(adapter)) yield* sourceFaults(path, source, own ?? roots);
  for (const [name, { where, share }] of Object.entries(adapter.data.splits)) {
    for (const pointer of Object.keys(where ?? {})) {
      yield* sourceFaults(['data', 'splits', name, 'where', pointer], pointer, roots);
    }
    if (share !== undefined && share.from >= share.to) {
      const message = l10n.t('The share from {0} to {1} holds nothing.', share.from, share.to);
      yield { path: ['data', 'splits', name, 'share'], message, remedy: l10n.t('Let it begin before it ends.') };
    }
  }
  if (Object.keys(adapter.data.splits).length === 0) {
    const message = l10n.t('There is no split, so no record is read.');
    yield { path: ['data', 'splits'], message, remedy: l10n.t('Name one: { "test": { "files": ["*.jsonl"] } }.') };
  }
  const { answer, scorer } = adapter;
  if (answer.kind === 'regex') yield* patternFaults(answer.pattern, answer.group);
  if (scorer.kind === 'json-schema') {
    try {
      jsonSchema.readGold('', scorer);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      yield { path: ['scorer', 'schema'], message: sentence(error.message), remedy: '' };
    }
  }
  if (writes(adapter)) yield* recipeFaults(adapter);
}

/** Every source with its place, and the roots it sees where these are its own. */
function* sourcesOf({ data, task }: Adapter): Generator<[Path, string, (readonly string[])?]> {
  yield [['task', 'id'], task.id];
  for (const [i, turn] of task.prompt.entries()) {
    if ('role' in turn) yield [['task', 'prompt', i, 'content'], turn.content];
    else yield [['task', 'prompt', i, 'messages'], turn.messages];
  }
  if (task.tools !== undefined) yield [['task', 'tools', 'each'], task.tools.each];
  if (task.gold !== null) yield [['task', 'gold'], task.gold];
  if (task.family !== undefined) yield [['task', 'family'], task.family];
  if (task.category !== undefined) yield [['task', 'category'], task.category];
  for (const [name, source] of Object.entries(task.evaluation ?? {})) yield [['task', 'evaluation', name], source];
  for (const [name, source] of Object.entries(task.verbatim ?? {})) yield [['task', 'verbatim', name], source];
  for (const [name, join] of Object.entries(data.join ?? {})) {
    if (join.kind !== 'key') continue;
    yield [['data', 'join', name, 'here'], join.here, ['record', 'file', 'split']];
    yield [['data', 'join', name, 'there'], join.there, ['record', 'file', 'split']];
  }
}

function* sourceFaults(path: Path, source: string, roots: readonly string[]): Generator<Fault> {
  if (!isPointer(source)) {
    try {
      compileTemplate(source);
    } catch (error) {
      const what = messageOf(error);
      yield {
        path,
        message: l10n.t('{0} is no Jinja template: {1}.', fieldName(path), what),
        remedy: l10n.t('Close every {{ and {%.'),
      };
    }
    return;
  }
  const [root = ''] = pointerParts(source);
  if (roots.includes(root)) return;
  const message = l10n.t('{0} begins with “{1}”, which is nothing that is known of a record.', source, root);
  yield {
    path,
    message,
    remedy: l10n.t('A pointer begins with one of {0}.', roots.map((one) => `/${one}`).join(', ')),
  };
}

function* patternFaults(pattern: string, group: number): Generator<Fault> {
  let groups: number;
  try {
    const found = matchesOf([{ source: `${pattern}|`, flags: '' }], ['']);
    groups = (found[0]?.[0]?.[0]?.length ?? 1) - 1;
  } catch (error) {
    if (!SandboxError.is(error)) throw error;
    yield {
      path: ['answer', 'pattern'],
      message: sentence(error.message),
      remedy: l10n.t('Correct the regular expression.'),
    };
    return;
  }
  if (group <= groups) return;
  const message = l10n.t('Group {0} is asked for, but the expression has {1}.', group, groups);
  yield { path: ['answer', 'group'], message, remedy: l10n.t('0 is the whole match.') };
}

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
