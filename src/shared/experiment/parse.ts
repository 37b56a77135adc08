/** From the text of an experiment file to an experiment, or to everything that is wrong with it, each at its own line. */
import * as l10n from '@vscode/l10n';
import { contradictions } from './contradictions.ts';
import { idleSettings } from './contradictions/idle.ts';
import { problemsOf, type IssueContext } from './problems/issues.ts';
import { resolvedJsonSchema } from './jsonSchema.ts';
import { pathOfField, readJson } from './text/jsonText.ts';
import { withFiles, type AsSeen } from './fields/overriddenFiles.ts';
import { readOverride, withOverrides, type Override } from './overrides.ts';
import { overriddenAt, placesOver, type Places } from './problems/places.ts';
import { limits } from './limits.ts';
import { inFileOrder, isError, type Place, type Problem } from './problems/problem.ts';
import { at, isObject, presetOf, startOf, withPreset, type JsonObject } from './resolve.ts';
import { experimentSchema, type Experiment } from './schema.ts';

/** `warnings` do not keep an experiment from running; `problems` hold at least one error. */
export type Parsed = Sound | { problems: Problem[] };

interface Sound {
  experiment: Experiment;
  warnings: Problem[];
  /** Where a field of it was given, or what encloses it: in the file, or in the override that decides it. */
  placeOfField: (field: string) => Place;
}

/**
 * Reads an experiment file. `file` is the name in problems; `overrides` are `path=value` texts on top of it. `$schema`
 * is allowed and ignored. @param asSeen where overrides were typed elsewhere: how the experiment sees a file that they name
 */
export function parseExperiment(
  text: string,
  file: string,
  overrides: readonly string[] = [],
  asSeen: AsSeen | null = null,
): Parsed {
  const { given, problems } = readOverrides(overrides, asSeen);
  return parse(text, file, given, problems);
}

/** The same with values that stand elsewhere on top of it, such as in a study. */
export const parseWith = (text: string, file: string, given: readonly Override[]): Parsed =>
  parse(text, file, given, []);

function parse(text: string, file: string, given: readonly Override[], problems: Problem[]): Parsed {
  const reading = readJson(text, file);
  if (!reading.ok) return { problems: [...reading.problems, ...problems] };
  const { json } = reading;
  if (!isObject(json.value)) {
    const message = l10n.t('An experiment is a JSON object: {0}.', '{ "preset": "embedded", … }');
    problems.push({ ...json.placeOf([]), field: '', message, remedy: '', severity: 'error' });
  }
  if (!isObject(json.value) || problems.length > 0) return { problems };
  const { $schema, ...written } = json.value;
  if ($schema !== undefined && typeof $schema !== 'string') {
    const message = l10n.t('$schema names the schema for editors and must be a text.');
    const place = json.placeOf(['$schema']);
    problems.push({ ...place, field: '$schema', message, remedy: l10n.t('Remove it.'), severity: 'error' });
  }
  if (written['domains'] !== undefined && written['domain'] !== undefined) {
    const message = l10n.t('Both "domain" and "domains" are given; with several domains the one is not read.');
    const remedy = l10n.t('Remove "domain", or put it into the list with its share.');
    problems.push({ ...json.placeOfName(['domain']), field: 'domain', message, remedy, severity: 'error' });
  }
  return check(written, given, json, problems);
}

/** A resolved experiment (such as a run's) with overrides on top, with which a branch continues. */
export function overrideExperiment(
  experiment: Experiment,
  overrides: readonly string[],
  asSeen: AsSeen | null = null,
): Parsed {
  const { given, problems } = readOverrides(overrides, asSeen);
  if (problems.length > 0) return { problems };
  const nowhere = (): Place => ({ file: l10n.t('the run’s experiment'), line: 1, column: 1 });
  return check({ ...experiment }, given, { placeOf: nowhere, placeOfName: nowhere }, [], true);
}

function readOverrides(texts: readonly string[], asSeen: AsSeen | null): { given: Override[]; problems: Problem[] } {
  const read = texts.map(readOverride);
  const given = read.filter((one) => 'path' in one);
  return {
    given: asSeen === null ? given : given.map((one) => withFiles(one, asSeen)),
    problems: read.filter((one) => 'message' in one),
  };
}

/** @param whole whether `written` is a run's own experiment, which gives every value */
function check(
  written: JsonObject,
  overrides: readonly Override[],
  file: Places,
  found: readonly Problem[],
  whole = false,
): Parsed {
  const value = withPreset(withOverrides(written, overrides));
  const places = placesOver(file, written, overrides);
  const checked = experimentSchema.safeParse(value);
  if (!checked.success) {
    const context: IssueContext = {
      schema: resolvedJsonSchema(),
      value,
      ...places,
      defaultAt: (path) => ({ value: at(startOf(value), path), from: l10n.t('preset "{0}"', presetOf(value)) }),
    };
    return { problems: inFileOrder([...found, ...problemsOf(checked.error.issues, context)]) };
  }
  const given = (field: string): boolean => {
    const path = pathOfField(field);
    return overriddenAt(path, written, overrides) !== null || at(written, path) !== undefined;
  };
  const isNew = (field: string): boolean => !whole || overriddenAt(pathOfField(field), written, overrides) !== null;
  const contradicting = contradictions(checked.data, limits).filter(
    ({ keptByRuns = false, fields }) => !keptByRuns || fields.some(isNew),
  );
  const idle = idleSettings(checked.data, { written: whole ? {} : written, overrides }, contradicting);
  const conflicts = [...contradicting, ...idle].map(({ fields, message, remedy, severity }): Problem => {
    // At the line of the field; a value from the preset is reported at the preset's line.
    const field = fields.find(given) ?? 'preset';
    return { ...places.placeOfName(pathOfField(field)), field: fields[0] ?? '', message, remedy, severity };
  });
  const problems = inFileOrder([...found, ...conflicts]);
  if (problems.some(isError)) return { problems };
  return {
    experiment: checked.data,
    warnings: problems,
    placeOfField: (field) => places.placeOfName(pathOfField(field)),
  };
}
