/** The servers that a run asks, with the keys that it names for them: what a person agrees to before it begins. */
import type { Experiment } from '../../shared/experiment/schema.ts';
import { addressesText, isRemote, serversOf } from './address.ts';

/** An origin that a run asks, with a URL there, and the key that it names for it. */
export interface Wish {
  key: string | null;
  url: string;
}

/** All that names servers of a run. */
export interface Asking {
  experiment: Pick<Experiment, 'endpoints' | 'generation'>;
  /** Of its domain files, which are code: its settings do not name them. */
  servers: readonly Wish[];
}

/** Every key and address that a run cannot do without. */
export const wishesOf = ({ experiment, servers }: Asking): Wish[] => [
  ...Object.values(experiment.endpoints)
    .filter(isRemote)
    .flatMap((endpoint) =>
      serversOf(endpoint).flatMap(({ url, key }) => addressesText(url).map((address) => ({ key, url: address.url }))),
    ),
  ...servers,
];

/** The embedding server that a run names, which it can do without. */
export const niceToHave = ({ experiment: { generation } }: Asking): Wish[] =>
  generation.embeddingUrl === null ? [] : [{ key: generation.embeddingKey, url: generation.embeddingUrl }];

/** Of runs, those that each ask other servers or keys: runs of a study may have their own by seed. */
export const byServers = <A extends Asking>(all: readonly A[]): A[] => [
  ...new Map(all.map((one) => [JSON.stringify([wishesOf(one), niceToHave(one)]), one])).values(),
];
