import { join } from 'node:path';
import { codeOf } from '../../shared/systemError.ts';
import { dataText } from '../offline/dataText.ts';
import { OptionError } from '../offline/offlineScorer.ts';
import { csvRecords, isMissing } from './csv.ts';
import { Places, Roads, type Database, type Flight } from './database.ts';

const remedy =
  'Give the folder "database" of a TravelPlanner clone, with what its authors offer for download unpacked into it: ' +
  'https://github.com/OSU-NLP-Group/TravelPlanner.';

/** Reads the folder `database` of TravelPlanner. @throws OptionError naming the file or column that is missing */
export async function readDatabase(folder: string): Promise<Database> {
  const read = (path: string): Promise<Table> => Table.read(folder, path);
  const [accommodations, restaurants, attractions, flights, roads, cities] = await Promise.all([
    read('accommodations/clean_accommodations_2022.csv'),
    read('restaurants/clean_restaurant_2022.csv'),
    read('attractions/attractions.csv'),
    read('flights/clean_Flights_2022.csv'),
    read('googleDistanceMatrix/distance.csv'),
    text(folder, 'background/citySet_with_states.txt'),
  ]);
  return {
    accommodations: new Places(
      accommodations.whole().map((row) => ({
        name: row.text('NAME'),
        city: row.text('city'),
        roomType: row.text('room type'),
        price: row.number('price'),
        minimumNights: row.number('minimum nights'),
        houseRules: row.text('house_rules'),
        maximumOccupancy: row.number('maximum occupancy'),
      })),
    ),
    restaurants: new Places(
      restaurants.whole().map((row) => ({
        name: row.text('Name'),
        city: row.text('City'),
        cuisines: row.text('Cuisines'),
        averageCost: row.number('Average Cost'),
      })),
    ),
    attractions: new Places(attractions.whole().map((row) => ({ name: row.text('Name'), city: row.text('City') }))),
    flights: flightsByNumber(flights),
    roads: new Roads(
      roads.rows.map((row) => ({
        origin: row.text('origin'),
        destination: row.text('destination'),
        duration: isMissing(row.text('duration')) ? null : row.text('duration'),
        distance: isMissing(row.text('distance')) ? null : row.number('distance', /km|,/g),
      })),
    ),
    stateOf: statesOf(cities),
  };
}

function flightsByNumber(table: Table): Map<string, Flight[]> {
  const flights = new Map<string, Flight[]>();
  for (const row of table.whole()) {
    const flight = {
      price: row.number('Price'),
      origin: row.text('OriginCityName'),
      destination: row.text('DestCityName'),
    };
    const known = flights.get(row.text('Flight Number'));
    if (known === undefined) flights.set(row.text('Flight Number'), [flight]);
    else known.push(flight);
  }
  return flights;
}

function statesOf(lines: string): Map<string, string> {
  return new Map(
    lines.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [city, state] = line.split('\t');
      return city === undefined || state === undefined ? [] : [[city, state]];
    }),
  );
}

async function text(folder: string, path: string): Promise<string> {
  try {
    return await dataText(join(folder, path));
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw new OptionError(`There is no readable ${path} in ${folder} (${codeOf(error)}).`, remedy);
  }
}

class Table {
  readonly path: string;
  readonly columns: ReadonlyMap<string, number>;
  readonly rows: readonly Row[];

  constructor(path: string, records: readonly string[][]) {
    const [header = [], ...rest] = records;
    this.path = path;
    this.columns = new Map(header.map((name, index) => [name, index]));
    this.rows = rest.map((cells, index) => new Row(this, cells, index + 2));
  }

  static async read(folder: string, path: string): Promise<Table> {
    return new Table(path, csvRecords(await text(folder, path)));
  }

  /** Rows without a missing cell in any column, used or not. */
  whole(): Row[] {
    return this.rows.filter((row) => row.isWhole());
  }
}

class Row {
  readonly #table: Table;
  readonly #cells: readonly string[];
  /** Of the table's records, 1-based with the header. */
  readonly #number: number;

  constructor(table: Table, cells: readonly string[], number: number) {
    this.#table = table;
    this.#cells = cells;
    this.#number = number;
  }

  isWhole(): boolean {
    return this.#cells.length >= this.#table.columns.size && !this.#cells.some(isMissing);
  }

  text(column: string): string {
    const index = this.#table.columns.get(column);
    if (index === undefined) throw new OptionError(`${this.#table.path} has no column "${column}".`, remedy);
    return this.#cells[index] ?? '';
  }

  /** @param unit what is taken out before the rest is read as a number */
  number(column: string, unit?: RegExp): number {
    const cell = this.text(column);
    const value = Number(unit === undefined ? cell : cell.replace(unit, ''));
    if (!Number.isNaN(value)) return value;
    const what = `${this.#table.path}, record ${this.#number}: "${column}" is no number: "${cell}".`;
    throw new OptionError(what, remedy);
  }
}
