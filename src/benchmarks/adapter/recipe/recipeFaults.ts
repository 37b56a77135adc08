/** Faults of an adapter's recipe that its form alone does not show. */
import * as l10n from '@vscode/l10n';
import { matchesOf } from '../../../sandbox/expressions.ts';
import { SandboxError } from '../../../sandbox/sandboxError.ts';
import type { RecipeCheck, RecipeField, RecipeForm } from '../../../shared/adapters/recipe.ts';
import { fieldName, type Path } from '../../../shared/experiment/text/jsonText.ts';
import { nearest } from '../../../shared/experiment/problems/nearest.ts';
import { TemplateError } from '../../../shared/jinja/templateError.ts';
import type { PythonValue } from '../../python/value.ts';
import { isPlayed } from '../../scorerTable.ts';
import { mapFields } from '../mapRecord.ts';
import { compileTemplate } from '../template.ts';
import type { WritingAdapter } from './adapterRecipe.ts';
import { labelOf, placeOf, scopeOf } from './writtenRecord.ts';

/** A thing wrong in a field. */
interface Fault {
  path: Path;
  message: string;
  remedy: string;
}

/** Variables of a prompt's templates. */
const known = ['seed', 'target', 'recentSuccess', 'difficulty', 'lineage', 'rejected', 'form'];

export function* recipeFaults(adapter: WritingAdapter): Generator<Fault> {
  const { recipe, scorer, data } = adapter;
  if (isPlayed({ evaluation: scorer })) {
    const message = l10n.t(
      'Tasks judged by “{0}” are played with files of their benchmark, which a recipe cannot write.',
      scorer.kind,
    );
    yield { path: ['recipe'], message, remedy: l10n.t('Take the recipe out, or write a domain file.') };
  }
  for (const [i, { content }] of recipe.prompt.entries()) {
    const path = ['recipe', 'prompt', i, 'content'];
    yield* templateFaults(path, content, known);
  }
  const { form } = recipe;
  yield* formFaults(form, ['record', ...Object.keys(data.join ?? {})]);
  for (const [i, check] of (recipe.checks ?? []).entries()) yield* checkFaults(['recipe', 'checks', i], check, form);
  for (const [name, source] of Object.entries(recipe.difficulty ?? {})) {
    yield* templateFaults(['recipe', 'difficulty', name], source, ['record', ...Object.keys(data.join ?? {})]);
  }
  yield* splitFaults(adapter);
  yield* untoldFaults(adapter);
}

function* templateFaults(path: Path, source: string, names: readonly string[]): Generator<Fault> {
  let free: readonly string[];
  try {
    free = compileTemplate(source).names;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const message = l10n.t('{0} is no Jinja template: {1}.', fieldName(path), error.message);
    yield { path, message, remedy: l10n.t('Close every {{ and {%.') };
    return;
  }
  for (const name of free.filter((one) => !names.includes(one))) {
    const near = nearest(name, names);
    const remedy = near === null ? l10n.t('It knows {0}.', names.join(', ')) : l10n.t('Did you mean “{0}”?', near);
    yield { path, message: l10n.t('{0} names “{1}”, which it does not know.', fieldName(path), name), remedy };
  }
}

function* formFaults({ kind, fields }: RecipeForm, roots: readonly string[]): Generator<Fault> {
  const all = Object.entries(fields);
  const place = (name: string, part?: string): Path => [
    'recipe',
    'form',
    'fields',
    name,
    ...(part === undefined ? [] : [part]),
  ];
  if (all.length === 0) {
    const remedy = l10n.t('Name one: { "question": { "kind": "text" } }.');
    yield {
      path: ['recipe', 'form', 'fields'],
      message: l10n.t('The form has no field, so nothing is written.'),
      remedy,
    };
  }
  const labels = new Map<string, string>();
  for (const [name, field] of all) {
    const [root = ''] = placeOf(name, field);
    if (!roots.includes(root)) {
      const message = l10n.t('{0} begins with “{1}”, where no source of the task looks.', field.at ?? '', root);
      yield {
        path: place(name, 'at'),
        message,
        remedy: l10n.t('Begin with one of {0}.', roots.map((one) => `/${one}`).join(', ')),
      };
    }
    if (kind === 'json' && field.label !== undefined) {
      const message = l10n.t('Labels are for sections, and this form is a JSON object.');
      yield {
        path: place(name, 'label'),
        message,
        remedy: l10n.t('Take it out, or set recipe.form.kind to "sections".'),
      };
    }
    if (kind === 'sections' && field.kind === 'json') {
      const message = l10n.t('A section holds text, and cannot be read as any JSON value.');
      yield {
        path: place(name, 'kind'),
        message,
        remedy: l10n.t('Choose another kind, or set recipe.form.kind to "json".'),
      };
    }
    const label = labelOf(name, field).toLowerCase();
    const twin = labels.get(label);
    if (twin !== undefined) {
      const message = l10n.t('“{0}” and “{1}” begin with the same label.', name, twin);
      yield { path: place(name), message, remedy: l10n.t('Give each a label of its own.') };
    }
    labels.set(label, name);
  }
}

