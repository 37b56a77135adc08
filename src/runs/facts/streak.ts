/** What holds of the newest epochs in a row, from which epoch on. */
export class Streak {
  since: number | null = null;
  length = 0;

  add(epoch: number, holds: boolean): void {
    if (!holds) {
      this.since = null;
      this.length = 0;
      return;
    }
    this.since ??= epoch;
    this.length += 1;
  }
}
