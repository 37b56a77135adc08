/** Which of several folders a call is of: by the file or the runs that it names. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../../../shared/systemError.ts';
import { AgentError } from '../core/agentError.ts';
import { named } from '../core/quoting.ts';
import type { AgentContext } from './agentContext.ts';

const name = z.string().optional().catch(undefined);
const namingSchema = z.looseObject({
  ...{ file: name, experiment: name, study: name, run: name },
  runs: z.array(z.string()).optional().catch(undefined),
});

/** Those that have it; all where none does. @throws AgentError where a beginning of an id is one of runs in several */
export async function withNamed(contexts: readonly AgentContext[], input: unknown): Promise<readonly AgentContext[]> {
  const naming = namingSchema.safeParse(input ?? {}).data;
  if (contexts.length < 2 || naming === undefined) return contexts;
  const file = naming.file ?? naming.experiment ?? naming.study;
  if (file !== undefined) {
    const there = await Promise.all(contexts.map((context) => holds(context, file)));
    const having = contexts.filter((_, i) => there[i] === true);
    return having.length === 0 ? contexts : having;
  }
  const ids = await Promise.all(contexts.map(idsOf));
  const owners = new Set<AgentContext>();
  for (const run of [...(naming.run === undefined ? [] : [naming.run]), ...(naming.runs ?? [])]) {
    const whole = contexts.filter((_, i) => ids[i]?.includes(run) === true);
    const begun = contexts.filter((_, i) => ids[i]?.some((id) => id.startsWith(run)) === true);
    const of = whole.length > 0 ? whole : begun;
    if (of.length > 1) {
      const places = of.map(({ place }) => `“${named(place.folder)}”`).join(', ');
      throw new AgentError(
        'bad-input',
        `“${named(run)}” is the id of runs in several folders, or begins it: ${places}.`,
        'Give the whole id, as list_runs names it.',
      );
    }
    for (const context of of) owners.add(context);
  }
  return owners.size === 1 ? [...owners] : contexts;
}

async function holds({ place, reach }: AgentContext, file: string): Promise<boolean> {
  const path = resolve(place.folder, file);
  try {
    await stat(path);
    return await reach.holds(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}

/** None where the system refuses them: the call itself tells why. */
async function idsOf({ store }: AgentContext): Promise<string[]> {
  try {
    return await store.ids();
  } catch (error) {
    if (codeOf(error) === '' && !(error instanceof Error && 'reason' in error)) throw error;
    return [];
  }
}