function* checkFaults(path: Path, check: RecipeCheck, { fields }: RecipeForm): Generator<Fault> {
  const names = Object.keys(fields);
  const asked = { field: check.field, ...('in' in check && { in: check.in }) };
  for (const [part, name] of Object.entries(asked)) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    const remedy = near === null ? l10n.t('It has {0}.', names.join(', ')) : l10n.t('Did you mean “{0}”?', near);
    yield { path: [...path, part], message: l10n.t('The form has no field “{0}”.', name), remedy };
  }
  if (check.kind === 'words' || check.kind === 'range') {
    const { least, most } = check;
    if (least === undefined && most === undefined) {
      yield {
        path,
        message: l10n.t('The check has no limit, so it holds for everything.'),
        remedy: l10n.t('Give least, most or both.'),
      };
    } else if (least !== undefined && most !== undefined && least > most) {
      const message = l10n.t('No value is at least {0} and at most {1}.', least, most);
      yield { path: [...path, 'least'], message, remedy: l10n.t('Let least be no more than most.') };
    }
  }
  if (check.kind !== 'pattern') return;
  try {
    matchesOf([{ source: check.pattern, flags: check.flags ?? '' }], ['']);
  } catch (error) {
    if (!SandboxError.is(error)) throw error;
    const message = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
    yield { path: [...path, 'pattern'], message, remedy: l10n.t('Correct the regular expression.') };
  }
}

function* splitFaults({ recipe: { splits }, data }: WritingAdapter): Generator<Fault> {
  if (splits === undefined) return;
  const names = Object.keys(data.splits);
  for (const part of ['base', 'heldOut'] as const) {
    for (const [i, split] of (splits[part] ?? []).entries()) {
      const path = ['recipe', 'splits', part, i];
      if (!names.includes(split)) {
        yield {
          path,
          message: l10n.t('There is no split “{0}”.', split),
          remedy: l10n.t('There are {0}.', names.join(', ')),
        };
      } else if (part === 'heldOut' && splits.base.includes(split)) {
        const message = l10n.t('The split “{0}” is trained on and held out.', split);
        yield { path, message, remedy: l10n.t('Divide it: two splits of the same files whose shares touch.') };
      }
    }
  }
}

/** Fields that a source of the task needs and the form lacks, found with a record that has a value in every field. */
function* untoldFaults({ recipe: { form }, task }: WritingAdapter): Generator<Fault> {
  const fields = Object.entries(form.fields);
  // Of a JSON value only the environment knows the inside.
  if (fields.length === 0 || fields.some(([, { kind }]) => kind === 'json')) return;
  const written = new Map(fields.map(([name, { kind }]) => [name, samples[kind]]));
  const { misfits } = mapFields({ ...task, id: 'written', family: undefined }, scopeOf(written, form));
  for (const { field, message } of misfits) {
    const said = l10n.t('{0} cannot be made from what is written: {1}.', field, message);
    const remedy = l10n.t('Add a field to the form, or say with “at” where one of them stands.');
    yield { path: ['recipe', 'form', 'fields'], message: said, remedy };
  }
}

const samples: Readonly<Record<RecipeField['kind'], PythonValue>> = {
  text: 'text',
  number: 1n,
  whole: 1n,
  boolean: true,
  list: ['text'],
  json: null,
};
