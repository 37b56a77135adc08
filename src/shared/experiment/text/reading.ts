/** The content of an experiment file's text, for display, and everything that is wrong with it. */
import { readJson } from './jsonText.ts';
import { parseExperiment } from '../parse.ts';
import type { Problem } from '../problems/problem.ts';
import { isObject, type JsonObject } from '../resolve.ts';

export interface ExperimentReading {
  /** The file's content; null while it cannot be read. */
  written: JsonObject | null;
  problems: readonly Problem[];
}

export function readExperimentText(text: string, file: string): ExperimentReading {
  const reading = readJson(text, file);
  const parsed = parseExperiment(text, file);
  return {
    written: reading.ok && isObject(reading.json.value) ? reading.json.value : null,
    problems: 'problems' in parsed ? parsed.problems : parsed.warnings,
  };
}
