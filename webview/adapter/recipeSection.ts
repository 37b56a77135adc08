/** How an environment policy writes new tasks: prompt, form of its text, checks, where seeds come from. */
import * as l10n from '@vscode/l10n';
import { checkStarts, recipeStart } from '../../src/shared/adapters/recipeStarts.ts';
import { schemasAt, type JsonSchema } from '../../src/shared/experiment/allowed.ts';
import { adapterJsonSchema } from '../../src/shared/adapters/jsonSchema.ts';
import { isObject } from '../../src/shared/experiment/resolve.ts';
import { fieldName, type Path } from '../../src/shared/experiment/text/jsonText.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import { optionRow } from './kindSection.ts';
import { choiceRow, textRow } from './rows.ts';
import { helpOf, helpIn } from './schemaText.ts';
import { section, SectionRows, turnRows } from './sections.ts';
import type { Editing, Section } from './section.ts';

const recipe = (...path: Path): Path => ['recipe', ...path];

export function recipeSection(editing: Editing): Section {
  const rows = new SectionRows(editing);
  const given = editing.value(recipe());
  if (!isObject(given)) {
    const about = l10n.t('With a recipe an environment policy writes new tasks in this form, without any code.');
    const splits = editing.value(['data', 'splits']);
    const add = button({
      text: l10n.t('Add Recipe'),
      press: () => editing.now(recipe(), recipeStart(isObject(splits) ? Object.keys(splits) : [])),
    });
    return section(
      l10n.t('Recipe'),
      rows,
      element('p', { class: 'help' }, about),
      element('div', { class: 'row-actions' }, add),
    );
  }
  return section(
    l10n.t('Recipe'),
    rows,
    element('h3', {}, l10n.t('Prompt of the environment')),
    ...promptRows(rows, editing),
    element('h3', {}, l10n.t('What it writes')),
    rows.choice(l10n.t('Form'), recipe('form', 'kind'), ['json', 'sections']),
    ...fieldRows(rows, editing),
    element('h3', {}, l10n.t('Checks')),
    ...checkRows(rows, editing),
    element('h3', {}, l10n.t('Tasks')),
    ...(['base', 'heldOut'] as const).map((part) => splitRow(rows, editing, part)),
    agreementRow(rows, editing),
    element(
      'div',
      { class: 'row-actions' },
      button({ text: l10n.t('Remove Recipe'), press: () => editing.leaveOut(recipe()) }),
    ),
  );
}

/** Further parts of the form's structure. */
export function recipeShape(value: (...path: Path) => unknown): unknown {
  const given = value('recipe');
  if (!isObject(given)) return null;
  const [prompt, checks, fields] = [
    value('recipe', 'prompt'),
    value('recipe', 'checks'),
    value('recipe', 'form', 'fields'),
  ];
  return [
    Array.isArray(prompt) ? prompt.length : 0,
    Array.isArray(checks) ? checks.map((check: unknown) => (isObject(check) ? check['kind'] : null)) : [],
    isObject(fields) ? Object.keys(fields) : [],
    value('recipe', 'form', 'kind'),
  ];
}

function promptRows(rows: SectionRows, editing: Editing): HTMLElement[] {
  const value = editing.value(recipe('prompt'));
  const turns: readonly unknown[] = Array.isArray(value) ? value : [];
  const put = (next: readonly unknown[]): void => editing.now(recipe('prompt'), next);
  const without = (i: number) => (turns.length > 1 ? () => put(turns.filter((_, j) => j !== i)) : null);
  return [
    ...turns.map((turn, i) => turnRows(rows, turn, i, without(i), recipe('prompt', i))),
    element(
      'div',
      { class: 'row-actions' },
      button({
        text: l10n.t('Add Turn'),
        name: l10n.t('Add a turn to the prompt of the environment'),
        press: () => put([...turns, { role: 'user', content: '{{ seed.question }}' }]),
      }),
    ),
  ];
}

function fieldRows(rows: SectionRows, editing: Editing): HTMLElement[] {
  const value = editing.value(recipe('form', 'fields'));
  const fields = isObject(value) ? value : {};
  const put = (next: object): void => editing.now(recipe('form', 'fields'), next);
  const labelled = editing.value(recipe('form', 'kind')) === 'sections';
  const named = Object.keys(fields).map((name) => {
    const path = recipe('form', 'fields', name);
    const remove = button({
      text: l10n.t('Remove'),
      name: l10n.t('Remove the field {0}', name),
      press: () => put(Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name))),
    });
    return element(
      'div',
      { class: 'turn' },
      rows.choice(l10n.t('Field “{0}”', name), [...path, 'kind'], choicesAt([...path, 'kind']), [remove]),
      rows.text(l10n.t('{0}: what it holds', name), [...path, 'about'], { optional: true }),
      ...(labelled ? [rows.text(l10n.t('{0}: label', name), [...path, 'label'], { optional: true })] : []),
      rows.text(l10n.t('{0}: where it stands', name), [...path, 'at'], { optional: true }),
    );
  });
  return [...named, addField(Object.keys(fields), (name) => put({ ...fields, [name]: { kind: 'text' } }))];
}

