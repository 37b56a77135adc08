import { completeInformation } from './commonsense/complete.ts';
import { withinCurrentCity } from './commonsense/currentCity.ts';
import { cityRoute } from './commonsense/cityRoute.ts';
import { diverseAttractions, diverseRestaurants } from './commonsense/diversity.ts';
import { minimumNights } from './commonsense/minimumNights.ts';
import { withinSandbox } from './commonsense/sandbox.ts';
import { transportation } from './commonsense/transportation.ts';
import type { Database } from './database.ts';
import type { PlanDay } from './planDay.ts';
import type { Query } from './query.ts';

/** The eight commonsense constraints under the official program's names. @throws Stopped where that would stop */
export const judgeCommonsense = (query: Query, days: readonly PlanDay[], database: Database) => ({
  is_reasonable_visiting_city: cityRoute(query, days, database),
  is_valid_restaurants: diverseRestaurants(days),
  is_valid_attractions: diverseAttractions(days),
  is_valid_accommodation: minimumNights(days, database),
  is_valid_transportation: transportation(days),
  is_valid_information_in_current_city: withinCurrentCity(days),
  is_valid_information_in_sandbox: withinSandbox(days, database),
  is_not_absent: completeInformation(query, days),
});

export type Commonsense = ReturnType<typeof judgeCommonsense>;
