/** Sizes of what is loaded into the editor. */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Figure } from '../figure.ts';

const dist = new URL('../../../dist/', import.meta.url);
const bundles: [name: string, file: string, limit: number][] = [
  ['extension host', 'extension.cjs', 1_500],
  ...['calibration', 'compare', 'experiment', 'preflight'].map((name): [string, string, number] => [
    `page ${name}`,
    `webviews/${name}.js`,
    350,
  ]),
];

export async function benchBundles(): Promise<Figure[]> {
  return Promise.all(
    bundles.map(async ([name, file, budget]) => {
      const { size } = await stat(fileURLToPath(new URL(file, dist)));
      return { name: `bundle of the ${name}`, value: size / 1000, unit: 'kB', budget, better: 'lower' as const };
    }),
  );
}
