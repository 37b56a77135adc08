/** Stories to vary, from one step to eight. */

/** A story, its calculation, and the range of each letter, `a:2-9 b:10-20`. */
export type StoryTemplate = readonly [story: string, calculation: string, ranges: string];

// prettier-ignore
export const baseStories: readonly StoryTemplate[] = [
  // One step.
  ['Ann has {a} apples in her basket and picks {b} more from the tree behind the house. How many apples has she then?', '{a} + {b}', 'a:3-40 b:2-40'],
  ['A bus has {a} seats, and {b} of them are free when it leaves the station. How many seats are taken?', '{a} - {b}', 'a:30-80 b:3-25'],
  ['A gardener plants {a} rows of tulips with {b} bulbs in each row. How many bulbs does he plant?', '{a} * {b}', 'a:4-15 b:6-25'],
  ['{a*b} sweets are shared equally among {a} children at a party. How many sweets does each child get?', '{a*b} / {a}', 'a:3-12 b:4-15'],
  ['A library lends {a} books on Monday and {b} books on Tuesday. How many more books does it lend on Monday than on Tuesday?', '{a} - {b}', 'a:120-300 b:40-119'],
  ['A film lasts {a} minutes. How many seconds is that?', '{a} * 60', 'a:80-190'],
  // Two steps.
  ['Mia has {a} boxes of {b} pencils each. She gives {c} pencils to her brother. How many pencils has she left?', '{a} * {b} - {c}', 'a:3-9 b:8-24 c:2-20'],
  ['A shop sells {a} loaves in the morning and {b} in the afternoon. It had baked {a+b+c} loaves. How many are left in the evening?', '{a+b+c} - {a} - {b}', 'a:20-90 b:20-90 c:3-30'],
  ['Tickets for the zoo cost {a} dollars for an adult and {b} dollars for a child. How much do one adult and {c} children pay together?', '{a} + {c} * {b}', 'a:12-30 b:4-11 c:2-7'],
  ['Three friends pick {a}, {b} and {c} kilograms of cherries. How many kilograms do they pick together?', '{a} + {b} + {c}', 'a:3-25 b:3-25 c:3-25'],
  ['A rope of {a*b+c} metres is cut. First a piece of {c} metres is taken off, and the rest is cut into {a} equal pieces. How long is each of these pieces, in metres?', '({a*b+c} - {c}) / {a}', 'a:3-9 b:4-14 c:2-15'],
  ['A train has {a} carriages with {b} seats each, and {c} passengers are on board, all of them seated. How many seats are empty?', '{a} * {b} - {c}', 'a:5-12 b:40-80 c:60-190'],
  ['Leo reads {a} pages a day. His book has {a*b} pages, and he has read for {c} days. How many pages are left to read?', '{a*b} - {a} * {c}', 'a:12-40 b:9-20 c:2-8'],
  ['A farmer collects {a} eggs from each of {b} hens and packs them into boxes of {c}. How many full boxes does he have when no egg is left over?', '{a} * {b} / {c}', 'a:4-9 b:12-36 c:6-12'],
  ['Nora saves {a} dollars every week for {b} weeks, and her aunt gives her {c} dollars. How much money does she have?', '{a} * {b} + {c}', 'a:4-25 b:5-20 c:10-60'],
  // Three steps.
  ['A baker makes {a} trays of {b} rolls and {c} trays of {d} buns. How many pieces does he bake in all?', '{a} * {b} + {c} * {d}', 'a:3-9 b:10-24 c:2-8 d:6-18'],
  ['Sara buys {a} notebooks at {b} dollars each and {c} pens at 2 dollars each. How many dollars does she pay?', '{a} * {b} + {c} * 2', 'a:3-9 b:3-8 c:3-12'],
  ['A cyclist rides {a} kilometres an hour for {b} hours, rests, and then rides another {c} kilometres. The whole route has {a*b+c+d} kilometres. How far is it still to go?', '{a*b+c+d} - {a} * {b} - {c}', 'a:14-28 b:2-5 c:5-20 d:4-30'],
  ['There are {a} red balloons, twice as many blue ones, and {b} fewer green ones than blue ones. How many balloons are there that are blue or green?', '{a} * 2 + {a} * 2 - {b}', 'a:8-40 b:2-15'],
  ['A water tank holds {a*b} litres. A pump takes out {a} litres a minute for {c} minutes, and then rain adds {d} litres. How many litres are in the tank if it was full at first?', '{a*b} - {a} * {c} + {d}', 'a:8-25 b:20-40 c:3-15 d:5-60'],
  ['A school has {a} classes of {b} pupils. On the sports day {c} pupils are ill, and the others form teams of {d}. How many teams are there?', '({a} * {b} - {c}) / {d}', 'a:6-14 b:20-30 c:3-30 d:4-9'],
  ['Eva earns {a} dollars an hour. She works {b} hours on Friday and {c} hours on Saturday and spends {d} dollars of her pay. How much of it has she left?', '{a} * ({b} + {c}) - {d}', 'a:9-25 b:3-8 c:4-9 d:10-60'],
  ['A pack of {a} batteries costs {b} dollars. A museum needs {a*c} batteries for its lamps and has a voucher of {d} dollars. How much does it pay?', '{a*c} / {a} * {b} - {d}', 'a:4-12 b:5-14 c:5-15 d:5-20'],
  ['A ship carries {a} containers. It unloads {b} in the first port, takes on {c}, and unloads half of what is then on board in the second port. How many containers are still on board?', '({a} - {b} + {c}) / 2', 'a:200-600 b:40-150 c:20-120'],
  // Four steps.
  ['Tom has {a} stamps. He buys {b} packets of {c} stamps each, gives {d} stamps to his sister, and divides the rest equally between two albums. How many stamps are in each album?', '({a} + {b} * {c} - {d}) / 2', 'a:30-120 b:3-9 c:5-15 d:6-25'],
  ['A cinema sells {a} tickets at {b} dollars and {c} tickets at {d} dollars. Its costs for the evening are {e} dollars. How many dollars does it earn?', '{a} * {b} + {c} * {d} - {e}', 'a:40-120 b:8-14 c:20-60 d:5-7 e:100-300'],
  ['A recipe for {a} people needs {b} grams of flour for each. A cook makes it for {a} people at noon and for {c} people in the evening, from a sack of {d} kilograms. How many grams of flour are left?', '{d} * 1000 - {a} * {b} - {c} * {b}', 'a:4-12 b:60-110 c:5-20 d:4-6'],
  ['In a game Ida scores {a} points in each of the first {b} rounds and {c} points in each of the next {d} rounds, and then loses {e} points. What is her score?', '{a} * {b} + {c} * {d} - {e}', 'a:12-40 b:3-8 c:8-30 d:2-6 e:5-60'],
  ['A hotel has {a} floors with {b} rooms each. {c} rooms are closed for repairs, and each open room has 2 beds. Tonight {d} beds are taken. How many beds are free?', '({a} * {b} - {c}) * 2 - {d}', 'a:4-9 b:15-30 c:4-15 d:20-90'],
  ['A jacket costs {a*20} dollars. Its price is lowered by 15 %, and Paul pays with a voucher of {b} dollars and the rest in cash. How much cash does he pay?', '{a*20} - {a*20} * 15 / 100 - {b}', 'a:4-15 b:5-30'],
  ['A factory makes {a} bottles an hour for {b} hours. It finds {c} of them broken and packs the others into crates of {d}. How many crates does it fill, and how many trips does a van need that takes {e} crates, if every trip is a full one? Give the number of trips.', '({a} * {b} - {c}) / {d} / {e}', 'a:60-240 b:4-9 c:12-60 d:6-12 e:4-9'],
  ['A swimmer trains {a} lengths of 25 metres on {b} days of the week and {c} lengths of 25 metres on the two other days. How many metres does she swim in this week?', '{a} * 25 * {b} + {c} * 25 * 2', 'a:20-60 b:3-5 c:10-40'],
  // Five steps.
  ['A market stall has {a} crates of {b} oranges and {c} crates of {d} lemons. {e} oranges and {f} lemons are spoiled. How many pieces of fruit can be sold?', '{a} * {b} - {e} + {c} * {d} - {f}', 'a:5-14 b:20-48 c:3-9 d:24-60 e:4-20 f:3-15'],
  ['Two trains leave the same station in opposite directions, one with {a} and the other with {c} kilometres an hour. After {b} hours both stop; then the first comes back {e} kilometres, and the second goes on for {d} kilometres. How many kilometres are they apart?', '({a} + {c}) * {b} - {e} + {d}', 'a:60-120 b:2-5 c:70-140 d:10-60 e:5-40'],
  ['Lena bakes {a} cakes with {b} eggs each and {c} loaves of sweet bread with {d} eggs each. She had {e} cartons of 12 eggs, and 2 of the eggs were broken. How many eggs are left?', '{e} * 12 - 2 - {a} * {b} - {c} * {d}', 'a:3-8 b:3-6 c:2-6 d:4-9 e:8-14'],
  ['A club rents a hall for {a} dollars and buys food for {b} guests at {c} dollars each. Every guest pays {d} dollars, and a sponsor gives {e} dollars. How much money does the club have left over?', '{b} * {d} + {e} - {a} - {b} * {c}', 'a:150-400 b:30-80 c:6-12 d:14-25 e:50-300'],
  ['A painter needs {a} litres of paint for a room and twice as much for a hall. He has to paint {b} rooms and {c} halls and has {d} litres already. Paint comes in cans of 5 litres. How many cans does he buy, if nothing is left over?', '({a} * {b} + {a} * 2 * {c} - {d}) / 5', 'a:4-12 b:3-9 c:2-5 d:4-30'],
  ['A parking garage has {a} levels of {b} places. In the morning {c} % of all places are taken; by noon {d} cars have left and {e} have come. How many cars are in it at noon?', '{a} * {b} * {c} / 100 - {d} + {e}', 'a:3-8 b:40-120 c:20-75 d:10-60 e:15-90'],
  // Six steps.
  ['A school orders {a} boxes of {b} pencils and {c} boxes of {d} pens. It gives {e} pencils and {f} pens to the youngest class and shares the rest equally among {g} classes. How many things to write with does each class get?', '({a} * {b} - {e} + {c} * {d} - {f}) / {g}', 'a:5-12 b:12-36 c:4-10 d:10-24 e:10-30 f:5-25 g:3-9'],
  ['A runner trains {a} weeks. In each week she runs {b} kilometres on {c} days and {d} kilometres on Sunday. In the last week she is ill and leaves out {e} kilometres, and before all that she ran {f} kilometres. How many kilometres has she run?', '{a} * ({b} * {c} + {d}) - {e} + {f}', 'a:4-12 b:6-12 c:3-5 d:14-28 e:10-30 f:20-90'],
  ['A printer prints {a} pages a minute, and a newer one {b} pages a minute. Both print for {c} minutes, then only the newer one for {d} minutes more. {e} pages are spoiled, and a book has {f} pages. How many whole books can be bound, if no page is left over?', '(({a} + {b}) * {c} + {b} * {d} - {e}) / {f}', 'a:15-30 b:31-60 c:10-30 d:5-20 e:10-60 f:20-60'],
  ['Ben has {a} dollars. He buys {b} tickets at {c} dollars each and {d} drinks at {e} dollars each. A friend pays him back {f} dollars, and he halves what he then has with his sister. How many dollars does he keep?', '({a} - {b} * {c} - {d} * {e} + {f}) / 2', 'a:150-300 b:2-6 c:8-18 d:2-6 e:3-6 f:5-40'],
  // Seven steps.
  ['An orchard has {a} rows of {b} apple trees and {c} rows of {d} pear trees. An apple tree bears {e} kilograms and a pear tree {f} kilograms. {g} kilograms are kept for the workers, and the rest is sold in bags of 5 kilograms. How many bags are sold?', '({a} * {b} * {e} + {c} * {d} * {f} - {g}) / 5', 'a:4-10 b:8-20 c:3-8 d:6-15 e:20-60 f:15-45 g:20-120'],
  ['A band plays {a} concerts before {b} people each and {c} concerts before {d} people each. A ticket costs {e} dollars, each concert costs the band {f} dollars, and afterwards it buys a van for {g} dollars. How many dollars does it have left?', '({a} * {b} + {c} * {d}) * {e} - ({a} + {c}) * {f} - {g}', 'a:3-8 b:120-300 c:2-6 d:200-500 e:12-30 f:300-900 g:2000-9000'],
  ['A warehouse receives {a} pallets of {b} boxes on Monday and {c} pallets of {d} boxes on Tuesday. It sends out {e} boxes on each of {f} days, and {g} boxes come back. Half of what is there is then moved to another hall. How many boxes are moved?', '({a} * {b} + {c} * {d} - {e} * {f} + {g}) / 2', 'a:6-15 b:20-48 c:4-12 d:24-60 e:40-70 f:2-5 g:5-40'],
  // Eight steps.
  ['A travel group of {a} adults and {b} children flies to an island. A flight costs {c} dollars for an adult and {d} dollars less for a child. The hotel costs {e} dollars a night for each of them, and they stay {f} nights. The group has a discount of {g} dollars. How many dollars does the journey cost?', 'flights = {a} * {c} + {b} * ({c} - {d})\nhotel = ({a} + {b}) * {e} * {f}\nflights + hotel - {g}', 'a:2-9 b:2-9 c:180-420 d:40-120 e:30-90 f:3-10 g:50-400'],
  ['A dairy fills {a} bottles an hour on one line and {b} bottles an hour on another. The first runs {c} hours, the second {d} hours. {e} bottles break, and the others are packed in crates of 6. A truck takes {f} crates and drives {g} times, always full. How many crates are left in the dairy?', 'bottles = {a} * {c} + {b} * {d} - {e}\ncrates = bottles / 6\ncrates - {f} * {g}', 'a:200-500 b:300-700 c:5-9 d:4-8 e:12-90 f:60-140 g:2-5'],
  ['Four shelves of a shop hold {a} jars each, and {b} more shelves hold {c} jars each. In one week the shop sells {d} jars on each of 6 days and gets {e} deliveries of {f} jars. At the end {g} jars are too old and thrown away. How many jars are on the shelves?', '4 * {a} + {b} * {c} - {d} * 6 + {e} * {f} - {g}', 'a:30-80 b:2-7 c:20-60 d:15-35 e:2-5 f:24-72 g:3-20'],
];
