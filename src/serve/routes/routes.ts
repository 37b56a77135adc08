/** Every call that the server answers. */
import type { Route } from '../http/router.ts';
import type { Service } from '../state/service.ts';
import { futureRoutes } from './futures.ts';
import { hubRoutes } from './hub.ts';
import { listingRoutes } from './listings.ts';
import { modelRoutes } from './models.ts';
import { openaiRoutes } from './openai.ts';
import { samplingRoutes } from './sampling.ts';
import { sessionRoutes } from './sessions.ts';
import { tokenizerRoutes } from './tokenizers.ts';
import { trainingRoutes } from './training.ts';
import { weightsRoutes } from './weights.ts';

export const routes = (service: Service): Route[] => [
  ...sessionRoutes(service),
  ...modelRoutes(service),
  ...trainingRoutes(service),
  ...weightsRoutes(service),
  ...samplingRoutes(service),
  ...futureRoutes(service),
  ...listingRoutes(service),
  ...tokenizerRoutes(service),
  ...hubRoutes(service),
  ...openaiRoutes(service),
];
