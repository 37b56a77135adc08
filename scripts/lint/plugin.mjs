/** Our own rules, for oxlint. */
import { plainComments } from './plainComments.mjs';
import { restrictedSyntax } from './restrictedSyntax.mjs';

export default {
  meta: { name: 'genenv' },
  rules: { 'plain-comments': plainComments, 'restricted-syntax': restrictedSyntax },
};
