/** How an answer is read, and how it is judged: a kind with its own options. */
import * as l10n from '@vscode/l10n';
import { answerStarts, scorerStarts } from '../../src/shared/adapters/starts.ts';
import type { JsonSchema } from '../../src/shared/experiment/allowed.ts';
import { fieldName, type Path } from '../../src/shared/experiment/text/jsonText.ts';
import { element } from '../lib/element.ts';
import { choiceRow, numberRow, textRow, type NumberRowOptions, type Row } from './rows.ts';
import { kindSchema, helpIn } from './schemaText.ts';
import { section, SectionRows } from './sections.ts';
import type { Editing, Section } from './section.ts';

const starts: Readonly<Record<'answer' | 'scorer', Readonly<Record<string, object>>>> = {
  answer: answerStarts,
  scorer: scorerStarts,
};

export function kindSection(part: 'answer' | 'scorer', editing: Editing): Section {
  const rows = new SectionRows(editing);
  const given = editing.value([part, 'kind']);
  const kind = typeof given === 'string' ? given : '';
  const schema = kindSchema(part, kind);
  const choose = choiceRow({
    label: part === 'answer' ? l10n.t('How it is read') : l10n.t('How it is judged'),
    help: helpIn(schema),
    field: `${part}.kind`,
    choices: Object.keys(starts[part]),
    // Another kind has other options: it is chosen as a whole.
    change: (to) => editing.now([part], starts[part][to]),
  });
  const options = Object.entries(schema?.properties ?? {}).filter(([name]) => name !== 'kind');
  return section(
    part === 'answer' ? l10n.t('Answer') : l10n.t('Scorer'),
    rows,
    rows.add(choose, [part, 'kind']),
    ...options.map(([name, option]) =>
      typeof option === 'object'
        ? rows.add(optionRow([part, name], option, !(schema?.required ?? []).includes(name), editing), [part, name])
        : element('span'),
    ),
  );
}

/** @param mayMiss an emptied option is removed */
export function optionRow(path: Path, schema: JsonSchema, mayMiss: boolean, editing: Editing): Row {
  const shared = { label: String(path.at(-1)), help: helpIn(schema), field: fieldName(path) };
  const isLeftOut = (text: string): boolean => mayMiss && text === '';
  if (schema.enum !== undefined) {
    const choices = [...(mayMiss ? [''] : []), ...schema.enum.map(String)];
    const change = (to: string): void => (isLeftOut(to) ? editing.leaveOut(path) : editing.now(path, to));
    return choiceRow({ ...shared, choices, change });
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    return numberRow({
      ...shared,
      ...rangeOf(schema),
      input: (to) => editing.later(path, to),
      leaveOut: mayMiss ? () => editing.leaveOut(path) : null,
      commit: () => editing.flush(),
      value: () => editing.value(path),
    });
  }
  const meant = schema.type === 'string' ? (text: string): unknown => text : valueOf;
  const read = (text: string): unknown => (isLeftOut(text) ? undefined : meant(text));
  return textRow({
    ...shared,
    input: (text) => editing.later(path, read(text)),
    commit: () => editing.flush(),
    read,
  });
}

function rangeOf(schema: JsonSchema): Pick<NumberRowOptions, 'whole' | 'least' | 'most' | 'step'> {
  const whole = schema.type === 'integer';
  const least = [schema.minimum, schema.exclusiveMinimum].find((one) => typeof one === 'number') ?? null;
  const most = schema.maximum === undefined || schema.maximum > mostStepped ? null : schema.maximum;
  // Between two bounds in even steps, tolerances by their size.
  const step = whole || least === null ? 1 : most === null ? 'ratio' : (most - least) / 20;
  return { whole, least, most, step };
}

/** A larger bound is that of the format. */
const mostStepped = 1e9;

/** JSON as typed; other text stays a text, and is reported as a problem. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
