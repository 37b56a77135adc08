/** Published versions kept for sampling: the first one (what KL is measured against) and the newest few. */
import * as l10n from '@vscode/l10n';
import { EmbeddedError } from './errors.ts';
import type { FrozenWeights } from './model/trainer.ts';

/** Newest versions kept beside the first: more than any staleness bound the loop allows. */
export const keptVersions = 16;

export class Versions {
  readonly #first: { name: string | null } = { name: null };
  readonly #kept = new Map<string, FrozenWeights>();

  /** Publishing a name again replaces it. */
  publish(name: string, weights: FrozenWeights): void {
    this.#first.name ??= name;
    this.#kept.delete(name);
    this.#kept.set(name, weights);
    const newest = [...this.#kept.keys()].filter((kept) => kept !== this.#first.name);
    for (const old of newest.slice(0, Math.max(0, newest.length - keptVersions))) this.#kept.delete(old);
  }

  get(name: string): FrozenWeights {
    const weights = this.#kept.get(name);
    if (!weights) {
      throw new EmbeddedError(
        'version',
        l10n.t(
          "Version '{0}' is not published here; there are {1}. Publish it again from its checkpoint.",
          name,
          [...this.#kept.keys()].join(', ') || 'none',
        ),
      );
    }
    return weights;
  }
}
