/** The text of a new study file. */
import type { Study } from '../../study/contract/file.ts';

export interface NewStudy {
  name: string;
  /** As seen from the study. */
  base: string;
  arms: Study['arms'];
  grid: Study['grid'];
  seeds: number;
  rollouts: number;
}

export function studyText({ name, base, arms, grid, seeds, rollouts }: NewStudy): string {
  const line = (value: unknown): string => JSON.stringify(value);
  const inside = (values: Readonly<Record<string, unknown>>): string =>
    Object.entries(values)
      .map(([key, value]) => `\n    ${line(key)}: ${line(value)}`)
      .join(',');
  const part = (key: string, values: Readonly<Record<string, unknown>>): string =>
    Object.keys(values).length === 0 ? '' : `\n  "${key}": {${inside(values)}\n  },`;
  const numbers = Array.from({ length: seeds }, (_, i) => i + 1);
  return `{
  "version": 1,
  "name": ${line(name)},
  "base": ${line(base.replaceAll('\\', '/'))},${part('arms', arms)}${part('grid', grid)}
  "seeds": [${numbers.join(', ')}],
  "budget": { "rollouts": ${rollouts} },
  "measures": [{ "kind": "validation" }, { "kind": "gain" }, { "kind": "band" }]
}
`;
}
