import { Rng } from '../../engine/random.ts';
import { countedIn } from '../../shared/journal/counted.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { epochSettings } from '../journal/epochSettings.ts';
import { lateTasks } from '../journal/lateTasks.ts';
import { agentItems } from './agentItems.ts';
import { agentLine, labelsOf } from './agentPool.ts';
import { environmentItems } from './environmentItems.ts';
import { instanceLine } from './environmentPool.ts';
import type { AgentChoice, EnvironmentChoice, ExportChoice } from './formats.ts';
import type { Leave } from './leftOut.ts';
import type { PoolPart } from './poolPart.ts';
import type { PoolSource } from './poolSource.ts';
import { Prompts, type Posing } from './prompts.ts';
import { Advantages } from './rows/advantages.ts';
import { attemptRows, resampled, writingRows } from './rows/conversationRows.ts';
import { attemptDatums, writingDatums } from './rows/datumRows.ts';
import { promptRows, trlPrompt, verlPrompt } from './rows/promptRows.ts';

export interface PoolOptions {
  source: PoolSource;
  /** Tasks that the run did not write itself and so does not record: base tasks, and offline ones. */
  given: readonly Task[];
  part: PoolPart;
  leave: Leave;
  /** How the domain words prompts, for attempts and tasks without a record of it. */
  posing: Posing;
  warn: Leave;
}

type Row = Record<string, unknown>;

/** Streams the rows of a pool; holds only the keys of groups and tasks. @throws RunError */
export async function* poolRows(choice: ExportChoice, options: PoolOptions): AsyncGenerator<Row> {
  yield* choice.pool === 'agent' ? agentRows(choice, options) : environmentRows(choice, options);
}

async function* agentRows(choice: AgentChoice, options: PoolOptions): AsyncGenerator<Row> {
  const { source, given, leave, posing, warn } = options;
  const items = agentItems(source, given, options);
  const recorded = new Prompts(posing, warn);
  if (choice.format === 'jsonl') {
    const labels = await labelsOf(source);
    for await (const item of items) yield agentLine(item, labels, (trace, task) => recorded.ofTrace(trace, task));
  } else if (choice.format === 'verl')
    yield* promptRows(items, await Prompts.ofTasks(source, given, posing, warn), verlPrompt);
  else if (choice.format === 'tinker') {
    const [settings, late] = [await epochSettings(source), await lateTasks(source)];
    const normOf = (trace: Trace) => settings(countedIn(late, trace)).agent.advantageNorm;
    const advantages = await Advantages.read(source.traces(), normOf);
    yield* attemptDatums(items, advantages, leave);
  } else if (choice.rows === 'tasks')
    yield* promptRows(items, await Prompts.ofTasks(source, given, posing, warn), trlPrompt);
  else yield* attemptRows(items, recorded, leave);
}

async function* environmentRows(choice: EnvironmentChoice, options: PoolOptions): AsyncGenerator<Row> {
  const { source, leave } = options;
  const items = environmentItems(source, options);
  if (choice.format === 'jsonl') {
    for await (const item of items) yield instanceLine(item);
  } else if (choice.format === 'tinker') {
    const settings = await epochSettings(source);
    yield* writingDatums(items, (epoch) => settings(epoch).environment.tokenWeights, leave);
  } else if (choice.weights === 'column') yield* writingRows(items, leave);
  else yield* resampled(writingRows(items, leave), Rng.from(source.manifest.experiment.seed, 'export'), leave);
}
