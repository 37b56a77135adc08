/** An epoch's figures, or those of one of its domains. */
import type { EpochFacts } from '../../../runs/facts/runFacts.ts';
import type { AsideNode, DomainNode, EpochNode } from './node.ts';

type Generated = NonNullable<EpochFacts['generated']>;
type Scored = NonNullable<EpochFacts['scored']>;
type Known = Pick<EpochFacts, 'generated' | 'scored'>;

/** Null where they are not known yet. */
interface Figures {
  generated: Pick<Generated, 'rejected'> | null;
  scored: Pick<Scored, 'successRate' | 'baseSuccessRate' | 'inBand' | 'environmentReward' | 'familiesKept'> | null;
}

export function figuresOf(facts: Known | undefined, node: EpochNode | DomainNode | AsideNode): Figures {
  const { generated = null, scored = null } = facts ?? {};
  const name = node.kind === 'epoch' ? null : node.domain;
  if (name === null) return { generated, scored };
  const own = <T extends { domain: string }>(domains: readonly T[] = []): T | null =>
    domains.find(({ domain }) => domain === name) ?? null;
  return { generated: own(generated?.domains), scored: own(scored?.domains) };
}

/** How many families of a domain were scored. */
export const familiesOf = (facts: Known, { domain: name }: DomainNode): number =>
  facts.scored?.domains?.find(({ domain }) => domain === name)?.families ?? 0;
