/** A study file with its base, its plan and its folder, everything checked and nothing touched. */
import * as l10n from '@vscode/l10n';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InputError } from '../../../launch/inputs/inputError.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import { namedFiles } from '../../../shared/experiment/fields/namedFiles.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import { at } from '../../../shared/experiment/resolve.ts';
import { codeOf } from '../../../shared/systemError.ts';
import type { Study } from '../contract/file.ts';
import { planStudy, type Plan } from '../core/plan.ts';
import { readStudy } from '../core/readStudy.ts';
import { inputDigest, unread } from './inputDigest.ts';
import { settingsDigest } from './settingsDigest.ts';
import { keptFiles, StudyFolder, type KeptPlan } from './studyFolder.ts';
import type { StudyPlaces } from '../core/arm.ts';
import { givenText } from '../../../launch/inputs/givenText.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';

export interface OpenStudy {
  /** As the person named it. */
  file: string;
  path: string;
  base: string;
  /** The study file and its base, as read. */
  texts: { study: string; base: string };
  study: Study;
  places: StudyPlaces;
  plan: Plan;
  folder: StudyFolder;
  /** Digests of the files that its runs name, by field and name. */
  inputs: Readonly<Record<string, string>>;
  /** The content for `study.json`. */
  kept: KeptPlan;
}

const ending = '.json';

/** `curricula.study/` beside `curricula.study.json`. */
export const folderOf = (path: string): string =>
  path.endsWith(ending) ? path.slice(0, -ending.length) : `${path}.folder`;

/** Asked before a file is read; throws where it may not be. */
type Allowed = (path: string) => Promise<void>;
const everything: Allowed = () => Promise.resolve();

/** A study as it was queued: the texts of its file and its base, and `inputs` of that moment. */
export interface StudyCopies {
  study: string;
  base: string;
  inputs: Readonly<Record<string, string>>;
}

/**
 * @param allowed checks each file that the study names, which may be anywhere
 * @param copies are read in the place of the files
 * @throws InputError for any fault, with file, line and field; the errors of `allowed`
 */
export async function openStudy(
  cwd: string,
  file: string,
  allowed = everything,
  copies: StudyCopies | null = null,
): Promise<OpenStudy> {
  const path = resolve(cwd, file);
  await allowed(path);
  const text = copies?.study ?? (await givenText(path, file, () => l10n.t('Studies are files named *.study.json.')));
  const reading = readStudy(text, file);
  if ('problems' in reading) throw new InputError(reading.problems);
  const { study, places } = reading;
  const base = resolve(dirname(path), study.base);
  await allowed(base);
  const baseText = copies?.base ?? (await readBase(base, study.base, places));
  const planned = planStudy(study, { text: baseText, file: join(dirname(file), study.base) }, places);
  if ('problems' in planned) throw new InputError(planned.problems);
  const { plan } = planned;
  const dir = folderOf(path);
  for (const name of keptFiles) await allowed(join(dir, name));
  const folder = await StudyFolder.read(dir);
  const members = Object.fromEntries(plan.members.map(({ name, experiment }) => [name, settingsDigest(experiment)]));
  const inputs = await inputDigests(plan, dirname(base), allowed);
  const kept: KeptPlan = { v: 1, name: study.name, members, inputs };
  const before = await folder.plan();
  if (before !== null) refuseChanged(before, kept, folder, { file, places, study, plan });
  if (copies !== null) refuseOthers(copies.inputs, inputs, { file, places });
  // An arm that is taken out and put back is held to what its runs were made with.
  const all: KeptPlan = {
    ...kept,
    members: { ...begunIn(before, folder), ...members },
    inputs: { ...before?.inputs, ...inputs },
  };
  return { file, path, base, texts: { study: text, base: baseText }, study, places, plan, folder, inputs, kept: all };
}

const begunIn = (before: KeptPlan | null, { members }: StudyFolder): Record<string, string> =>
  Object.fromEntries(Object.entries(before?.members ?? {}).filter(([name]) => members.has(name)));

async function readBase(path: string, named: string, places: StudyPlaces): Promise<string> {
  try {
    return await strictText(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const message =
      codeOf(error) === 'ENOENT'
        ? l10n.t('The base "{0}" is gone: there is no such file.', named)
        : l10n.t('The base "{0}" cannot be read ({1}).', named, codeOf(error));
    const remedy = l10n.t('Name an experiment file, as seen from the study’s own folder.');
    throw new InputError([{ ...places.placeOf(['base']), field: 'base', message, remedy, severity: 'error' }]);
  }
}

async function inputDigests({ members }: Plan, directory: string, allowed: Allowed): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { experiment } of members) {
    for (const { field, name } of namedFiles(experiment)) {
      const key = `${field} ${name}`;
      if (key in digests) continue;
      await allowed(resolve(directory, name));
      digests[key] = await inputDigest(resolve(directory, name));
    }
  }
  return digests;
}

