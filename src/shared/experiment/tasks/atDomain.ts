import { experimentSchema } from '../schema.ts';
import type { DomainPart } from './domains.ts';

const fields = Object.keys(experimentSchema.shape.domain.shape).join('|');
const ofDomain = new RegExp(`\\bdomain\\.(${fields})\\b`, 'g');

/** A text on one domain of several, with that domain's own path: `domains[1].seeds` in place of `domain.seeds`. */
export const atDomain = (text: string, { field }: Pick<DomainPart, 'field'>): string =>
  text.replaceAll(ofDomain, `${field}.$1`);
