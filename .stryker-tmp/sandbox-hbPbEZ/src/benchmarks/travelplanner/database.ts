/** The sandbox that plans are checked against: what there is to eat, to see, to sleep in and to travel by. */

export interface Accommodation {
  name: string;
  city: string;
  roomType: string;
  /** Of a night. */
  price: number;
  minimumNights: number;
  houseRules: string;
  /** People. */
  maximumOccupancy: number;
}

interface Restaurant {
  name: string;
  city: string;
  cuisines: string;
  /** Of a meal for one. */
  averageCost: number;
}

interface Attraction {
  name: string;
  city: string;
}

export interface Flight {
  /** Of one seat. */
  price: number;
  origin: string;
  destination: string;
}

/** A way by road. Both are missing where there is none. */
export interface Road {
  /** As `10 hours 55 mins`. */
  duration: string | null;
  /** Kilometres. */
  distance: number | null;
}

/** Rows of one kind, by city. */
export class Places<T extends { name: string; city: string }> {
  readonly #byCity = new Map<string, T[]>();

  constructor(rows: Iterable<T>) {
    for (const row of rows) {
      const known = this.#byCity.get(row.city);
      if (known === undefined) this.#byCity.set(row.city, [row]);
      else known.push(row);
    }
  }

  /** Rows in this city whose name contains this one, in the file's order. */
  matching(name: string, city: string): T[] {
    return (this.#byCity.get(city) ?? []).filter((row) => row.name.includes(name));
  }

  first(name: string, city: string): T | undefined {
    return this.#byCity.get(city)?.find((row) => row.name.includes(name));
  }
}

export interface Database {
  accommodations: Places<Accommodation>;
  restaurants: Places<Restaurant>;
  attractions: Places<Attraction>;
  /** By number, in the file's order. */
  flights: ReadonlyMap<string, readonly Flight[]>;
  roads: Roads;
  /** The state that a city lies in. */
  stateOf: ReadonlyMap<string, string>;
}

/** Self-driving and taxi, by where from and where to. */
export class Roads {
  readonly #between = new Map<string, Map<string, Road>>();

  constructor(rows: Iterable<Road & { origin: string; destination: string }>) {
    for (const { origin, destination, duration, distance } of rows) {
      const from = this.#between.get(origin) ?? new Map<string, Road>();
      this.#between.set(origin, from);
      // Of several the first counts.
      if (!from.has(destination)) from.set(destination, { duration, distance });
    }
  }

  /** Of one car; null where there is no way, or one of a day and more. */
  cost(origin: string, destination: string, kind: 'self-driving' | 'taxi'): number | null {
    const road = this.#between.get(origin)?.get(destination);
    if (road === undefined || road.duration === null || road.distance === null) return null;
    if (road.duration.includes('day')) return null;
    return Math.trunc(kind === 'taxi' ? road.distance : road.distance * 0.05);
  }
}
