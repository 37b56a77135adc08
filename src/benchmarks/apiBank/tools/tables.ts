import { join } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../../../shared/systemError.ts';
import { dataText } from '../../offline/dataText.ts';
import { OptionError } from '../../offline/offlineScorer.ts';

const owned = z.looseObject({ username: z.string() });
const table = <T>(row: z.ZodType<T>) => z.record(z.string(), row);

/** The tools' tables as they stand before a call. What a row holds beyond this is handed on as it is. */
const schemas = {
  Account: table(z.looseObject({ password: z.string(), token: z.string(), email: z.string() })),
  Agenda: table(owned.extend({ content: z.string(), time: z.string() })),
  Alarm: table(owned.extend({ time: z.string() })),
  Appointments: table(z.looseObject({ patient_name: z.string(), date: z.string(), doctor_name: z.string() })),
  Bank: table(z.looseObject({ balance: z.number() })),
  HealthData: table(z.array(z.looseObject({ time: z.string() }))),
  History: table(z.array(z.looseObject({ Title: z.string(), Date: z.string(), Description: z.string() }))),
  Hotel: table(z.looseObject({ hotel_name: z.string(), check_in_time: z.string(), check_out_time: z.string() })),
  Meeting: table(owned.extend({ meeting_topic: z.string(), start_time: z.string() })),
  QuestionAnswering: table(z.unknown()),
  Reminder: table(owned.extend({ content: z.string(), time: z.string() })),
  Scenes: table(z.unknown()),
  SpeechRecognition: table(z.string()),
  Stock: table(table(z.number())),
  Symptom: table(z.array(z.looseObject({ name: z.string(), description: z.string(), aid: z.string() }))),
  TimeSwitch: table(z.array(z.looseObject({ time: z.string() }))),
  Wiki: table(z.looseObject({ url: z.string(), summary: z.string() })),
};

const captions = z.array(z.looseObject({ url: z.string(), caption: z.string() }));

type Schemas = typeof schemas;

export type Tables = { [Name in keyof Schemas]: z.infer<Schemas[Name]> } & {
  /** Null where the file, the largest by far, was left out. */
  ImageCaptioning: z.infer<typeof captions> | null;
};

const remedy =
  'Give the folder "api-bank" of a clone of https://github.com/AlibabaResearch/DAMO-ConvAI, with init_database in it.';

/** Reads `init_database`. @throws OptionError naming the file that is missing or of another form */
export async function readTables(folder: string): Promise<Tables> {
  const read = async <T>(name: string, schema: z.ZodType<T>): Promise<T> => {
    const text = await textOf(folder, name);
    if (text !== null) return parsed(name, text, schema);
    throw new OptionError(`There is no init_database/${name}.json in ${folder}.`, remedy);
  };
  const captionText = await textOf(folder, 'ImageCaptioning');
  return {
    Account: await read('Account', schemas.Account),
    Agenda: await read('Agenda', schemas.Agenda),
    Alarm: await read('Alarm', schemas.Alarm),
    Appointments: await read('Appointments', schemas.Appointments),
    Bank: await read('Bank', schemas.Bank),
    HealthData: await read('HealthData', schemas.HealthData),
    History: await read('History', schemas.History),
    Hotel: await read('Hotel', schemas.Hotel),
    Meeting: await read('Meeting', schemas.Meeting),
    QuestionAnswering: await read('QuestionAnswering', schemas.QuestionAnswering),
    Reminder: await read('Reminder', schemas.Reminder),
    Scenes: await read('Scenes', schemas.Scenes),
    SpeechRecognition: await read('SpeechRecognition', schemas.SpeechRecognition),
    Stock: await read('Stock', schemas.Stock),
    Symptom: await read('Symptom', schemas.Symptom),
    TimeSwitch: await read('TimeSwitch', schemas.TimeSwitch),
    Wiki: await read('Wiki', schemas.Wiki),
    ImageCaptioning: captionText === null ? null : parsed('ImageCaptioning', captionText, captions),
  };
}

async function textOf(folder: string, name: string): Promise<string | null> {
  try {
    return await dataText(join(folder, 'init_database', `${name}.json`));
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}

function parsed<T>(name: string, text: string, schema: z.ZodType<T>): T {
  try {
    const result = schema.safeParse(JSON.parse(text));
    if (result.success) return result.data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new OptionError(`init_database/${name}.json is not in the form of API-Bank's table.`, remedy);
}

/** A row by its key; undefined without one. */
export const rowOf = <T>(rows: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(rows, key) ? rows[key] : undefined;
