/**
 * A study's folder, beside its file: its runs (`study.json`), and their results (`members.jsonl`, append-only). The
 * runs themselves are ordinary runs in the runs folder.
 */
import * as l10n from '@vscode/l10n';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { AppendFile } from '../../../runs/files/appendFile.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { lineBatches } from '../../../runs/files/jsonLines.ts';
import { InTurn } from '../../../shared/inTurn.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { codeOf } from '../../../shared/systemError.ts';
import type { InputSums } from './memberInputs.ts';
import { memberSummarySchema, studyVersion, type MemberSummary } from '../contract/file.ts';

const head = { v: z.literal(studyVersion), member: z.string() };
const eventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...head,
    type: z.literal('began'),
    run: z.string(),
    /** Of its copies of files (`memberInputs.ts`). Absent of runs that were found, and in folders of older versions. */
    inputs: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({ ...head, type: z.literal('rested'), run: z.string(), round: z.int(), summary: memberSummarySchema }),
  z.strictObject({
    ...head,
    type: z.literal('finished'),
    run: z.string(),
    /** Bytes of the run's journal when it was read: another size is another journal. */
    journal: z.int().nonnegative(),
    summary: memberSummarySchema,
  }),
  z.strictObject({
    v: z.literal(studyVersion),
    type: z.literal('dropped'),
    /** Rounds or seeds that were behind it. */
    after: z.int(),
    arms: z.array(z.strictObject({ arm: z.string(), why: z.string() })),
  }),
]);
export type StudyEvent = z.infer<typeof eventSchema>;

const planSchema = z.strictObject({
  v: z.literal(studyVersion),
  name: z.string(),
  /** SHA-256 of each run's experiment, by its name. */
  members: z.record(z.string(), z.string()),
  /** SHA-256 of the files that the base names, by field. */
  inputs: z.record(z.string(), z.string()),
});
export type KeptPlan = z.infer<typeof planSchema>;

/** The known state of one run. */
export interface KnownMember {
  run: string;
  inputs: InputSums | null;
  /** At the ends of racing rounds. */
  rested: Map<number, MemberSummary>;
  finished: { journal: number; summary: MemberSummary } | null;
}

/** Of a study's folder. */
const [planFile, membersFile] = ['study.json', 'members.jsonl'];
export const keptFiles = [planFile, membersFile];

export class StudyFolder {
  readonly dir: string;
  readonly members = new Map<string, KnownMember>();
  /** Why racing ended arms; and after how many rounds or seeds it has decided. */
  readonly dropped = new Map<string, string>();
  decided = 0;
  #end = 0;
  #file: AppendFile | null = null;
  /** Members that run side by side append at once: one line after the other, in one file that is opened once. */
  readonly #inTurn = new InTurn();

  private constructor(dir: string) {
    this.dir = dir;
  }

  get planPath(): string {
    return join(this.dir, planFile);
  }

  get #membersPath(): string {
    return join(this.dir, membersFile);
  }

  /** Empty where there is none yet. @throws InputError for one of another version or that was damaged */
  static async read(dir: string): Promise<StudyFolder> {
    const folder = new StudyFolder(dir);
    const path = folder.#membersPath;
    for await (const batch of lineBatches(path)) {
      for (const { bytes, number, offset } of batch) {
        const value = parseOrUndefined(bytes.toString());
        const parsed = eventSchema.safeParse(value);
        if (!parsed.success) throw foreign(path, number + 1, value);
        folder.#take(parsed.data);
        folder.#end = offset + bytes.byteLength + 1;
      }
    }
    return folder;
  }

  /** Null before the study was begun. @throws InputError */
  async plan(): Promise<KeptPlan | null> {
    let text: string;
    try {
      text = await readFile(this.planPath, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
      throw error;
    }
    const value = parseOrUndefined(text);
    const parsed = planSchema.safeParse(value);
    if (!parsed.success) throw foreign(this.planPath, 1, value);
    return parsed.data;
  }

  async keepPlan(plan: KeptPlan): Promise<void> {
    await nodeFiles.replace(this.planPath, `${JSON.stringify(plan, null, 2)}\n`);
  }

  async make(): Promise<void> {
    await mkdir(this.dir, { recursive: true });
  }

  /** On the device when it resolves. A failed one leaves nothing, and the next is tried anew. @throws RunError */
  append(event: StudyEvent): Promise<void> {
    return this.#inTurn.run(() => this.#write(event));
  }

  async #write(event: StudyEvent): Promise<void> {
    // A file that failed once takes nothing more.
    if (this.#file !== null && this.#file.failure !== null) await this.#closeFile();
    this.#file ??= await AppendFile.open(nodeFiles, this.#membersPath, this.#end, { durable: true });
    await this.#file.append([Buffer.from(`${JSON.stringify(event)}\n`)]);
    this.#end = this.#file.end;
    this.#take(event);
  }

  async close(): Promise<void> {
    await this.#inTurn.ended();
    await this.#closeFile();
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  #take(event: StudyEvent): void {
    if (event.type === 'dropped') {
      this.decided = event.after;
      for (const { arm, why } of event.arms) this.dropped.set(arm, why);
      return;
    }
    const known = this.members.get(event.member);
    const fresh = { run: event.run, inputs: null, rested: new Map(), finished: null };
    const member = known?.run === event.run ? known : fresh;
    this.members.set(event.member, member);
    if (event.type === 'began') member.inputs = event.inputs ?? member.inputs;
    if (event.type === 'rested') member.rested.set(event.round, event.summary);
    if (event.type === 'finished') member.finished = { journal: event.journal, summary: event.summary };
  }
}

const versioned = z.looseObject({ v: z.unknown() });

function foreign(file: string, line: number, value: unknown): InputError {
  const version = versioned.safeParse(value).data?.v;
  const other = version !== undefined && version !== studyVersion;
  const message = other
    ? l10n.t(
        'The study’s folder was written in version {0} of its form; this program reads version {1}.',
        JSON.stringify(version),
        studyVersion,
      )
    : l10n.t('This line is not one that a study writes.');
  const remedy = other
    ? l10n.t('Move the folder away, or run the study with the program that made it; its runs stay as they are.')
    : l10n.t('Restore the file from a copy, or move the study’s folder away: finished runs are found again.');
  return new InputError([{ file, line, column: 1, field: other ? 'v' : '', message, remedy, severity: 'error' }]);
}
