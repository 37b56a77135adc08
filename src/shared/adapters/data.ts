/** The location of a benchmark's records, and how they are grouped. */
import * as z from 'zod';
import { sourceSchema } from './source.ts';

const files = z
  .array(z.string().min(1).max(500))
  .min(1)
  .describe(
    'Patterns below the folder: * within a name, ** across folders, {a,b} for either; one that begins with ! leaves out.',
  );

const splitSchema = z.strictObject({
  files,
  where: z
    .record(z.string().startsWith('/'), z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).min(1))
    .optional()
    .describe('Only records in which each of these JSON pointers (/record/level) has one of these values.'),
  share: z
    .strictObject({ from: z.number().min(0).max(1), to: z.number().min(0).max(1) })
    .optional()
    .describe('Only this part of the records, chosen by a hash of their ids: the same ones everywhere.'),
  records: z
    .int()
    .positive()
    .optional()
    .describe('How many records the authors say there are; another number is a warning.'),
  scorer: files.optional().describe('Files that the scorer itself reads for this split alone.'),
});

const formatSchema = z
  .enum(['jsonl', 'json', 'csv', 'tsv', 'ending', 'api-bank', 'bfcl-turns', 'alfworld-steps'])
  .describe(
    'jsonl: one object a line. json: a list of records, or one record a file. csv, tsv: a table with a head. ' +
      'ending: whichever of these a file’s name ends with. api-bank: dialogues of API-Bank, a record a sample. ' +
      'bfcl-turns: answers to BFCL’s conversations, a record a turn that is checked. alfworld-steps: solvable games of ALFWorld, a record a step.',
  );
export type DataFormat = z.infer<typeof formatSchema>;

const joinSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('key'),
      files,
      format: formatSchema,
      here: sourceSchema.describe(
        'What a record is looked up by: /record/id, or /file/index for its place in its file.',
      ),
      there: sourceSchema.describe('The same of the records that are joined: /record/id, /file/index.'),
      optional: z.boolean().optional().describe('Whether a record may have none: then it is null (default: no).'),
    }),
    z.strictObject({
      kind: z.literal('beside'),
      file: z.string().min(1).describe('A JSON file in the folder of the record’s own: traj_data.json.'),
    }),
    z
      .strictObject({ kind: z.literal('all'), files, format: formatSchema })
      .describe('All records of these files, as lists by the files’ names without ending: the same for every record.'),
  ])
  .describe('What else is known of a record: by a key they share, from a file beside it, or the same of all.');

export const dataSchema = z.strictObject({
  folder: z.string().describe('The data’s folder, relative to this file; empty while none is chosen.'),
  obtain: z.string().min(1).describe('Where the authors offer the data, for a person who does not have it.'),
  format: formatSchema,
  splits: z
    .record(z.string().regex(/^[\w.-]+$/), splitSchema)
    .describe('The parts that the authors keep apart, by name: train, validation, test.'),
  join: z
    .record(z.string().regex(/^(?!record$|file$|split$)[A-Za-z_]\w*$/), joinSchema)
    .optional()
    .describe('Further files, by the name that sources call them: "answer" is found at /answer/….'),
  scorer: files.optional().describe('Files that the scorer itself reads: a database. Patterns as those of splits.'),
});
export type AdapterData = z.infer<typeof dataSchema>;
export type AdapterSplit = z.infer<typeof splitSchema>;
export type AdapterJoin = z.infer<typeof joinSchema>;
