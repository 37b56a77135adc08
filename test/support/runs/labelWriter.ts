/** Changes one field of a run's label again and again, and leaves with 1 where a change is lost: one of several processes that do. */
import { changeLabel, readLabel } from '../../../src/runs/store/runLabel.ts';

const [dir = '', field = '', changes = '0'] = process.argv.slice(2);
const clock = { now: () => Date.now() };
for (let change = 0; change < Number(changes); change++) {
  const text = `${field} ${change}`;
  await changeLabel(dir, field === 'name' ? { name: text } : { note: text }, { clock });
  const { name, note } = await readLabel(dir);
  if ((field === 'name' ? name : note) !== text) process.exitCode = 1;
}
