/** Preparations shared by several tests, done once before them: a failed step fails only the tests that need it. */
export class Steps {
  readonly #failed = new Map<string, unknown>();

  /** Takes a step; what it fails by is kept for who needs it. */
  async take(name: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#failed.set(name, error);
    }
  }

  /** @throws what the step failed by */
  needs(...names: string[]): void {
    for (const name of names) if (this.#failed.has(name)) throw this.#failed.get(name);
  }
}
