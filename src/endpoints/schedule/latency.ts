/**
 * Whether more in flight still brings more answers a second. Batching servers become slower with every request they
 * take, long before they are full: that is worth it while throughput grows at least as the root of what is in flight.
 * Each user's work is held against its own times, since a task that is written takes longer than an attempt at it.
 */
interface Course {
  /** How long it took with so much in flight: what later rounds are held against. */
  reference: { inFlight: number; latency: number } | null;
  sum: number;
  count: number;
}

/** Fewer answers than this say nothing: lengths differ too much. */
const enough = 8;

export class Latency {
  readonly #courses = new Map<string, Course>();

  add(user: string, milliseconds: number): void {
    const course = this.#courses.get(user) ?? { reference: null, sum: 0, count: 0 };
    course.sum += milliseconds;
    course.count += 1;
    this.#courses.set(user, course);
  }

  /**
   * Ends a round with so much in flight. How much slower it was than that much in flight may make it: 1 is just worth
   * it. With no more in flight than in the reference the round becomes the reference, so that work which has become
   * longer is not held against the server for ever.
   */
  round(inFlight: number): number {
    let ratios = 0;
    let answers = 0;
    for (const course of this.#courses.values()) {
      if (course.count < enough) continue;
      const latency = course.sum / course.count;
      const { reference } = course;
      if (reference === null || inFlight <= reference.inFlight) course.reference = { inFlight, latency };
      else if (reference.latency > 0) {
        const ratio = latency / reference.latency / Math.sqrt(inFlight / reference.inFlight);
        ratios += course.count * ratio;
        answers += course.count;
      }
      this.#restart(course);
    }
    return answers === 0 ? 0 : ratios / answers;
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
