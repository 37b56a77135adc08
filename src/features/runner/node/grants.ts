/** A user's consents for a runner, kept only in memory. */
import { addressesText, isRemote, serversOf } from '../../../launch/access/address.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import type { TracesSettings } from '../../../launch/traced/target.ts';
import { originOf } from '../../../shared/experiment/endpoints/origins.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Grant } from '../contract.ts';

/** The part of an experiment that names servers. */
type Naming = Pick<Experiment, 'endpoints' | 'generation'>;

/** An origin that a run asks, with a URL there, and the key that it names for it. */
export interface Wish {
  key: string | null;
  url: string;
}

/** Every key and address that a run's endpoints need. */
export const wishesOf = ({ endpoints }: Pick<Naming, 'endpoints'>): Wish[] =>
  Object.values(endpoints)
    .filter(isRemote)
    .flatMap((endpoint) =>
      serversOf(endpoint).flatMap(({ url, key }) => addressesText(url).map((address) => ({ key, url: address.url }))),
    );

/** The embedding server that a run names, which it can do without. */
export const niceToHave = ({ generation: { embeddingUrl: url, embeddingKey: key } }: Naming): Wish[] =>
  url === null ? [] : [{ key, url }];

/** Experiments of which each asks other servers or keys: runs of a study may have their own by seed. */
export const byServers = <E extends Naming>(members: readonly { experiment: E }[]): E[] => [
  ...new Map(
    members.map(({ experiment }) => [JSON.stringify([wishesOf(experiment), niceToHave(experiment)]), experiment]),
  ).values(),
];

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

  /** Those that a run's endpoints ask for. */
  forRun(experiment: Naming, traces: TracesSettings | null = null): Grant[] {
    const all = [...wishesOf(experiment), ...niceToHave(experiment), ...tracesWish(traces)];
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
