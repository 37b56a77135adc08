/** A user's consents for a runner, kept only in memory. */
import type { Keys } from '../../../launch/access/keys.ts';
import { niceToHave, wishesOf, type Asking, type Wish } from '../../../launch/access/wishes.ts';
import type { TracesSettings } from '../../../launch/traced/target.ts';
import { originOf } from '../../../shared/experiment/endpoints/origins.ts';
import type { Grant } from '../contract.ts';

/** The collector of spans, which a run can do without. */
export const tracesWish = (traces: TracesSettings | null): Wish[] =>
  traces === null || !URL.canParse(traces.url) ? [] : [{ key: traces.key, url: traces.url }];

/** Granted keys, each for its own origin, and those of another source. */
export class GrantedKeys implements Keys {
  readonly #others: Keys;
  readonly #grants = new Map<string, Grant>();

  constructor(others: Keys) {
    this.#others = others;
  }

  /** A later value of the same key for the same origin takes the place of the earlier one. */
  give(grants: readonly Grant[]): void {
    for (const grant of grants) this.#grants.set(JSON.stringify([grant.key, grant.origin]), grant);
  }

  /** Those that a run asks for. */
  forRun(asking: Asking, traces: TracesSettings | null = null): Grant[] {
    const all = [...wishesOf(asking), ...niceToHave(asking), ...tracesWish(traces)];
    const wished = new Set(all.map(({ key, url }) => JSON.stringify([key, originOf(url)])));
    return [...this.#grants].flatMap(([id, grant]) => (wished.has(id) ? [grant] : []));
  }

  async find(reference: string, url: string): Promise<string> {
    const grant = this.#grants.get(JSON.stringify([reference, originOf(url)]));
    return grant === undefined ? this.#others.find(reference, url) : grant.value;
  }

  async reach(url: string): Promise<void> {
    const origin = originOf(url);
    if ([...this.#grants.values()].some((grant) => grant.origin === origin)) return;
    await this.#others.reach(url);
  }
}
