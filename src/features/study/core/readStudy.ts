/** The content of a study file, or all its faults, each at its own line. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { JsonSchema } from '../../../shared/experiment/allowed.ts';
import { problemsOf } from '../../../shared/experiment/problems/issues.ts';
import { readJson } from '../../../shared/experiment/text/jsonText.ts';
import { inFileOrder, type Problem } from '../../../shared/experiment/problems/problem.ts';
import { isObject } from '../../../shared/experiment/resolve.ts';
import { studySchema, type Study } from '../contract/file.ts';
import type { StudyPlaces } from './arm.ts';

let checked: JsonSchema | undefined;
const schemaOfStudies = (): JsonSchema => (checked ??= z.toJSONSchema(studySchema, { io: 'input' }));

export type StudyReading = { study: Study; places: StudyPlaces } | { problems: Problem[] };

/** `file` is the name in problems; `$schema` is allowed and ignored. */
export function readStudy(text: string, file: string): StudyReading {
  const reading = readJson(text, file);
  if (!reading.ok) return { problems: reading.problems };
  const { json } = reading;
  if (!isObject(json.value)) {
    const message = l10n.t('A study is a JSON object: { "base": "mine.genenv.json", "arms": …, "seeds": […] }.');
    return { problems: [{ ...json.placeOf([]), field: '', message, remedy: '', severity: 'error' }] };
  }
  const written = { ...json.value };
  delete written['$schema'];
  const parsed = studySchema.safeParse(written);
  if (parsed.success) return { study: parsed.data, places: json };
  const context = {
    schema: schemaOfStudies(),
    value: written,
    placeOf: json.placeOf,
    placeOfName: json.placeOfName,
  };
  return { problems: inFileOrder(problemsOf(parsed.error.issues, context)) };
}
