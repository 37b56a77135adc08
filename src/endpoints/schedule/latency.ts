/**
 * Whether more in flight still brings more answers a second. Batching servers become slower with every request they
 * take, long before they are full: that is worth it while throughput grows at least as the root of what is in flight.
 * Each user's work is held against its own times, since a task that is written takes longer than an attempt at it.
 */
interface Course {
  /** With the least in flight: all later rounds are held against it. */
  least: Point | null;
  /**
   * With the most in flight that was no slower: rounds with more are held against it, too. Held against the least alone, a server
   * that takes many at once would be given as many more as the square of that, to wait in its queue.
   */
  level: Point | null;
  sum: number;
  count: number;
}

/** How long it took with so much in flight. */
interface Point {
  inFlight: number;
  latency: number;
}

/** A round beside an earlier one. */
export interface Slowness {
  /** How many times as long answers took. */
  times: number;
  /** The same, as a share of what so much more in flight may make it: 1 is just worth it. */
  worth: number;
}

/** Answers that take at most this many times as long take as long: nothing waits, nothing is shared. */
export const asLong = 1.1;
/** Fewer answers than this say nothing: lengths differ too much. */
const enough = 8;

export class Latency {
  readonly #courses = new Map<string, Course>();

  add(user: string, milliseconds: number): void {
    const course = this.#courses.get(user) ?? { least: null, level: null, sum: 0, count: 0 };
    course.sum += milliseconds;
    course.count += 1;
    this.#courses.set(user, course);
  }

  /**
   * Ends a round with so much in flight. What a round with no more in flight was held against it replaces, so that work which
   * has become longer is not held against the server for ever. Null: it was held against nothing.
   */
  round(inFlight: number): Slowness | null {
    let worth = 0;
    let times = 0;
    let answers = 0;
    for (const course of this.#courses.values()) {
      if (course.count < enough) continue;
      const latency = course.sum / course.count;
      const now = { inFlight, latency };
      const { least, level } = course;
      if (least === null || level === null || inFlight <= least.inFlight) course.least = course.level = now;
      else {
        const higher = inFlight > level.inFlight;
        const slower = slowness(now, higher ? level : least);
        times += course.count * slower.times;
        worth += course.count * Math.max(slower.worth, slowness(now, least).worth);
        answers += course.count;
        if (!higher || slower.times <= asLong) course.level = now;
      }
      this.#restart(course);
    }
    return answers === 0 ? null : { times: times / answers, worth: worth / answers };
  }

  /** Ends a round that says nothing. */
  skip(): void {
    for (const course of this.#courses.values()) this.#restart(course);
  }

  #restart(course: Course): void {
    course.sum = 0;
    course.count = 0;
  }
}

function slowness(now: Point, before: Point): Slowness {
  if (before.latency === 0) return { times: 0, worth: 0 };
  const times = now.latency / before.latency;
  return { times, worth: times / Math.sqrt(now.inFlight / before.inFlight) };
}
