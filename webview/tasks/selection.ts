/** Which tasks are selected: some, by id, or everything that matches. Pure. */

export class Selection {
  #ids: ReadonlySet<string> | 'all' = new Set();
  /** Where a range begins: the row that was last selected without one. */
  anchor = 0;

  has(id: string): boolean {
    return this.#ids === 'all' || this.#ids.has(id);
  }

  /** @param matching tasks that match */
  size(matching: number): number {
    return this.#ids === 'all' ? matching : this.#ids.size;
  }

  /** In the form of a request. */
  get wanted(): string[] | 'all' {
    return this.#ids === 'all' ? 'all' : [...this.#ids];
  }

  only(ids: readonly string[]): void {
    this.#ids = new Set(ids);
  }

  all(): void {
    this.#ids = 'all';
  }

  /** Not while all are selected: which would remain is not known here. */
  toggle(id: string): void {
    if (this.#ids === 'all') return;
    const ids = new Set(this.#ids);
    if (!ids.delete(id)) ids.add(id);
    this.#ids = ids;
  }
}
