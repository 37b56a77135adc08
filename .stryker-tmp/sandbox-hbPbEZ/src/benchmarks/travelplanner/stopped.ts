/** The official program stops with an error at this plan: it counts as delivered and as failed. */
export class Stopped extends Error {
  readonly reason = 'stopped';

  constructor(message: string) {
    super(message);
    this.name = 'Stopped';
  }
}
