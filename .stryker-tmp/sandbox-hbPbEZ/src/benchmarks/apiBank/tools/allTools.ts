import { accountTools } from './account.ts';
import { calculatorTools } from './calculator.ts';
import { calendarTools } from './calendar.ts';
import { homeTools } from './home.ts';
import { hospitalTools } from './hospital.ts';
import { hotelTools } from './hotel.ts';
import { lookupTools } from './lookups.ts';
import { meetingTools } from './meetings.ts';
import type { Tool } from './tool.ts';

/** The 53 tools of levels 1 and 2, by name. */
export const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>(
  Object.entries({
    ...accountTools,
    ...calculatorTools,
    ...calendarTools,
    ...homeTools,
    ...hospitalTools,
    ...hotelTools,
    ...lookupTools,
    ...meetingTools,
  }),
);
