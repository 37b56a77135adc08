/** How fast the endpoints of an experiment are, by the newest run that finished an epoch on the same ones. */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { RunPace } from '../../shared/money/forecast.ts';
import type { RunHead } from './runHead.ts';

/** @param heads newest first. @returns null where no run tells */
export function paceOfRuns(heads: Iterable<RunHead>, endpoints: Endpoints): RunPace | null {
  const wanted = placesOf(endpoints);
  for (const { summary, imported, endpoints: used, name } of heads) {
    if (summary === null || imported !== null || summary.tokens === 0 || summary.rollouts === 0) continue;
    if (placesOf(used) !== wanted) continue;
    const { tokens, rollouts, seconds, validation, evaluated = 0 } = summary;
    if (tokens === null) continue;
    const { billed = tokens } = summary;
    const attempts = rollouts + (validation?.attempts ?? 0) + evaluated;
    return {
      run: name,
      secondsPerToken: seconds / tokens,
      tokensPerAttempt: tokens / attempts,
      billedPerToken: billed / tokens,
    };
  }
  return null;
}

type Endpoints = Experiment['endpoints'];

/** The same models at the same place, whatever their prices and keys. */
const placesOf = ({ agent, environment }: Endpoints): string =>
  JSON.stringify(
    [agent, environment].map((endpoint) => [
      endpoint.kind,
      'url' in endpoint ? endpoint.url : '',
      'model' in endpoint ? endpoint.model : endpoint.weights,
    ]),
  );
