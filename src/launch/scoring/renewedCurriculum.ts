/**
 * A run whose curriculum gave no rewards for its open epoch continues, when it is resumed, with the file as it is now and with the
 * limits of its experiment's file where these are larger: nothing is sampled again. The journal says what took over.
 */
import { cp } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock, Log } from '../../engine/ports.ts';
import type { RunState } from '../../engine/state.ts';
import { isThere } from '../../runs/files/isThere.ts';
import { inForce } from '../../runs/journal/experimentNow.ts';
import { sourceOf } from '../../runs/store/runPaths.ts';
import type { RunWriter } from '../../runs/store/runWriter.ts';
import { valueAt, withChanges, type FieldChange } from '../../shared/experiment/changeable.ts';
import { parseExperiment } from '../../shared/experiment/parse.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { author } from '../author.ts';
import { absentFile, InputError } from '../inputs/inputError.ts';
import { strictText } from '../inputs/strictText.ts';
import { inputsFolder, readKeptFiles, replaceKept, type KeptFiles } from '../inputs/keptFiles.ts';
import { curriculumIn, loadCurriculum } from './curriculum.ts';

const field = 'curriculum.reward.file';

type Changed = EventOf<'settings.changed'>;

interface Given {
  dist: URL;
  clock: Clock;
  log: Log;
}

/**
 * @param state at the journal's end. @returns the change, journaled; null where nothing changes. @throws InputError where
 * the file cannot be used as it is now
 */
export async function renewCurriculum(writer: RunWriter, state: RunState, given: Given): Promise<Changed | null> {
  const { open } = state;
  const now = inForce(writer.manifest, state);
  const named = curriculumIn(now);
  if (named === null || open === null || open.scored !== undefined) return null;
  const { epoch } = open;
  const failed = (await writer.sessions()).some((end) => end.type === 'failed' && end.unrewarded === epoch);
  if (!failed) return null;

  const { dir } = writer;
  const source = sourceOf(dir, writer.manifest);
  const directory = dirname(source ?? join(dir, 'run.json'));
  const changes: FieldChange[] = source === null ? [] : await largerLimits(now, source, given.log);
  const journaled = await journaledFiles(writer);
  const file = resolve(directory, named);
  const fresh = (await isThere(file))
    ? await loadCurriculum(withChanges(now, changes) ?? now, directory, given.dist)
    : null;
  const kept = await keptIn(dir, journaled);
  if (fresh === null && kept === null) throw absentFile(file, field);
  const isNew = fresh !== null && !isDeepStrictEqual(fresh.kept.files, journaled ?? kept?.files);
  if (isNew) changes.push({ field, to: named });

  let event: Changed | null = null;
  if (changes.length > 0) {
    if (isNew && kept !== null) await keepEarlier(writer, epoch);
    event = {
      ...{ v: 1, seq: state.seq, at: given.clock.now(), type: 'settings.changed', epoch, author: author() },
      changes: changes.map((change) => ({ from: valueAt(now, change.field), ...change })),
      ...(isNew && { curriculumFiles: fresh.kept.files }),
    };
    await writer.append(event);
  }
  // A process that was killed between both left the older copy, which is not the journaled one.
  if (fresh !== null && (isNew || kept === null)) await replaceKept(dir, 'curriculum', fresh);
  return event;
}

/** Limits of the experiment's file that are larger than those in force. */
async function largerLimits({ reward }: Experiment, source: string, log: Log): Promise<FieldChange[]> {
  const parsed = await strictText(source).then(
    (text) => parseExperiment(text, source),
    (error: unknown) => ({ problems: [{ message: messageOf(error) }] }),
  );
  if ('problems' in parsed) {
    log.warn(`The limits stay as they are, as ${source} cannot be read: ${parsed.problems[0]?.message ?? ''}`);
    return [];
  }
  return (['seconds', 'megabytes'] as const).flatMap((limit) => {
    const to = parsed.experiment.reward[limit];
    return to > reward[limit] ? [{ field: `reward.${limit}`, to }] : [];
  });
}

/** SHA-256 of the files that took over last, by path; null where none did. */
async function journaledFiles(writer: RunWriter): Promise<KeptFiles['files'] | null> {
  let files: KeptFiles['files'] | null = null;
  for await (const event of writer.events())
    if (event.type === 'settings.changed' && event.curriculumFiles !== undefined) files = event.curriculumFiles;
  return files;
}

/** The run's copy; null where it is not the journaled one. @throws InputError */
async function keptIn(dir: string, journaled: KeptFiles['files'] | null): Promise<KeptFiles | null> {
  try {
    const kept = await readKeptFiles(dir, 'curriculum');
    return journaled === null || isDeepStrictEqual(kept.files, journaled) ? kept : null;
  } catch (error) {
    if (error instanceof InputError && journaled !== null) return null;
    throw error;
  }
}

/** The copy that rewarded the epochs before stays in the run's folder, once. */
async function keepEarlier(writer: RunWriter, epoch: number): Promise<void> {
  await writer.confirm();
  const from = join(writer.dir, inputsFolder);
  const to = join(from, 'earlier', `beforeEpoch${epoch}`);
  if (await isThere(join(to, 'curriculum.json'))) return;
  for (const name of ['curriculum', 'curriculum.json']) await cp(join(from, name), join(to, name), { recursive: true });
}
