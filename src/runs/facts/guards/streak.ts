/** A condition over the newest consecutive epochs, and the epoch in which it began. */
export class Streak {
  since: number | null = null;
  length = 0;

  /** Epochs before say nothing about the next ones. */
  forget(): void {
    this.since = null;
    this.length = 0;
  }

  add(epoch: number, holds: boolean): void {
    if (!holds) {
      this.forget();
      return;
    }
    this.since ??= epoch;
    this.length += 1;
  }
}
