import * as l10n from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { isAddressField, withoutSecret } from '../../shared/experiment/endpoints/addressField.ts';
import { isObject, overlay, withPreset, type JsonObject } from '../../shared/experiment/resolve.ts';
import { withoutRetired } from '../../shared/experiment/retired.ts';
import { experimentSchema } from '../../shared/experiment/schema.ts';
import { folderName, foundFolder } from '../../shared/records/folderName.ts';
import { codeOf } from '../../shared/systemError.ts';
import { readError, writeError } from '../files/fileErrors.ts';
import type { FileOperations } from '../files/fileOperations.ts';
import { parseJson, validate } from '../files/parseLine.ts';
import { RunError } from './runError.ts';

export const manifestVersion = 1;

const importedSchema = z.strictObject({
  /** Whose form they were in. */
  format: z.string(),
  /** Name of the file, or of the first and the last. */
  from: z.string(),
  /** Its training steps: epoch i was step `steps[i − 1]`; null where it named none. */
  steps: z.array(z.number().nullable()),
});

const parentSchema = z.strictObject({ run: foundFolder, epoch: z.int().nonnegative() }).nullable();

const manifestSchema = z.strictObject({
  v: z.literal(manifestVersion),
  id: folderName,
  /** ISO 8601, UTC. */
  createdAt: z.iso.datetime(),
  experiment: experimentSchema,
  /** The software that wrote this run: the release, Node, and the formats of the files beside this one. */
  versions: z.strictObject({
    genenv: z.string(),
    node: z.string(),
    journal: z.int(),
    records: z.int(),
    sessions: z.int(),
  }),
  /** The run and the last epoch it shares with this one; null for a run that is no branch. */
  parent: parentSchema,
  /**
   * Settings of the parent and of the runs before it, under which shared epochs were made: the parent may be removed. Empty
   * in branches of older versions.
   */
  ancestors: z.array(z.strictObject({ parent: parentSchema, experiment: experimentSchema })).default([]),
  /** The experiment file it was started from, as seen from this folder; null when there was none. */
  source: z.string().nullable().default(null),
  /**
   * Servers that its domain files name, and references to the keys for them. Empty where a file names none, and in runs of
   * older versions.
   */
  servers: z.array(z.strictObject({ url: z.string(), key: z.string().nullable() })).default([]),
  /** Rollouts that another program made: such a run is only read. Null for a run of ours. */
  imported: importedSchema.nullable().default(null),
});
/** Where the rollouts of an imported run come from. */
export type Imported = z.infer<typeof importedSchema>;
/** `run.json`. */
export type Manifest = z.infer<typeof manifestSchema>;

/** A renamed or copied folder gets its new name as id. @throws RunError `format`, `version`, `unreadable` */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, 'run.json');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw readError(error, path);
    throw new RunError('format', {
      path,
      what: l10n.t('there is no such file, so this folder is not a run'),
      remedy: l10n.t('Restore run.json from a copy, or move the folder away; nothing was changed.'),
      cause: error,
    });
  }
  const manifest = validate(upToDate(parseJson(text, { path })), manifestSchema, manifestVersion, { path });
  return { ...manifest, id: basename(dir) };
}

/** The behaviour of runs before these settings existed, where their preset now has another value. */
const before: JsonObject = {
  generation: { maxSequence: null, heldOutRun: null },
  rollouts: { batch: null, maxSequence: null },
  agent: { minibatchUnit: 'sequence' },
  environment: { anchors: 'any' },
};

/** Settings newer than the run's release get the value that matches the run's behaviour. */
function upToDate(manifest: unknown): unknown {
  if (!isObject(manifest) || !isObject(manifest['experiment'])) return manifest;
  const written = withoutRetired(manifest['experiment']);
  const { ancestors } = manifest;
  return {
    ...manifest,
    experiment: withPreset(overlay(before, withoutSecrets(written))),
    ...(Array.isArray(ancestors) && { ancestors: ancestors.map(upToDate) }),
  };
}

/** Addresses of earlier releases may contain passwords: they are removed for display. */
function withoutSecrets(experiment: JsonObject): JsonObject {
  const { endpoints } = experiment;
  if (!isObject(endpoints)) return experiment;
  const clean = (endpoint: unknown): unknown =>
    isObject(endpoint)
      ? Object.fromEntries(
          Object.entries(endpoint).map(([field, value]) => [
            field,
            isAddressField(`endpoints.role.${field}`) && typeof value === 'string' ? withoutSecret(value) : value,
          ]),
        )
      : endpoint;
  const cleaned = Object.entries(endpoints).map(([role, endpoint]) => [role, clean(endpoint)]);
  return { ...experiment, endpoints: Object.fromEntries(cleaned) };
}

/** The one place that writes `run.json`. Keys never reach it: an experiment has no field for one. */
export async function writeManifest(files: FileOperations, dir: string, manifest: Manifest): Promise<void> {
  const path = join(dir, 'run.json');
  try {
    await files.replace(path, `${JSON.stringify(manifest, null, 2)}\n`);
  } catch (error) {
    throw writeError(error, path);
  }
}
