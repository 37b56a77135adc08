import * as l10n from '@vscode/l10n';
import { StateFold } from '../../engine/state.ts';
import { RunError } from '../store/runError.ts';
import type { RunReader } from '../store/runReader.ts';
import type { PoolSource } from './poolSource.ts';

/** A run whose attempts have their newest verdicts, and which rescorings these come from, the newest last. */
export interface RescoredSource {
  source: PoolSource;
  rescorings: readonly string[];
}

/** @throws RunError `not-found` where no verdicts were applied, or all were taken back */
export async function rescoredSource(run: RunReader): Promise<RescoredSource> {
  const fold = new StateFold();
  for await (const event of run.events()) fold.add(event);
  const { rescorings } = fold.state;
  if (rescorings.length === 0) {
    throw new RunError('not-found', {
      path: run.dir,
      what: l10n.t('no new verdicts lie over those of this run'),
      remedy: l10n.t('Apply some with “genenv rescore --apply”, or export the recorded ones.'),
    });
  }
  const { dir, manifest } = run;
  const source: PoolSource = {
    ...{ dir, manifest },
    events: () => run.events(),
    task: (id) => run.task(id),
    async *traces() {
      for await (const trace of run.traces()) {
        const newest = await run.rescored.of(rescorings, trace);
        yield newest === null ? trace : { ...trace, verdict: newest.verdict };
      }
    },
  };
  return { source, rescorings: rescorings.map(({ rescoring }) => rescoring) };
}
