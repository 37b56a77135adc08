/** Fields that have a letter in the paper: prose says the letter, code the name. */
const symbols: Record<string, string> = {
  'curriculum.alpha': 'α',
  'curriculum.beta': 'β',
  'curriculum.lambda': 'λ',
  'curriculum.kMin': 'k_min',
  'generation.variations': 'n',
  'rollouts.group': 'G',
  'environment.klCoefficient': 'κ',
  'agent.adam.beta1': 'β₁',
  'agent.adam.beta2': 'β₂',
  'agent.adam.epsilon': 'ε',
  'environment.adam.beta1': 'β₁',
  'environment.adam.beta2': 'β₂',
  'environment.adam.epsilon': 'ε',
};

/** `α (curriculum.alpha)`, or the field's name where it has no letter. */
export function spoken(field: string): string {
  const symbol = symbols[field];
  return symbol === undefined ? field : `${symbol} (${field})`;
}
