import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isLong, parseLong } from './longLine.ts';
import { RunError } from '../store/runError.ts';
import { messageOf } from '../../shared/messageOf.ts';

/** Where a text came from, for messages. `line` is 1-based. */
export interface Place {
  path: string;
  line?: number;
}

const versioned = z.looseObject({ v: z.int() });

const damaged = (): string => l10n.t('Restore the file from a copy, or remove the run; nothing was changed.');

/** Parses JSON. @throws RunError `format` */
export function parseJson(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(text, place, error);
  }
}

/** Parses a line, others being let in while it is a long one. @throws RunError `format` */
export async function parseBytes(bytes: Buffer, place: Place): Promise<unknown> {
  if (!isLong(bytes)) return parseJson(bytes.toString(), place);
  try {
    return await parseLong(bytes);
  } catch (error) {
    throw notJson(bytes.toString(), place, error);
  }
}

function notJson(text: string, place: Place, cause: unknown): RunError {
  const what =
    text.trim() === '' ? l10n.t('this is empty, not JSON') : l10n.t('this is not JSON ({0})', messageOf(cause));
  return new RunError('format', { ...place, what, remedy: damaged(), cause });
}

/**
 * A parsed value checked against the schema; `known` is the newest `v` we can read.
 * @param remedy of a wrong field, in a sentence
 * @throws RunError `version` for a newer one, `format` naming the first offending field
 */
export function validate<T>(
  value: unknown,
  schema: z.ZodType<T>,
  known: number,
  place: Place,
  remedy: () => string = damaged,
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const head = versioned.safeParse(value);
  if (head.success && head.data.v !== known) {
    const newer = head.data.v > known;
    throw new RunError('version', {
      ...place,
      field: 'v',
      what: l10n.t('format version {0}, and this release reads version {1}', head.data.v, known),
      remedy: newer
        ? l10n.t('A newer GenEnv wrote it: update GenEnv to read this run; nothing was changed.')
        : l10n.t('An older GenEnv wrote it: use that release to read this run; nothing was changed.'),
    });
  }
  const [issue] = parsed.error.issues;
  throw new RunError('format', {
    ...place,
    field: issue === undefined ? '' : issue.path.map(String).join('.'),
    what: issue === undefined ? l10n.t('not in the expected form') : describe(issue),
    remedy: remedy(),
    cause: parsed.error,
  });
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.length > 1
      ? l10n.t('unknown fields {0}', issue.keys.join(', '))
      : l10n.t('unknown field {0}', issue.keys.join(', '));
  const message = issue.message.replace(/^Invalid input: /, '');
  return message.charAt(0).toLowerCase() + message.slice(1);
}
