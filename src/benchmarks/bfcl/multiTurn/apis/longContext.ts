/**
 * The long-context category's additions to the tools: the official program's own `long_context.py`, read as the data it
 * is.
 */
import { join } from 'node:path';
import { codeOf } from '../../../../shared/systemError.ts';
import { dataText } from '../../../offline/dataText.ts';
import { OptionError } from '../../../offline/offlineScorer.ts';
import { evaluate, nowhere } from '../../python/evaluate.ts';
import { parseExpression } from '../../python/expressions.ts';
import { PythonFault } from '../../python/fault.ts';
import { Dict, type Value } from '../../python/value.ts';

/** From the folder of the questions, in a clone and in the Python package alike. */
const place = '../eval_checker/multi_turn_eval/func_source_code/long_context.py';

/** Their names in the file. */
const names = {
  watchList: 'WATCH_LIST_EXTENSION',
  transactions: 'TRANSACTION_HISTORY_EXTENSION',
  shortAverages: 'MA_5_EXTENSION',
  longAverages: 'MA_20_EXTENSION',
  technology: 'TECHNOLOGY_EXTENSION',
  automobile: 'AUTOMOBILE_EXTENSION',
  moreFiles: 'POPULATE_FILE_EXTENSION',
  filesKeptShort: 'FILES_TAIL_USED',
  cities: 'INTERMEDIARY_CITIES',
  orderDetail: 'ORDER_DETAIL_EXTENSION',
  weather: 'LONG_WEATHER_EXTENSION',
  cards: 'CREDIT_CARD_EXTENSION',
  bookings: 'BOOKING_RECORD_EXTENSION',
  fileContent: 'FILE_CONTENT_EXTENSION',
  car: 'CAR_STATUS_METADATA_EXTENSION',
  parkingBrake: 'PARKING_BRAKE_INSTRUCTION',
} as const;

type Name = keyof typeof names;
type Lists = 'watchList' | 'transactions' | 'shortAverages' | 'longAverages' | 'technology' | 'automobile';
type MoreLists = 'moreFiles' | 'filesKeptShort' | 'cities';
type Dicts = 'orderDetail' | 'weather' | 'cards' | 'bookings';
type Texts = Exclude<Name, Lists | MoreLists | Dicts>;

/** Read only: what a tool changes of it, it copies first. */
export type LongContext = Readonly<
  Record<Lists | MoreLists, readonly Value[]> & Record<Dicts, Dict> & Record<Texts, string>
>;

/** Whether a record's id is of a category whose tools hold more. */
export const isLongContext = (id: string): boolean => /long_context|composite/.test(id.replace(/_[^_]*$/, ''));

/** @param folder of the questions, `bfcl_eval/data` @throws OptionError naming the file that is missing or damaged */
export async function readLongContext(folder: string): Promise<LongContext> {
  const path = join(folder, place);
  let text: string;
  try {
    text = await dataText(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw new OptionError(`The category long_context needs ${path}, which cannot be read.`, remedy);
  }
  try {
    return longContextOf(text);
  } catch (error) {
    if (!(error instanceof PythonFault)) throw error;
    throw new OptionError(`${path} is not as BFCL has it: ${error.message}.`, remedy);
  }
}

const remedy =
  'Keep the folder bfcl_eval of github.com/ShishirPatil/gorilla whole: data and eval_checker side by side.';

/** @param text of the file, which assigns literals and does nothing else @throws PythonFault */
function longContextOf(text: string): LongContext {
  const found = new Map<string, Value>();
  const assigned = Array.from(text.matchAll(/^([A-Z][A-Z0-9_]*)[ \t]*=/gm));
  for (const [at, match] of assigned.entries()) {
    const literal = text.slice(match.index + match[0].length, assigned[at + 1]?.index ?? text.length);
    found.set(match[1] ?? '', evaluate(parseExpression(literal.trim()), nowhere));
  }
  const take = <T extends Value>(name: Name, is: (value: Value | undefined) => value is T): T => {
    const value = found.get(names[name]);
    if (is(value)) return value;
    throw new PythonFault('value', `${names[name]} is missing, or of another kind`);
  };
  const list = (name: Lists | MoreLists): readonly Value[] => take(name, (value) => Array.isArray(value));
  const dict = (name: Dicts): Dict => take(name, (value) => value instanceof Dict);
  const words = (name: Texts): string => take(name, (value) => typeof value === 'string');
  return {
    watchList: list('watchList'),
    transactions: list('transactions'),
    shortAverages: list('shortAverages'),
    longAverages: list('longAverages'),
    technology: list('technology'),
    automobile: list('automobile'),
    moreFiles: list('moreFiles'),
    filesKeptShort: list('filesKeptShort'),
    cities: list('cities'),
    orderDetail: dict('orderDetail'),
    weather: dict('weather'),
    cards: dict('cards'),
    bookings: dict('bookings'),
    fileContent: words('fileContent'),
    car: words('car'),
    parkingBrake: words('parkingBrake'),
  };
}
