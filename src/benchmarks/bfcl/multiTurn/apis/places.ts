/** Cities of the car's map. */
import type { Value } from '../../python/value.ts';
import { object } from '../api.ts';

/** A city → its postal code. */
export const zipCodes = object({
  Rivermist: '83214',
  Stonebrook: '74532',
  Maplecrest: '56108',
  Silverpine: '62947',
  Shadowridge: '71354',
  'Sunset Valley': '83462',
  Oakendale: '47329',
  Willowbend: '52013',
  'Crescent Hollow': '69238',
  Autumnville: '51479',
  'San Francisco': '94016',
});

const known: readonly (readonly [string, string, number])[] = [
  ['83214', '74532', 750],
  ['56108', '62947', 320],
  ['71354', '83462', 450],
  ['47329', '52013', 290],
  ['69238', '51479', 630],
  ['94016', '83214', 980],
  ['94016', '94704', 600],
  ['94704', '08540', 2550],
  ['94016', '08540', 1950],
  ['62947', '47329', 1053],
  ['94016', '62947', 780],
  ['74532', '94016', 880],
];

/** Miles between two postal codes, whichever way; null where the map has none. */
export function distances(from: Value, to: Value): number | null {
  const found = known.find(([a, b]) => (a === from && b === to) || (a === to && b === from));
  return found === undefined ? null : found[2];
}
