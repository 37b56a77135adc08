import * as z from 'zod';
import { fromJson, type OfflineScorer } from '../offline/offlineScorer.ts';
import { scoreAnswer } from './answerScore.ts';

const bamboogleCase = z.object({ prediction: z.string(), gold: z.union([z.string(), z.array(z.string())]) });

/** `genenv score bamboogle`: `{id, prediction, gold}`, several golds as a list. */
export const openBamboogle = (): OfflineScorer =>
  fromJson(bamboogleCase, ({ prediction, gold }) => {
    const { normalisedPrediction, em, subEm, f1, precision, recall } = scoreAnswer(
      prediction,
      typeof gold === 'string' ? [gold] : gold,
    );
    return { normalized_prediction: normalisedPrediction, em, sub_em: subEm, f1, precision, recall };
  });