/** Runs that were begun under another plan are evidence for another question. */
function refuseChanged(
  before: KeptPlan,
  now: KeptPlan,
  { members, dir }: StudyFolder,
  { file, places, study, plan }: { file: string; places: StudyPlaces; study: Study; plan: Plan },
): void {
  const problems: Problem[] = [];
  const remedy = l10n.t('Undo the change, give the study another file, or move {0} away to begin anew.', dir);
  const place = places.placeOfName(['base']);
  for (const [key, digest] of Object.entries(now.inputs)) {
    const [field = ''] = key.split(' ');
    // Older releases wrote in which arm: another arm before it was taken for a changed file.
    const known = before.inputs[key]?.replace(/^unread in .*/s, unread);
    if (known === undefined || known === digest || members.size === 0) continue;
    const message = l10n.t(
      'The file of {0} ({1}) has changed since the study began: later runs would differ from earlier ones.',
      field,
      key.slice(field.length + 1),
    );
    problems.push({ ...place, file, field, message, remedy, severity: 'error' });
  }
  const changed = [...members.keys()].filter((name) => {
    const [then, today] = [before.members[name], now.members[name]];
    return then !== undefined && today !== undefined && then !== today;
  });
  const [first] = changed;
  if (first !== undefined) {
    const more = changed.length > 1 ? ` ${l10n.t('and {0} more', changed.length - 1)}` : '';
    const own = plan.members.find(({ name }) => name === first)?.arm;
    const arm = plan.arms.find(({ name, of }) => name === own && of in study.arms)?.of;
    const where = arm === undefined ? place : places.placeOfName(['arms', arm]);
    const message = l10n.t(
      'The study has changed since it began: the run “{0}”{1} was made with other settings than the file asks for now.',
      first,
      more,
    );
    problems.push({ ...where, field: arm === undefined ? 'base' : `arms.${arm}`, message, remedy, severity: 'error' });
  }
  if (problems.length > 0) throw new InputError(problems);
}

/** Files that the copies of a study name are no copies: other ones are another study. */
function refuseOthers(
  queued: StudyCopies['inputs'],
  now: Readonly<Record<string, string>>,
  { file, places }: Pick<OpenStudy, 'file' | 'places'>,
): void {
  const problems = Object.entries(now).flatMap(([key, digest]): Problem[] => {
    const [field = ''] = key.split(' ');
    if (queued[key] === undefined || queued[key] === digest) return [];
    const name = key.slice(field.length + 1);
    const message = l10n.t('The file of {0} ({1}) has changed since the study was put into the queue.', field, name);
    const remedy = l10n.t('Undo the change, or put the study into the queue again.');
    return [{ ...places.placeOfName(['base']), file, field, message, remedy, severity: 'error' }];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** Stats of so many files at once. */
const readers = 32;

/** Changes of finished runs since the study read them. */
export interface MemberFaults {
  /** Their folder is gone; their kept records still count. */
  gone: string[];
}

/** @throws InputError for a run whose journal or settings were changed by hand */
export async function checkMembers({ plan, folder, kept }: OpenStudy, store: RunStore): Promise<MemberFaults> {
  const gone: string[] = [];
  const problems: Problem[] = [];
  const next = plan.members.values();
  const check = async (): Promise<void> => {
    for (const { name } of next) {
      const known = folder.members.get(name);
      if (known?.finished == null) continue;
      const paths = runPaths(join(store.root, known.run));
      try {
        const [{ size }, manifest] = await Promise.all([stat(paths.journal), readFile(paths.manifest, 'utf8')]);
        const settings = settingsDigest(at(JSON.parse(manifest), ['experiment']));
        if (settings !== kept.members[name])
          problems.push(byHand(paths.manifest, name, l10n.t('its settings are not those of its arm')));
        else if (size !== known.finished.journal) {
          problems.push(byHand(paths.journal, name, l10n.t('its journal has changed since it was finished')));
        }
      } catch (error) {
        if (error instanceof SyntaxError) problems.push(byHand(paths.manifest, name, l10n.t('run.json is no JSON')));
        else if (codeOf(error) === 'ENOENT') gone.push(name);
        else throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: readers }, check));
  if (problems.length > 0) throw new InputError(problems);
  return { gone };
}

/** Files that changed, or that a program imports, since another run of the study was made. */
export const filesChanged = ({ file, places, folder }: OpenStudy, field: string, name: string): Problem => ({
  ...{ ...places.placeOfName(['base']), file, field },
  message: l10n.t(
    'Files of {0}, or files that these import, have changed since the study began: the run “{1}” would differ from earlier ones.',
    field,
    name,
  ),
  remedy: l10n.t('Undo the change, or move {0} away to begin anew.', folder.dir),
  severity: 'error',
});

export const byHand = (file: string, name: string, what: string, line = 1): Problem => ({
  ...{ file, line, column: 1, field: 'experiment' },
  message: l10n.t('The run “{0}” was edited by hand: {1}.', name, what),
  remedy: l10n.t('Restore it, or remove the run: “genenv study” then runs it again.'),
  severity: 'error',
});