/** A name is typed first: a field of the file cannot be renamed by an edit of one value. */
function addField(known: readonly string[], add: (name: string) => void): HTMLElement {
  let typed = '';
  const press = (): void => {
    if (/^[A-Za-z_]\w{0,59}$/.test(typed) && !known.includes(typed)) add(typed);
  };
  const row = textRow({
    label: l10n.t('New field'),
    help: l10n.t('Letters, digits and _, not beginning with a digit.'),
    field: '',
    input: (text) => {
      typed = text.trim();
    },
    commit: () => undefined,
    more: [button({ text: l10n.t('Add Field'), press })],
  });
  return row.node;
}

function checkRows(rows: SectionRows, editing: Editing): HTMLElement[] {
  const value = editing.value(recipe('checks'));
  const checks: readonly unknown[] = Array.isArray(value) ? value : [];
  const put = (next: readonly unknown[]): void => editing.now(recipe('checks'), next);
  const fields = editing.value(recipe('form', 'fields'));
  const [first = ''] = isObject(fields) ? Object.keys(fields) : [];
  const all = checks.map((check, i) => {
    const path = recipe('checks', i);
    const kind = isObject(check) ? String(check['kind']) : '';
    const schema = checkSchema(kind);
    const remove = button({
      text: l10n.t('Remove'),
      name: l10n.t('Remove check {0}', i + 1),
      press: () => put(checks.filter((_, j) => j !== i)),
    });
    const choose = choiceRow({
      label: l10n.t('Check {0}', i + 1),
      help: helpIn(schema),
      field: fieldName([...path, 'kind']),
      choices: Object.keys(checkStarts(first)),
      change: (to) => put(checks.map((one, j) => (j === i ? checkStarts(first)[to] : one))),
      more: [remove],
    });
    const options = Object.entries(schema?.properties ?? {}).filter(([name]) => name !== 'kind');
    return element(
      'div',
      { class: 'turn' },
      rows.add(choose, [...path, 'kind']),
      ...options.map(([name, option]) => {
        if (typeof option !== 'object') return element('span');
        const mayMiss = !(schema?.required ?? []).includes(name);
        return rows.add(optionRow([...path, name], option, mayMiss, editing), [...path, name]);
      }),
    );
  });
  const add = button({ text: l10n.t('Add Check'), press: () => put([...checks, checkStarts(first)['words']]) });
  return [...all, element('div', { class: 'row-actions' }, add)];
}

const checkSchema = (kind: string): JsonSchema | undefined =>
  schemasAt(adapterJsonSchema(), recipe('checks', 0)).find((schema) => {
    const own = schema.properties?.['kind'];
    return typeof own === 'object' && own.const === kind;
  });

const choicesAt = (path: Path): string[] =>
  schemasAt(adapterJsonSchema(), path).flatMap(({ enum: some }) => (some ?? []).map(String));

/** Names of splits, with commas between them. */
function splitRow(rows: SectionRows, editing: Editing, part: 'base' | 'heldOut'): HTMLElement {
  const path = recipe('splits', part);
  let emptied = false;
  const row = textRow({
    label: part === 'base' ? l10n.t('Splits to vary') : l10n.t('Splits held out'),
    help: helpOf(path),
    field: fieldName(path),
    text: (value) => (Array.isArray(value) ? value.join(', ') : ''),
    read: namesIn,
    input: (text) => {
      const names = namesIn(text);
      // An empty field may be on its way to other names until it is left.
      emptied = names.length === 0;
      if (!emptied) editing.later(path, names);
    },
    commit: () => {
      if (emptied) editing.leaveOut(part === 'base' ? recipe('splits') : path);
      emptied = false;
      editing.flush();
    },
  });
  return rows.add(row, path);
}

const namesIn = (text: string): string[] =>
  text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));

function agreementRow(rows: SectionRows, editing: Editing): HTMLElement {
  const path = recipe('agreement');
  const row = choiceRow({
    label: l10n.t('Independent answers agree'),
    help: helpOf(path),
    field: fieldName(path),
    choices: ['', 'true', 'false'],
    change: (to) => (to === '' ? editing.leaveOut(path) : editing.now(path, to === 'true')),
  });
  return rows.add(row, path);
}
