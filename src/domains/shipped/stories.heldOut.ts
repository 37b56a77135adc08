/** Stories that only validation measures, five of each number of steps from one to eight. */

import type { StoryTemplate } from './stories.base.ts';

// prettier-ignore
export const heldOutStories: readonly StoryTemplate[] = [
  // One step.
  ['A lighthouse keeper climbs {a} steps to the lamp, and has climbed {b} of them when he stops for breath. How many are still above him?', '{a} - {b}', 'a:120-320 b:20-110'],
  ['Each of {a} violins in a workshop gets 4 new strings. How many strings are needed?', '{a} * 4', 'a:7-60'],
  ['{a*b} roof tiles are stacked in {a} equal piles. How many tiles are in one pile?', '{a*b} / {a}', 'a:6-20 b:15-60'],
  ['In spring {a} storks nest in the valley, and in summer {b} young ones hatch. How many storks live there then?', '{a} + {b}', 'a:14-90 b:12-120'],
  ['Oskar’s grandmother was born {a} years before him. He is {b} years old today. How old is she?', '{a} + {b}', 'a:48-65 b:5-19'],
  // Two steps.
  ['A tram driver counts {a} passengers at the first stop. At the next one {b} get off and {c} get on. How many passengers are in the tram now?', '{a} - {b} + {c}', 'a:40-90 b:5-35 c:4-40'],
  ['Candles burn for {a} hours each. A chapel has {b} candles in one box and {c} in another, and lights one after the other. For how many hours do they last?', '({b} + {c}) * {a}', 'a:5-12 b:10-40 c:8-30'],
  ['A potter makes {a*c} cups in {a} days, always as many a day. How many cups does she make in {b} days?', '{a*c} / {a} * {b}', 'a:3-8 b:9-21 c:11-30'],
  ['A hiker has {a} litres of water and drinks {b} litres each day for {c} days. How many litres are left?', '{a} - {b} * {c}', 'a:20-30 b:2-3 c:3-6'],
  ['Two brothers own {a} marbles and {b} marbles and share all of them equally. How many does each of them have afterwards?', '({a} + {b}) / 2', 'a:25-95 b:14-88'],
  // Three steps.
  ['A theatre has {a} rows of {b} chairs downstairs and {c} chairs on the balcony. Tonight {d} chairs stay empty. How many people watch the play, one on each of the other chairs?', '{a} * {b} + {c} - {d}', 'a:12-24 b:16-30 c:40-90 d:15-80'],
  ['A beekeeper fills {a} jars of {b} grams and {c} jars of 250 grams. How many grams of honey is that?', '{a} * {b} + {c} * 250', 'a:12-40 b:400-500 c:8-30'],
  ['A parrot costs {a} dollars and its cage {b} dollars. Julia has saved {c} dollars in each of {d} months. How many dollars remain when she has bought both?', '{c} * {d} - {a} - {b}', 'a:80-160 b:40-90 c:45-80 d:6-9'],
  ['A drill goes {a} centimetres deep each minute. After {b} minutes it hits rock and goes only {c} centimetres deep each minute for {d} minutes. How deep is the hole in centimetres?', '{a} * {b} + {c} * {d}', 'a:12-30 b:5-15 c:2-9 d:4-20'],
  ['{a} divers find {b} coins each. The museum keeps {c} of the coins, and the others are sold at {d} dollars apiece. How many dollars does the sale bring?', '({a} * {b} - {c}) * {d}', 'a:3-9 b:12-30 c:5-30 d:20-90'],
  // Four steps.
  ['An ice rink has {a} pairs of skates. {b} school classes of {c} pupils come, each pupil takes a pair, and {d} teachers take one too. Then {e} pairs are brought back. How many pairs are on the shelf?', '{a} - {b} * {c} - {d} + {e}', 'a:180-300 b:3-6 c:18-27 d:3-9 e:10-40'],
  ['A tailor has {a} metres of silk. She makes {b} dresses from {c} metres each and {d} scarves from 2 metres each. How many metres are left?', '{a} - {b} * {c} - {d} * 2', 'a:90-150 b:6-12 c:4-5 d:4-14'],
  ['A village collects rain in {a} barrels of {b} litres. In a dry month it uses {c} litres a day for {d} days, and then a tanker brings {e} litres. How many litres does it have, if all the barrels were full?', '{a} * {b} - {c} * {d} + {e}', 'a:30-60 b:150-220 c:90-130 d:20-30 e:200-900'],
  ['Marie translates {a} pages in the first week, {b} more than that in the second, and in the third as many as in the two weeks before together. How many pages has she translated in the three weeks?', '({a} + {a} + {b}) * 2', 'a:20-60 b:4-25'],
  ['A ferry takes {a} cars at {b} dollars and {c} bicycles at {d} dollars on a crossing that costs {e} dollars in fuel. How many dollars remain?', '{a} * {b} + {c} * {d} - {e}', 'a:20-45 b:18-32 c:6-25 d:4-8 e:90-300'],
  // Five steps.
  ['A kennel feeds {a} large dogs with {b} grams and {c} small dogs with {d} grams of food a day. How many grams are left of {e} kilograms after one day?', '{e} * 1000 - {a} * {b} - {c} * {d}', 'a:5-12 b:500-800 c:6-15 d:150-300 e:18-30'],
  ['An observatory takes {a} pictures an hour during {b} clear nights of {c} hours each. It deletes {d} blurred ones and {e} doubles, and adds {f} pictures of a friendly observatory. How many pictures has it then?', '{a} * {b} * {c} - {d} - {e} + {f}', 'a:12-30 b:4-11 c:5-9 d:20-90 e:10-50 f:10-80'],
  ['A chess club plays {a} matches with {b} boards each. It wins {c} boards, draws {d}, and loses the others. For a win it gets 2 points and for a draw 1 point. How many points more would it have with a win on every board?', '{a} * {b} * 2 - {c} * 2 - {d}', 'a:6-12 b:6-8 c:12-25 d:3-10'],
  ['A quarry loads {a} trucks with {b} tonnes and {c} trucks with {d} tonnes of stone. A bridge needs {e} tonnes of it for each of its {f} pillars. How many tonnes are left over?', '{a} * {b} + {c} * {d} - {e} * {f}', 'a:10-25 b:14-20 c:8-18 d:22-30 e:40-60 f:3-6'],
  ['A phone shop buys {a} phones at {b} dollars each and {c} covers at {d} dollars each. It sells everything together for {e} dollars. How many dollars does it gain?', '{e} - {a} * {b} - {c} * {d}', 'a:8-20 b:90-180 c:10-40 d:3-9 e:5000-7000'],
  // Six steps.
  ['{a} scouts each collect {b} bottles on Saturday and {c} bottles on Sunday. A bottle brings 25 cents, the leader adds {d} dollars, and they spend {e} dollars on a tent. How many cents do they have in the end?', '{a} * ({b} + {c}) * 25 + {d} * 100 - {e} * 100', 'a:8-20 b:12-40 c:10-35 d:10-40 e:30-70'],
  ['A mill grinds {a} sacks of wheat of {b} kilograms and {c} sacks of rye of {d} kilograms. A fifth of the weight is lost as bran, and the flour is filled into bags of 2 kilograms. How many bags are filled?', 'grain = {a} * {b} + {c} * {d}\n(grain - grain / 5) / 2', 'a:10-30 b:40-60 c:5-25 d:30-50'],
  ['A ski lift carries {a} people every {b} minutes during {e} hours of the morning and {c} people every {b} minutes during {d} hours of the afternoon. How many people does it carry on this day?', '{e} * 60 / {b} * {a} + {d} * 60 / {b} * {c}', 'a:4-8 b:2-6 c:5-10 d:3-5 e:2-3'],
  ['Four tables of a restaurant order {a} pizzas at {b} dollars, {c} salads at {d} dollars and {e} drinks at {f} dollars. They have a coupon of 20 dollars and split the rest equally. How many dollars does each table pay?', '({a} * {b} + {c} * {d} + {e} * {f} - 20) / 4', 'a:6-14 b:9-15 c:3-9 d:6-10 e:8-18 f:3-5'],
  ['A charity packs {a} parcels with {b} cans and {c} parcels with {d} cans. It has {e} boxes of 24 cans, and on the way {f} cans are dented and left out. How many cans remain?', '{e} * 24 - {a} * {b} - {c} * {d} - {f}', 'a:10-25 b:8-14 c:6-20 d:10-18 e:30-40 f:3-30'],
  // Seven steps.
  ['A stadium sells {a} seats at {b} dollars, {c} seats at {d} dollars, and {e} programmes at 6 dollars. The guests get a quarter of all that. How many dollars does the stadium keep, when the police costs it {f} dollars?', 'money = {a} * {b} + {c} * {d} + {e} * 6\nmoney - money / 4 - {f}', 'a:200-900 b:25-45 c:100-500 d:60-90 e:50-300 f:900-3000'],
  ['A forester plants {a} oaks and {b} beeches on each of {c} hectares, and {d} firs on each of {e} other hectares. Deer eat {f} of all the young trees, and a storm breaks {g}. How many trees grow on?', '({a} + {b}) * {c} + {d} * {e} - {f} - {g}', 'a:120-300 b:90-260 c:3-9 d:200-450 e:2-7 f:40-200 g:20-150'],
  ['A space probe sends {a} kilobytes a second for {b} minutes and {c} kilobytes a second for {d} minutes. {e} kilobytes of it are noise, and the rest is stored on tapes of {f} kilobytes. How many tapes are full, if nothing is left over?', '({a} * {b} * 60 + {c} * {d} * 60 - {e}) / {f}', 'a:4-16 b:10-30 c:2-9 d:15-45 e:60-600 f:20-60'],
  ['An aquarium buys {a} large tanks for {b} fish each and {c} small tanks for {d} fish each. It has {e} fish and gets {f} bags of {g} fish more. How many more fish would fit into the tanks?', '{a} * {b} + {c} * {d} - {e} - {f} * {g}', 'a:5-12 b:40-70 c:6-15 d:12-24 e:60-140 f:4-9 g:8-15'],
  ['A courier earns {a} dollars a day and {b} dollars for each parcel. In {c} days he delivers {d} parcels a day. Fuel costs him {e} dollars a day, a fine {f} dollars, and he lends half of the rest to a friend. How many dollars does he lend?', '(({a} + {b} * {d} - {e}) * {c} - {f}) / 2', 'a:40-80 b:2-4 c:5-12 d:20-45 e:15-30 f:20-90'],
  // Eight steps.
  ['An island has {a} houses with {b} people and {c} houses with {d} people. In summer {e} boats bring {f} guests each, and {g} islanders are away. Everybody on the island needs 3 litres of water a day. How many litres are needed on a day in summer?', '({a} * {b} + {c} * {d} + {e} * {f} - {g}) * 3', 'a:20-60 b:3-5 c:10-40 d:2-6 e:4-12 f:15-40 g:10-50'],
  ['A wholesaler buys {a} sacks of rice at {b} dollars and {c} sacks of beans at {d} dollars. He sells the rice at {e} dollars a sack and the beans at {f} dollars a sack, and pays {g} dollars for the transport. How many dollars does he gain?', 'cost = {a} * {b} + {c} * {d} + {g}\n{a} * {e} + {c} * {f} - cost', 'a:30-90 b:18-24 c:20-70 d:12-18 e:26-40 f:20-30 g:50-250'],
  ['A marathon has {a*100} runners. {b} % of them give up before the half, and then 1 in 4 of those who are left. Each finisher gets 2 bananas, and each of {d} helpers gets 1. There are {e} boxes of 100 bananas. How many bananas remain?', 'half = {a*100} - {a*100} * {b} / 100\nfinishers = half - half / 4\n{e} * 100 - finishers * 2 - {d}', 'a:8-16 b:8-30 d:60-180 e:28-36'],
  ['A builder lays {a} floors of {b} by {c} tiles and a yard of {d} by {e} tiles. {f} tiles break, and tiles come in packets of 10 with {g} packets as a gift. How many packets does he pay for, if none is left over?', '({a} * {b} * {c} + {d} * {e} + {f}) / 10 - {g}', 'a:2-6 b:10-20 c:12-24 d:20-40 e:15-30 f:5-60 g:1-6'],
  ['A radio station plays {a} songs of {b} minutes and {c} songs of {d} minutes in a night show of {e} hours. The news takes {f} minutes in each hour. How many minutes are left for talking, if {g} minutes of advertising are sent as well?', '{e} * 60 - {a} * {b} - {c} * {d} - {e} * {f} - {g}', 'a:20-35 b:3-4 c:8-18 d:4-6 e:6-8 f:3-6 g:10-30'],
];
